// SPDX-License-Identifier: Apache-2.0
#include "contain/process.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>

#include "remote/plant.hpp"
#include "remote/servant.hpp"

namespace hild::contain {
namespace {

using remote::Call;
using remote::Header;
using remote::Shared;

constexpr Duration patience = 10_s;  // for a model to come up

void take_scheduling(const Options& options) {
  ::mlockall(MCL_CURRENT);
  if (options.cpu >= 0) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(options.cpu), &one);
    ::sched_setaffinity(0, sizeof one, &one);
  }
  if (options.priority <= 0) return;
  sched_param param{};
  param.sched_priority = options.priority;
  ::sched_setscheduler(0, SCHED_FIFO, &param);
}

// Of all processes the kernel is to end this one first, when memory runs out: whatever is set for
// hild itself, which the child would inherit. Anybody may ask for it.
void offer_to_be_killed() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const auto written = ::write(file, "1000", 4);
  ::close(file);
}

// Where rights are missing it runs as it is: the run says so of its own thread.
[[noreturn]] void serve(const MakePlant& make, Shared& shared, const Options& options,
                        pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  // The run decides when to end, also on Ctrl-C.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, SIG_DFL);
  offer_to_be_killed();
  std::unique_ptr<model::Plant> plant;
  try {
    plant = make();
  } catch (const std::exception& e) {
    std::fputs(e.what(), stderr);
    std::fputs("\n", stderr);
    ::_exit(1);
  }
  Header& h = shared.header();
  take_scheduling(options);
  h.call = Call::reset;
  answer(*plant, shared);
  std::uint32_t seen = 0;
  for (;;) {
    h.answered.ring();
    h.asked.wait(seen);
    ++seen;
    answer(*plant, shared);
  }
}

}  // namespace

Result<std::unique_ptr<Process>> Process::start(const MakePlant& make, Shared& shared,
                                                const Options& options) {
  const pid_t parent = ::getpid();
  std::fflush(stdout);
  std::fflush(stderr);
  const pid_t child = ::fork();
  if (child < 0) return fail("no process for the model: {}", std::strerror(errno));
  if (child == 0) serve(make, shared, options, parent);
  auto process = std::make_unique<Process>(child);
  // In parts, so that one that ended is not waited for.
  constexpr Duration look = 20_ms;
  int looks = 0;
  for (Duration left = look; !shared.header().answered.wait(0, left); left = look) {
    siginfo_t ended{};
    const bool gone =
        ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        ended.si_pid == child;
    if (gone || ++looks > patience.ns / look.ns) {
      return fail("the model did not come up in a process of its own: it {}",
                  gone ? "ended" : "took more than 10 s");
    }
  }
  return process;
}

Process::~Process() {
  ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) {
    std::fprintf(stderr, "hild: the model's process ended by itself, exit code %d\n",
                 WEXITSTATUS(status));
  } else if (WTERMSIG(status) != SIGKILL) {
    std::fprintf(stderr, "hild: the model's process was ended by signal %d\n", WTERMSIG(status));
  }
}

Result<std::unique_ptr<model::Plant>> contained(const MakePlant& make, const model::Description& d,
                                                const numerics::Method& method,
                                                const Options& options) {
  auto shared = std::make_unique<Shared>(d);
  if (!shared->good()) return fail("no memory to share with the model's process");
  auto process = Process::start(make, *shared, options);
  if (!process) return tl::make_unexpected(process.error());
  return std::make_unique<remote::RemotePlant>(d, method, std::move(shared), std::move(*process),
                                               options.answer_within);
}

}  // namespace hild::contain
