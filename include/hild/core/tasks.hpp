// SPDX-License-Identifier: Apache-2.0
/// \file
/// Work that can be done in any order and by several threads at once, and whoever has it done. Who
/// has such work need not know whether there is more than one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hild/core/time.hpp"

namespace hild {

/// Tasks that know nothing of one another.
class Tasks {
 public:
  Tasks() = default;
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;
  /// Runs one of them. Called on any thread, for different tasks at the same time. Real-time safe.
  virtual void run(std::size_t task) noexcept = 0;

 protected:
  ~Tasks() = default;
};

/// Has tasks run.
class TaskRunner {
 public:
  TaskRunner() = default;
  TaskRunner(const TaskRunner&) = delete;
  TaskRunner& operator=(const TaskRunner&) = delete;
  /// Runs each of `list` once, in any order, here or elsewhere. What was written before is seen by
  /// all of them, and what they write by the caller. False: one did not return in time and is still
  /// being run, so that nothing of what the tasks may touch is to be used any more. Real-time safe.
  [[nodiscard]] virtual bool run(Tasks& tasks, std::span<const std::uint16_t> list) noexcept = 0;

 protected:
  ~TaskRunner() = default;
};

/// Has tasks run in the background: those of a line one after the other, in the order in which they
/// were asked for, while who asks goes on. Each run() of a line is the next one of it.
class BackgroundRunner {
 public:
  BackgroundRunner() = default;
  BackgroundRunner(const BackgroundRunner&) = delete;
  BackgroundRunner& operator=(const BackgroundRunner&) = delete;
  /// So many more of a line, which are run from now on; what was written before is seen by them. No
  /// more will be asked for before the simulated time `next`. Real-time safe.
  virtual void add(Tasks& tasks, std::size_t line, int count, SimTime next) noexcept = 0;
  /// Whether all of a line have been run in time, to be asked when they should have been: what they
  /// wrote may then be used. Real-time safe.
  [[nodiscard]] virtual bool ended(std::size_t line) noexcept = 0;

 protected:
  ~BackgroundRunner() = default;
};

}  // namespace hild
