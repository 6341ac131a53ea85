// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the kernel keeps account of anyway, of every thread and CPU: how long the thread was ready
/// while others ran, its page faults, when its CPU was taken away. Read by another thread around a
/// late step, it tells the cause where it explains enough of the lateness. It costs the frame
/// thread nothing.
#pragma once

#include <cstdint>

#include "hild/io/frame_record.hpp"

namespace hild::record {

/// Of one thread, since it began.
struct Account {
  MonoTime at{};           ///< when it was read
  Duration run_delay{};    ///< ready to run, and not running
  std::int64_t taken = 0;  ///< times it was taken off its CPU although it had work to do
  std::int64_t minor_faults = 0;
  std::int64_t major_faults = 0;  ///< those that waited for a disk
};

/// Of the CPU a thread runs on: what the machine under a virtual one took of it.
struct StealAccount {
  MonoTime at{};
  int cpu = -1;  ///< -1: not known
  std::int64_t ticks = 0;
};

/// What each unit of an account is worth, at least.
struct Worth {
  Duration minor_fault{};  ///< 0: not known
  Duration major_fault = 100'000_ns;
  Duration steal_tick = 10'000'000_ns;
};

/// What happened around a late step, as far as no other step of that time may have used it up.
struct Spent {
  Duration run_delay{};
  std::int64_t taken = 0;
  Duration faults{};
  std::int64_t steal_ticks = 0;
  Duration steal_tick = 10'000'000_ns;
  double usual_steal_ticks = 0;  ///< as many as that are to be expected by chance
  Duration late_beside{};        ///< other steps that were held up meanwhile
  bool steals = false;           ///< the machine has had its CPU taken away before
};

/// Why a step was late: what the loop found, or what explains at least half of `held_up`, the time
/// to be explained. Never a guess: where two accounts would do, or one hardly, it is the loop's.
[[nodiscard]] io::Cause cause_by_account(io::Cause found, Duration held_up, const Spent& spent);

/// How long after its tick, and after the releases it waited for, a step was woken.
[[nodiscard]] Duration woken_late(const io::FrameHeader& h) noexcept;

/// Where the accounts come from; a fake in tests.
class Accounts {
 public:
  Accounts() = default;
  Accounts(const Accounts&) = delete;
  Accounts& operator=(const Accounts&) = delete;
  virtual ~Accounts() = default;
  [[nodiscard]] virtual Account thread() = 0;
  /// Dearer than the above.
  [[nodiscard]] virtual StealAccount steal() = 0;
  [[nodiscard]] virtual Worth worth() const = 0;
};

}  // namespace hild::record
