// SPDX-License-Identifier: Apache-2.0
#include "io/guard/threads.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "hild/core/descriptor.hpp"

namespace hild::guard {
namespace {

struct ThreadState {
  bool exits = false;
  int threads = 0;  ///< of its process
};

// proc(5): behind the name, which ends with the last bracket, come the state (3), the flags (9) and
// the number of threads (20). A thread that is not there any more has exited.
ThreadState state_of(int list, pid_t thread) noexcept {
  constexpr unsigned exiting = 0x4;  // PF_EXITING of the kernel's sched.h
  std::array<char, 32> name{};
  fmt::format_to_n(name.data(), name.size() - 1, "{}/stat", thread);
  const Descriptor file(::openat(list, name.data(), O_RDONLY | O_CLOEXEC));
  if (!file) return {.exits = errno == ENOENT};
  std::array<char, 1024> text{};
  const auto got = ::read(file.get(), text.data(), text.size() - 1);
  if (got <= 0) return {.exits = got < 0 && errno == ESRCH};
  const char* const rest = std::strrchr(text.data(), ')');
  unsigned flags = 0;
  int threads = 0;
  if (rest == nullptr ||
      std::sscanf(rest, ") %*c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d",
                  &flags, &threads) != 2) {
    return {};
  }
  return {.exits = (flags & exiting) != 0, .threads = threads};
}

}  // namespace

Threads::Threads(pid_t pid) noexcept : pid_(pid) {
  std::array<char, 32> name{};
  fmt::format_to_n(name.data(), name.size() - 1, "/proc/{}/task", pid);
  list_.reset(::opendir(name.data()));
}

// The list may end early where the thread at which it stands is gone. So as many must be seen to
// exit as there were before.
bool Threads::all_exit(int priority) noexcept {
  if (!list_) return false;
  const int list = ::dirfd(list_.get());
  const int there = state_of(list, pid_).threads;
  const sched_param urgent{.sched_priority = priority};
  int exit = 0;
  ::rewinddir(list_.get());
  while (const dirent* const entry = ::readdir(list_.get())) {
    const int thread = std::atoi(entry->d_name);
    if (thread <= 0) continue;
    if (state_of(list, thread).exits) {
      ++exit;
    } else if (priority > 0) {
      ::sched_setscheduler(thread, SCHED_FIFO, &urgent);
    }
  }
  return there > 0 && exit >= there;
}

}  // namespace hild::guard
