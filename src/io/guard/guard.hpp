// SPDX-License-Identifier: Apache-2.0
/// \file
/// The guard: a second process that takes the outputs to safety when the run cannot. It is forked
/// once the devices are open, and so shares their open file descriptions: a device that lets one
/// program write only lets the guard write too, and stays locked for others when the run dies.
///
/// It learns of the death of the run by a pidfd and by the end of its frame thread, and of a hang
/// by a heartbeat. A run that hangs is killed; whichever way it died, only when none of its threads
/// can act any more does the guard touch an output. So no two processes ever write at once.
#pragma once

#include <memory>

#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"
#include "hild/rt/shared_memory.hpp"
#include "hild/rt/thread.hpp"
#include "io/bus.hpp"
#include "io/guard/shared.hpp"

namespace hild::guard {

struct Settings {
  Duration within = 1_s;  ///< from the last frame of a run that hangs to the begin of safe actions
  Duration frame{};       ///< of the run: looks fall into the slack of frames; 0: anywhere
  int priority = 81;      ///< SCHED_FIFO, above that of the frames; 0: the ordinary scheduler
};

/// The run's side. One thread, except where noted.
class Guard {
 public:
  /// Starts the guard of an open bus. This process must have one thread: what a fork does to others
  /// is undefined. From then on the process leaves no core dump, which would delay its death.
  /// Warns when the guard does not get its priority. Error: no process could be started.
  [[nodiscard]] static Result<Guard> start(io::Bus& bus, const Settings& settings,
                                           rt::Warnings& warnings);
  Guard(Guard&& other) noexcept;
  Guard& operator=(Guard&&) = delete;
  ~Guard();  ///< dismisses

  /// What the loop is to change with every frame, to the instant at which it began. The guard
  /// expects it to from the first change on. The loop sees there that the guard has died.
  [[nodiscard]] rt::Heartbeat& heartbeat() noexcept { return shared_->heartbeat; }
  /// By the thread of the frames, before the first: its end without release() is that of the run.
  /// What is missed where the system does not offer that (false) is time.
  bool hold() noexcept { return shared_->frames.hold(); }
  /// Readable when the guard has died.
  [[nodiscard]] int death() const noexcept { return pidfd_.get(); }
  /// Changes with every look of the guard, the first of which is its start; 0 before that.
  [[nodiscard]] std::int64_t looks() const noexcept { return shared_->looks.get(); }
  /// Ends a guard that does not look any more; its death is then seen like any other.
  void kill() noexcept;
  /// The outputs are safe, or cannot be made so by anybody: the guard touches none from here on,
  /// and ends. It is told through the connection of the two, which nobody else has. Any thread.
  void release() noexcept;
  [[nodiscard]] bool released() const noexcept { return released_->raised(); }
  /// The same; the guard has ended on return. One that does not end by itself is killed.
  void dismiss() noexcept;

 private:
  Guard(rt::SharedMemory memory, Shared& shared, int pid, Descriptor pidfd, Descriptor connection);

  rt::SharedMemory memory_;
  Shared* shared_;
  int pid_;
  Descriptor pidfd_;
  Descriptor connection_;  // the guard sees it closed
  std::unique_ptr<rt::Flag> released_ = std::make_unique<rt::Flag>();
};

}  // namespace hild::guard
