// SPDX-License-Identifier: Apache-2.0
#include "exec/cap_counter.hpp"

#include <algorithm>
#include <bit>

namespace hild::exec {

CapCounter::CapCounter(const model::Stepper& plant, Statistics& statistics)
    : plant_(&plant),
      statistics_(&statistics),
      now_(plant.system().cap_counts()),
      parts_before_(std::min(plant.description().parts.size(), io::most_cappers)) {}

void CapCounter::note(io::Cap cap, std::uint32_t by, io::FrameHeader& record) noexcept {
  const auto at = static_cast<std::size_t>(cap);
  const auto bit = static_cast<std::uint8_t>(1U << at);
  if ((record.capped & bit) == 0) {
    record.capped = static_cast<std::uint8_t>(record.capped | bit);
    statistics_->capped[at].add();
    by_[at] = 0;
  }
  for (std::uint32_t left = by & ~by_[at]; left != 0; left &= left - 1) {
    statistics_->capped_by[static_cast<std::size_t>(std::countr_zero(left))][at].add();
  }
  by_[at] |= by;
  record.capped_by |= by;
}

// Of several models a bit for each of which this count has grown.
std::uint32_t CapCounter::cut_by(Count count) const noexcept {
  std::uint32_t by = 0;
  for (std::size_t p = 0; p < parts_before_.size(); ++p) {
    const model::CapCounts* const now = plant_->models()->cap_counts_of(p);
    if (now != nullptr && now->*count != parts_before_[p].*count) by |= std::uint32_t{1} << p;
  }
  return by;
}

void CapCounter::note_plants_own(io::FrameHeader& record) noexcept {
  now_ = plant_->system().cap_counts();
  bool any = false;
  const auto look = [&](io::Cap cap, Count count) {
    if (now_->*count == before_.*count) return;
    note(cap, cut_by(count), record);
    any = true;
  };
  look(io::Cap::event_iterations, &model::CapCounts::event_iterations);
  look(io::Cap::zero_advance, &model::CapCounts::zero_advance);
  look(io::Cap::step_parts, &model::CapCounts::step_parts);
  look(io::Cap::late_answers, &model::CapCounts::late_answers);
  look(io::Cap::algebraic_iterations, &model::CapCounts::algebraic_iterations);
  if (any) take_parts();
  before_ = *now_;
}

void CapCounter::take_parts() noexcept {
  for (std::size_t p = 0; p < parts_before_.size(); ++p) {
    const model::CapCounts* const now = plant_->models()->cap_counts_of(p);
    if (now != nullptr) parts_before_[p] = *now;
  }
}

void CapCounter::begin_here() noexcept {
  now_ = plant_->system().cap_counts();
  if (now_ != nullptr) before_ = *now_;
  take_parts();
}

}  // namespace hild::exec
