// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clock: the first of the three doors through which non-determinism enters. Everything that
/// asks for the time or waits for it does so through this interface.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "hild/core/result.hpp"
#include "hild/core/time.hpp"

namespace hild::rt {

/// Tells the time and waits for it. Real-time safe.
class Clock {
 public:
  virtual ~Clock() = default;

  /// Real-time safe (a read through the vDSO for the real ones).
  [[nodiscard]] virtual MonoTime now() noexcept = 0;
  /// Returns at or after `due`; at once when it has passed. At most one system call that sleeps.
  virtual void sleep_until(MonoTime due) noexcept = 0;
  /// Whether time is only simulated here: what would live on threads of its own must then advance
  /// on this clock instead.
  [[nodiscard]] virtual bool virtual_time() const noexcept { return false; }
};

/// The time by CLOCK_MONOTONIC. Real-time safe.
[[nodiscard]] MonoTime monotonic_now() noexcept;

/// How a real clock waits for an instant of CLOCK_MONOTONIC.
enum class ClockKind {
  sleep,       ///< clock_nanosleep() to the instant
  sleep_spin,  ///< sleeps to a margin before it, then reads the clock until it has come
  spin,        ///< reads the clock until it has come: a CPU of its own
  timerfd      ///< a timer of its own, for comparison; one thread at a time
};

/// A real clock. `margin` is the time before a tick at which `sleep_spin` begins to spin.
/// Error: the timer could not be made.
[[nodiscard]] Result<std::unique_ptr<Clock>> make_clock(ClockKind kind, Duration margin);

/// The word for it in the configuration: "sleep", "sleep+spin", "spin", "timerfd".
[[nodiscard]] std::string_view to_string(ClockKind kind) noexcept;

/// The margin `sleep_spin` needs where wakes have these latencies: their p99, at least 20 us. Sorts
/// them. Precondition: there are some.
[[nodiscard]] Duration spin_margin(std::span<Duration> latency) noexcept;
/// That of a few hundred latencies measured here. Not real-time; takes about a quarter of a second.
[[nodiscard]] Duration measure_spin_margin();

/// Time that moves only when told to: sleeping jumps to the due time, work costs what `advance`
/// says. Makes every overrun of a test exact, and offline runs as fast as the machine.
class VirtualClock final : public Clock {
 public:
  /// The time is `start` until it is moved.
  explicit VirtualClock(MonoTime start = {0}) noexcept : now_(start) {}

  [[nodiscard]] MonoTime now() noexcept override { return now_; }
  void sleep_until(MonoTime due) noexcept override;
  [[nodiscard]] bool virtual_time() const noexcept override { return true; }

  /// Spends time: the scripted cost of a phase.
  void advance(Duration cost) noexcept { now_ += cost; }
  /// The next sleep wakes this much late: a scripted late wake.
  void delay_next_wake(Duration late) noexcept { next_wake_late_ = late; }
  /// Sleeps so far, those that returned at once not counted.
  [[nodiscard]] std::int64_t sleeps() const noexcept { return sleeps_; }

 private:
  MonoTime now_;
  Duration next_wake_late_{};
  std::int64_t sleeps_ = 0;
};

}  // namespace hild::rt
