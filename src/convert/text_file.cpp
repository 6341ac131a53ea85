// SPDX-License-Identifier: Apache-2.0
#include "convert/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace hild::convert {

Result<TextFile> TextFile::create(const std::string& file) {
  if (file.empty()) return TextFile(STDOUT_FILENO, "standard output");
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return fail("cannot write {}: {}", file, std::strerror(errno));
  return TextFile(fd, file);
}

TextFile::TextFile(TextFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      name_(std::move(other.name_)),
      buffer_(std::move(other.buffer_)),
      error_(other.error_) {}

TextFile::~TextFile() {
  if (fd_ > STDERR_FILENO) ::close(fd_);
}

void TextFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && error_ == 0) {
    const ssize_t n = ::write(fd_, rest.data(), rest.size());
    if (n >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  buffer_.clear();
}

Result<void> TextFile::close() {
  flush();
  const int fd = std::exchange(fd_, -1);
  if (fd > STDERR_FILENO && ::close(fd) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 || (fd == STDOUT_FILENO && error_ == EPIPE))
    return {};  // its reader has seen enough
  return fail(ExitCode::fault, "cannot write {}: {}", name_, std::strerror(error_));
}

}  // namespace hild::convert
