// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/step_gaps.hpp"

#include <algorithm>
#include <utility>

namespace hild::framelog {
namespace {

constexpr std::size_t most_dropped = 1000;  // remembered while a trigger lets nothing through

}  // namespace

std::int64_t StepGaps::came(const io::FrameHeader& h) {
  const std::int64_t missing = std::max<std::int64_t>(h.step - next_seen_, 0);
  if (missing > 0) {
    if (dropped_.size() == most_dropped) dropped_.erase(dropped_.begin());  // far behind
    dropped_.push_back({next_seen_, h.step - 1, Gap::Reason::ring});
  }
  next_seen_ = next_after(h);
  return missing;
}

void StepGaps::no_place_for(const io::FrameHeader& h) {
  if (!unplaced_) unplaced_ = Gap{h.step, h.step, Gap::Reason::disk};
  unplaced_->last = h.step;
}

std::optional<Gap> StepGaps::take_unplaced() noexcept {
  return std::exchange(unplaced_, std::nullopt);
}

std::vector<Gap> StepGaps::before(const io::FrameHeader& h) {
  std::vector<Gap> gaps;
  std::int64_t next = next_kept_;
  std::size_t told = 0;
  for (; told < dropped_.size() && dropped_[told].last < h.step; ++told) {
    const Gap& drop = dropped_[told];
    if (drop.first > next) gaps.push_back({next, drop.first - 1, Gap::Reason::trigger});
    if (drop.first >= next) gaps.push_back(drop);
    next = std::max(next, drop.last + 1);
  }
  dropped_.erase(dropped_.begin(), dropped_.begin() + static_cast<std::ptrdiff_t>(told));
  if (next < h.step) gaps.push_back({next, h.step - 1, Gap::Reason::trigger});
  return gaps;
}

}  // namespace hild::framelog
