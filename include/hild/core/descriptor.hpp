// SPDX-License-Identifier: Apache-2.0
/// \file
/// An open file, socket or process of the kernel's, closed with the object that has it.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string_view>
#include <utility>

namespace hild {

/// A file descriptor that belongs to one object. Closing is a system call that may take long: not
/// real-time safe.
class Descriptor {
 public:
  Descriptor() noexcept = default;
  /// Takes it over; negative: there is none.
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  /// Leaves `other` without one.
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  /// Closes its own first, whatever comes of that, and leaves `other` without one.
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      (void)close();
      fd_ = other.release();
    }
    return *this;
  }
  ~Descriptor() { (void)close(); }

  /// Whether there is one; it may have failed since.
  [[nodiscard]] explicit operator bool() const noexcept { return fd_ >= 0; }
  /// For system calls; still this object's to close. Negative: there is none.
  [[nodiscard]] int get() const noexcept { return fd_; }
  /// It is the caller's to close.
  [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }
  /// False, with errno, where what was written to it may be lost.
  [[nodiscard]] bool close() noexcept { return fd_ < 0 || ::close(release()) == 0; }

 private:
  int fd_ = -1;
};

/// Writes all of the text, in as many calls as that takes. False, with errno, where one fails.
[[nodiscard]] inline bool write_all(int fd, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t n = TEMP_FAILURE_RETRY(::write(fd, text.data(), text.size()));
    if (n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace hild
