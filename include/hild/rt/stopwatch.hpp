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
  MonoTime sync() noexcept { return counts_cycles() ? measure() : clock_->now(); }

  /// The time now. Runs on between two sync(), and may step by what drift they find.
  [[nodiscard]] MonoTime now() noexcept {
    if (!counts_cycles()) return clock_->now();
    const auto cycles = static_cast<double>(counter() - at_.cycles);
    return at_.time + Duration{static_cast<std::int64_t>(cycles * ns_per_cycle_)};
  }

  /// Whether readings come from the cycle counter.
  [[nodiscard]] bool counts_cycles() const noexcept { return base_.cycles != 0; }

 private:
  struct Reading {
    MonoTime time{};
    std::int64_t cycles = 0;
  };
  Reading read() noexcept;
  MonoTime measure() noexcept;
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

  Clock* clock_;
  double ns_per_cycle_ = 0;
  Reading at_;               // of the last sync()
  Reading base_;             // the ratio is measured from here (0 cycles: ask the clock),
  Duration renewal_ = 1_ms;  // and again when this has passed since
};

}  // namespace hild::rt
