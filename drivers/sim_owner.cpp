// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_owner.hpp"

#include <pwd.h>
#include <sys/file.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

namespace hild::sim {
namespace {

using namespace std::chrono_literals;

// A guard needs some milliseconds to make outputs safe that do not ramp.
constexpr auto patience = 1s;

// "alice", or "user 1001" for one without a name.
auto name_of_user(uid_t user) {
  const passwd* const entry = ::getpwuid(user);
  return entry != nullptr ? fmt::format("user {}", entry->pw_name) : fmt::format("user {}", user);
}

bool is_gone(int pid) { return ::kill(pid, 0) != 0 && errno == ESRCH; }

std::optional<Owner> read_owner(int fd, std::size_t record) {
  Owner owner;
  const auto got = ::pread(fd, &owner, sizeof owner, static_cast<off_t>(record));
  if (got != static_cast<ssize_t>(sizeof owner) || owner.pid <= 0) return {};
  owner.configuration.back() = '\0';
  return owner;
}

auto with_configuration(const Owner& owner) {
  const char* const path = owner.configuration.data();
  return *path == '\0' ? fmt::format("") : fmt::format(", with the configuration {},", path);
}

tl::unexpected<Error> in_use(std::string_view name, const std::optional<Owner>& owner) {
  constexpr auto other_name =
      "give this one an image of its own (`image: NAME` in its device, or --set "
      "devices.DEVICE.image=NAME)";
  const auto refuse = [&](std::string_view who, std::string_view advice) {
    return fail(ExitCode::device_failed, "D/A image /dev/shm/{}: {}; {}", name, who, advice);
  };
  if (!owner) {
    return refuse(
        "another process has it",
        fmt::format("end that one (fuser /dev/shm/{} tells which), or {}", name, other_name));
  }
  if (owner->pid == ::getpid()) {
    return refuse("another device of this configuration has it", "give each an `image` of its own");
  }
  if (is_gone(owner->pid)) {
    return refuse(
        fmt::format("process {}{} has died, and its guard is still making its outputs safe",
                    owner->pid, with_configuration(*owner)),
        "try again when it has (`hild safe --wait 10 CONFIG` waits for that)");
  }
  return refuse(
      fmt::format("process {} of {}{} has it", owner->pid, name_of_user(owner->user),
                  with_configuration(*owner)),
      fmt::format("end that one (`hildctl stop`, or kill {}), or {}", owner->pid, other_name));
}

// The process whose lock is on a file, from /proc/locks, which anybody may read; 0: none is seen.
int holder_of_lock(const struct stat& status) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> locks(std::fopen("/proc/locks", "re"),
                                                              &std::fclose);
  std::array<char, 256> line{};
  while (locks && std::fgets(line.data(), line.size(), locks.get()) != nullptr) {
    int pid = 0;
    unsigned high = 0;
    unsigned low = 0;
    unsigned long long inode = 0;
    if (std::sscanf(line.data(), "%*d: FLOCK ADVISORY WRITE %d %x:%x:%llu", &pid, &high, &low,
                    &inode) != 4) {
      continue;
    }
    if (inode == status.st_ino && high == ::major(status.st_dev) && low == ::minor(status.st_dev)) {
      return pid;
    }
  }
  return 0;
}

// FNV-1a: to tell configurations apart, not to withstand anybody.
std::uint32_t hash(std::string_view text, std::uint32_t h = 2'166'136'261U) {
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 16'777'619U;
  return h;
}

// What a file may be called without quotes, at most so many characters of it.
void put_plain(fmt::memory_buffer& to, std::string_view text, std::size_t most) {
  for (const char c : text.substr(0, most)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
    to.push_back(plain ? c : '_');
  }
}

std::filesystem::path absolute(std::string_view configuration) {
  std::error_code unreadable;
  const auto whole = std::filesystem::absolute(configuration, unreadable);
  if (unreadable) return configuration;
  const auto path = std::filesystem::weakly_canonical(whole, unreadable);
  return unreadable ? whole : path;
}

}  // namespace

Owner this_process(std::string_view configuration) {
  Owner owner{.pid = ::getpid(), .user = ::geteuid()};
  if (configuration.empty()) return owner;
  const auto path = absolute(configuration);
  std::string_view text = path.native();
  const std::size_t most = owner.configuration.size() - 1;
  if (text.size() > most) text.remove_prefix(text.size() - most);
  std::ranges::copy(text, owner.configuration.begin());
  return owner;
}

Name usual_image(std::string_view device, std::string_view configuration) {
  fmt::memory_buffer name;
  fmt::format_to(fmt::appender(name), "hild-{}-", ::geteuid());
  std::uint32_t whose = hash(device);
  if (!configuration.empty()) {
    const auto path = absolute(configuration);
    put_plain(name, path.stem().native(), 16);
    name.push_back('-');
    whose = hash(path.native(), whose);
  }
  // Of all of both, which may be cut.
  fmt::format_to(fmt::appender(name), "{:08x}-", whose);
  put_plain(name, device, Name::capacity - name.size());
  return std::string_view(name.data(), name.size());
}

Result<void> own(std::string_view name, int fd, std::size_t record) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return fail(ExitCode::device_failed, "D/A image /dev/shm/{}: cannot lock it: {}", name,
                  std::strerror(errno));
    }
    // Who took it a moment ago has not written who it is yet; who died is let go of by its guard.
    const auto owner = read_owner(fd, record);
    const bool stays = owner && !is_gone(owner->pid);
    if (stays || std::chrono::steady_clock::now() >= end) return in_use(name, owner);
    std::this_thread::sleep_for(10ms);
  }
  return {};
}

tl::unexpected<Error> of_another_user(std::string_view name, const struct stat& status) {
  const auto whose = name_of_user(status.st_uid);
  const int holder = holder_of_lock(status);
  if (holder > 0) {
    return fail(ExitCode::device_failed,
                "D/A image /dev/shm/{}: it belongs to {}, whose process {} has it; choose another "
                "name with `image`",
                name, whose, holder);
  }
  return fail(ExitCode::device_failed,
              "D/A image /dev/shm/{}: it was left by {}, and you are {}; choose another name with "
              "`image`, or have it removed by its owner or by root: rm /dev/shm/{}",
              name, whose, name_of_user(::geteuid()), name);
}

}  // namespace hild::sim
