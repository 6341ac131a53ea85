// SPDX-License-Identifier: Apache-2.0
/// \file
/// The real-time thread and what it needs of the machine. Every privilege that is missing becomes
/// a warning with its remedy, and the run goes on. Load time, except where noted.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "hild/core/descriptor.hpp"
#include "hild/core/name.hpp"
#include "hild/core/result.hpp"

namespace hild::rt {

/// How a thread is to run.
struct ThreadOptions {
  int priority = 80;               ///< SCHED_FIFO 1 ... 99; 0 runs under the ordinary scheduler
  int cpu = -1;                    ///< CPU to bind to; -1 leaves it to the kernel
  Name name = Name("hild-frame");  ///< what the system shows of it: its first 15 characters
};

/// What was asked for and could not be had, each with the command that mends it.
using Warnings = std::vector<Error>;

/// Holds /dev/cpu_dma_latency at 0 while what it returns is open, so that the CPU does not enter
/// deep idle states. Where it may not, a warning is added, and nothing is held.
[[nodiscard]] Descriptor hold_cpu_latency(Warnings& warnings);

/// Locks present and future memory and makes the allocator keep what it has. With too small a
/// memlock limit only the present pages are locked, so that later threads can still start.
void lock_memory(Warnings& warnings);

/// Whether a thread of this process may run at SCHED_FIFO `priority`: tried on the calling one,
/// which is as before on return.
[[nodiscard]] bool urgent_allowed(int priority);

/// A thread started with its scheduling set and its stack prefaulted before `body` runs. The
/// destructor joins it.
class Thread {
 public:
  /// Falls back to the ordinary scheduler with a warning. Error: no thread could be started.
  [[nodiscard]] static Result<Thread> start(const ThreadOptions& options, Warnings& warnings,
                                            std::function<void()> body);
  /// Leaves `other` without a thread, to be assigned to or destroyed and no more.
  Thread(Thread&& other) noexcept = default;
  /// The same. Precondition: the thread this one had is joined, or was moved away.
  Thread& operator=(Thread&& other) noexcept = default;
  /// Returns when `body` has; at once from the second call on. One thread.
  void join();
  /// Leaves it to itself, with all that `body` holds, and never joins it: for one that does not
  /// return. It lets go of `body` where it does after all.
  void leave();

 private:
  struct State;
  struct Joined {
    void operator()(State* state) const noexcept;
  };
  explicit Thread(std::unique_ptr<State, Joined> state) : state_(std::move(state)) {}
  std::unique_ptr<State, Joined> state_;
};

/// The CPUs that the calling thread may run on, rising.
[[nodiscard]] std::vector<int> allowed_cpus();
/// How many threads this process has now; 0 where the system does not tell. Load time only.
[[nodiscard]] int threads_of_process();

/// Share of a second the kernel leaves to real-time threads (sched_rt_runtime_us over
/// sched_rt_period_us; 0.95 by default); 1 when throttling is off or unknown.
[[nodiscard]] double rt_throttle_share();

/// Whether the running kernel is PREEMPT_RT.
[[nodiscard]] bool kernel_is_preempt_rt();

}  // namespace hild::rt
