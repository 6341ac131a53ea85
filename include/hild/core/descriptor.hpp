// SPDX-License-Identifier: Apache-2.0
/// \file
/// An open file, socket or process of the kernel's, closed with the object that has it.
#pragma once

#include <unistd.h>

#include <utility>

namespace hild {

class Descriptor {
 public:
  Descriptor() noexcept = default;
  /// Takes it over; negative: there is none.
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      (void)close();
      fd_ = other.release();
    }
    return *this;
  }
  ~Descriptor() { (void)close(); }

  [[nodiscard]] explicit operator bool() const noexcept { return fd_ >= 0; }
  [[nodiscard]] int get() const noexcept { return fd_; }
  /// It is the caller's to close.
  [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }
  /// False, with errno, where what was written to it may be lost.
  [[nodiscard]] bool close() noexcept { return fd_ < 0 || ::close(release()) == 0; }

 private:
  int fd_ = -1;
};

}  // namespace hild
