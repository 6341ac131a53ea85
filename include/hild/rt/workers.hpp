// SPDX-License-Identifier: Apache-2.0
/// \file
/// Threads on CPUs of their own that stand by for one real-time thread, their master, and share its
/// work: tasks that know nothing of one another, of which each is run once, in any order. Nobody
/// wakes a worker within a frame: it sleeps by itself to a little before the instant that its
/// master sleeps to as well, and then spins, bounded, on one cache line. What no worker has taken
/// by the time the master is done with its own tasks, the master takes back: a worker that wakes
/// late costs time, never the run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hild/core/result.hpp"
#include "hild/core/tasks.hpp"
#include "hild/core/time.hpp"
#include "hild/rt/clock.hpp"
#include "hild/rt/stopwatch.hpp"
#include "hild/rt/thread.hpp"

namespace hild::rt {

/// How workers are started.
struct WorkerOptions {
  std::vector<int> cpus;      ///< one worker on each; -1 leaves one to the kernel
  int priority = 80;          ///< as of ThreadOptions
  Duration period = 1_ms;     ///< between the instants of follow(), about: bounds what is waited
  std::size_t tasks = 65535;  ///< tasks have numbers below this one; at most 65 535
};

/// When and where a task was run last.
struct TaskRun {
  MonoTime start{};  ///< by CLOCK_MONOTONIC
  Duration took{};   ///< from there
  int worker = -1;   ///< -1: their master
};

/// They and the work that is shared out among them.
class Workers {
 public:
  /// Starts them. Warnings as of Thread. Error: a thread could not be started. Not real-time.
  [[nodiscard]] static Result<std::unique_ptr<Workers>> start(const WorkerOptions& options,
                                                              Warnings& warnings);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  /// Ends and joins them; one that is stuck is left behind, and all it may touch with it. Not
  /// real-time.
  ~Workers();

  /// How many there are.
  [[nodiscard]] std::size_t count() const noexcept;

  // ---- for the real-time thread alone; real-time safe ----

  /// It is about to sleep until `due`, by CLOCK_MONOTONIC, and will have work then: so will they.
  void follow(MonoTime due) noexcept;
  /// Puts a task on the list of a worker, to be shared out next. Precondition: the work that was
  /// shared out before has ended, and none is listed twice.
  void add(std::size_t worker, std::size_t task) noexcept;
  /// Shares out what was added; `tasks` lives until it has ended.
  void share_out(Tasks& tasks) noexcept;
  /// Runs a task here, timed as those of the workers are.
  void run_here(Tasks& tasks, std::size_t task) noexcept;
  /// Runs here what no worker has taken yet.
  void take_back(Tasks& tasks) noexcept;
  /// Waits, spinning, until the workers have ended what they have taken. False: one did not within
  /// `bound`, is in its task still, and nothing may be shared out any more.
  [[nodiscard]] bool wait(Duration bound) noexcept;
  /// What waited_for() tells where all had ended already.
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  /// The task that the last wait() waited for last, or that is stuck.
  [[nodiscard]] std::size_t waited_for() const noexcept;
  /// When and where a task ran last. Not while it may run.
  [[nodiscard]] const TaskRun& last_run(std::size_t task) const noexcept;

  // ---- from any thread ----

  /// Tasks that were a worker's and were taken back, since it had not woken or was busy.
  [[nodiscard]] std::int64_t taken_back() const noexcept;
  /// Tasks that workers ran.
  [[nodiscard]] std::int64_t run_by_workers() const noexcept;
  /// A worker did not return from a task.
  [[nodiscard]] bool stuck() const noexcept;

 private:
  struct State;
  explicit Workers(std::shared_ptr<State> state) noexcept;
  std::shared_ptr<State> state_;  // with each of the threads: one may stay behind
};

/// The clock of a real-time thread whose workers sleep to what it sleeps to.
class FollowedClock final : public Clock {
 public:
  /// Both outlive it.
  FollowedClock(Clock& clock, Workers& workers) noexcept : clock_(&clock), workers_(&workers) {}
  /// That of the clock.
  [[nodiscard]] MonoTime now() noexcept override { return clock_->now(); }
  /// Sleeps by the clock; the workers do so too.
  void sleep_until(MonoTime due) noexcept override {
    workers_->follow(due);
    clock_->sleep_until(due);
  }

 private:
  Clock* clock_;
  Workers* workers_;
};

}  // namespace hild::rt
