// SPDX-License-Identifier: Apache-2.0
/// \file
/// Meters the phases of a frame by one clock. Closing a phase gives it the time since the last
/// closing, so that the phases add up to the frame exactly. They are added up where they are told:
/// in the record of the frame. Real-time safe.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "exec/statistics.hpp"
#include "exec/usual_times.hpp"
#include "hild/rt/stopwatch.hpp"

namespace hild::exec {

class Meter {
 public:
  /// `header` stands for that of the first record until there is one.
  Meter(rt::Clock& clock, Statistics& statistics, Duration budget, io::FrameHeader& header) noexcept
      : watch_(clock), statistics_(&statistics), budget_(budget), header_(&header) {}

  /// Begins the first frame.
  void start() noexcept { mark_ = now(); }
  /// The present time after a sleep, as of the clock that slept within Stopwatch::sync().
  [[nodiscard]] MonoTime now() noexcept { return watch_.sync(); }

  /// Ends a phase: it gets the time since the last closing. Returns the instant of this one.
  MonoTime close(io::Phase phase) noexcept { return close(phase, watch_.now()); }
  [[gnu::always_inline]] MonoTime close(io::Phase phase, MonoTime now) noexcept {
    const Duration took = now - mark_;
    time_of(phase) += took;
    if (!is_work(phase)) work_from_ += took;
    return mark_ = now;
  }
  /// Ends a wait within the step, for `release`: what was slept beyond it counts as wake-up.
  /// Whatever was done before it made nothing late, since it was waited for.
  MonoTime close_wait(MonoTime release) noexcept {
    const MonoTime woke = watch_.now();
    close(io::Phase::wait, std::max(mark_, std::min(release, woke)));
    std::memcpy(before_wait_.data(), header_->phases.data(), before_record);
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
  [[nodiscard]] Duration slack_before() const noexcept {
    return header_->phases[static_cast<std::size_t>(io::Phase::slack)];
  }

  [[nodiscard]] const UsualTimes& usual() const noexcept { return usual_; }
  void learn_pass(Duration cost) noexcept { usual_.learn_pass(cost); }
  /// To be called for a step that was not late.
  void learn() noexcept {
    if (usual_.due()) usual_.learn(step());
  }
  /// The cause of an overrun, as far as phases tell.
  [[nodiscard]] io::Cause cause_of(Duration lateness) const noexcept {
    return usual_.cause_of(lateness, step());
  }

  /// The record of the next frame is `header`; what belongs to the frame before goes there as well:
  /// record, slack and idle, which come after a record.
  void tell(io::FrameHeader& header) noexcept { header_ = &header; }
  /// Ends a frame's account at the last closing and begins the next one, in its record.
  void next_frame() noexcept;
  /// Ends the account of the last frame.
  void end_run() noexcept {
    if (open_) end_frame();
  }

 private:
  static constexpr std::size_t at(io::Phase p) noexcept { return static_cast<std::size_t>(p); }
  static constexpr auto first_after = static_cast<std::size_t>(io::Phase::record);
  static constexpr std::size_t before_record = first_after * sizeof(Duration);  // bytes

  [[nodiscard]] Duration& time_of(io::Phase phase) noexcept {
    return at(phase) < first_after ? header_->phases[at(phase)]
                                   : after_record_[at(phase) - first_after];
  }
  [[nodiscard]] UsualTimes::Step step() const noexcept {
    return {header_->phases, waited_ ? &before_wait_ : nullptr};
  }
  // What was before the first tick belongs to no frame.
  [[gnu::noinline, gnu::cold]] void open() noexcept {
    open_ = true;
    work_from_ = mark_;
    after_record_ = {};
  }
  void end_frame() noexcept {
    const MonoTime from = std::exchange(work_from_, mark_);
    if (mark_ - from > budget_) [[unlikely]]
      statistics_->over_budget.add();
  }

  rt::Stopwatch watch_;
  Statistics* statistics_;
  Duration budget_;
  io::FrameHeader* header_;
  MonoTime work_from_{};  // the frame at hand has worked since then, had it never waited
  MonoTime mark_{};       // the last closing
  // Record, slack and idle of the frame at hand.
  std::array<Duration, io::phase_count - first_after> after_record_{};
  PhaseTimes before_wait_{};  // when the step last waited; valid only where it has
  UsualTimes usual_;
  bool waited_ = false;  // for a release within the step
  bool open_ = false;    // a frame is being metered
};

inline void Meter::next_frame() noexcept {
  if (!open_) open();
  end_frame();
  auto& phases = header_->phases;
  std::memset(static_cast<void*>(phases.data()), 0, before_record);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < after_record_.size(); ++i) {
    phases[first_after + i] = std::exchange(after_record_[i], {});
  }
  waited_ = false;
}

}  // namespace hild::exec
