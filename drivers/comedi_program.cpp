// SPDX-License-Identifier: Apache-2.0
#include "drivers/comedi_program.hpp"

#include <algorithm>
#include <cmath>

namespace hild::comedi {
Program::Program(std::span<const Line> outputs, std::span<const Line> inputs) {
  outputs_ = place(outputs);
  output_insns_ = insns_.size();
  inputs_ = place(inputs);
  bits_.resize(insns_.size());
  for (std::size_t i = 0; i < insns_.size(); ++i) insns_[i].data = data_[i].data();
  // Until a first value comes, a line that is given none gets 0 V.
  for (const Analog& line : outputs_.analog) data_[line.insn][0] = line.conversion.to_raw(0);
}

Program::Lines Program::place(std::span<const Line> lines) {
  const std::size_t first = insns_.size();
  Lines placed;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (line.digital) {
      placed.digital.push_back({i, place_digital(line, first), line.channel % bits_at_once});
    } else {
      const unsigned kind = line.direction == io::Direction::input ? INSN_READ : INSN_WRITE;
      const unsigned chanspec = CR_PACK(line.channel, line.range_index, line.aref);
      placed.analog.push_back({i, add(kind, line.subdevice, chanspec, 1, {}), line.conversion});
    }
  }
  const auto curved =
      std::stable_partition(placed.analog.begin(), placed.analog.end(),
                            [](const Analog& a) { return a.conversion.straight(); });
  placed.straight = static_cast<std::size_t>(curved - placed.analog.begin());
  return placed;
}

std::size_t Program::place_digital(const Line& line, std::size_t first) {
  const unsigned base = line.channel - line.channel % bits_at_once;
  const lsampl_t mask =
      line.direction == io::Direction::output ? lsampl_t{1} << (line.channel % bits_at_once) : 0;
  for (std::size_t i = first; i < insns_.size(); ++i) {
    if (insns_[i].insn == INSN_BITS && insns_[i].subdev == line.subdevice &&
        CR_CHAN(insns_[i].chanspec) == base) {
      data_[i][0] |= mask;
      return i;
    }
  }
  return add(INSN_BITS, line.subdevice, CR_PACK(base, 0, 0), 2, {mask, 0});
}

std::size_t Program::add(unsigned kind, unsigned subdevice, unsigned chanspec, unsigned samples,
                         const Data& data) {
  comedi_insn insn{};
  insn.insn = kind;
  insn.n = samples;
  insn.subdev = subdevice;
  insn.chanspec = chanspec;
  insns_.push_back(insn);
  data_.push_back(data);
  return insns_.size() - 1;
}

void Program::put(std::span<const double> outputs) noexcept {
  if (outputs.empty()) return;
  for (const Analog& line : outputs_.analog) {
    const double value = outputs[line.signal];
    if (std::isfinite(value)) data_[line.insn][0] = line.conversion.to_raw(value);
  }
  for (const Digital& line : outputs_.digital) {
    const double value = outputs[line.signal];
    const lsampl_t bit = lsampl_t{1} << line.bit;
    if (std::isfinite(value)) {
      bits_[line.insn] = value >= 0.5 ? bits_[line.insn] | bit : bits_[line.insn] & ~bit;
    }
    data_[line.insn][1] = bits_[line.insn];
  }
}

void Program::get(std::span<double> inputs, std::span<std::uint32_t> counts) const noexcept {
  if (inputs.empty()) return;
  const std::span<const Analog> analog = inputs_.analog;
  const Data* const data = data_.data();
  const auto read = [&](const Analog& line, auto to_volts) {
    const lsampl_t raw = data[line.insn][0];
    counts[line.signal] = raw;
    inputs[line.signal] = to_volts(line.conversion, raw);
  };
  for (const Analog& line : analog.first(inputs_.straight)) {
    read(line, [](const Conversion& c, lsampl_t raw) { return c.straight_to_volts(raw); });
  }
  for (const Analog& line : analog.subspan(inputs_.straight)) {
    read(line, [](const Conversion& c, lsampl_t raw) { return c.to_volts(raw); });
  }
  for (const Digital& line : inputs_.digital) {
    counts[line.signal] = (data_[line.insn][1] >> line.bit) & 1;
    inputs[line.signal] = static_cast<double>(counts[line.signal]);
  }
}

comedi_insnlist Program::list(bool outputs, bool inputs) noexcept {
  const std::size_t begin = outputs ? 0 : output_insns_;
  const std::size_t end = inputs ? insns_.size() : output_insns_;
  return {static_cast<unsigned>(end - begin), insns_.data() + begin};
}

}  // namespace hild::comedi
