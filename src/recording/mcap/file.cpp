// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace hild::mcap {
namespace {

Result<void> cannot(std::string_view what, const std::string& file, int error) {
  return fail(ExitCode::fault, "{}: cannot {}: {}", file, what, std::strerror(error));
}

/// Whether `file` names what was opened. Where that cannot be seen it is taken to.
bool still_named(const std::string& file, const struct stat& open) {
  struct stat named {};
  if (::stat(file.c_str(), &named) == 0) {
    return named.st_dev == open.st_dev && named.st_ino == open.st_ino;
  }
  return errno != ENOENT && errno != ENOTDIR;
}

}  // namespace

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
    const ssize_t n = TEMP_FAILURE_RETRY(
        ::pread(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)));
    if (n <= 0) {
      return fail(ExitCode::fault, "{}: cannot read at byte {}: {}", file_, offset,
                  n == 0 ? "the file became shorter" : std::strerror(errno));
    }
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return {};
}

Result<FileOutput> FileOutput::create(const std::string& file, Existing existing) {
  const int how = existing == Existing::refuse ? O_EXCL : O_TRUNC;
  Descriptor fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | how, 0666));
  if (fd) return FileOutput(std::move(fd), file);
  if (errno == EEXIST) return fail("{} exists already", file);
  return fail("cannot write {}: {}", file, std::strerror(errno));
}

Result<void> FileOutput::append(std::span<const std::string_view> parts) {
  if (torn_) return fail(ExitCode::fault, "{}: its end was lost after a failed write", file_);
  std::uint64_t added = 0;
  for (const std::string_view part : parts) {
    if (!write_all(fd_.get(), part)) {
      const int error = errno;
      const auto end = static_cast<off_t>(end_);
      torn_ = ::ftruncate(fd_.get(), end) != 0 || ::lseek(fd_.get(), end, SEEK_SET) != end;
      return cannot("write", file_, error);
    }
    added += part.size();
  }
  end_ += added;
  return {};
}

Result<void> FileOutput::sync() {
  if (::fdatasync(fd_.get()) == 0) return {};
  if (errno == EINVAL || errno == EROFS) return {};  // a pipe or a device has nothing to sync
  return cannot("sync", file_, errno);
}

Whereabouts FileOutput::whereabouts() {
  struct stat open {};
  if (::fstat(fd_.get(), &open) != 0 || !S_ISREG(open.st_mode)) return {};
  if (open.st_nlink == 0) {
    return {.left = 0, .harm = file_ + ": was deleted, or replaced, by another program"};
  }
  const auto size = static_cast<std::uint64_t>(open.st_size);
  if (size < end_) {
    return {.left = size,
            .harm = fmt::format("{}: was cut by another program from {} bytes to {}", file_, end_,
                                size)};
  }
  if (still_named(file_, open)) return {};
  std::error_code unknown;
  const auto now =
      std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", fd_.get()), unknown);
  return {.moved_to = unknown ? "another name" : now.string()};
}

}  // namespace hild::mcap
