// SPDX-License-Identifier: Apache-2.0
#include "main/trust.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace hild::commands {
namespace {

// A group may be trusted by whoever made it; the world may not.
Result<void> check_one(const std::string& path, bool directory) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return fail("{}: {}", path, std::strerror(errno));
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) {
    return fail(
        "{} belongs to user {}, expected root or user {}, whose run it decides on: chown "
        "root {}",
        path, status.st_uid, ::geteuid(), path);
  }
  const bool replaceable = (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0;
  if (directory ? replaceable : (status.st_mode & S_IWOTH) != 0) {
    return fail(
        "{} may be written by anybody, expected nobody but its owner and group: chmod o-w {}", path,
        path);
  }
  return {};
}

}  // namespace

Result<void> check_trusted(const std::string& file) {
  std::error_code error;
  const auto real = std::filesystem::canonical(file, error);
  if (error) return fail("{}: {}", file, error.message());
  if (auto own = check_one(real, false); !own) return own;
  return check_one(real.parent_path(), true);
}

}  // namespace hild::commands
