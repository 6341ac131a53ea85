// SPDX-License-Identifier: Apache-2.0
/// \file
/// Meters the phases of a frame by one clock. Closing a phase gives it the time since the last
/// closing, so that the phases add up to the frame exactly. Real-time safe.
#pragma once

#include <algorithm>

#include "exec/statistics.hpp"
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
  /// Updates the usual length of a pass: a sliding mean, which a single long pass moves no more
  /// than one of twice the usual length would.
  void learn_pass(Duration cost) noexcept {
    const Duration usual = usual_pass_.ns > 0 ? usual_pass_ : cost;
    usual_pass_ = usual + ((cost < usual * 2 ? cost : usual * 2) - usual) / 8;
  }

  /// The instant of the last closing.
  [[nodiscard]] MonoTime last() const noexcept { return mark_; }

  /// The time spent serving external events in the slack of the frame before.
  [[nodiscard]] Duration slack_before() const noexcept { return after_record_[1]; }

  /// The usual times of a pass, and of closing a step; 0 until a step has been on time.
  [[nodiscard]] Duration usual_pass() const noexcept { return usual_pass_; }
  [[nodiscard]] Duration usual_closing() const noexcept {
    return usual_[static_cast<std::size_t>(io::Phase::outputs)];
  }

  /// Ends a frame's account at the last closing and begins the next one.
  void next_frame() noexcept;

  /// Fills in the phase times of the record written now: record, slack and idle, which come after
  /// it, are those of the frame before.
  void report(io::FrameHeader& header) const noexcept;

  /// The cause of an overrun: the phase that took most beyond its usual time since the loop last
  /// waited, if it explains at least half of `lateness`; else unknown.
  [[nodiscard]] io::Cause cause_of(Duration lateness) const noexcept;
  /// To be called for a step that was not late: its phases update the usual times.
  void learn() noexcept;

 private:
  // Of an even number, so that it is cleared and copied two at a time.
  using PhaseTimes = std::array<Duration, io::phase_count + io::phase_count % 2>;
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
  // Sliding means of the phases that can be blamed: of whole steps, and since they last waited.
  PhaseTimes usual_{};
  PhaseTimes usual_after_wait_{};
  Duration usual_pass_{};
  int skipped_ = 0;
  bool learnt_ = false;
  bool learnt_waits_ = false;
  bool waited_ = false;  // for a release within the step
  bool open_ = false;    // a frame is being metered
};

}  // namespace hild::exec
