// SPDX-License-Identifier: Apache-2.0
#include "core/child_process.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

namespace hild {
namespace {

Duration time_by(clockid_t clock) noexcept {
  timespec t{};
  ::clock_gettime(clock, &t);
  return Duration{t.tv_sec * 1'000'000'000 + t.tv_nsec};
}

bool ends_within(const Descriptor& process, Duration time) noexcept {
  pollfd ended{process.get(), POLLIN, 0};
  const auto milliseconds = static_cast<int>((time.ns + 999'999) / 1'000'000);
  return TEMP_FAILURE_RETRY(::poll(&ended, 1, milliseconds)) > 0;
}

std::optional<int> reaped(pid_t child, bool ended) noexcept {
  if (!ended) ::kill(child, SIGKILL);
  int status = 0;
  TEMP_FAILURE_RETRY(::waitpid(child, &status, 0));
  return ended ? std::optional(status) : std::nullopt;
}

}  // namespace

Descriptor process_descriptor(pid_t pid) noexcept {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

std::optional<int> wait_for_child(pid_t child, Duration patience) noexcept {
  const Descriptor handle = process_descriptor(child);
  return reaped(child, ends_within(handle, patience));
}

bool WorkPatience::over(Duration elapsed, Duration used) noexcept {
  if (used - used_ >= some_work) {
    worked_at_ = elapsed;
    used_ = used;
  }
  return used >= most_ || elapsed - worked_at_ >= most_ || elapsed >= most_ * generous;
}

std::optional<int> wait_for_work(pid_t child, Duration patience) noexcept {
  constexpr std::int64_t looks = 20;
  const Descriptor handle = process_descriptor(child);
  clockid_t its_time{};
  const bool known = ::clock_getcpuclockid(child, &its_time) == 0;
  const Duration began = time_by(CLOCK_MONOTONIC);
  const Duration before = known ? time_by(its_time) : Duration{};
  WorkPatience left(patience);
  bool ended = false;
  bool over = false;
  while (!ended && !over) {
    ended = ends_within(handle, patience / looks);
    over = left.over(time_by(CLOCK_MONOTONIC) - began,
                     known ? time_by(its_time) - before : Duration{});
  }
  return reaped(child, ended);
}

// 1 byte, where 0 would only keep cores out of files: the kernel gives none to a program either
// (core(5)).
void leave_no_core() noexcept {
  rlimit limit{};
  ::getrlimit(RLIMIT_CORE, &limit);
  limit.rlim_cur = limit.rlim_max = std::min<rlim_t>(1, limit.rlim_max);
  ::setrlimit(RLIMIT_CORE, &limit);
}

}  // namespace hild
