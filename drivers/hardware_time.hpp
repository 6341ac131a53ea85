// SPDX-License-Identifier: Apache-2.0
/// \file
/// When packets reached the adapter, on the time line of a run, by stamps of the adapter's own
/// clock. That one counts from anywhere, and is a little fast or slow. What is known: a packet is
/// with the kernel after it was with the adapter. So the packet that took least of all tells how
/// the two clocks stand to each other, and what others took beyond that is how their delivery
/// jitters, which is taken off. The least may rise by a rate, since the clocks drift: whatever came
/// k seconds after one that took the least counts as late by k times the sum of drift and rate.
///
/// The adapter's clock is believed within limits alone: nothing arrives after the kernel had it,
/// nor more than most_late before. A clock that is off by more was reset or set, and is learned
/// anew. One thread at a time. Real-time safe.
#pragma once

#include <algorithm>
#include <cstdint>

#include "drivers/receive_time.hpp"
#include "hild/core/time.hpp"

namespace hild {

class HardwareTimes {
 public:
  /// USB takes a millisecond or two; a machine that is slow to look, more.
  static constexpr Duration most_late = 10_ms;
  /// What the least may rise by, 977e-6 of the time that goes by: crystals are off by 100e-6 at
  /// most, oscillators that a chip trims to the clock of USB by 700e-6.
  static constexpr std::int64_t rise_in = 1024;

  /// When a packet reached the adapter, which stamped it by `hardware_ns`; the kernel did by
  /// `wall_ns`. After `kernel`.look().
  [[nodiscard]] MonoTime arrived(std::int64_t hardware_ns, std::int64_t wall_ns,
                                 const ReceiveTimes& kernel) noexcept {
    const MonoTime by_kernel = kernel.arrived(wall_ns);
    // Where the wall clock was set the kernel's stamp is a bound, which tells nothing of others.
    if (by_kernel != kernel.before_now(wall_ns)) return by_kernel;
    return by_kernel - late(hardware_ns, by_kernel);
  }

  /// How often the adapter's clock was learned anew.
  [[nodiscard]] std::int64_t restarts() const noexcept { return restarts_; }

 private:
  /// How much longer than the least the packet took, 0 ... most_late.
  Duration late(std::int64_t hardware_ns, MonoTime by_kernel) noexcept {
    // Where the clocks count from is not known, so their difference is one modulo 2^64; only by how
    // much it changes is a length of time.
    const auto apart =
        static_cast<std::uint64_t>(by_kernel.ns) - static_cast<std::uint64_t>(hardware_ns);
    const auto more = static_cast<std::int64_t>(apart - least_);
    const std::int64_t rise = std::max<std::int64_t>((by_kernel - last_).ns, 0) / rise_in;
    const std::int64_t most = most_late.ns + rise;
    last_ = std::max(last_, by_kernel);
    if (!known_ || more > most || more < -most) {
      restarts_ += known_ ? 1 : 0;
      known_ = true;
      least_ = apart;
      return {};
    }
    const std::int64_t least_more = std::min(more, rise);
    least_ += static_cast<std::uint64_t>(least_more);
    return {more - least_more};
  }

  std::uint64_t least_ = 0;  // the monotonic clock less the adapter's, of what took least
  MonoTime last_{};          // packet with the kernel
  std::int64_t restarts_ = 0;
  bool known_ = false;
};

}  // namespace hild
