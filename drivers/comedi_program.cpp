// SPDX-License-Identifier: Apache-2.0
#include "drivers/comedi_program.hpp"

#include <cmath>
#include <cstring>
#include <utility>

#include "hild/io/pair.hpp"

namespace hild::comedi {
namespace {

using Words [[gnu::vector_size(16)]] = std::uint64_t;

// The sample of an instruction, which begins its two words, and that of the next one: as they are
// into `counts`, and as numbers. A sample of 32 bits is the end of a double that begins with 2^52.
io::Pair raw_of(const std::array<lsampl_t, 2>* data, std::uint32_t* counts,
                io::LoadPair /*two*/) noexcept {
  constexpr std::uint64_t begin = 0x4330'0000'0000'0000U;
  Words words;
  std::memcpy(&words, data, sizeof words);
  words &= 0xFFFF'FFFFU;
  counts[0] = static_cast<std::uint32_t>(words[0]);
  counts[1] = static_cast<std::uint32_t>(words[1]);
  words |= begin;
  io::Pair numbers;
  std::memcpy(&numbers, &words, sizeof numbers);
  return numbers - 0x1p52;
}
double raw_of(const std::array<lsampl_t, 2>* data, std::uint32_t* counts,
              io::LoadOne /*one*/) noexcept {
  counts[0] = (*data)[0];
  return (*data)[0];
}

}  // namespace

Program::Program(std::span<const Line> outputs, std::span<const Line> inputs) {
  place(outputs, false, outputs_);
  output_insns_ = insns_.size();
  place(inputs, false, inputs_);
  asked_insns_ = insns_.size();
  place(inputs, true, inputs_);
  find_runs(outputs_);
  find_runs(inputs_);
  bits_.resize(insns_.size());
  for (std::size_t i = 0; i < insns_.size(); ++i) insns_[i].data = data_[i].data();
  // Until a first value comes, a line that is given none gets 0 V.
  for (const Run& run : outputs_.runs) {
    for (std::size_t i = 0; i < run.count; ++i) data_[run.insn + i][0] = run.conversion.to_raw(0);
  }
  for (const Analog& line : outputs_.analog) data_[line.insn][0] = line.conversion.to_raw(0);
}

void Program::place(std::span<const Line> lines, bool scanned, Lines& placed) {
  const std::size_t first = insns_.size();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (line.scanned != scanned) continue;
    if (line.digital) {
      placed.digital.push_back({i, place_digital(line, first), line.channel % bits_at_once});
    } else if (line.counter) {
      const unsigned chanspec = CR_PACK(line.channel, 0, 0);
      placed.counters.push_back({i, add(INSN_READ, line.subdevice, chanspec, 1, {}),
                                 Unfolded(line.maxdata, line.counter->reset)});
    } else {
      const unsigned kind = line.direction == io::Direction::input ? INSN_READ : INSN_WRITE;
      const unsigned chanspec = CR_PACK(line.channel, line.range_index, line.aref);
      placed.analog.push_back({i, add(kind, line.subdevice, chanspec, 1, {}), line.conversion});
    }
  }
}

// Channels of one range of a card without a calibration of its own have one conversion.
void Program::find_runs(Lines& lines) {
  std::vector<Analog> others;
  for (const Analog& line : lines.analog) {
    if (!line.conversion.straight()) {
      others.push_back(line);
      continue;
    }
    Run* const last = lines.runs.empty() ? nullptr : &lines.runs.back();
    if (last != nullptr && last->signal + last->count == line.signal &&
        last->insn + last->count == line.insn && last->conversion.same_line(line.conversion)) {
      ++last->count;
    } else {
      lines.runs.push_back({line.signal, line.insn, 1, line.conversion});
    }
  }
  lines.analog = std::move(others);
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
  for (const Run& run : outputs_.runs) {
    const Conversion conversion = run.conversion;
    const double* value = outputs.data() + run.signal;
    Data* to = data_.data() + run.insn;
    for (Data* const end = to + run.count; to != end; ++to, ++value) {
      if (std::isfinite(*value)) (*to)[0] = conversion.straight_to_raw(*value);
    }
  }
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

void Program::put_scan(std::span<const lsampl_t> samples) noexcept {
  Data* to = data_.data() + asked_insns_;
  for (const lsampl_t sample : samples) (*to++)[0] = sample;
}

void Program::get(std::span<double> inputs, std::span<std::uint32_t> counts) noexcept {
  if (inputs.empty()) return;
  const Data* const data = data_.data();
  for (const Run& run : inputs_.runs) {
    const Conversion conversion = run.conversion;  // of its own: what is written does not change it
    const Data* const from = data + run.insn;
    std::uint32_t* const raw = counts.data() + run.signal;
    io::by_pairs(0, run.count, inputs.data() + run.signal, [&](std::size_t i, auto load) {
      return conversion.straight_to_volts(raw_of(from + i, raw + i, load));
    });
  }
  for (const Analog& line : inputs_.analog) {
    counts[line.signal] = data[line.insn][0];
    inputs[line.signal] = line.conversion.to_volts(data[line.insn][0]);
  }
  for (const Digital& line : inputs_.digital) {
    counts[line.signal] = (data_[line.insn][1] >> line.bit) & 1;
    inputs[line.signal] = static_cast<double>(counts[line.signal]);
  }
  for (Counter& line : inputs_.counters) {
    counts[line.signal] = data_[line.insn][0];
    inputs[line.signal] = line.count.follow(data_[line.insn][0]);
  }
}

comedi_insnlist Program::list(bool outputs, bool inputs, bool commanded) noexcept {
  const std::size_t all = commanded ? asked_insns_ : insns_.size();
  const std::size_t begin = outputs ? 0 : output_insns_;
  const std::size_t end = inputs ? all : output_insns_;
  return {static_cast<unsigned>(end - begin), insns_.data() + begin};
}

}  // namespace hild::comedi
