// SPDX-License-Identifier: Apache-2.0
#include "io/guard/guard.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "core/child_process.hpp"
#include "io/guard/safe_ramp.hpp"
#include "io/guard/threads.hpp"
#include "io/guard/watch.hpp"

namespace hild::guard {
namespace {

// ---- the guard process -------------------------------------------------------------------------

/// What the guard process needs in order to watch over its run.
struct Watched {
  io::Bus& bus;
  std::unique_ptr<rt::Clock> clock;  ///< its own: a clock that sleeps on a descriptor is not shared
  Shared& shared;
  pid_t pid;       ///< of the run
  int run;         ///< pidfd of the run
  int connection;  ///< reads `goodbye`, or end-of-file when the run has lost the other end
  /// Descriptor to write one byte to: 0 once the guard watches, an errno if without its priority.
  int ready;
};

/// Sent by the run: the guard must not touch the outputs any more.
constexpr char goodbye = 'g';

// A life apart from that of the run: what ends the run from a terminal does not end its guard.
void leave_group() {
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2}) {
    std::signal(signal, SIG_IGN);
  }
  ::prctl(PR_SET_NAME, "hild-guard");
  // Who reads what the run prints must see its end.
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::close(nothing);
}

// 0, or why it runs under the ordinary scheduler.
int become_urgent(int priority) {
  ::mlockall(MCL_CURRENT | MCL_FUTURE);  // where it is not allowed, the run has said so
  if (priority <= 0) return 0;
  const sched_param param{.sched_priority = priority};
  return ::sched_setscheduler(0, SCHED_FIFO, &param) == 0 ? 0 : errno;
}

// Nobody may be reading: the guard does not wait for that, it holds the devices.
void say(const std::string& text) {
  pollfd to{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  if (::poll(&to, 1, 1000) != 1 || (to.revents & POLLOUT) == 0) return;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

bool readable(const pollfd& p) { return p.fd >= 0 && p.revents != 0; }

// What was sent is there also when the sender is dead.
bool said_goodbye(const Watched& watched) {
  char word = 0;
  return ::recv(watched.connection, &word, 1, MSG_DONTWAIT) == 1 && word == goodbye;
}

using Polled = std::array<pollfd, 2>;  // the run, the connection

// Until the frames end, something is readable, or the next look is due.
void wait(Polled& polled, const Watched& watched, MonoTime look) {
  const Duration left = std::max(look - watched.clock->now(), Duration{});
  timespec timeout{.tv_sec = left.ns / 1'000'000'000, .tv_nsec = left.ns % 1'000'000'000};
  if (watched.shared.frames.await(left)) timeout = {};
  ::ppoll(polled.data(), polled.size(), &timeout, nullptr);
}

// It is dead, or dying, and stays so: returns when nothing of it can act any more.
void finish_off(const Watched& watched, Threads& threads, int priority) {
  ::syscall(SYS_pidfd_send_signal, watched.run, SIGKILL, nullptr, 0);
  pollfd death{.fd = watched.run, .events = POLLIN, .revents = 0};
  timespec pause{};
  while (!threads.all_exit(priority) && ::ppoll(&death, 1, &pause, nullptr) != 1) {
    // One that is in the kernel for long is not looked at all the time.
    pause.tv_nsec = std::min(pause.tv_nsec + 100'000, 10'000'000L);
  }
}

// Returns why the run is over, in words.
std::string await_end(const Watched& watched, const Settings& settings) {
  Threads threads(watched.pid);
  const rt::Counter& beat = watched.shared.heartbeat.beat;
  HangWatch watch(settings.within);
  Polled polled{{{watched.run, POLLIN, 0}, {watched.connection, POLLIN, 0}}};
  MonoTime look = watch.next_look(watched.clock->now(), beat.get(), settings.frame);
  while (true) {
    wait(polled, watched, look);
    watched.shared.looks.set(watched.shared.looks.get() + 1);
    if (said_goodbye(watched)) ::_exit(0);
    if (readable(polled[0])) return "the run died";
    // Below the guard, which may have to share a CPU with those that die.
    const int priority = settings.priority - 1;
    if (watched.shared.frames.cut()) {
      finish_off(watched, threads, priority);
      return "the run died";
    }
    if (readable(polled[1])) polled[1].fd = -1;  // it is dying; its death is what counts
    const MonoTime now = watched.clock->now();
    if (now < look) continue;
    if (watch.hangs(beat.get())) {
      finish_off(watched, threads, priority);
      return "no frame began for too long, so the run was killed";
    }
    look = watch.next_look(now, beat.get(), settings.frame);
  }
}

// Whose they are, and why.
std::string unsafe_outputs(const io::Bus& bus) {
  std::string words;
  for (const Error& one : bus.unguardable()) words += one.message + "; ";
  if (bus.failed() >= 0) return words + bus.failure().message;
  if (!words.empty()) words.resize(words.size() - 2);
  return words;
}

[[noreturn]] void watch_over(const Watched& watched, const Settings& settings) {
  leave_group();
  const auto problem = static_cast<unsigned char>(become_urgent(settings.priority));
  const bool seen = watched.shared.heartbeat.watcher.hold();
  if (!seen) ::_exit(static_cast<int>(ExitCode::fault));
  watched.shared.looks.set(
      1);  // from here on it is to look: also one that never comes to is missed
  [[maybe_unused]] const auto told = ::write(watched.ready, &problem, 1);
  ::close(watched.ready);

  const std::string why = await_end(watched, settings);
  const bool safe = ramp_to_safe(watched.bus, *watched.clock);
  say(safe ? fmt::format("hild: guard: {}; every output has taken its safe action\n", why)
           : fmt::format("hild: guard: {}; NOT EVERY OUTPUT IS SAFE: {}\n", why,
                         unsafe_outputs(watched.bus)));
  ::_exit(static_cast<int>(safe ? ExitCode::done : ExitCode::device_failed));
}

// ---- its handle in the run ---------------------------------------------------------------------

struct Pipe {
  Descriptor read;
  Descriptor write;
};

auto refuse(std::string_view what) {
  return fail(ExitCode::fault, "cannot start the guard of the outputs: {}: {}", what,
              std::strerror(errno));
}

// What a call has made, if it has.
Result<Pipe> made(int failed, const int (&ends)[2], std::string_view what) {
  if (failed != 0) return refuse(what);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

Result<Guard> Guard::start(io::Bus& bus, const Settings& settings, rt::Warnings& warnings) {
  auto memory = rt::SharedMemory::make(sizeof(Shared));
  if (!memory) return tl::make_unexpected(memory.error());
  auto& shared = memory->emplace<Shared>();
  int ends[2];
  constexpr int kind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
  auto connection = made(::socketpair(AF_UNIX, kind, 0, ends), ends, "no connection");
  if (!connection) return tl::make_unexpected(connection.error());
  auto ready = made(::pipe2(ends, O_CLOEXEC), ends, "no pipe");
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
    bus.keep_guardable();
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
