// SPDX-License-Identifier: Apache-2.0
#include "cli/main/service.hpp"

#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "hild/core/trust.hpp"

namespace hild::commands {

bool under_service_manager() { return std::getenv("NOTIFY_SOCKET") != nullptr; }

void ServiceManager::tell_waiting(const std::string& whom) {
  sd_notify(0, fmt::format("EXTEND_TIMEOUT_USEC=60000000\nSTATUS=waits for {}", whom).c_str());
}

void ServiceManager::tell_ready() {
  std::string words = "READY=1\nSTATUS=frames advance";
  std::uint64_t watchdog_us = 0;
  if (sd_watchdog_enabled(0, &watchdog_us) > 0) {
    words += fmt::format("\nWATCHDOG_USEC={}", watchdog_us);
  }
  sd_notify(0, words.c_str());
}

void ServiceManager::feed_watchdog(std::int64_t frames) {
  if (frames == fed_at_frame_ || sd_watchdog_enabled(0, nullptr) <= 0) return;
  fed_at_frame_ = frames;
  sd_notify(0, "WATCHDOG=1");
}

// Until frames advance again the watchdog waits as long as for a start, a minute.
void ServiceManager::begin_reload() {
  reloads_ = true;
  sd_notify(0, "RELOADING=1\nWATCHDOG_USEC=60000000\nSTATUS=reading the configuration anew");
}

void ServiceManager::begin_rewind() {
  reloads_ = true;
  sd_notify(0, "RELOADING=1\nWATCHDOG_USEC=60000000\nSTATUS=going back to a recorded step");
}

void ServiceManager::tell_stopping() const {
  if (!reloads_) sd_notify(0, "STOPPING=1");
}

void mask_reloads(int how) {
  sigset_t hangup;
  sigemptyset(&hangup);
  sigaddset(&hangup, SIGHUP);
  pthread_sigmask(how, &hangup, nullptr);
}

namespace {

Result<void> trust_in(const std::string& file) {
  auto trusted = check_trusted(file);
  if (!trusted) return fail("{}: {}", file, trusted.error().message);
  return trusted;
}

}  // namespace

Result<void> check_sources(const config::Config& config) {
  for (const auto& source : config.sources) {
    if (source.name.starts_with("--set ")) continue;
    if (auto trusted = trust_in(source.name); !trusted) return trusted;
  }
  if (!config.control) return {};
  for (const config::Control::Sequence& one : config.control->sequences) {
    if (auto trusted = trust_in(one.file); !trusted) return trusted;
    for (const std::string& file : one.included) {
      if (auto trusted = trust_in(file); !trusted) return trusted;
    }
  }
  return {};
}

Error start_anew(const std::optional<RecordedStep>& from) {
  std::ifstream own("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string a; std::getline(own, a, '\0');) {
    // Of the step that this run began at.
    if (a == "--from" || a == "--at") {
      std::getline(own, a, '\0');
    } else if (!a.starts_with("--from=") && !a.starts_with("--at=")) {
      arguments.push_back(a);
    }
  }
  if (from) arguments.insert(arguments.end(), {"--from", from->file, "--at", from->at});
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (auto& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  // By its name, not as /proc/self/exe: a newer version may have been installed meanwhile.
  if (argv.size() > 1) ::execvp(argv[0], argv.data());
  return {fmt::format("cannot start anew: {}", std::strerror(errno)), ExitCode::fault};
}

}  // namespace hild::commands
