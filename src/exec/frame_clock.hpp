// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clock of a run: decides when a step begins, how many frames it covers, what is given up
/// before it, and what is waited for within it. `LiveClock` decides by time, `FollowingClock` by
/// time on a grid that is kept at the images of a device, `AlignedClock` on one that is kept on
/// TAI; `RecordedClock` repeats what time decided in a recorded run, so that a replay is the same
/// loop with another clock. What every frame asks of a LiveClock is here, to become part of the
/// loop. Real-time safe.
#pragma once

#include <span>

#include "exec/meter.hpp"
#include "exec/overrun.hpp"
#include "exec/step.hpp"
#include "hild/core/archive.hpp"

namespace hild::exec {

class FrameClock {
 public:
  /// Writes `step`, which everybody may read. All of them outlive it.
  FrameClock(const Settings& settings, rt::Clock& clock, Meter& meter, Statistics& statistics,
             Step& step) noexcept;
  FrameClock(const FrameClock&) = delete;
  FrameClock& operator=(const FrameClock&) = delete;
  virtual ~FrameClock() = default;

  /// Begins a run whose frame `first` has its tick at `start`.
  void begin_run(MonoTime start, std::int64_t first) noexcept;
  /// Before the run: waits for the instant at which a frame would begin so many before the first.
  virtual void wait_before(int frames) noexcept = 0;
  /// Between two steps: where the run is. What made steps late is not part of it.
  void transfer(Archive& archive) noexcept;
  /// Frames gone by: simulated, held, given up.
  [[nodiscard]] std::int64_t gone_by() const noexcept { return step_->frame + timeline_.moved(); }
  [[nodiscard]] const Step& step() const noexcept { return *step_; }
  [[nodiscard]] const Timeline& timeline() const noexcept { return timeline_; }

  // ---- a step, in order ----

  /// Whether there is a step to come; its tick is then step().due.
  [[nodiscard]] virtual bool next() noexcept = 0;
  /// Waits for the tick of the step, unless the run is late, and plans the step.
  virtual void begin() noexcept = 0;
  /// Where the grid follows a device (Settings::follow): looks at when the images that were read at
  /// the tick were made, and corrects it. False: the device does not tick any more.
  [[nodiscard]] virtual bool follow(std::span<MonoTime> /*instants*/) noexcept { return true; }
  /// Where there is no step to come: whether it is only that the run is over, and not that the
  /// clock was set on which its grid stands (Settings::align).
  [[nodiscard]] virtual bool in_phase() const noexcept { return true; }
  /// Of images that are followed, where they are read within the step: when they count as made.
  virtual void stamp(std::span<MonoTime> /*instants*/) const noexcept {}
  /// Limits the step to one frame, whatever was planned.
  void shorten() noexcept;
  /// Whether the loop waits for `release` before it takes the sample.
  [[nodiscard]] virtual bool waits_for_sample(MonoTime release) noexcept = 0;
  /// Decides what becomes of an output that is due at `at`, when the next one is due at `next`.
  enum class Timing : std::uint8_t { wait, now, too_late };
  [[nodiscard]] virtual Timing timing(MonoTime at, MonoTime next) noexcept = 0;
  /// Sleeps for an instant within the step, unless what was served before has run into it.
  virtual void wait_for(MonoTime release) noexcept = 0;
  /// Whether `work` that can start at `start` usually ends before the step is due.
  [[nodiscard]] virtual bool fits(MonoTime start, Duration work) noexcept = 0;
  /// Whether a model in the background is in time with what is due at the tick of the step; `done`:
  /// it is done with it.
  [[nodiscard]] virtual bool in_time(std::size_t model, bool done) noexcept = 0;
  /// When the work of the step ended.
  [[nodiscard]] virtual MonoTime ended() noexcept = 0;

  /// The step was taken: the next one begins where it ends.
  void advance() noexcept;
  /// The plant was held for one frame, which is given up.
  void stand() noexcept { timeline_.move(1); }
  /// Gives up the frames after the end of this step that have begun by `now`; returns how many.
  std::int64_t slip_past(MonoTime now) noexcept;

  // ---- what made it late ----

  /// How late the loop was when its last wait ended, or when it began the step without one. What
  /// came before that made nothing late.
  [[nodiscard]] Duration began_late() const noexcept { return began_late_; }
  /// Whether it was then woken by the clock; else it did not wait.
  [[nodiscard]] bool woken() const noexcept { return woken_; }
  /// Whether some wake-up of the step was later than `late_wake`.
  [[nodiscard]] bool woke_late() const noexcept { return woke_late_; }

 protected:
  [[nodiscard]] Meter& meter() const noexcept { return *meter_; }
  /// The tick so many frames before the first one.
  [[nodiscard]] MonoTime tick_before(int frames) const noexcept {
    return timeline_.tick(step_->frame) - settings_->grid.tick(frames);
  }
  void sleep_until(MonoTime instant) noexcept { clock_->sleep_until(instant); }
  /// Moves all ticks to come.
  void move_grid(Duration by) noexcept { timeline_.shift(by); }
  [[nodiscard]] const Settings& settings() const noexcept { return *settings_; }
  void look_ahead() noexcept { step_->due = timeline_.tick(step_->frame); }
  /// Closes the metering of the step before, which where the step `waits` is idle until `until`.
  void close_step_before(bool waits, MonoTime until) noexcept;
  /// The same, and sleeps for the tick where the step waits.
  void await_tick(bool waits) noexcept;
  /// Plans the step; the loop woke, or found itself late, at `start`.
  void plan(MonoTime start) noexcept;
  void wait(MonoTime release, bool ahead) noexcept;

 private:
  void note_wake(Duration late) noexcept;
  [[gnu::noinline]] void fall_behind(MonoTime start) noexcept;

  const Settings* settings_;
  rt::Clock* clock_;
  Meter* meter_;
  Statistics* statistics_;
  Timeline timeline_;
  Step* step_;
  Duration began_late_{};
  bool woken_ = false;
  bool woke_late_ = false;
};

/// Decides by the present time.
class TimedClock : public FrameClock {
 public:
  using FrameClock::FrameClock;
  void wait_before(int frames) noexcept override { sleep_until(tick_before(frames)); }
  bool next() noexcept override {
    look_ahead();
    return true;
  }
  void begin() noexcept override {
    const bool waits = meter().last() < step().due;
    await_tick(waits);
    plan(waits ? std::max(meter().now(), step().due) : meter().last());
  }
  bool waits_for_sample(MonoTime release) noexcept override;
  Timing timing(MonoTime at, MonoTime next) noexcept override;
  void wait_for(MonoTime release) noexcept override;
  bool fits(MonoTime start, Duration work) noexcept override;
  bool in_time(std::size_t /*model*/, bool done) noexcept override { return done; }
  MonoTime ended() noexcept override { return meter().last(); }
};

/// By that alone.
class LiveClock final : public TimedClock {
 public:
  using TimedClock::TimedClock;
};

// ---- what every frame asks ---------------------------------------------------------------------

inline void FrameClock::close_step_before(bool waits, MonoTime until) noexcept {
  step_->waited = waits;
  if (waits) meter_->close(io::Phase::idle, until);
  meter_->next_frame();
}

// How long the loop will be idle is known: the books are closed before the tick, so that nothing
// stands between the wake-up and the sample.
inline void FrameClock::await_tick(bool waits) noexcept {
  close_step_before(waits, step_->due);
  if (waits) clock_->sleep_until(step_->due);
}

inline void FrameClock::plan(MonoTime start) noexcept {
  woke_late_ = false;
  if (step_->waited) {
    meter_->close(io::Phase::wake, start);
    note_wake(start - step_->due);
  }
  step_->start = start;
  step_->span = 1;
  step_->slipped = 0;
  step_->deadline = timeline_.tick(step_->frame + 1);
  step_->end = timeline_.time(step_->frame + 1);
  step_->behind = start >= step_->deadline;
  if (step_->behind) fall_behind(start);
  began_late_ = start - step_->due;
  woken_ = step_->waited;
}

inline void FrameClock::note_wake(Duration late) noexcept {
  statistics_->wake.add(late);
  if (late <= settings_->late_wake) return;
  statistics_->late_wakes.add();
  woke_late_ = true;
}

}  // namespace hild::exec
