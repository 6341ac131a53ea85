// SPDX-License-Identifier: Apache-2.0
#include "contain/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <mutex>
#include <vector>

#include "contain/confine.hpp"
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

// Its end is seen once its core has been written: none is.
void leave_no_core() {
  rlimit limit{};
  ::getrlimit(RLIMIT_CORE, &limit);
  limit.rlim_cur = std::min<rlim_t>(1, limit.rlim_max);  // 0 would keep one from files alone
  ::setrlimit(RLIMIT_CORE, &limit);
}

// All there are.
struct Living {
  std::mutex mutex;
  std::vector<const Process*> processes;
};
Living& living() {
  static Living all;
  return all;
}

std::string in_words(const siginfo_t& ended) {
  const std::string number = std::to_string(ended.si_status);
  if (ended.si_code == CLD_EXITED) {
    return "the model's process ended by itself, exit code " + number;
  }
  std::string words = "the model's process was ended by signal " + number + " (" +
                      ::strsignal(ended.si_status) + ")";
  // It is the first to go when memory runs out; the kernel does not say whether it was that.
  if (ended.si_status == SIGKILL) words += ", by somebody or by the kernel for want of memory";
  return words;
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
  leave_no_core();
  if (!shared.header().life.hold())
    std::fputs("hild: the model's process: no robust list\n", stderr);
  // Where something is refused the run has said so, before it began.
  static_cast<void>(confine({.exchange = reinterpret_cast<std::uintptr_t>(shared.bytes().data()),
                             .priority = options.priority}));
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
  settle_scheduling();
  h.request.call = Call::reset;
  answer(*plant, shared);
  std::uint32_t seen = 0;
  for (;;) {
    h.answered.ring();
    h.asked.wait(seen);
    ++seen;
    answer(*plant, shared);
  }
}

std::string words(const remote::Breach& b) {
  return fmt::format(
      "its process was ended: it answered `{}` as {}, where {} was expected, and so does not do "
      "what "
      "it is to; the model is broken, or writes where it must not",
      b.word, b.found, b.expected);
}

}  // namespace

Result<std::unique_ptr<Process>> Process::start(const MakePlant& make, std::string_view model,
                                                Shared& shared, const Options& options) {
  const pid_t parent = ::getpid();
  std::fflush(stdout);
  std::fflush(stderr);
  const pid_t child = ::fork();
  if (child < 0) return fail("no process for the model: {}", std::strerror(errno));
  if (child == 0) serve(make, shared, options, parent);
  auto process = std::make_unique<Process>(child, model);
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

Process::Process(pid_t pid, std::string_view model) : pid_(pid), model_(model) {
  const std::lock_guard lock(living().mutex);
  living().processes.push_back(this);
}

void Process::end(const remote::Breach& why) noexcept {
  ended_for_ = why;
  broken_.raise();
  ::kill(pid_, SIGKILL);  // our child, not waited for yet: the number is still its own
}

Process::~Process() {
  {
    const std::lock_guard lock(living().mutex);
    std::erase(living().processes, this);
  }
  const bool over = !ending().empty();
  ::kill(pid_, SIGKILL);
  siginfo_t ended{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED) < 0 && errno == EINTR) {
  }
  const bool ours = !over && ended.si_code != CLD_EXITED && ended.si_status == SIGKILL;
  if (!ours || broken_.raised()) {
    std::fprintf(stderr, "hild: model %s: %s\n", model_.c_str(), why(ended).c_str());
  }
}

std::string Process::why(const siginfo_t& ended) const {
  return broken_.raised() ? words(ended_for_) : in_words(ended);
}

std::string Process::ending() const {
  siginfo_t ended{};
  const bool over =
      ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      ended.si_pid == pid_;
  return over ? why(ended) : std::string();
}

std::string endings() {
  const std::lock_guard lock(living().mutex);
  std::string all;
  for (const Process* process : living().processes) {
    const std::string ended = process->ending();
    if (!ended.empty()) all += (all.empty() ? "" : "; ") + ended;
  }
  return all;
}

Result<std::unique_ptr<model::Plant>> contained(const MakePlant& make, const model::Description& d,
                                                const numerics::Method& method,
                                                const Options& options) {
  auto shared = std::make_unique<Shared>(d);
  if (!shared->good()) return fail("no memory to share with the model's process");
  auto process = Process::start(make, d.name, *shared, options);
  if (!process) return tl::make_unexpected(process.error());
  auto plant = std::make_unique<remote::RemotePlant>(d, method, std::move(shared),
                                                     std::move(*process), options.answer_within);
  if (plant->breach()) return fail("model {}: {}", d.name, words(*plant->breach()));
  return plant;
}

}  // namespace hild::contain
