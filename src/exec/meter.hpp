// SPDX-License-Identifier: Apache-2.0
/// \file
/// Meters the phases of a frame by one clock. Closing a phase gives it the time since the last
/// closing, so that the phases add up to the frame exactly. Real-time safe.
#pragma once

#include <algorithm>

#include "exec/statistics.hpp"
#include "exec/usual_times.hpp"
#include "hild/rt/stopwatch.hpp"

namespace hild::exec {

class Meter {
 public:
  Meter(rt::Clock& clock, Statistics& statistics, Duration budget) noexcept
      : watch_(clock), statistics_(&statistics), budget_(budget) {}

  /// Begins the first frame.
  void start() noexcept { mark_ = now(); }
  /// The present time after a sleep, by the clock that slept.
  [[nodiscard]] MonoTime now() noexcept { return watch_.sync(); }

  /// Ends a phase: it gets the time since the last closing. Returns the instant of this one.
  MonoTime close(io::Phase phase) noexcept { return close(phase, watch_.now()); }
  MonoTime close(io::Phase phase, MonoTime now) noexcept {
    current_[static_cast<std::size_t>(phase)] += now - mark_;
    return mark_ = now;
  }
  /// Ends a wait within the step, for `release`: what was slept beyond it counts as wake-up.
  /// Whatever was done before it made nothing late, since it was waited for.
  MonoTime close_wait(MonoTime release) noexcept {
    const MonoTime woke = watch_.now();
    close(io::Phase::wait, std::max(mark_, std::min(release, woke)));
    before_wait_ = current_;
    waited_ = true;
    return close(io::Phase::wake, woke);
  }
  /// Like close(passes); returns what the pass took.
  Duration close_pass() noexcept {
    const MonoTime before = mark_;
    return close(io::Phase::passes) - before;
  }
  /// The instant of the last closing.
  [[nodiscard]] MonoTime last() const noexcept { return mark_; }

  /// The time spent serving external events in the slack of the frame before.
  [[nodiscard]] Duration slack_before() const noexcept { return after_record_[1]; }

  [[nodiscard]] const UsualTimes& usual() const noexcept { return usual_; }
  void learn_pass(Duration cost) noexcept { usual_.learn_pass(cost); }
  /// To be called for a step that was not late.
  void learn() noexcept { usual_.learn(step()); }
  /// The cause of an overrun, as far as phases tell.
  [[nodiscard]] io::Cause cause_of(Duration lateness) const noexcept {
    return usual_.cause_of(lateness, step());
  }

  /// Ends a frame's account at the last closing and begins the next one.
  void next_frame() noexcept;

  /// Fills in the phase times of the record written now: record, slack and idle, which come after
  /// it, are those of the frame before.
  void report(io::FrameHeader& header) const noexcept;

 private:
  [[nodiscard]] UsualTimes::Step step() const noexcept {
    return {current_, waited_ ? &before_wait_ : nullptr};
  }

  rt::Stopwatch watch_;
  Statistics* statistics_;
  Duration budget_;
  MonoTime begun_{};  // the frame at hand
  MonoTime mark_{};   // the last closing
  PhaseTimes current_{};
  // Record, slack and idle of the step before, which follow the record of their own step.
  static_assert(static_cast<int>(io::Phase::slack) == static_cast<int>(io::Phase::record) + 1);
  std::array<Duration, io::phase_count - static_cast<std::size_t>(io::Phase::record)>
      after_record_{};
  PhaseTimes before_wait_{};  // current_ when the step last waited; valid only where it has
  UsualTimes usual_;
  bool waited_ = false;  // for a release within the step
  bool open_ = false;    // a frame is being metered
};

}  // namespace hild::exec
