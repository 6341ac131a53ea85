// SPDX-License-Identifier: Apache-2.0
#include "io/guard/guard.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "core/child_process.hpp"
#include "io/guard/process.hpp"

namespace hild::guard {
namespace {

struct Pipe {
  Descriptor read;
  Descriptor write;
};

auto refuse(std::string_view what) {
  return fail(ExitCode::fault, "cannot start the guard of the outputs: {}: {}", what,
              std::strerror(errno));
}

Result<Pipe> make_connection() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) {
    return refuse("no connection");
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return refuse("no pipe");
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// A process dies when its core has been written, and not before. 1 byte, where 0 would only keep
// cores out of files: the kernel gives none to a program either (core(5)).
void leave_no_core() {
  rlimit limit{};
  ::getrlimit(RLIMIT_CORE, &limit);
  limit.rlim_cur = std::min<rlim_t>(1, limit.rlim_max);
  ::setrlimit(RLIMIT_CORE, &limit);
}

}  // namespace

Result<Guard> Guard::start(io::Bus& bus, const Settings& settings, rt::Warnings& warnings) {
  auto memory = rt::SharedMemory::make(sizeof(Shared));
  if (!memory) return tl::make_unexpected(memory.error());
  auto& shared = memory->emplace<Shared>();
  auto connection = make_connection();
  if (!connection) return tl::make_unexpected(connection.error());
  auto ready = make_pipe();
  if (!ready) return tl::make_unexpected(ready.error());
  const pid_t pid_of_run = ::getpid();
  const Descriptor run = process_descriptor(pid_of_run);
  if (!run) return refuse("no pidfd of the run (Linux 5.3 or newer is needed)");

  auto clock = rt::make_clock(rt::ClockKind::sleep, {});
  if (!clock) return tl::make_unexpected(clock.error());

  leave_no_core();
  const int pid = ::fork();
  if (pid < 0) return refuse("no second process");
  if (pid == 0) {
    (void)connection->write.close();
    (void)ready->read.close();
    watch_over({bus, std::move(*clock), shared, pid_of_run, run.get(), connection->read.get(),
                ready->write.release()},
               settings);
  }
  (void)ready->write.close();
  unsigned char problem = 0;
  const auto got = ::read(ready->read.get(), &problem, 1);
  Guard guard;
  guard.memory_ = std::move(*memory);
  guard.shared_ = &shared;
  guard.pid_ = pid;
  guard.pidfd_ = process_descriptor(pid);
  guard.connection_ = std::move(connection->write);
  if (got != 1 || guard.death() < 0) return refuse("it died at once");
  if (problem != 0) {
    warnings.push_back({fmt::format(
        "the guard of the outputs has no SCHED_FIFO priority {} ({}): under load it may be late; "
        "run as root, or allow it with LimitRTPRIO={} (systemd) or an rtprio line in "
        "/etc/security/limits.conf",
        settings.priority, std::strerror(problem), settings.priority)});
  }
  return guard;
}

Guard::~Guard() {
  if (released_) dismiss();
}

// The flag first: who sees the guard end is to know that it was meant to.
void Guard::release() noexcept {
  released_->raise();
  [[maybe_unused]] const auto told = ::send(connection_.get(), &goodbye, 1, MSG_NOSIGNAL);
  shared_->frames.wake();
}

void Guard::kill() noexcept {
  if (pid_ > 0)
    ::kill(pid_, SIGKILL);  // our child, not waited for yet: the number is still its own
}

void Guard::dismiss() noexcept {
  if (pid_ < 0) return;
  release();
  (void)connection_.close();
  wait_for_child(std::exchange(pid_, -1), 1_s);
  (void)pidfd_.close();
}

}  // namespace hild::guard
