// SPDX-License-Identifier: Apache-2.0
#include "foreign/examine/forked.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "core/child_process.hpp"

namespace hild::examine {

Result<std::optional<int>> in_own_process(Duration patience, const std::function<void()>& work) {
  std::fflush(stdout);
  std::fflush(stderr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return fail("no process to examine the model in: {}", std::strerror(errno));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    leave_no_core();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
      std::signal(signal, SIG_DFL);
    }
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    try {
      work();
    } catch (...) {  // what is of the parent stays as it is
      ::_exit(1);
    }
    ::_exit(0);
  }
  return wait_for_work(child, patience);
}

}  // namespace hild::examine
