// SPDX-License-Identifier: Apache-2.0
#include "cli/report/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "hild/core/descriptor.hpp"

namespace hild::report {
namespace {

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// errno of what went wrong, 0 for success.
int put(const std::string& path, int flags, bool to_disk, std::string_view text) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666));
  if (!file) return errno;
  int error = write_all(file.get(), text) && (!to_disk || fsync(file.get()) == 0) ? 0 : errno;
  if (!file.close() && error == 0) error = errno;
  return error;
}

}  // namespace

Result<void> write_file(const std::string& file, std::string_view text) {
  struct stat found {};
  const bool in_place = lstat(file.c_str(), &found) == 0 && !S_ISREG(found.st_mode);
  const std::string path = in_place ? file : fmt::format("{}.{}.part", file, getpid());
  int error = put(path, O_TRUNC | (in_place ? 0 : O_CREAT), !in_place, text);
  if (!in_place && error == 0 && std::rename(path.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0) return {};
  if (!in_place) unlink(path.c_str());
  return fail("cannot write {}: {}", file, std::strerror(error));
}

}  // namespace hild::report
