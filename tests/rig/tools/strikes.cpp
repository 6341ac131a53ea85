// SPDX-License-Identifier: Apache-2.0
/// \file
/// Strikes down runs of hild, one after the other, while clients ask and CPUs are taken away, and
/// looks at the line from outside: whether it becomes safe and stays so, and how long that took.
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "drivers/sim_image.hpp"

namespace {

constexpr double safe = -3;  // V, as in strikes.yaml
constexpr double live = 5;
constexpr double one_step = 20.0 / 65535;
constexpr double most_s = 60;  // for what must come

struct Arguments {
  std::string hild;
  std::string config;
  std::string image = "hild-strikes";
  std::string socket = "/tmp/hild-strikes.sock";
  std::string tripwire = "/dev/shm/hild-strikes-tripwire";
  std::string each;  // where each trial is told at once; empty: nowhere
  std::vector<std::string> kinds{"kill", "stop", "hang", "guard"};
  int trials = 5;
  int clients = 30;
  int hogs = 0;         // SCHED_FIFO priority; 0: none
  double within_s = 0;  // p99.9 of kill, stop and hang; 0: times are not judged
  double frames_s = 0;  // the same of guard
};

double now_s() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void sleep_s(double seconds) {
  const timespec t{.tv_sec = static_cast<time_t>(seconds),
                   .tv_nsec = static_cast<long>(1e9 * (seconds - std::floor(seconds)))};
  ::nanosleep(&t, nullptr);
}

bool become_fifo(int priority) {
  const sched_param param{.sched_priority = priority};
  return ::sched_setscheduler(0, SCHED_FIFO, &param) == 0;
}

// Of this process and its helpers.
struct Shared {
  std::atomic<bool> burn{false};
  std::array<std::atomic<double>, CPU_SETSIZE> gap_s{};  // the longest a CPU stood still
};

// Made before there are helpers.
Shared* const memory = new (::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0)) Shared;
Shared& shared() { return *memory; }

// Helpers die with this process, so that a hog never outlives it.
pid_t helper(const std::function<void()>& life) {
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  life();
  ::_exit(0);
}

void stay_on(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

// Burns its CPU when told to, for some seconds at most: all that is ordinary stands still then.
void be_hog(int cpu, int priority) {
  stay_on(cpu);
  if (!become_fifo(priority)) ::_exit(1);
  while (true) {
    while (!shared().burn) sleep_s(0.001);
    for (const double end = now_s() + 5; shared().burn && now_s() < end;) {
      for (volatile int i = 0; i < 10000;) i = i + 1;
    }
    while (shared().burn) sleep_s(0.001);
  }
}

// Nothing is more urgent than this: what holds it up is the machine that this one runs on.
void be_sentinel(int cpu) {
  stay_on(cpu);
  if (!become_fifo(98)) ::_exit(1);
  std::atomic<double>& gap = shared().gap_s[static_cast<std::size_t>(cpu)];
  for (double last = now_s();;) {
    sleep_s(0.0005);
    const double now = now_s();
    if (now - last > gap) gap = now - last;
    last = now;
  }
}

double longest_gap() {
  double longest = 0;
  for (auto& gap : shared().gap_s) longest = std::max(longest, gap.load());
  return longest;
}

// Ask for the status of the run again and again, twenty times a second each.
void be_clients(const std::string& path, int clients) {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const std::string ask = R"({"jsonrpc": "2.0", "id": 1, "method": "status", "params": {}})"
                          "\n";
  std::vector<pollfd> all(static_cast<std::size_t>(clients));
  while (true) {
    for (pollfd& client : all) {
      if (client.fd <= 0) {
        client = {.fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0),
                  .events = POLLIN,
                  .revents = 0};
        if (::connect(client.fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
            0) {
          ::close(std::exchange(client.fd, -1));
          continue;
        }
      }
      if (::send(client.fd, ask.data(), ask.size(), MSG_NOSIGNAL) < 0 && errno != EAGAIN) {
        ::close(std::exchange(client.fd, -1));
      }
    }
    for (const double end = now_s() + 0.05; now_s() < end;) {
      std::array<char, 65536> text{};
      if (::poll(all.data(), all.size(), 50) <= 0) break;
      for (pollfd& client : all) {
        if (client.fd > 0 && client.revents != 0 &&
            ::read(client.fd, text.data(), text.size()) == 0) {
          ::close(std::exchange(client.fd, -1));
        }
      }
    }
  }
}

class Strikes {
 public:
  explicit Strikes(const Arguments& arguments) : arguments_(arguments) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // guards outlive their runs
    const int file = ::open(arguments_.tripwire.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ::ftruncate(file, sizeof(int)) != 0) throw std::runtime_error("no tripwire");
    tripwire_ = static_cast<volatile int*>(
        ::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    ::close(file);
    if (!arguments_.each.empty()) {
      each_.open(arguments_.each, std::ios::app);
      if (!each_) throw std::runtime_error("cannot write to " + arguments_.each);
    }
    ::setenv("HILD_TRIPWIRE", arguments_.tripwire.c_str(), 1);
    urgent_ = ::geteuid() == 0 && become_fifo(1);
    const sched_param ordinary{.sched_priority = 0};
    ::sched_setscheduler(0, SCHED_OTHER, &ordinary);
    for (int cpu = 0; urgent_ && cpu < ::sysconf(_SC_NPROCESSORS_ONLN); ++cpu) {
      helpers_.push_back(helper([cpu] { be_sentinel(cpu); }));
      if (arguments_.hogs == 0) continue;
      helpers_.push_back(helper([this, cpu] { be_hog(cpu, arguments_.hogs); }));
    }
    helpers_.push_back(helper([this] { be_clients(arguments_.socket, arguments_.clients); }));
  }
  ~Strikes() {
    for (const pid_t pid : helpers_) ::kill(pid, SIGKILL);
    while (::wait(nullptr) > 0) {
    }
    ::unlink(arguments_.tripwire.c_str());
    ::shm_unlink(("/" + arguments_.image).c_str());
  }

  // Whether every run of this kind left a safe line, and in time where that is judged.
  bool strike(const std::string& kind) {
    std::vector<double> took;
    int disturbed = 0;
    for (int trial = 0; trial < arguments_.trials; ++trial) {
      const double seconds = once(kind);
      if (each_.is_open()) {
        each_ << kind << ' ' << trial << ": " << 1e3 * seconds << " ms, longest gap of a CPU "
              << 1e3 * longest_gap() << " ms" << std::endl;
      }
      if (seconds < 0) {
        std::printf("%s: NOT SAFE in trial %d\n", kind.c_str(), trial);
        return false;
      }
      // Where a CPU was taken from the machine, it did not have the time that is measured.
      if (longest_gap() > 0.003) {
        ++disturbed;
      } else {
        took.push_back(1e3 * seconds);
      }
    }
    std::ranges::sort(took);
    const auto at = [&took](double q) {
      if (took.empty()) return 0.0;
      const auto i = static_cast<std::size_t>(std::ceil(q * static_cast<double>(took.size())));
      return took[std::max<std::size_t>(i, 1) - 1];
    };
    std::printf(
        "%s: %d of %d safe; of %zu undisturbed, in ms: p50 %.2f p90 %.2f p99 %.2f p99.9 %.2f "
        "max %.2f; disturbed %d\n",
        kind.c_str(), arguments_.trials, arguments_.trials, took.size(), at(0.5), at(0.9), at(0.99),
        at(0.999), at(1), disturbed);
    std::fflush(stdout);
    const double bound = kind == "guard" ? arguments_.frames_s : arguments_.within_s;
    return bound == 0 || (!took.empty() && at(0.999) <= 1e3 * bound);
  }

 private:
  // One run, struck down: the seconds until its line was safe; -1 when it never was.
  double once(const std::string& kind) {
    *tripwire_ = 0;
    const pid_t run = start();
    const pid_t guard = guard_of(run);
    double took = -1;
    if (guard > 0 && comes(live, 0.01)) {
      sleep_s(0.1);  // clients have found it
      took = hit(kind, run, guard);
    }
    shared().burn = false;
    *tripwire_ = 0;
    if (took < 0) std::printf("run %d, guard %d, line %g\n", run, guard, line());
    if (kind != "guard") ::kill(run, SIGKILL);
    ::waitpid(run, nullptr, 0);
    if (guard > 0) ::waitpid(guard, nullptr, 0);
    return took >= 0 && std::abs(line() - safe) > one_step ? -1 : took;
  }

  double hit(const std::string& kind, pid_t run, pid_t guard) {
    if (urgent_) become_fifo(99);
    shared().burn = arguments_.hogs > 0;
    sleep_s(std::uniform_real_distribution(0.005, 0.03)(random_));
    for (auto& gap : shared().gap_s) gap = 0;
    // A stop that is sent to the process waits for an ordinary thread to bring it about: until hogs
    // let it, nothing has stopped.
    const pid_t frames = thread_of(run, "hild-frame");
    const double struck = now_s();
    if (kind == "kill") ::kill(run, SIGKILL);
    if (kind == "stop") ::syscall(SYS_tgkill, run, frames, SIGSTOP);
    if (kind == "hang") *tripwire_ = 1;
    if (kind == "guard") ::kill(guard, SIGKILL);
    const bool so = comes(safe, 0.0001);
    const double took = now_s() - struck;
    if (so) sleep_s(0.02);  // and stays so
    const bool stays = std::abs(line() - safe) <= one_step;
    const sched_param ordinary{.sched_priority = 0};
    ::sched_setscheduler(0, SCHED_OTHER, &ordinary);
    return so && stays ? took : -1;
  }

  pid_t start() const {
    ::unlink(arguments_.socket.c_str());
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    const int nothing = ::open("strikes.log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
    ::execl(arguments_.hild.c_str(), "hild", "run", arguments_.config.c_str(), "--set",
            ("devices.rig.image=" + arguments_.image).c_str(), "--set",
            ("control.socket=" + arguments_.socket).c_str(), nullptr);
    ::_exit(127);
  }

  // The process itself where there is none of the name.
  static pid_t thread_of(pid_t run, std::string_view name) {
    std::error_code gone;
    for (const auto& thread :
         std::filesystem::directory_iterator("/proc/" + std::to_string(run) + "/task", gone)) {
      std::string is;
      std::ifstream(thread.path() / "comm") >> is;
      if (is == name) return std::stoi(thread.path().filename());
    }
    return run;
  }

  // Once it is there.
  static pid_t guard_of(pid_t run) {
    const std::string of = "/proc/" + std::to_string(run) + "/task/" + std::to_string(run);
    for (const double end = now_s() + most_s; now_s() < end; sleep_s(0.01)) {
      std::ifstream children(of + "/children");
      for (pid_t pid = 0; children >> pid;) {
        std::string name;
        std::ifstream("/proc/" + std::to_string(pid) + "/comm") >> name;
        if (name == "hild-guard") return pid;
      }
      if (::waitpid(run, nullptr, WNOHANG) != 0) return 0;
    }
    return 0;
  }

  [[nodiscard]] double line() {
    if (!looks_ && ::access(("/dev/shm/" + arguments_.image).c_str(), F_OK) == 0) {
      looks_ = static_cast<bool>(image_.look(arguments_.image, 1));
    }
    std::array<double, 1> volts{NAN};
    return looks_ && image_.read(volts) ? volts[0] : NAN;
  }

  bool comes(double volts, double every_s) {
    for (const double end = now_s() + most_s;
         std::abs(line() - volts) > one_step || std::isnan(line());) {
      if (now_s() > end) return false;
      sleep_s(every_s);
    }
    return true;
  }

  Arguments arguments_;
  hild::sim::SimImage image_;
  bool looks_ = false;
  std::ofstream each_;
  volatile int* tripwire_ = nullptr;
  bool urgent_ = false;
  std::vector<pid_t> helpers_;
  std::mt19937 random_{1};
};

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  CLI::App app("strikes down runs of hild, and looks at what becomes of their line");
  app.add_option("hild", a.hild, "a hild with the model tripwire")->required();
  app.add_option("config", a.config, "as strikes.yaml")->required();
  app.add_option("--kinds", a.kinds, "of kill, stop, hang, guard")->delimiter(',');
  app.add_option("--trials", a.trials, "of each kind");
  app.add_option("--clients", a.clients, "that ask all the while");
  app.add_option("--hogs", a.hogs, "SCHED_FIFO priority of a hog on every CPU; 0: none");
  app.add_option("--image", a.image, "name of the D/A image");
  app.add_option("--socket", a.socket, "path of the control socket");
  app.add_option("--tripwire", a.tripwire, "a file of this program and the model");
  app.add_option("--each", a.each, "a file to which each trial is told as soon as it has ended");
  app.add_option("--within", a.within_s, "judge p99.9 of kill, stop and hang, in s");
  app.add_option("--frames", a.frames_s, "judge p99.9 of guard, in s");
  CLI11_PARSE(app, argc, argv);
  Strikes strikes(a);
  bool good = true;
  for (const std::string& kind : a.kinds) good = strikes.strike(kind) && good;
  return good ? 0 : 1;
}
