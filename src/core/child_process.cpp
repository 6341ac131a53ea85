// SPDX-License-Identifier: Apache-2.0
#include "core/child_process.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace hild {

Descriptor process_descriptor(pid_t pid) noexcept {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

std::optional<int> wait_for_child(pid_t child, Duration patience) noexcept {
  const Descriptor handle = process_descriptor(child);
  pollfd ended{handle.get(), POLLIN, 0};
  const auto ready =
      TEMP_FAILURE_RETRY(::poll(&ended, 1, static_cast<int>(patience.ns / 1'000'000)));
  if (ready <= 0) ::kill(child, SIGKILL);
  int status = 0;
  TEMP_FAILURE_RETRY(::waitpid(child, &status, 0));
  return ready > 0 ? std::optional(status) : std::nullopt;
}

}  // namespace hild
