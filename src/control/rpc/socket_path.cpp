// SPDX-License-Identifier: Apache-2.0
#include "control/rpc/socket_path.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace hild::rpc {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::string default_socket() {
  if (std::string all = environment("RUNTIME_DIRECTORY"); !all.empty()) {
    return all.substr(0, all.find(':')) + "/control.sock";  // of several the first
  }
  if (geteuid() == 0) return "/run/hild/control.sock";
  if (const std::string user = environment("XDG_RUNTIME_DIR"); !user.empty()) {
    return user + "/hild/control.sock";
  }
  return fmt::format("/tmp/hild-{}/control.sock", geteuid());
}

std::string client_socket(const std::string& asked) {
  if (!asked.empty()) return asked;
  const std::string named = environment("HILD_SOCKET");
  return named.empty() ? default_socket() : named;
}

}  // namespace hild::rpc
