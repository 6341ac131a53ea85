// SPDX-License-Identifier: Apache-2.0
/// \file
/// The guard is a second process that takes the outputs to safety when the run cannot. It is forked
/// once the devices are open, and so shares their open file descriptions: a device that lets only
/// one program write accepts the guard too, and stays locked for others when the run dies.
///
/// It learns of the death of the run by a pidfd and by the end of the run's frame thread, and of a
/// hang by a heartbeat. A run that hangs is killed. However the run died, the guard touches an
/// output only when none of the run's threads can act any more: two processes never write at once.
#pragma once

#include <memory>

#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"
#include "hild/rt/lifeline.hpp"
#include "hild/rt/shared_memory.hpp"
#include "hild/rt/thread.hpp"
#include "io/bus.hpp"

namespace hild::guard {

struct Settings {
  Duration within = 1_s;  ///< from the last frame of a run that hangs to the start of safe actions
  Duration frame{};       ///< of the run: the guard looks in the slack of frames; 0: at any time
  int priority = 81;      ///< SCHED_FIFO, above that of the frames; 0: the ordinary scheduler
};

/// The memory that a run and its guard share. A faulty model may overwrite it: nothing written here
/// can end the guard, nor make it write outputs while the run lives.
struct Shared {
  rt::Heartbeat heartbeat;  ///< of the run, watched by the guard
  rt::Lifeline frames;      ///< held by the frame thread, which outlives no run
  rt::Counter looks;        ///< set by the guard: changes with every look; 0 before the first
};

/// The run's handle of its guard. For one thread, except where noted.
class Guard {
 public:
  /// Starts the guard of an open bus. This process must have one thread: what a fork does to others
  /// is undefined. From then on the process leaves no core dump, which would delay its death.
  /// Warns when the guard does not get its priority. Error: no process could be started.
  [[nodiscard]] static Result<Guard> start(io::Bus& bus, const Settings& settings,
                                           rt::Warnings& warnings);
  Guard(Guard&& other) noexcept = default;
  ~Guard();  ///< calls dismiss()

  /// The heartbeat, which the loop sets in every frame to the instant at which the frame began;
  /// from the first beat on the guard expects it to change. The loop also sees there that the guard
  /// has died.
  [[nodiscard]] rt::Heartbeat& heartbeat() noexcept { return shared_->heartbeat; }
  /// To be called by the frame thread before the first frame: the guard then takes the end of that
  /// thread without release() for the end of the run. False: the system does not offer this, and
  /// the guard notices the end later.
  bool hold() noexcept { return shared_->frames.hold(); }
  /// A descriptor that is readable when the guard has died.
  [[nodiscard]] int death() const noexcept { return pidfd_.get(); }
  /// A number that changes with every look of the guard, of which the first is its start; 0 before
  /// that.
  [[nodiscard]] std::int64_t looks() const noexcept { return shared_->looks.get(); }
  /// Ends a guard that does not look any more; its death is then seen like any other.
  void kill() noexcept;
  /// Releases the guard from its duty: the outputs are safe, or nobody can make them so. From here
  /// on the guard touches no output, and ends. It is told through the connection of the two, which
  /// nobody else has. From any thread.
  void release() noexcept;
  [[nodiscard]] bool released() const noexcept { return released_->raised(); }
  /// Like release(), and waits until the guard has ended. A guard that does not end by itself is
  /// killed.
  void dismiss() noexcept;

 private:
  Guard() = default;

  rt::SharedMemory memory_;
  Shared* shared_ = nullptr;
  int pid_ = -1;
  Descriptor pidfd_;
  Descriptor connection_;  // the guard sees when it is closed
  std::unique_ptr<rt::Flag> released_ = std::make_unique<rt::Flag>();  // none: this was moved away
};

}  // namespace hild::guard
