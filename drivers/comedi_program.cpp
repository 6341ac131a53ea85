// SPDX-License-Identifier: Apache-2.0
#include "drivers/comedi_program.hpp"

#include <cmath>

namespace hild::comedi {
namespace {

constexpr unsigned bits_at_once = 32;  // lines that one INSN_BITS reaches

}  // namespace

Program::Program(std::span<const Line> outputs, std::span<const Line> inputs)
    : outputs_(outputs.begin(), outputs.end()), inputs_(inputs.begin(), inputs.end()) {
  place(outputs_, output_places_);
  output_insns_ = insns_.size();
  place(inputs_, input_places_);
  bits_.resize(insns_.size());
  for (std::size_t i = 0; i < insns_.size(); ++i) insns_[i].data = data_[i].data();
  // Until a first value comes, a line that is given none gets 0 V.
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i].digital) data_[output_places_[i].insn][0] = outputs_[i].conversion.to_raw(0);
  }
}

void Program::place(std::span<const Line> lines, std::vector<Place>& places) {
  const std::size_t first = insns_.size();
  for (const Line& line : lines) {
    const std::size_t insn = line.digital ? place_digital(line, first) : place_analog(line);
    places.push_back({insn, line.channel % bits_at_once});
  }
}

std::size_t Program::place_analog(const Line& line) {
  comedi_insn insn{};
  insn.insn = line.direction == io::Direction::input ? INSN_READ : INSN_WRITE;
  insn.n = 1;
  insn.subdev = line.subdevice;
  insn.chanspec = CR_PACK(line.channel, line.range_index, line.aref);
  insns_.push_back(insn);
  data_.push_back({});
  return insns_.size() - 1;
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
  comedi_insn insn{};
  insn.insn = INSN_BITS;
  insn.n = 2;
  insn.subdev = line.subdevice;
  insn.chanspec = CR_PACK(base, 0, 0);
  insns_.push_back(insn);
  data_.push_back({mask, 0});
  return insns_.size() - 1;
}

void Program::put(std::span<const double> outputs) noexcept {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Place place = output_places_[i];
    if (!std::isfinite(outputs[i])) continue;
    if (!outputs_[i].digital) {
      data_[place.insn][0] = outputs_[i].conversion.to_raw(outputs[i]);
    } else if (outputs[i] >= 0.5) {
      bits_[place.insn] |= lsampl_t{1} << place.bit;
    } else {
      bits_[place.insn] &= ~(lsampl_t{1} << place.bit);
    }
  }
  for (std::size_t i = 0; i < output_insns_; ++i) {
    if (insns_[i].insn == INSN_BITS) data_[i][1] = bits_[i];
  }
}

void Program::get(std::span<double> inputs) const noexcept {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Place place = input_places_[i];
    const Data& data = data_[place.insn];
    inputs[i] = inputs_[i].digital ? static_cast<double>((data[1] >> place.bit) & 1)
                                   : inputs_[i].conversion.to_volts(data[0]);
  }
}

comedi_insnlist Program::list(bool outputs, bool inputs) noexcept {
  const std::size_t begin = outputs ? 0 : output_insns_;
  const std::size_t end = inputs ? insns_.size() : output_insns_;
  return {static_cast<unsigned>(end - begin), insns_.data() + begin};
}

}  // namespace hild::comedi
