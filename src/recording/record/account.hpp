// SPDX-License-Identifier: Apache-2.0
/// \file
/// Accounts that the kernel keeps anyway of every thread and CPU: how long the thread was ready
/// while others ran, its page faults, when its CPU was taken away. Read by another thread around a
/// late step, they tell its cause where they explain enough of the lateness (reckoning.hpp). This
/// costs the frame thread nothing.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>

#include "hild/core/result.hpp"
#include "hild/core/time.hpp"

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

/// The source of accounts; a fake in tests.
class Accounts {
 public:
  virtual ~Accounts() = default;
  [[nodiscard]] virtual Account thread() = 0;
  /// Costs more than thread().
  [[nodiscard]] virtual StealAccount steal() = 0;
  [[nodiscard]] virtual Worth worth() const = 0;
};

/// The accounts of the thread `tid` of this process, as the running kernel keeps them in files of
/// /proc. `worth` is what its faults cost; `proc` is a tree that stands for /proc in tests. When an
/// account cannot be read any more (the thread has ended) it stays as it was read last, time
/// included. Error: a file is not there, or does not contain what it should.
[[nodiscard]] Result<std::unique_ptr<Accounts>> accounts_of(
    pid_t tid, const Worth& worth, const std::filesystem::path& proc = "/proc");

/// What a page fault and a tick of the steal account cost on this machine: the former is measured,
/// on the calling thread.
[[nodiscard]] Worth worth_here();

}  // namespace hild::record
