// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/thread.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

namespace hild::rt {
namespace {

constexpr std::size_t stack_bytes = 2 << 20;
constexpr std::size_t prefault_bytes = stack_bytes / 4;

// Touches the stack the loop may use, so that no frame takes its page faults.
[[gnu::noinline]] void prefault_stack() noexcept {
  std::array<volatile char, prefault_bytes> stack;
  for (std::size_t i = 0; i < stack.size(); i += 4096) stack[i] = 0;
}

void bind_to_cpu(std::string_view name, int cpu, Warnings& warnings) {
  if (cpu < 0) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  if (const int e = pthread_setaffinity_np(pthread_self(), sizeof set, &set); e != 0) {
    warnings.push_back(
        {fmt::format("cannot bind {} to CPU {}: {}; check `cpu:` against "
                     "/sys/devices/system/cpu/online",
                     name, cpu, std::strerror(e))});
  }
}

void become_fifo(int priority, Warnings& warnings) {
  if (priority <= 0) return;
  const sched_param param{.sched_priority = priority};
  if (const int e = pthread_setschedparam(pthread_self(), SCHED_FIFO, &param); e != 0) {
    warnings.push_back(
        {fmt::format("no SCHED_FIFO priority {} ({}): running under the ordinary scheduler, expect "
                     "late wakes; run as root, or allow it with LimitRTPRIO={} (systemd) or an "
                     "rtprio line in /etc/security/limits.conf",
                     priority, std::strerror(e), priority)});
  }
}

}  // namespace

bool urgent_allowed(int priority) {
  int policy = 0;
  sched_param before{};
  if (pthread_getschedparam(pthread_self(), &policy, &before) != 0) return false;
  const sched_param asked{.sched_priority = priority};
  if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &asked) != 0) return false;
  pthread_setschedparam(pthread_self(), policy, &before);
  return true;
}

struct Thread::State {
  ThreadOptions options;
  std::function<void()> body;
  Warnings warnings;
  pthread_t thread{};
  pthread_barrier_t ready{};
  bool runs = false;                   // as far as its owner knows
  std::atomic<bool> let_go_of{false};  // by its owner or by the thread: the second deletes it

  State() { pthread_barrier_init(&ready, nullptr, 2); }
  ~State() {
    join();
    pthread_barrier_destroy(&ready);
  }
  void join() {
    if (std::exchange(runs, false)) pthread_join(thread, nullptr);
  }
};

void Thread::Joined::operator()(State* state) const noexcept { delete state; }

Result<Thread> Thread::start(const ThreadOptions& options, Warnings& warnings,
                             std::function<void()> body) {
  std::unique_ptr<State, Joined> state(new State);
  state->options = options;
  state->body = std::move(body);

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  const auto entry = [](void* argument) -> void* {
    auto* s = static_cast<State*>(argument);
    pthread_setname_np(pthread_self(), Name(s->options.name.view().substr(0, 15)).c_str());
    bind_to_cpu(s->options.name.view(), s->options.cpu, s->warnings);
    become_fifo(s->options.priority, s->warnings);
    prefault_stack();
    pthread_barrier_wait(&s->ready);
    s->body();
    if (s->let_go_of.exchange(true)) delete s;
    return nullptr;
  };
  // The thread inherits a mask that leaves all signals to others.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int e = pthread_create(&state->thread, &attributes, entry, state.get());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (e != 0) {
    return fail(ExitCode::fault,
                "cannot start the thread {}: {}; check the limits on memory "
                "locking and on threads (ulimit -l, ulimit -u)",
                options.name.view(), std::strerror(e));
  }
  state->runs = true;
  pthread_barrier_wait(&state->ready);
  for (auto& w : state->warnings) warnings.push_back(std::move(w));
  return Thread(std::move(state));
}

void Thread::join() {
  if (state_) state_->join();
}

void Thread::leave() {
  if (!state_ || !std::exchange(state_->runs, false)) return;
  pthread_detach(state_->thread);
  State* const left = state_.release();
  if (left->let_go_of.exchange(true)) delete left;
}

std::vector<int> allowed_cpus() {
  std::vector<int> all;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &allowed)) all.push_back(cpu);
  }
  return all;
}

int threads_of_process() {
  std::error_code error;
  int threads = 0;
  for (std::filesystem::directory_iterator task("/proc/self/task", error), end; task != end;
       task.increment(error)) {
    ++threads;
  }
  return threads;
}

// ---- what it needs of the machine --------------------------------------------------------------

Descriptor hold_cpu_latency(Warnings& warnings) {
  Descriptor fd(open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC));
  const std::int32_t microseconds = 0;
  if (fd && write(fd.get(), &microseconds, sizeof microseconds) == sizeof microseconds) return fd;
  warnings.push_back(
      {fmt::format("cannot hold /dev/cpu_dma_latency at 0 ({}): idle CPUs may wake slowly; run as "
                   "root, or give the service's user write access by a udev rule",
                   std::strerror(errno))});
  return {};
}

void lock_memory(Warnings& warnings) {
  // What has been freed stays mapped: a page given back would fault when it is used again.
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_MMAP_MAX, 0);

  // Under a finite limit MCL_FUTURE succeeds, and then the next thread cannot be started.
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  const bool unlimited = limit.rlim_cur == RLIM_INFINITY || geteuid() == 0;
  if (mlockall(unlimited ? MCL_CURRENT | MCL_FUTURE : MCL_CURRENT) != 0) {
    warnings.push_back(
        {fmt::format("cannot lock memory ({}): page faults may delay frames; run as root, or allow "
                     "it with LimitMEMLOCK=infinity (systemd) or `ulimit -l unlimited`",
                     std::strerror(errno))});
  } else if (!unlimited) {
    warnings.push_back(
        {"only the present memory is locked (the memlock limit is finite): allow "
         "all of it with LimitMEMLOCK=infinity (systemd) or `ulimit -l unlimited`"});
  }
}

double rt_throttle_share() {
  double runtime = -1;
  double period = 0;
  std::ifstream("/proc/sys/kernel/sched_rt_runtime_us") >> runtime;
  std::ifstream("/proc/sys/kernel/sched_rt_period_us") >> period;
  return runtime < 0 || period <= 0 ? 1.0 : runtime / period;
}

bool kernel_is_preempt_rt() {
  int realtime = 0;
  if (std::ifstream("/sys/kernel/realtime") >> realtime) return realtime == 1;
  utsname name{};
  return uname(&name) == 0 && std::strstr(name.version, "PREEMPT_RT") != nullptr;
}

}  // namespace hild::rt
