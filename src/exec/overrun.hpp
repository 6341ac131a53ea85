// SPDX-License-Identifier: Apache-2.0
/// \file
/// What to do about lateness: the span of the next step, slips, and the limits on late steps.
/// An overrun is a step whose work ended after the tick its outputs were due at (Cellier,
/// Overruns). Real-time safe after construction.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/settings.hpp"
#include "exec/timeline.hpp"

namespace hild::exec {

struct StepPlan {
  int span = 1;              ///< frames the step covers
  std::int64_t slipped = 0;  ///< ticks given up before it
};

/// The plan of the step that starts at frame n, decided at `now`, at or after its tick when the
/// run is late. Under `double_step` the span is 1 if the step's end still lies in the future, else
/// 2; lag beyond max_debt becomes a slip first.
[[nodiscard]] StepPlan catch_up(const OverrunSettings& settings, Timeline& timeline, std::int64_t n,
                                MonoTime now) noexcept;
[[nodiscard]] inline StepPlan plan_step(const OverrunSettings& settings, Timeline& timeline,
                                        std::int64_t n, MonoTime now) noexcept {
  if (now < timeline.tick(n + 1)) return {};  // in step, or late by less than a frame
  return catch_up(settings, timeline, n, now);
}

/// Late steps among the last `window`, and in a row.
class OverrunLimits {
 public:
  explicit OverrunLimits(const OverrunSettings& settings);

  /// Tells of a step that ended; true when a limit is reached by it. Steps of the start-up grace
  /// are not counted.
  [[nodiscard]] bool reached(bool late) noexcept {
    if (steps_++ < settings_.startup_grace) return false;
    if (settings_.policy == OverrunPolicy::stop && late) return true;

    in_a_row_ = late ? in_a_row_ + 1 : 0;
    late_in_window_ += (late ? 1 : 0) - window_[next_];
    window_[next_] = late ? 1 : 0;
    next_ = next_ + 1 == window_.size() ? 0 : next_ + 1;
    return late_in_window_ != 0 && too_many();
  }

 private:
  [[nodiscard]] bool too_many() const noexcept;
  OverrunSettings settings_;
  std::vector<std::uint8_t> window_;
  std::size_t next_ = 0;
  std::int64_t steps_ = 0;
  int late_in_window_ = 0;
  int in_a_row_ = 0;
};

}  // namespace hild::exec
