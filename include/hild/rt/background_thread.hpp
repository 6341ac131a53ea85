// SPDX-License-Identifier: Apache-2.0
/// \file
/// A thread less urgent than a real-time one, its master, that runs tasks for it over many of the
/// master's periods. Nobody wakes it: it sleeps by itself to the instant before which no more will
/// be asked of it. On the master's CPU it so comes second by its priority alone.
#pragma once

#include <cstdint>
#include <memory>

#include "hild/core/result.hpp"
#include "hild/core/tasks.hpp"
#include "hild/core/time.hpp"
#include "hild/rt/thread.hpp"
#include "hild/rt/workers.hpp"

namespace hild::rt {

/// How one is started.
struct BackgroundOptions {
  ThreadOptions thread;    ///< below its master's priority where it shares the CPU
  Duration period = 1_ms;  ///< its master's: bounds how late it sees what is asked of it
  /// How long after the instant it is told it looks: on another CPU than its master's a little, as
  /// that has something to do first.
  Duration grace{};
};

/// The thread, and what it was asked for.
class BackgroundThread {
 public:
  /// Starts it. Warnings and errors as of Thread. Not real-time.
  [[nodiscard]] static Result<std::unique_ptr<BackgroundThread>> start(
      const BackgroundOptions& options, Warnings& warnings);
  BackgroundThread(const BackgroundThread&) = delete;
  BackgroundThread& operator=(const BackgroundThread&) = delete;
  /// Ends and joins it; one that is stuck is left behind, and all it may touch with it. Not
  /// real-time.
  ~BackgroundThread();

  // ---- for its master alone; real-time safe ----

  /// A task is to be run so many times more; no more will be asked before `next`, by
  /// CLOCK_MONOTONIC. `tasks` lives until that has ended. Always of the same task.
  void add(Tasks& tasks, std::size_t task, int times, MonoTime next) noexcept;
  /// Whether all that was asked for has ended; what it wrote may then be read.
  [[nodiscard]] bool ended() const noexcept;
  /// When it began with what it has run since the last call, and how long it took in all, what
  /// interrupted it included. Precondition: ended().
  [[nodiscard]] TaskRun take_run() noexcept;

  // ---- not real-time ----

  /// Waits until all has ended. False: it has not within `bound`, and is taken to be stuck.
  [[nodiscard]] bool settle(Duration bound) noexcept;
  /// It did not settle.
  [[nodiscard]] bool stuck() const noexcept;
  /// How often it has slept, so far. Any thread.
  [[nodiscard]] std::int64_t sleeps() const noexcept;

 private:
  struct State;
  explicit BackgroundThread(std::shared_ptr<State> state) noexcept;
  std::shared_ptr<State> state_;  // with the thread: it may stay behind
};

}  // namespace hild::rt
