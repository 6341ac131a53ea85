// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hild::mcap {

Result<FileSource> FileSource::open(const std::string& file) {
  Descriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return fail("cannot read {}: {}", file, std::strerror(errno));
  struct stat status {};
  const bool known = ::fstat(fd.get(), &status) == 0;
  FileSource source(std::move(fd), known ? static_cast<std::uint64_t>(status.st_size) : 0, file);
  if (!known || !S_ISREG(status.st_mode)) return fail("cannot read {}: not a file", file);
  return source;
}

Result<void> FileSource::read(std::uint64_t offset, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pread(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      return fail(ExitCode::fault, "{}: cannot read at byte {}: {}", file_, offset,
                  n == 0 ? "the file became shorter" : std::strerror(errno));
    }
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return {};
}

}  // namespace hild::mcap
