// SPDX-License-Identifier: Apache-2.0
#include "foreign/examine/system_calls.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <csignal>

namespace hild::examine {
namespace {

// Read by the kernel at every system call of the thread; and what the handler found.
char gate = 0;
long first_number = -1;

// Of linux/prctl.h, which sys/prctl.h of older systems lacks.
constexpr int user_dispatch = 59;
constexpr char closed = 1;
constexpr char open = 0;

#if defined(__x86_64__)
void on_system_call(int /*signal*/, siginfo_t* /*info*/, void* context) {
  auto* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  gate = open;
  first_number = registers[REG_RAX];
  registers[REG_RIP] -= 2;  // the instruction `syscall`, once more
}
#endif

struct Named {
  long number;
  const char* name;
};
constexpr Named known_calls[] = {
    {SYS_read, "read"},
    {SYS_write, "write"},
    {SYS_openat, "openat"},
    {SYS_close, "close"},
    {SYS_mmap, "mmap"},
    {SYS_munmap, "munmap"},
    {SYS_brk, "brk"},
    {SYS_futex, "futex"},
    {SYS_clone, "clone"},
    {SYS_exit_group, "exit"},
    {SYS_ioctl, "ioctl"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_nanosleep, "nanosleep"},
    {SYS_getpid, "getpid"},
    {SYS_sched_yield, "sched_yield"},
    {SYS_writev, "writev"},
    {SYS_socket, "socket"},
    {SYS_sendto, "sendto"},
    {SYS_mprotect, "mprotect"},
    {SYS_gettid, "gettid"},
    {SYS_rt_sigprocmask, "rt_sigprocmask"},
    {SYS_newfstatat, "fstat"},
    {SYS_lseek, "lseek"},
    {SYS_rt_sigaction, "rt_sigaction"},
    {SYS_madvise, "madvise"},
    {SYS_getrandom, "getrandom"},
    {SYS_clock_gettime, "clock_gettime"},
#ifdef SYS_clone3
    {SYS_clone3, "clone3"},
#endif
};

}  // namespace

SystemCalls::SystemCalls() {
#if defined(__x86_64__)
  struct sigaction action {};
  action.sa_sigaction = on_system_call;
  action.sa_flags = SA_SIGINFO;
  observed_ =
      ::sigaction(SIGSYS, &action, nullptr) == 0 && ::prctl(user_dispatch, 1, 0, 0, &gate) == 0;
#endif
}

SystemCalls::~SystemCalls() {
  if (observed_) ::prctl(user_dispatch, 0, 0, 0, 0);
}

void SystemCalls::watch() {
  first_number = -1;
  if (observed_) gate = closed;
}

long SystemCalls::stop() {
  gate = open;
  return first_number;
}

std::string system_call_name(long number) {
  for (const Named& n : known_calls) {
    if (n.number == number) return n.name;
  }
  return fmt::format("system call {}", number);
}

}  // namespace hild::examine
