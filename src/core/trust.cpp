// SPDX-License-Identifier: Apache-2.0
#include "hild/core/trust.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace hild {
namespace {

// A group may be trusted by whoever made it; the world may not. `who`: the subject of the words,
// empty for the file itself.
Result<void> check_writers(const std::filesystem::path& path, const struct stat& status, bool open,
                           const std::string& who) {
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) {
    return fail(
        "{}belongs to user {}, expected root or user {}, as whom its contents would run: chown "
        "root {}",
        who, status.st_uid, ::geteuid(), path.native());
  }
  if (!open) return {};
  return fail("{}may be written by anybody, expected nobody but its owner and group: chmod o-w {}",
              who, path.native());
}

// A folder in which others may not remove what is not theirs (a sticky one) lets nothing be
// replaced.
Result<void> check_folder(const std::filesystem::path& folder) {
  const std::string who = "lies in " + folder.native() + ", which ";
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) {
    return fail("{}cannot be read: {}", who, std::strerror(errno));
  }
  const bool replaceable = (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0;
  return check_writers(folder, status, replaceable, who);
}

// Who may replace any of them may replace all that lies in it.
Result<void> check_folders_above(const std::filesystem::path& path) {
  for (auto folder = path.parent_path();; folder = folder.parent_path()) {
    if (auto good = check_folder(folder); !good) return good;
    if (folder == folder.parent_path()) return {};
  }
}

}  // namespace

Result<void> check_trusted(const std::filesystem::path& file) {
  std::error_code error;
  const auto real = std::filesystem::canonical(file, error);
  struct stat status {};
  if (error) return fail("cannot be read: {}", error.message());
  if (::stat(real.c_str(), &status) != 0) return fail("cannot be read: {}", std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return fail("is not a file");
  const bool open = (status.st_mode & S_IWOTH) != 0;
  if (auto own = check_writers(real, status, open, ""); !own) return own;
  if (auto good = check_folders_above(real); !good) return good;
  // The links on the way there lie somewhere too.
  return check_folders_above(std::filesystem::absolute(file).lexically_normal());
}

}  // namespace hild
