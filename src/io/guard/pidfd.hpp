// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

namespace hild::guard {

// The header of glibc 2.36 declares these for C alone.

/// A descriptor of a process, close-on-exec, readable once all its threads are dead; -1 with errno.
[[nodiscard]] inline int pidfd_open(pid_t pid) noexcept {
  return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}

/// 0, or -1 with errno.
inline int pidfd_send_signal(int pidfd, int signal) noexcept {
  return static_cast<int>(::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0));
}

}  // namespace hild::guard
