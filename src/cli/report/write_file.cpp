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

auto fail_at(const std::string& file, int error) {
  return fail("cannot write {}: {}", file, std::strerror(error));
}

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
  if (lstat(file.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) {
    if (const int e = put(file, O_TRUNC, false, text); e != 0) return fail_at(file, e);
    return {};
  }
  const std::string part = fmt::format("{}.{}.part", file, getpid());
  if (const int e = put(part, O_CREAT | O_TRUNC, true, text); e != 0) {
    unlink(part.c_str());
    return fail_at(file, e);
  }
  if (std::rename(part.c_str(), file.c_str()) != 0) {
    const int e = errno;
    unlink(part.c_str());
    return fail_at(file, e);
  }
  return {};
}

}  // namespace hild::report
