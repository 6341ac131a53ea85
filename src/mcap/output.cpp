// SPDX-License-Identifier: Apache-2.0
#include "mcap/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hild::mcap {
namespace {

Result<void> cannot(std::string_view what, const std::string& file, int error) {
  return fail(ExitCode::fault, "{}: cannot {}: {}", file, what, std::strerror(error));
}

/// All of the text; 0, or why not.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

}  // namespace

Result<FileOutput> FileOutput::create(const std::string& file, Existing existing) {
  const int how = existing == Existing::refuse ? O_EXCL : O_TRUNC;
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | how, 0666);
  if (fd >= 0) return FileOutput(fd, file);
  if (errno == EEXIST) return fail("{} exists already", file);
  return fail("cannot write {}: {}", file, std::strerror(errno));
}

FileOutput::FileOutput(FileOutput&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      file_(std::move(other.file_)),
      end_(other.end_),
      torn_(other.torn_) {}

FileOutput::~FileOutput() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> FileOutput::append(std::span<const std::string_view> parts) {
  if (torn_) return fail(ExitCode::fault, "{}: its end was lost after a failed write", file_);
  std::uint64_t added = 0;
  for (const std::string_view part : parts) {
    if (const int error = write_all(fd_, part); error != 0) {
      const auto end = static_cast<off_t>(end_);
      torn_ = ::ftruncate(fd_, end) != 0 || ::lseek(fd_, end, SEEK_SET) != end;
      return cannot("write", file_, error);
    }
    added += part.size();
  }
  end_ += added;
  return {};
}

Result<void> FileOutput::sync() {
  if (::fdatasync(fd_) == 0) return {};
  if (errno == EINVAL || errno == EROFS) return {};  // a pipe or a device has nothing to sync
  return cannot("sync", file_, errno);
}

}  // namespace hild::mcap
