// SPDX-License-Identifier: Apache-2.0
/// \file
/// Counts how often a step was cut short by a cap (io::Cap): once a step for each cap, and of a
/// plant of several models once for each model that reached it. Real-time safe after construction.
#pragma once

#include <array>
#include <vector>

#include "exec/statistics.hpp"
#include "hild/model/stepper.hpp"

namespace hild::exec {

class CapCounter {
 public:
  CapCounter(const model::Stepper& plant, Statistics& statistics);

  /// Whether the plant has caps of its own, which note_plants_own() has to look at.
  [[nodiscard]] bool any() const noexcept { return now_ != nullptr; }
  /// The plant's own counts of reached caps so far; null where it has none.
  [[nodiscard]] const model::CapCounts* counted() const noexcept { return now_; }
  /// Notes in `record` that `cap` was reached in its step. `by` has a bit for each of several
  /// models that reached it.
  [[gnu::noinline]] void note(io::Cap cap, std::uint32_t by, io::FrameHeader& record) noexcept;
  /// Notes in `record` the plant's own caps that were reached since the last call. Precondition:
  /// any().
  [[gnu::noinline]] void note_plants_own(io::FrameHeader& record) noexcept;
  /// Takes the plant's counts as they are for those of the last step.
  void begin_here() noexcept;

 private:
  using Count = std::int64_t model::CapCounts::*;
  [[nodiscard]] std::uint32_t cut_by(Count count) const noexcept;
  void take_parts() noexcept;

  const model::Stepper* plant_;
  Statistics* statistics_;
  const model::CapCounts* now_;
  model::CapCounts before_{};  // counts at the end of the last step
  // of each of several models, when a cap was last noted
  std::vector<model::CapCounts> parts_before_;
  // for each cap, the models that reached it in this step
  std::array<std::uint32_t, io::cap_count> by_{};
};

}  // namespace hild::exec
