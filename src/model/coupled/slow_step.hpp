// SPDX-License-Identifier: Apache-2.0
/// \file
/// The progress of a model whose step takes several frames: on a grid of its own, counted in
/// frames.
#pragma once

#include "hild/core/archive.hpp"
#include "hild/core/grid.hpp"
#include "hild/model/system.hpp"

namespace hild::coupled {

class SlowStep {
 public:
  SlowStep(const Grid& grid, int every) noexcept : grid_(grid), every_(every) {}

  /// The end of a step from t. Steps end at whole multiples of the model's frames; one that begins
  /// in between is shorter.
  [[nodiscard]] SimTime end_of_step_from(SimTime t) const noexcept {
    std::int64_t n = grid_.frames_in(t - SimTime{});
    if (grid_.tick(n) <= t - SimTime{}) ++n;
    return SimTime{} + grid_.tick((n + every_ - 1) / every_ * every_);
  }

  /// The same of a step that is begun late, at t: it takes as many periods as leave one to take it.
  [[nodiscard]] SimTime end_of_step_within_reach(SimTime t) const noexcept {
    const SimTime next = end_of_step_from(t);
    return next == end_of_step_from(t - 1_ns) ? end_of_step_from(next) : next;
  }
  /// When a time event that is due at `due` acts: at the end of the step it lies in.
  [[nodiscard]] SimTime put_off(SimTime due) const noexcept {
    return due <= end ? end : model::never;
  }
  /// Abandons the step: the next one begins with the next frame.
  void abandon() noexcept {
    under_way = placed = restart = late = false;
    event = model::never;
  }

  /// `most_passes` are those of a step.
  void transfer(Archive& archive, int most_passes) noexcept {
    archive(under_way, placed, start, end, restart);
    // Steps from long ago would all be taken at once.
    archive.check(!(placed || under_way) || end >= archive.now().time,
                  "the end of a step of several frames");
    archive.number(next_pass, 0, most_passes, "passes made of a step of several frames");
    bool any_event = event != model::never;
    archive(any_event);
    if (!any_event) event = SimTime{};
    archive(event);
    if (!any_event) event = model::never;
  }

  bool under_way = false;
  bool placed = false;   // the next step begins at `end`; else with the next frame
  bool restart = false;  // to be done when the step is over, not between two passes
  bool late = false;     // in the background: it was not done when it was due
  int next_pass = 0;
  SimTime start{};
  SimTime end{};
  SimTime event = model::never;  // when an event acts that lies in this step: at its end

 private:
  Grid grid_;
  int every_;
};

}  // namespace hild::coupled
