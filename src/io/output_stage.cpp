// SPDX-License-Identifier: Apache-2.0
#include "io/output_stage.hpp"

#include <algorithm>
#include <cmath>

namespace hild::io {
namespace {

double within(double value, double middle, double reach) noexcept {
  return std::clamp(value, middle - reach, middle + reach);
}

}  // namespace

void OutputStage::add(const OutputLine& line) {
  lines_.push_back(line);
  own_.push_back(line.safe);
  from_.push_back(line.safe);
  wanted_.push_back(line.safe);
  cuts_.emplace_back();
  held_ = own_;
}

Result<void> OutputStage::share() {
  if (lines_.empty() || held_.data() != own_.data()) return {};
  auto memory = rt::SharedMemory::make(own_.size() * sizeof(double));
  if (!memory) return tl::make_unexpected(memory.error());
  shared_ = std::move(*memory);
  std::ranges::copy(own_, shared_.doubles().begin());
  held_ = shared_.doubles();
  return {};
}

std::int64_t OutputStage::convert(std::span<const double> y, std::span<double> to) noexcept {
  std::int64_t cuts = 0;
  for (std::size_t slot = 0; slot < lines_.size(); ++slot) {
    const double wanted = lines_[slot].wanted(y);
    const bool carried = lines_[slot].carries(wanted);
    to[slot] = carried ? wanted : cut(slot, wanted);
    if (!carried) ++cuts;
  }
  return cuts;
}

// What a line is given instead of what it cannot carry.
double OutputStage::cut(std::size_t slot, double wanted) noexcept {
  const OutputLine& line = lines_[slot];
  cuts_[slot].values.add();
  cuts_[slot].last_bits.set(std::bit_cast<std::int64_t>(wanted));
  if (std::isfinite(wanted)) return std::clamp(wanted, line.limits.low, line.limits.high);
  return line.action.hold ? held_[slot] : line.safe;
}

std::int64_t OutputStage::follow(std::span<const double> y) noexcept {
  moving_ = false;
  return convert(y, held_);
}

std::int64_t OutputStage::follow(std::span<const double> y, double share, Duration since) noexcept {
  moving_ = false;
  const std::int64_t cut = convert(y, wanted_);
  follow_softly(share, since);
  return cut;
}

void OutputStage::follow_softly(double share, Duration since) noexcept {
  for (std::size_t slot = 0; slot < lines_.size(); ++slot) {
    const OutputLine& line = lines_[slot];
    double value = wanted_[slot];
    if (!line.digital) {
      if (share < 1) value = std::lerp(from_[slot], value, share);
      const double reach = std::min(line.slew * seconds(since), line.most_step);
      if (std::isfinite(line.slew)) value = within(value, held_[slot], reach);
      value = std::clamp(value, line.limits.low, line.limits.high);
    }
    moving_ = moving_ || value != wanted_[slot];
    held_[slot] = value;
  }
}

void OutputStage::begin() noexcept { std::ranges::copy(held_, from_.begin()); }

double OutputStage::relaxed(const OutputLine& line, double from, double t) const noexcept {
  if (line.action.hold) return std::clamp(from, line.limits.low, line.limits.high);
  if (line.digital) return line.safe;
  double value = line.safe;
  const double ramp = seconds(line.action.ramp);
  if (t < ramp) value = std::lerp(from, line.safe, t / ramp);
  if (std::isfinite(line.slew)) value = within(value, from, line.slew * t);
  return std::clamp(value, line.limits.low, line.limits.high);
}

void OutputStage::relax(Duration since) noexcept {
  moving_ = false;
  for (std::size_t slot = 0; slot < lines_.size(); ++slot) {
    const OutputLine& line = lines_[slot];
    held_[slot] = relaxed(line, from_[slot], seconds(since));
    moving_ = moving_ || (!line.action.hold && held_[slot] != line.safe);
  }
}

}  // namespace hild::io
