// SPDX-License-Identifier: Apache-2.0
#include "drivers/comedi_program.hpp"

#include <cmath>
#include <utility>

namespace hild::comedi {

Program::Program(std::span<const Line> outputs, std::span<const Line> inputs)
    : written_(outputs.size()), read_(inputs.size()) {
  bits_.reserve(outputs.size() + inputs.size());  // instructions point into it
  place(outputs, false, outputs_);
  output_insns_ = insns_.size();
  place(inputs, false, inputs_);
  asked_insns_ = insns_.size();
  place(inputs, true, inputs_);
  all_insns_ = insns_.size();
  for (Lines* const lines : {&outputs_, &inputs_}) find_runs(*lines);
}

void Program::place(std::span<const Line> lines, bool scanned, Lines& placed) {
  const std::size_t first = insns_.size();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (line.scanned != scanned) continue;
    if (scanned) scanned_.push_back(i);
    const bool reads = line.direction == io::Direction::input;
    if (line.digital) {
      placed.digital.push_back({i, place_digital(line, first), line.channel % bits_at_once});
    } else if (line.counter) {
      add(INSN_READ, line.subdevice, CR_PACK(line.channel, 0, 0), 1, &read_[i]);
      placed.counters.push_back({i, Unfolded(line.maxdata, line.counter->reset)});
    } else {
      // Until a first value comes, a line that is given none gets 0 V.
      if (!reads) written_[i] = line.conversion.to_raw(0);
      add(reads ? INSN_READ : INSN_WRITE, line.subdevice,
          CR_PACK(line.channel, line.range_index, line.aref), 1, reads ? &read_[i] : &written_[i]);
      placed.analog.push_back({i, line.conversion});
    }
  }
}

// Channels of one range of a card without a calibration of its own have one conversion.
void Program::find_runs(Lines& lines) {
  std::vector<Analog> others;
  for (const Analog& line : lines.analog) {
    const auto straight = line.conversion.straight();
    if (!straight) {
      others.push_back(line);
      continue;
    }
    Run* const last = lines.runs.empty() ? nullptr : &lines.runs.back();
    if (last != nullptr && last->signal + last->count == line.signal && last->line == *straight) {
      ++last->count;
    } else {
      lines.runs.push_back({line.signal, 1, *straight});
    }
  }
  lines.analog = std::move(others);
  lines.only_runs = lines.analog.empty() && lines.digital.empty() && lines.counters.empty();
}

std::size_t Program::place_digital(const Line& line, std::size_t first) {
  const unsigned base = line.channel - line.channel % bits_at_once;
  const lsampl_t mask =
      line.direction == io::Direction::output ? lsampl_t{1} << (line.channel % bits_at_once) : 0;
  for (std::size_t i = 0; i < bits_.size(); ++i) {
    const comedi_insn& insn = insns_[bits_[i].insn];
    if (bits_[i].insn >= first && insn.subdev == line.subdevice && CR_CHAN(insn.chanspec) == base) {
      bits_[i].data[0] |= mask;
      return i;
    }
  }
  Bits& bits = bits_.emplace_back(Bits{{mask, 0}, 0, insns_.size()});
  add(INSN_BITS, line.subdevice, CR_PACK(base, 0, 0), 2, bits.data.data());
  return bits_.size() - 1;
}

void Program::add(unsigned kind, unsigned subdevice, unsigned chanspec, unsigned samples,
                  lsampl_t* data) {
  comedi_insn insn{};
  insn.insn = kind;
  insn.n = samples;
  insn.data = data;
  insn.subdev = subdevice;
  insn.chanspec = chanspec;
  insns_.push_back(insn);
}

void Program::put_others(std::span<const double> outputs) noexcept {
  for (const Analog& line : outputs_.analog) {
    const double value = outputs[line.signal];
    if (std::isfinite(value)) written_[line.signal] = line.conversion.to_raw(value);
  }
  for (const Digital& line : outputs_.digital) {
    const double value = outputs[line.signal];
    const lsampl_t bit = lsampl_t{1} << line.bit;
    Bits& bits = bits_[line.bits];
    if (std::isfinite(value)) bits.last = value >= 0.5 ? bits.last | bit : bits.last & ~bit;
    bits.data[1] = bits.last;
  }
}

void Program::put_scan(std::span<const lsampl_t> samples) noexcept {
  const std::size_t* to = scanned_.data();
  for (const lsampl_t sample : samples) read_[*to++] = sample;
}

void Program::get_others(std::span<double> inputs) noexcept {
  for (const Analog& line : inputs_.analog) {
    inputs[line.signal] = line.conversion.to_volts(read_[line.signal]);
  }
  for (const Digital& line : inputs_.digital) {
    read_[line.signal] = (bits_[line.bits].data[1] >> line.bit) & 1;
    inputs[line.signal] = static_cast<double>(read_[line.signal]);
  }
  for (Counter& line : inputs_.counters) {
    inputs[line.signal] = line.count.follow(read_[line.signal]);
  }
}

comedi_insnlist Program::list(bool outputs, bool inputs, bool commanded) noexcept {
  const std::size_t all = commanded ? asked_insns_ : all_insns_;
  const std::size_t begin = outputs ? 0 : output_insns_;
  const std::size_t end = inputs ? all : output_insns_;
  return {static_cast<unsigned>(end - begin), insns_.data() + begin};
}

}  // namespace hild::comedi
