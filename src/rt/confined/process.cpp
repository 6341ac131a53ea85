// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/confined/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include "core/child_process.hpp"
#include "core/control_characters.hpp"
#include "hild/rt/clock.hpp"
#include "hild/rt/confined/task.hpp"

namespace hild::confined {
namespace {

namespace fs = std::filesystem;

constexpr Duration patience = 30_s;  // for a model to be loaded, and to come up

constexpr unsigned long apart_from_all =
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC;

unsigned long namespaces_of(Reach reach) noexcept {
  return reach == Reach::network ? apart_from_all & ~static_cast<unsigned long>(CLONE_NEWNET)
                                 : apart_from_all;
}

// The C library's own would run handlers of others in the child; what follows is system calls only.
pid_t split(unsigned long flags) {
  return static_cast<pid_t>(::syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0));
}

// Of all processes the kernel is to end this one first, when memory runs out: whatever is set for
// hild itself, which it inherits. Anybody may ask for it.
void offer_to_be_killed() noexcept {
  const Descriptor file(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  static_cast<void>(file && write_all(file.get(), "1000"));
}

// Nothing can be written to, and no device be opened, by whatever path.
int close_filesystems() noexcept {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  attributes.propagation = MS_PRIVATE;
  const long done =
      ::syscall(SYS_mount_setattr, -1, "/", AT_RECURSIVE, &attributes, sizeof attributes);
  return done == 0 ? 0 : errno;
}

// In the new process, which is a copy of hild until it becomes another program: system calls only.
[[noreturn]] void become(const Program& program, int socket, int page, bool in_namespaces,
                         Process::Voice voice) {
  Birth birth;
  offer_to_be_killed();
  ::setsid();  // no terminal, and no process group with hild in it
  // Out of the way of the places they are to have.
  const int their_socket = ::fcntl(socket, F_DUPFD, 16);
  const int their_page = ::fcntl(page, F_DUPFD, 16);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  if (voice == Process::Voice::silent) {
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
  }
  ::dup2(their_socket, socket_place);
  ::dup2(their_page, page_place);
  if (::syscall(SYS_close_range, page_place + 1, std::numeric_limits<int>::max(), 0) != 0) {
    birth.descriptors = errno;
  }
  if (in_namespaces) birth.filesystems = close_filesystems();
  [[maybe_unused]] auto told = ::write(socket_place, &birth, sizeof birth);
  const std::array<const char*, 2> arguments{program.argument.c_str(), nullptr};
  ::execve(program.path.c_str(), const_cast<char* const*>(arguments.data()), environ);  // NOLINT
  const Head failed{.outcome = Outcome::not_started, .bytes = static_cast<std::uint64_t>(errno)};
  told = ::write(socket_place, &failed, sizeof failed);
  while (true) ::syscall(SYS_exit_group, 127);
}

// Rights that come as limits: in a user namespace it could not take them itself.
void give_limits(pid_t pid, int priority) {
  const auto set = [pid](__rlimit_resource which, rlim_t most) {
    const rlimit limit{most, most};
    ::prlimit(pid, which, &limit, nullptr);  // as far as hild may
  };
  set(RLIMIT_MEMLOCK, RLIM_INFINITY);
  set(RLIMIT_RTPRIO, static_cast<rlim_t>(std::max(priority, 0)));
}

}  // namespace

// Beside hild where it was built, and where it is installed.
Result<Program> find_program(std::string_view name, std::string_view purpose) {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed = here.parent_path() / "libexec" / "hild";
  for (const fs::path& place : {here, installed}) {
    if (fs::exists(place / name, error)) {
      return Program{(place / name).string(), std::string(name)};
    }
  }
  return fail("there is no program {}, {}, in {} nor in {}; install hild anew", name, purpose,
              here.string(), installed.string());
}

std::string plain(std::string_view words) {
  constexpr std::size_t longest = 2000;
  return without_controls(words.substr(0, longest), ' ', "\n");
}

Result<Process> Process::start(const Program& program, int page, const Start& how) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return fail("no socket for {}'s process: {}", how.whose, std::strerror(errno));
  }
  Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  std::fflush(stdout);
  std::fflush(stderr);
  bool in_namespaces = true;
  pid_t pid = split(namespaces_of(how.reach));
  const int refused = errno;
  if (pid < 0) {
    in_namespaces = false;
    pid = split(0);
  }
  if (pid == 0) become(program, theirs.get(), page, in_namespaces, how.voice);
  (void)theirs.close();  // or its end would not be seen here
  if (pid < 0) return fail("no process for {}: {}", how.whose, std::strerror(errno));
  Process process(pid, std::move(ours), std::string(how.whose),
                  fs::path(program.path).filename().string());
  if (!in_namespaces) {
    process.refused_ = fmt::format(
        "namespaces of its own (user, pid, mount, {}ipc) are refused ({}): by the kernel "
        "(user.max_user_namespaces, kernel.unprivileged_userns_clone), a container, or a unit with "
        "RestrictNamespaces=",
        how.reach == Reach::network ? "" : "net, ", std::strerror(refused));
  }
  give_limits(pid, how.priority);
  return process;
}

Process::~Process() {
  if (!socket_ || pid_ < 0) return;
  (void)socket_.close();
  static_cast<void>(wait({}));
}

void Process::give_priority(int priority) const noexcept {
  if (priority <= 0) return;
  sched_param param{};
  param.sched_priority = priority;
  ::sched_setscheduler(pid_, SCHED_FIFO, &param);
}

Result<void> Process::tell(std::string_view task) {
  const std::uint64_t size = task.size();
  std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);  // NOLINT: its bytes
  bytes += task;
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t sent =
        TEMP_FAILURE_RETRY(::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL));
    if (sent < 0) return fail("{}'s process does not start: {}", whose_, std::strerror(errno));
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

// As many bytes; false: it ended, or the time is over.
bool Process::take(std::string& to, std::size_t bytes, MonoTime until) {
  to.clear();
  std::array<char, 65'536> part;
  while (to.size() < bytes) {
    const Duration left = until - rt::monotonic_now();
    pollfd ready{socket_.get(), POLLIN, 0};
    if (left <= 0_s) return false;
    const int polled = ::poll(&ready, 1, static_cast<int>(left.ns / 1'000'000 + 1));
    if (polled < 0 && errno == EINTR) continue;
    if (polled <= 0) return false;
    const ssize_t got =
        ::recv(socket_.get(), part.data(), std::min(part.size(), bytes - to.size()), MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return false;
    to.append(part.data(), static_cast<std::size_t>(got));
  }
  return true;
}

Result<std::string> Process::reply() {
  const MonoTime until = rt::monotonic_now() + patience;
  std::string bytes;
  Birth birth;
  Head head;
  const auto take_whole = [&](auto& value) {
    if (!take(bytes, sizeof value, until)) return false;
    std::memcpy(&value, bytes.data(), sizeof value);
    return true;
  };
  if (!take_whole(birth)) return fail("{}", ending());
  const auto note = [this](int error, std::string_view words) {
    if (error == 0) return;
    if (!refused_.empty()) refused_ += "; ";
    refused_ += fmt::format("{} ({})", words, std::strerror(error));
  };
  note(birth.filesystems, "files and devices cannot be closed to it by mount_setattr");
  note(birth.descriptors, "its descriptors cannot be closed by close_range");
  if (!take_whole(head)) return fail("{}", ending());
  if (head.outcome == Outcome::not_started) {
    return fail("the program {} cannot be started: {}", program_,
                std::strerror(static_cast<int>(head.bytes & 0xffffU)));
  }
  if (head.bytes > most_bytes || !take(bytes, static_cast<std::size_t>(head.bytes), until)) {
    return fail("{}", ending());
  }
  if (head.outcome == Outcome::done) return bytes;
  return fail("{}", plain(bytes));
}

// Why nothing came: it has ended, or is still at it.
std::string Process::ending() {
  const auto status = wait(50_ms);
  if (!status) return fmt::format("it took more than {} s", patience.ns / 1'000'000'000);
  const bool by_abort = WIFEXITED(*status) && WEXITSTATUS(*status) == aborted;
  if (WIFSIGNALED(*status) || by_abort) {
    const int signal = by_abort ? SIGABRT : WTERMSIG(*status);
    return fmt::format("it was ended by signal {} ({})", signal, ::strsignal(signal));
  }
  return fmt::format("it ended, exit code {}", WEXITSTATUS(*status));
}

std::optional<int> Process::wait(Duration most) { return wait_for_child(release(), most); }

std::optional<int> Process::dismiss(Duration most) noexcept {
  if (!socket_ || pid_ < 0) return {};
  ::shutdown(socket_.get(), SHUT_RDWR);
  return wait_for_child(release(), most);
}

pid_t Process::release() noexcept { return std::exchange(pid_, -1); }

}  // namespace hild::confined
