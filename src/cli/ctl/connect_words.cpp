// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/connect_words.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

namespace hild::ctl {
namespace {

namespace fs = std::filesystem;

/// The folder itself, where root's daemon has its socket, and one for each service.
std::vector<fs::path> folders_of_daemons(const fs::path& run) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator entry(run, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code none;
    if (entry->is_directory(none)) folders.push_back(entry->path());
  }
  std::ranges::sort(folders);
  folders.insert(folders.begin(), run);
  return folders;
}

}  // namespace

std::string daemons_elsewhere(const std::string& path, const fs::path& run) {
  std::string words;
  for (const fs::path& folder : folders_of_daemons(run)) {
    const std::string socket = folder / "control.sock";
    struct stat found {};
    if (socket == path) continue;
    if (stat(socket.c_str(), &found) == 0) {
      words += fmt::format("; there is one at {0}: `--socket {0}`", socket);
    } else if (errno == EACCES) {
      words += fmt::format(
          "; the service {} has its own, which its group may enter: `sudo usermod -aG hild "
          "\"$USER\"`, then log in again",
          folder.filename().native());
    }
  }
  return words;
}

std::string no_connection(const std::string& path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return fmt::format(
          "no daemon: there is no socket {}. Start one with `hild run CONFIG` (the section "
          "`control:` "
          "opens a socket), or say where it is with --socket or $HILD_SOCKET{}",
          path, daemons_elsewhere(path));
    case ECONNREFUSED:
      return fmt::format(
          "no daemon: nobody listens at {}, which one that died left behind. Start one with `hild "
          "run CONFIG`{}",
          path, daemons_elsewhere(path));
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
