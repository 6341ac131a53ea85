// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/confined/confine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "core/child_process.hpp"

namespace hild::confined {
namespace {

// ---- the filter of system calls ----------------------------------------------------------------

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "the filter of a confined process knows x86-64 and arm64"
#endif

// What computes, reads, waits and says. The doorbell first: it is rung in every exchange.
constexpr std::uint32_t allowed[] = {
    SYS_futex,
    // its memory
    SYS_brk,
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_mlockall,
    SYS_munlockall,
    // files, as they were opened: for reading
    SYS_read,
    SYS_readv,
    SYS_pread64,
    SYS_write,
    SYS_writev,
    SYS_close,
    SYS_lseek,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_dup,
    SYS_dup3,
    SYS_pipe2,
    SYS_eventfd2,
    SYS_ppoll,
    SYS_pselect6,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    // time
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_times,
    // itself
    SYS_exit,
    SYS_exit_group,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_uname,
    SYS_sysinfo,
    SYS_getrusage,
    SYS_getrandom,
    SYS_getcpu,
    SYS_getpriority,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_sched_setscheduler,
    SYS_sched_setaffinity,
    SYS_set_tid_address,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_restart_syscall,
    // signals to itself
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigsuspend,
    SYS_sigaltstack,
#if defined(__x86_64__)
    // the older names of some of them
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_dup2,
    SYS_pipe,
    SYS_poll,
    SYS_select,
    SYS_epoll_create,
    SYS_epoll_wait,
    SYS_time,
    SYS_pause,
    SYS_arch_prctl,
#endif
};

// What reads and writes the sockets that are there; not what makes one, or connects it to another.
constexpr std::uint32_t allowed_with_network[] = {
    SYS_sendto,     SYS_sendmsg,    SYS_sendmmsg,    SYS_recvfrom,    SYS_recvmsg,  SYS_recvmmsg,
    SYS_getsockopt, SYS_setsockopt, SYS_getsockname, SYS_getpeername, SYS_shutdown,
};

/// Allowed where argument `index`, of which `mask` is looked at, has this value.
struct CallCondition {
  std::uint32_t call;
  std::uint32_t index;
  std::uint32_t mask;
  std::uint32_t value;
};
constexpr std::uint32_t all_bits = 0xffff'ffff;
// Opened for writing, made or emptied; __O_TMPFILE is what O_TMPFILE has beside O_DIRECTORY.
constexpr std::uint32_t to_write = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);

std::vector<CallCondition> conditions() {
  const auto self = static_cast<std::uint32_t>(::getpid());
  std::vector<CallCondition> c {
    {SYS_openat, 2, to_write, O_RDONLY},
#if defined(__x86_64__)
        {SYS_open, 1, to_write, O_RDONLY},
#endif
        {SYS_clone, 0, CLONE_THREAD, CLONE_THREAD},  // a thread, and no process
        {SYS_kill, 0, all_bits, self}, {SYS_tgkill, 0, all_bits, self},
        {SYS_prlimit64, 0, all_bits, 0},   // its own limits
        {SYS_ioctl, 1, all_bits, TCGETS},  // whether it is a terminal: no line of a device
        {SYS_prctl, 0, all_bits, PR_SET_NAME}, {SYS_prctl, 0, all_bits, PR_GET_NAME},
        {SYS_prctl, 0, all_bits, PR_SET_SECCOMP},  // fewer still
        {SYS_prctl, 0, all_bits, 59},  // PR_SET_SYSCALL_USER_DISPATCH: how its calls are watched
  };
  // Not F_SETOWN and F_SETSIG, which have the kernel send signals to others.
  for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL}) {
    c.push_back({SYS_fcntl, 1, all_bits, static_cast<std::uint32_t>(command)});
  }
  // Not MADV_REMOVE, which makes holes in memory that is shared.
  for (const int advice : {MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED,
                           MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP}) {
    c.push_back({SYS_madvise, 2, all_bits, static_cast<std::uint32_t>(advice)});
  }
  return c;
}

constexpr std::uint32_t allow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t not_there = SECCOMP_RET_ERRNO | ENOSYS;
constexpr std::uint32_t number_at = offsetof(seccomp_data, nr);

/// A program for the kernel: the number of the call is at hand from one rule to the next.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
    give(SECCOMP_RET_KILL_PROCESS);
    load(number_at);
#if defined(__x86_64__)
    constexpr std::uint32_t x32 = 0x4000'0000;  // numbers of another interface
    add(BPF_JMP | BPF_JGE | BPF_K, x32, 0, 1);
    give(refuse);
#endif
  }
  void rule(std::uint32_t call, std::uint32_t what) {
    add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
    give(what);
  }
  // Of 64 bits the lower half, which is the whole of an int; x86-64 and arm64 have it first.
  void rule(const CallCondition& c) {
    add(BPF_JMP | BPF_JEQ | BPF_K, c.call, 0, 5);
    load(static_cast<std::uint32_t>(offsetof(seccomp_data, args)) + 8 * c.index);
    add(BPF_ALU | BPF_AND | BPF_K, c.mask);
    add(BPF_JMP | BPF_JEQ | BPF_K, c.value, 0, 1);
    give(allow);
    load(number_at);
  }
  void give(std::uint32_t what) { add(BPF_RET | BPF_K, what); }

  /// 0 or an errno. For this thread and those that it starts, or for all there are.
  int install(unsigned flags = 0) {
    sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    const bool done = flags == 0
                          ? ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0
                          : ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0;
    return done ? 0 : errno;
  }

 private:
  void load(std::size_t at) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(at)); }
  void add(int code, std::uint32_t k, std::uint8_t yes = 0, std::uint8_t no = 0) {
    code_.push_back({static_cast<std::uint16_t>(code), yes, no, k});
  }
  std::vector<sock_filter> code_;
};

// Forbids this process, with all threads it has and starts, all but a few system calls: others fail
// with EPERM. Returns 0, or an errno where the kernel takes no filter. Precondition: no new
// privileges.
int allow_few_system_calls(Reach reach) noexcept {
  Filter filter;
  for (const std::uint32_t call : allowed) filter.rule(call, allow);
  if (reach == Reach::network) {
    for (const std::uint32_t call : allowed_with_network) filter.rule(call, allow);
  }
  for (const CallCondition& c : conditions()) filter.rule(c);
  // Its flags are in memory, where no filter can look; glibc then takes clone.
  filter.rule(SYS_clone3, not_there);
  filter.give(refuse);
  return filter.install(reach == Reach::network ? SECCOMP_FILTER_FLAG_TSYNC : 0);
}

// ---- all that it gives up ----------------------------------------------------------------------

std::string close_descriptors(int but) {
  const auto close_from = [](int first, int last) {
    return first > last || ::syscall(SYS_close_range, first, last, 0) == 0;
  };
  if (close_from(STDERR_FILENO + 1, but - 1) &&
      close_from(but + 1, std::numeric_limits<int>::max())) {
    return {};
  }
  return fmt::format("its descriptors cannot be closed (close_range: {}; Linux 5.9 is needed)",
                     std::strerror(errno));
}

std::string drop_rights() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, 2> none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) {
    return fmt::format("its capabilities cannot be dropped ({})", std::strerror(errno));
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return fmt::format("new privileges cannot be ruled out ({})", std::strerror(errno));
  }
  return {};
}

class Refusals {
 public:
  void note(const std::string& what) {
    if (!what.empty()) words_ += (words_.empty() ? "" : "; ") + what;
  }
  [[nodiscard]] const std::string& words() const noexcept { return words_; }

 private:
  std::string words_;
};

}  // namespace

std::string give_up_rights(int kept) {
  leave_no_core();
  Refusals refused;
  refused.note(close_descriptors(kept));
  refused.note(drop_rights());
  return refused.words();
}

std::string give_up_calls(Reach reach) {
  const int refused = allow_few_system_calls(reach);
  if (refused == 0) return {};
  return fmt::format(
      "the kernel takes no filter of system calls ({}; CONFIG_SECCOMP_FILTER is needed, and a "
      "unit or a container that lets prctl(PR_SET_SECCOMP) through)",
      std::strerror(refused));
}

std::string confine(int kept) {
  Refusals refused;
  refused.note(give_up_rights(kept));
  refused.note(give_up_calls(Reach::nothing));
  return refused.words();
}

void settle_scheduling() noexcept {
  Filter filter;
  filter.rule(SYS_sched_setscheduler, refuse);
  filter.rule(SYS_sched_setaffinity, refuse);
  filter.rule(SYS_mlockall, refuse);
  filter.rule(SYS_munlockall, refuse);
  filter.give(allow);
  filter.install();
}

}  // namespace hild::confined
