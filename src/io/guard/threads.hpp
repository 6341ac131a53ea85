// SPDX-License-Identifier: Apache-2.0
/// \file
/// The threads of a process that has been killed, by what the kernel says of them.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <memory>

namespace hild::guard {

/// The kernel calls a process dead when its last thread is gone, its memory given back and its
/// files closed. Threads of the ordinary scheduler get to that when nothing more urgent runs, which
/// under load may be never, and a process with much memory needs long for it. So they are given a
/// priority to die under; and that none of them will run an instruction of its own any more, nor
/// is in a call of a device, is known as soon as all have begun to exit.
class Threads {
 public:
  /// Of process `pid`, which must live. Where /proc does not show it, nothing is seen of it.
  explicit Threads(pid_t pid) noexcept;

  /// Gives those that have not begun to exit SCHED_FIFO `priority` (0: none), and tells whether
  /// there is none of them. Only of a process that has been sent SIGKILL: it starts none any more.
  [[nodiscard]] bool all_exit(int priority) noexcept;

 private:
  struct Close {
    void operator()(DIR* d) const noexcept { ::closedir(d); }
  };
  pid_t pid_;
  std::unique_ptr<DIR, Close> list_;
};

}  // namespace hild::guard
