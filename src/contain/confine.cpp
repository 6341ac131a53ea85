// SPDX-License-Identifier: Apache-2.0
#include "contain/confine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <vector>

#include "contain/system_calls.hpp"
#include "hild/rt/model_memory.hpp"

namespace hild::contain {
namespace {

struct Place {
  std::uintptr_t first = 0;
  std::uintptr_t end = 0;
};

// What the kernel says of a mapping; none: others do not share it, or may only read what a package
// has installed.
std::optional<Place> shared_place(const std::string& line) {
  Place p;
  std::array<char, 5> mode{};
  const int found =
      std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s", &p.first, &p.end, mode.data());
  if (found != 3 || mode[3] != 's') return std::nullopt;
  if (mode[1] != 'w' && line.find(" /usr/") != line.npos) return std::nullopt;
  return p;
}

// Devices have mapped what they need, the guard and the last stage have theirs: nobody has a list
// of all of it but the kernel.
std::string unmap_what_is_shared(std::uintptr_t exchange) {
  std::vector<Place> shared;
  std::ifstream maps("/proc/self/maps");
  if (!maps) return "/proc/self/maps cannot be read, so memory is shared with it that it may write";
  for (std::string line; std::getline(maps, line);) {
    const auto p = shared_place(line);
    if (p && p->first != exchange && !rt::ModelMemory::has(p->first)) shared.push_back(*p);
  }
  for (const Place& p : shared) {
    ::munmap(reinterpret_cast<void*>(p.first), p.end - p.first);  // NOLINT: an address
  }
  return {};
}

bool close_from(int first, int last) {
  return first > last || ::syscall(SYS_close_range, first, last, 0) == 0;
}

std::string close_descriptors(int but) {
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  constexpr int first = STDERR_FILENO + 1;
  constexpr int last = std::numeric_limits<int>::max();
  const bool closed =
      but < 0 ? close_from(first, last) : close_from(first, but - 1) && close_from(but + 1, last);
  if (closed) return {};
  return fmt::format("its descriptors cannot be closed (close_range: {}; Linux 5.9 is needed)",
                     std::strerror(errno));
}

void set_limit(__rlimit_resource which, rlim_t most) {
  const rlimit limit{most, most};
  ::setrlimit(which, &limit);  // as far as it may
}

// Rights that come as limits, and end with the capabilities otherwise.
void take_limits(int priority) {
  set_limit(RLIMIT_MEMLOCK, RLIM_INFINITY);
  set_limit(RLIMIT_RTPRIO, static_cast<rlim_t>(std::max(priority, 0)));
  set_limit(RLIMIT_CORE, 0);
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

std::string filter_calls() {
  const int refused = allow_few_system_calls();
  if (refused == 0) return {};
  return fmt::format(
      "the kernel takes no filter of system calls ({}; CONFIG_SECCOMP_FILTER is needed, and a "
      "unit or a container that lets prctl(PR_SET_SECCOMP) through)",
      std::strerror(refused));
}

}  // namespace

std::string confine(const Kept& kept) {
  std::string refused;
  const auto note = [&](const std::string& what) {
    if (!what.empty()) refused += (refused.empty() ? "" : "; ") + what;
  };
  note(unmap_what_is_shared(kept.exchange));
  note(close_descriptors(kept.descriptor));
  take_limits(kept.priority);
  note(drop_rights());
  note(filter_calls());
  return refused;
}

void settle_scheduling() noexcept { forbid_scheduling(); }

const std::string& not_confined() {
  static const std::string words = [] {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return std::string("there is no pipe to try it with");
    const pid_t child = ::fork();
    if (child < 0) return std::string("there is no process to try it in");
    if (child == 0) {
      const std::string refused = confine({.descriptor = ends[1]});
      [[maybe_unused]] const auto told = ::write(ends[1], refused.data(), refused.size());
      ::_exit(0);
    }
    ::close(ends[1]);
    std::string refused;
    std::array<char, 512> part{};
    ssize_t got = 0;
    while ((got = ::read(ends[0], part.data(), part.size())) > 0) {
      refused.append(part.data(), static_cast<std::size_t>(got));
    }
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status)) refused = "the process it was tried in came to no good end";
    return refused;
  }();
  return words;
}

}  // namespace hild::contain
