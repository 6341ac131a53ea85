// SPDX-License-Identifier: Apache-2.0
#include "cli/main/sequences.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include "control/sequence/parse.hpp"
#include "core/child_process.hpp"
#include "hild/rt/confined/process.hpp"

namespace hild::commands {
namespace {

/// How a process is started, as posix_spawn() takes it.
class SpawnTerms {
 public:
  /// All that it writes goes to `output`.
  explicit SpawnTerms(int output) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files_, output, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&files_, STDERR_FILENO + 1);
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    const sched_param ordinary{.sched_priority = 0};
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setschedpolicy(&attributes_, SCHED_OTHER);
    posix_spawnattr_setschedparam(&attributes_, &ordinary);
    // Of its own, so that ^C at hild's terminal ends the run first.
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                               POSIX_SPAWN_SETSCHEDULER | POSIX_SPAWN_SETSID);
  }
  SpawnTerms(const SpawnTerms&) = delete;
  SpawnTerms& operator=(const SpawnTerms&) = delete;
  ~SpawnTerms() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  [[nodiscard]] const posix_spawn_file_actions_t* files() const { return &files_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

// What a service manager tells this process alone is left out.
std::vector<std::string> environment_for(const std::string& owner) {
  std::vector<std::string> all;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view entry(*one);
    const bool ours = entry.starts_with("NOTIFY_SOCKET=") || entry.starts_with("WATCHDOG_") ||
                      entry.starts_with("HILD_OWNER=");
    if (!ours) all.emplace_back(entry);
  }
  if (!owner.empty()) all.push_back("HILD_OWNER=" + owner);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& one : texts) all.push_back(one.data());
  all.push_back(nullptr);
  return all;
}

// Limits and standing come with the process that it is a child of, as far as hild may change them.
void make_ordinary(pid_t child) {
  const rlimit none{0, 0};
  ::prlimit(child, RLIMIT_RTPRIO, &none, nullptr);
  const Descriptor standing(
      ::open(fmt::format("/proc/{}/oom_score_adj", child).c_str(), O_WRONLY | O_CLOEXEC));
  static_cast<void>(standing && write_all(standing.get(), "1000"));
}

}  // namespace

Result<config::Config> with_sequences_checked(Result<config::Config> config) {
  if (!config || !config->control) return config;
  for (config::Control::Sequence& one : config->control->sequences) {
    auto read = sequence::parse_file(one.file, nullptr);
    if (!read) {
      return fail("{}: control.sequences.{}: {}", config->file, one.name, read.error().message);
    }
    one.included = std::move(read->included);
  }
  return config;
}

Result<server::Run::Launched> launch_sequence(const server::Run::Launch& launch) {
  const auto program = confined::find_program("hildctl", "which runs sequences");
  if (!program) return tl::make_unexpected(program.error());
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail("no pipe for it: {}", std::strerror(errno));
  server::Run::Launched launched{.lines = Descriptor(ends[0])};
  const Descriptor theirs(ends[1]);
  std::vector<std::string> arguments{program->path, "sequence", "--lines",  "--socket",
                                     launch.socket, "--",       launch.file};
  std::vector<std::string> variables = environment_for(launch.owner);
  const SpawnTerms terms(theirs.get());
  const int error =
      ::posix_spawn(&launched.pid, program->path.c_str(), terms.files(), terms.attributes(),
                    pointers_to(arguments).data(), pointers_to(variables).data());
  if (error != 0) return fail("{} cannot be started: {}", program->path, std::strerror(error));
  launched.process = process_descriptor(launched.pid);
  if (!launched.process) {
    const int refused = errno;
    static_cast<void>(wait_for_child(launched.pid, {}));
    return fail("the kernel gives no descriptor of its process: {}", std::strerror(refused));
  }
  make_ordinary(launched.pid);
  return launched;
}

}  // namespace hild::commands
