// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <string>

namespace hild::test {

/// Listens as a service manager does.
class Manager {
 public:
  explicit Manager(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const timeval longest{.tv_sec = 60, .tv_usec = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
  }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;
  ~Manager() { ::close(fd_); }

  /// What has been said so far.
  [[nodiscard]] std::string heard() const {
    std::string all;
    for (std::string text; !(text = message(MSG_DONTWAIT)).empty();) all.append(text).append("\n");
    return all;
  }
  /// The next message that has `word`; those before it are lost. Empty after a minute without any.
  [[nodiscard]] std::string await(const std::string& word) const {
    std::string text;
    do {
      text = message(0);
    } while (!text.empty() && text.find(word) == std::string::npos);
    return text;
  }

 private:
  [[nodiscard]] std::string message(int flags) const {
    std::array<char, 4096> text;
    const auto got = ::recv(fd_, text.data(), text.size(), flags);
    return {text.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
  }

  int fd_;
};

}  // namespace hild::test
