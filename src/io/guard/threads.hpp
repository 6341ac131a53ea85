// SPDX-License-Identifier: Apache-2.0
/// \file
/// Watches the threads of a killed process exit, as the kernel reports them.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <memory>

namespace hild::guard {

/// Finds out when none of the threads of a killed process can act any more. The kernel calls a
/// process dead only when its last thread is gone, its memory given back and its files closed.
/// Threads of the ordinary scheduler get to that when nothing more urgent runs, which under load
/// may be never, and a process with much memory needs long for it. Hence this class gives them a
/// priority under which to exit; and once all of them have begun to exit, none will run an
/// instruction of its own any more, nor is in a call of a device.
class Threads {
 public:
  /// Of process `pid`, which must be alive. Where /proc does not show it, no thread is ever seen to
  /// exit.
  explicit Threads(pid_t pid) noexcept;

  /// Gives every thread that has not begun to exit SCHED_FIFO `priority` (0: none); true when all
  /// have begun to. Only for a process that has been sent SIGKILL, which starts no more threads.
  [[nodiscard]] bool all_exit(int priority) noexcept;

 private:
  struct Close {
    void operator()(DIR* d) const noexcept { ::closedir(d); }
  };
  pid_t pid_;
  std::unique_ptr<DIR, Close> list_;
};

}  // namespace hild::guard
