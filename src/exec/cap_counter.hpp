// SPDX-License-Identifier: Apache-2.0
/// \file
/// Counts the caps that are reached: a step once for each, and once for each of several models that
/// reached it. Real-time safe after construction.
#pragma once

#include <array>
#include <vector>

#include "exec/statistics.hpp"
#include "hild/model/stepper.hpp"

namespace hild::exec {

class CapCounter {
 public:
  CapCounter(const model::Stepper& plant, Statistics& statistics);

  /// Whether the plant cuts its model short by itself.
  [[nodiscard]] bool any() const noexcept { return now_ != nullptr; }
  /// What it has cut short so far, null where it does not.
  [[nodiscard]] const model::CapCounts* counted() const noexcept { return now_; }
  /// A cap was reached in the step of this record, by these of several models.
  void note(io::Cap cap, std::uint32_t by, io::FrameHeader& record) noexcept;
  /// What the plant has cut short since it was last asked. Precondition: any().
  void note_plants_own(io::FrameHeader& record) noexcept;

 private:
  using Count = std::int64_t model::CapCounts::*;
  [[nodiscard]] std::uint32_t cut_by(Count count) const noexcept;

  const model::Stepper* plant_;
  Statistics* statistics_;
  const model::CapCounts* now_;
  model::CapCounts before_{};                      // as of the last step
  std::vector<model::CapCounts> parts_before_;     // of several models, as of the last noted
  std::array<std::uint32_t, io::cap_count> by_{};  // where a cap was reached in this step
};

}  // namespace hild::exec
