// SPDX-License-Identifier: Apache-2.0
/// \file
/// Accounts that the kernel keeps anyway of every thread and CPU: how long the thread was ready
/// while others ran, its page faults, when its CPU was taken away. Read by another thread around a
/// late step, they tell its cause where they explain enough of the lateness. This costs the frame
/// thread nothing.
#pragma once

#include <cstdint>

#include "hild/io/frame_record.hpp"

namespace hild::record {

/// The account of one thread, since it began.
struct Account {
  MonoTime at{};           ///< when it was read
  Duration run_delay{};    ///< ready to run, and not running
  std::int64_t taken = 0;  ///< times it was taken off its CPU although it had work to do
  std::int64_t minor_faults = 0;
  std::int64_t major_faults = 0;  ///< those that waited for a disk
};

/// The account of the CPU a thread runs on: the ticks that the host of a virtual machine took from
/// it.
struct StealAccount {
  MonoTime at{};
  int cpu = -1;  ///< -1: not known
  std::int64_t ticks = 0;
};

/// The time that one unit of an account costs, at least.
struct Worth {
  Duration minor_fault{};  ///< 0: not known
  Duration major_fault = 100'000_ns;
  Duration steal_tick = 10'000'000_ns;
};

/// What was spent around a late step, less what other steps of that time may have used.
struct Spent {
  Duration run_delay{};
  std::int64_t taken = 0;
  Duration faults{};
  std::int64_t steal_ticks = 0;
  Duration steal_tick = 10'000'000_ns;
  double usual_steal_ticks = 0;  ///< as many are to be expected by chance
  Duration late_beside{};        ///< time by which other steps were held up meanwhile
  bool steals = false;           ///< the host has taken this machine's CPU away before
};

/// The cause of a late step: what the loop found, or what explains at least half of `held_up`, the
/// time to be explained. It is never guessed: where two accounts would do, or one hardly, it is the
/// loop's.
[[nodiscard]] io::Cause cause_by_account(io::Cause found, Duration held_up, const Spent& spent);

/// How long after its tick, and after the releases it waited for, a step was woken.
[[nodiscard]] Duration woken_late(const io::FrameHeader& h) noexcept;

/// The source of accounts; a fake in tests.
class Accounts {
 public:
  virtual ~Accounts() = default;
  [[nodiscard]] virtual Account thread() = 0;
  /// Costs more than thread().
  [[nodiscard]] virtual StealAccount steal() = 0;
  [[nodiscard]] virtual Worth worth() const = 0;
};

}  // namespace hild::record
