// SPDX-License-Identifier: Apache-2.0
/// The real clocks wait on CLOCK_MONOTONIC for an absolute time, so that no error adds up.
#include "hild/rt/clock.hpp"

#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "hild/core/descriptor.hpp"

namespace hild::rt {
namespace {

constexpr std::int64_t second = 1'000'000'000;

timespec to_timespec(MonoTime t) noexcept {
  return {.tv_sec = t.ns / second, .tv_nsec = t.ns % second};
}

// The call itself: the function of the C library makes of it a place where a thread may be
// cancelled, which takes more than the rest of it, and nobody cancels threads here.
[[gnu::always_inline]] inline void sleep_absolute(MonoTime due) noexcept {
  const timespec t = to_timespec(due);
  while (syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) != 0 &&
         errno == EINTR) {
  }
}

void spin_absolute(MonoTime due) noexcept {
  while (monotonic_now() < due) __builtin_ia32_pause();
}

class RealClock : public Clock {
 public:
  MonoTime now() noexcept final { return monotonic_now(); }
};

class SleepClock final : public RealClock {
 public:
  void sleep_until(MonoTime due) noexcept override { sleep_absolute(due); }
};

class SleepSpinClock final : public RealClock {
 public:
  explicit SleepSpinClock(Duration margin) noexcept : margin_(margin) {}
  void sleep_until(MonoTime due) noexcept override {
    sleep_absolute(due - margin_);
    spin_absolute(due);
  }

 private:
  Duration margin_;
};

class SpinClock final : public RealClock {
 public:
  void sleep_until(MonoTime due) noexcept override { spin_absolute(due); }
};

class TimerfdClock final : public RealClock {
 public:
  explicit TimerfdClock(Descriptor fd) noexcept : fd_(std::move(fd)) {}
  void sleep_until(MonoTime due) noexcept override {
    // An instant of 0 would disarm the timer: nothing would ever wake this.
    const MonoTime at{std::max<std::int64_t>(due.ns, 1)};
    const itimerspec t{.it_interval = {}, .it_value = to_timespec(at)};
    timerfd_settime(fd_.get(), TFD_TIMER_ABSTIME, &t, nullptr);
    std::uint64_t expirations = 0;
    TEMP_FAILURE_RETRY(read(fd_.get(), &expirations, sizeof expirations));
  }

 private:
  Descriptor fd_;
};

}  // namespace

MonoTime monotonic_now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return {t.tv_sec * second + t.tv_nsec};
}

Result<std::unique_ptr<Clock>> make_clock(ClockKind kind, Duration margin) {
  switch (kind) {
    case ClockKind::sleep:
      return std::make_unique<SleepClock>();
    case ClockKind::sleep_spin:
      return std::make_unique<SleepSpinClock>(margin);
    case ClockKind::spin:
      return std::make_unique<SpinClock>();
    case ClockKind::timerfd:
      break;
  }
  Descriptor fd(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  if (!fd) return fail(ExitCode::fault, "cannot create a timerfd: {}", std::strerror(errno));
  return std::make_unique<TimerfdClock>(std::move(fd));
}

std::string_view to_string(ClockKind kind) noexcept {
  static constexpr std::array<std::string_view, 4> names{"sleep", "sleep+spin", "spin", "timerfd"};
  return names[static_cast<std::size_t>(kind)];
}

Duration spin_margin(std::span<Duration> latency) noexcept {
  std::ranges::sort(latency);
  return std::max(latency[latency.size() * 99 / 100], Duration(20_us));
}

Duration measure_spin_margin() {
  std::array<Duration, 250> latency;
  for (auto& l : latency) {
    const MonoTime due = monotonic_now() + 1_ms;  // a stall makes one wake late, not those after it
    sleep_absolute(due);
    l = monotonic_now() - due;
  }
  return spin_margin(latency);
}

void VirtualClock::sleep_until(MonoTime due) noexcept {
  if (due <= now_) return;
  ++sleeps_;
  now_ = due + next_wake_late_;
  next_wake_late_ = {};
}

}  // namespace hild::rt
