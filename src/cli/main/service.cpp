// SPDX-License-Identifier: Apache-2.0
#include "cli/main/service.hpp"

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

void mask_reloads(int how) {
  sigset_t hangup;
  sigemptyset(&hangup);
  sigaddset(&hangup, SIGHUP);
  pthread_sigmask(how, &hangup, nullptr);
}

Result<void> check_sources(const config::Config& config) {
  for (const auto& source : config.sources) {
    if (source.name.starts_with("--set ")) continue;
    auto trusted = check_trusted(source.name);
    if (!trusted) return fail("{}: {}", source.name, trusted.error().message);
  }
  return {};
}

Error start_anew() {
  std::ifstream own("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string a; std::getline(own, a, '\0');) arguments.push_back(a);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (auto& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  // By its name, not as /proc/self/exe: a newer version may have been installed meanwhile.
  if (argv.size() > 1) ::execvp(argv[0], argv.data());
  return {fmt::format("cannot start anew: {}", std::strerror(errno)), ExitCode::fault};
}

}  // namespace hild::commands
