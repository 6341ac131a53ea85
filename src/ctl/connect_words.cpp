// SPDX-License-Identifier: Apache-2.0
#include "ctl/connect_words.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace hild::ctl {
namespace {

/// The daemon of the machine has its socket elsewhere than one that a user starts.
std::string elsewhere(const std::string& path) {
  const std::string service = "/run/hild/control.sock";
  struct stat found {};
  if (path == service || stat(service.c_str(), &found) != 0) return {};
  return fmt::format("; there is one at {0}: `--socket {0}`", service);
}

}  // namespace

std::string no_connection(const std::string& path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return fmt::format(
          "no daemon: there is no socket {}. Start one with `hild run CONFIG` (the section "
          "`control:` "
          "opens a socket), or say where it is with --socket or $HILD_SOCKET{}",
          path, elsewhere(path));
    case ECONNREFUSED:
      return fmt::format(
          "no daemon: nobody listens at {}, which one that died left behind. Start one with `hild "
          "run CONFIG`{}",
          path, elsewhere(path));
    case EACCES:
    case EPERM:
      return fmt::format(
          "not allowed to open {}: join the group that owns it (`ls -l {}`), or have `mode` and "
          "`group` of `control:` changed in the daemon's configuration",
          path, path);
    case ENAMETOOLONG:
      return fmt::format("the path of a socket may have 107 bytes, {} has {}", path, path.size());
    default:
      return fmt::format("cannot connect to {}: {}", path, std::strerror(error));
  }
}

}  // namespace hild::ctl
