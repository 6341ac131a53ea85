// SPDX-License-Identifier: Apache-2.0
/// \file
/// The time of a clock, read often: by the CPU's cycle counter where the kernel itself tells the
/// time by it, else by the clock. A reading costs some ten instructions instead of some eighty.
/// One thread only. Real-time safe after construction.
#pragma once

#include "hild/rt/clock.hpp"

namespace hild::rt {

/// Times the parts of a frame on the time line of its clock.
class Stopwatch {
 public:
  /// Finds out what may be read; `clock` outlives the stopwatch. Not real-time.
  explicit Stopwatch(Clock& clock) noexcept;

  /// The clock's own time; what follows counts from here. Once a frame keeps both together within
  /// a nanosecond, whatever the kernel does to its clock meanwhile.
  MonoTime sync() noexcept {
    if (!counts_cycles()) return clock_->now();
    const std::int64_t before = counter();
    at_.time = clock_->now();
    at_.cycles = counter();
    if (at_.cycles - before >= much_for_a_reading || at_.time >= renewal_) [[unlikely]]
      settle(before);
    return at_.time;
  }

  /// The time now. Runs on between two sync(), and may step by what drift they find.
  [[nodiscard]] MonoTime now() noexcept {
    if (!counts_cycles()) return clock_->now();
    const Wide cycles = counter() - at_.cycles;
    return at_.time + Duration{static_cast<std::int64_t>((cycles * ns_per_2_32_cycles_) >> 32)};
  }

  /// Whether readings come from the cycle counter.
  [[nodiscard]] bool counts_cycles() const noexcept { return base_.cycles != 0; }

 private:
  struct Reading {
    MonoTime time{};
    std::int64_t cycles = 0;
  };
  __extension__ using Wide = __int128;
  [[gnu::noinline, gnu::cold]] void settle(std::int64_t before) noexcept;
  static std::int64_t counter() noexcept {
#ifdef __x86_64__
    __builtin_ia32_lfence();  // or it may be read before what is to be timed has ended
    return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#else
    return 0;
#endif
  }

  // The ratio is right within 1e-4 after the first measurement, within 1e-7 after the longest.
  static constexpr Duration longest = 1_s;
  // Some ten times what it takes, in cycles, and less than an interruption does.
  static constexpr std::int64_t much_for_a_reading = 20'000;

  Clock* clock_;
  std::int64_t ns_per_2_32_cycles_ = 0;
  Reading at_;          // of the last sync()
  Reading base_;        // the ratio is measured from here (0 cycles: ask the clock),
  MonoTime renewal_{};  // and then again
};

}  // namespace hild::rt
