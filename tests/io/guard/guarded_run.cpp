// SPDX-License-Identifier: Apache-2.0
#include "io/guard/guarded_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "drivers/fake_options.hpp"
#include "drivers/sim_image.hpp"

namespace hild::test {
namespace {

constexpr double one_step = 20.0 / 65535;  // of 16 bits over 20 V

std::string new_image() {
  static int count = 0;
  return "hild-guard-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
}

std::unique_ptr<io::Bus> one_line(const std::string& image, const GuardedRun::Options& wanted) {
  FakeOptions options({{"image", image}, {"fail_after", std::to_string(wanted.exchanges)}});
  FakeOptions entry({{"channel", "0"}});
  auto device = io::find_driver("sim")->make("rig", options);
  io::OutputSignal out;
  out.channel = device->add(io::Direction::output, entry).value();
  out.limits = {-10, 10};
  out.safe = safe;
  out.action = wanted.action;
  out.device = 0;
  std::vector<io::Member> members;
  members.push_back({Name("rig"), std::move(device), {}});
  return std::make_unique<io::Bus>(std::move(members), std::vector<io::InputSignal>{},
                                   std::vector{out});
}

using Clock = std::chrono::steady_clock;

/// As waitpid(), of any child that is not `but`; 0 when `bound` was not enough.
int wait_for(int pid, int but, int& status) {
  const auto end = Clock::now() + GuardedRun::bound;
  while (true) {
    const int found = ::waitpid(pid, &status, WNOHANG);
    if (found != 0 && found != but) return found;
    if (found == 0 && Clock::now() > end) return 0;
    if (found == 0) ::usleep(1000);
  }
}

std::vector<int> children() {
  std::ifstream list("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  return {std::istream_iterator<int>(list), {}};
}

}  // namespace

GuardedRun::GuardedRun(const Fate& fate, const Options& options) : image_(new_image()) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // the guard outlives its parent
  int ready[2];
  EXPECT_EQ(::pipe2(ready, O_CLOEXEC), 0);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_NAME, "run");  // a word without blanks
    live(fate, options, ready[1]);
  }
  ::close(ready[1]);
  char told = 0;
  pollfd up{.fd = ready[0], .events = POLLIN, .revents = 0};
  constexpr int bound_ms = std::chrono::milliseconds(bound).count();
  const bool is_up = ::poll(&up, 1, bound_ms) == 1 && ::read(ready[0], &told, 1) == 1;
  ::close(ready[0]);
  if (is_up) return;
  kill(SIGKILL);
  const std::string code = std::to_string(exit());
  end();
  throw std::runtime_error("the run did not come up; exit code " + code);
}

void GuardedRun::live(const Fate& fate, const Options& options, int ready) const {
  const auto clock = rt::make_clock(rt::ClockKind::sleep, {}).value();
  const auto bus = one_line(image_, options);
  if (!bus->open(*clock)) ::_exit(100);
  rt::Warnings warnings;
  auto guard = guard::Guard::start(*bus, {.within = options.within, .priority = 0}, warnings);
  if (!guard) ::_exit(101);
  if (!warnings.empty()) ::_exit(103);  // none was asked for that could be refused
  const double y[] = {driven};
  if (!bus->exchange(y, {}, clock->now(), {})) ::_exit(102);
  if (options.begun && !guard->hold()) ::_exit(104);
  if (options.begun) guard->heartbeat().beat.set(1);
  [[maybe_unused]] const auto told = ::write(ready, "r", 1);
  ::close(ready);
  fate(*guard);
  ::_exit(0);
}

GuardedRun::~GuardedRun() { end(); }

void GuardedRun::end() {
  kill(SIGKILL);
  int status = 0;
  // Both, unless a test has failed already: it has nothing more to wait for.
  while (!testing::Test::HasFailure() && wait_for(-1, 0, status) > 0) {
  }
  // What does not end is ended: a test that fails goes on to the next.
  do {
    for (const int pid : children()) ::kill(pid, SIGKILL);
  } while (::waitpid(-1, nullptr, 0) > 0);
  ::shm_unlink(("/" + image_).c_str());
}

int guard_of_this_run() {
  const auto all = children();
  return all.size() == 1 ? all[0] : 0;
}

void GuardedRun::kill(int signal) const { ::kill(pid_, signal); }

double GuardedRun::line() const {
  const auto voltages = sim::read_sim_image(image_);
  return voltages ? voltages->at(0) : NAN;
}

bool GuardedRun::reaches(double volts) const {
  const auto end = Clock::now() + bound;
  while (!(std::abs(line() - volts) < one_step)) {
    if (Clock::now() > end) return false;
    ::usleep(100);
  }
  return true;
}

bool GuardedRun::dead() const {
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid == pid_;
}

std::vector<int> GuardedRun::threads() const {
  std::vector<int> all;
  std::error_code gone;
  for (const auto& thread :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid_) + "/task", gone)) {
    all.push_back(std::stoi(thread.path().filename()));
  }
  return all;
}

// By the flags of the kernel, the ninth word of a thread's account.
bool GuardedRun::acts() const {
  return std::ranges::any_of(threads(), [this](int thread) {
    std::ifstream stat("/proc/" + std::to_string(pid_) + "/task/" + std::to_string(thread) +
                       "/stat");
    std::string word;
    for (int skipped = 0; skipped < 8; ++skipped) stat >> word;
    unsigned flags = 0;
    return static_cast<bool>(stat >> flags) && (flags & 4U) == 0;
  });
}

int GuardedRun::exit() {
  int status = 0;
  if (wait_for(pid_, 0, status) == 0) return still_there;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int GuardedRun::guard_exit() {
  int status = 0;
  const int pid = wait_for(-1, pid_, status);
  if (pid == 0) return still_there;
  return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace hild::test
