// SPDX-License-Identifier: Apache-2.0
#include "guard/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string>

#include "guard/pidfd.hpp"
#include "guard/settle.hpp"
#include "guard/watch.hpp"

namespace hild::guard {
namespace {

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

[[noreturn]] void dismissed(const Charge& charge) {
  ::close(charge.run);
  ::_exit(0);
}

bool readable(const pollfd& p) { return p.fd >= 0 && p.revents != 0; }

// What was sent is there also when the sender is dead.
bool said_goodbye(const Charge& charge) {
  char word = 0;
  return ::recv(charge.connection, &word, 1, MSG_DONTWAIT) == 1 && word == goodbye;
}

// Until something is readable or the next look is due; what poll says.
int wait(std::array<pollfd, 2>& polled, rt::Clock& clock, const Settings& settings,
         const Watch& watch, std::int64_t beat) {
  const MonoTime now = clock.now();
  const Duration left = watch.next_look(now, beat, settings.frame) - now;
  const timespec timeout{.tv_sec = left.ns / 1'000'000'000, .tv_nsec = left.ns % 1'000'000'000};
  return ::ppoll(polled.data(), polled.size(), &timeout, nullptr);
}

// Returns why the run is over, in words.
std::string await_end(const Charge& charge, const Settings& settings) {
  Watch watch(settings.within);
  std::array<pollfd, 2> polled{{{charge.run, POLLIN, 0}, {charge.connection, POLLIN, 0}}};
  while (true) {
    const int events = wait(polled, *charge.clock, settings, watch, charge.shared.beat.get());
    charge.shared.looks.set(charge.shared.looks.get() + 1);
    if (said_goodbye(charge)) dismissed(charge);
    if (readable(polled[0])) return "the run died";
    if (readable(polled[1])) polled[1].fd = -1;  // it is dying; its death is what counts
    if (events == 0 && watch.hangs(charge.shared.beat.get())) break;
  }
  pidfd_send_signal(charge.run, SIGKILL);
  while (::poll(polled.data(), 1, -1) < 0) {
  }
  return "no frame began for too long, so the run was killed";
}

}  // namespace

void watch_over(const Charge& charge, const Settings& settings) {
  leave_group();
  const auto problem = static_cast<unsigned char>(become_urgent(settings.priority));
  charge.shared.looks.set(1);  // from here on it is to look: also one that never comes to is missed
  [[maybe_unused]] const auto told = ::write(charge.ready, &problem, 1);
  ::close(charge.ready);

  const std::string why = await_end(charge, settings);
  const bool safe = settle(charge.bus, *charge.clock);
  say(safe ? fmt::format("hild: guard: {}; every output has taken its safe action\n", why)
           : fmt::format("hild: guard: {}; NOT EVERY OUTPUT IS SAFE: {}\n", why,
                         charge.bus.failure().message));
  ::_exit(static_cast<int>(safe ? ExitCode::done : ExitCode::device_failed));
}

}  // namespace hild::guard
