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

  /// The time now, after the clock was read anew where its last reading is no longer fresh. How far
  /// both are apart meanwhile is less than a nanosecond, unless the kernel just has its clock go at
  /// another rate: 2 us, by the 500 ppm it can.
  MonoTime sync() noexcept {
    if (!counts_cycles()) return clock_->now();
    const std::int64_t count = counter();
    return static_cast<std::uint64_t>(count - at_.cycles) < at_.fresh ? time_of(count)
                                                                      : read_clock(count);
  }

  /// The time now. Runs on between two sync(), and may step by what drift they find.
  [[nodiscard]] MonoTime now() noexcept {
    return counts_cycles() ? time_of(counter()) : clock_->now();
  }

  /// An instant to measure from.
  struct Mark {
    std::int64_t count;  ///< cycles, or nanoseconds
  };
  /// That of now.
  [[nodiscard]] Mark mark() noexcept { return {counts_cycles() ? counter() : clock_->now().ns}; }
  /// The time since then. Costs less than two now(), and needs no sync().
  [[nodiscard]] Duration since(Mark from) noexcept {
    return counts_cycles() ? duration_of(counter() - from.count)
                           : clock_->now() - MonoTime{from.count};
  }

  /// Whether readings come from the cycle counter.
  [[nodiscard]] bool counts_cycles() const noexcept { return base_.cycles != 0; }

 private:
  struct Reading {
    MonoTime time{};
    std::int64_t cycles = 0;
    std::uint64_t fresh = 0;  // for so many cycles
  };
  __extension__ using Wide = __int128;
  [[nodiscard]] Duration duration_of(std::int64_t cycles) const noexcept {
    return Duration{static_cast<std::int64_t>((Wide{cycles} * ns_per_2_32_cycles_) >> 32)};
  }
  [[nodiscard]] MonoTime time_of(std::int64_t count) const noexcept {
    return at_.time + duration_of(count - at_.cycles);
  }
  [[gnu::noinline]] MonoTime read_clock(std::int64_t before) noexcept;
  void renew() noexcept;
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
  // A reading of the clock is fresh for such a part of what the ratio was measured over: what that
  // was read wrong by, at both its ends, shows by no more of it.
  static constexpr double fresh_part = 256;
  // Some ten times what it takes, in cycles, and less than an interruption does.
  static constexpr std::int64_t much_for_a_reading = 20'000;

  Clock* clock_;
  std::int64_t ns_per_2_32_cycles_ = 0;
  std::uint64_t fresh_ = 0;  // so long is a good reading
  Reading at_;               // the last one of the clock
  Reading base_;             // the ratio is measured from here (0 cycles: ask the clock),
  MonoTime renewal_{};       // and then again
};

}  // namespace hild::rt
