// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hostile sockets: many connections of this machine to a TCP port that say nothing, or the
/// beginning of something. What is closed comes again.
#pragma once

#include <arpa/inet.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string_view>
#include <thread>
#include <vector>

#include "hild/rt/atomic.hpp"

namespace hild::testing {

/// As many as `wanted` and what the test needs besides, or as many as this user may have.
inline std::size_t sockets_that_may_be(std::size_t wanted) {
  constexpr rlim_t besides = 500;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t needed = wanted + besides;
  if (limit.rlim_cur < needed) {
    rlimit raised{std::min<rlim_t>(needed, limit.rlim_max), limit.rlim_max};
    if (::geteuid() == 0) raised = {needed, std::max<rlim_t>(needed, limit.rlim_max)};
    ::setrlimit(RLIMIT_NOFILE, &raised);
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  return std::min<std::size_t>(wanted, limit.rlim_cur - besides);
}

/// A socket that is connected, or about to be.
inline int connected(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  static_cast<void>(::connect(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at));
  return fd;
}

class Crowd {
 public:
  Crowd(std::uint16_t port, std::size_t sockets) : port_(port), fds_(sockets, -1) {
    thread_ = std::thread([this] {
      while (!over_.raised()) round();
    });
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd() {
    over_.raise();
    thread_.join();
    for (const int fd : fds_) {
      if (fd >= 0) ::close(fd);
    }
  }
  /// Times all of them were there.
  [[nodiscard]] std::int64_t rounds() const { return rounds_.get(); }

 private:
  void round() {
    for (std::size_t i = 0; i < fds_.size() && !over_.raised(); ++i) {
      char byte = 0;
      const bool here =
          fds_[i] >= 0 && (::recv(fds_[i], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN);
      if (here) continue;
      if (fds_[i] >= 0) ::close(fds_[i]);
      fds_[i] = connected(port_);
      if (i % 2 == 0) continue;
      constexpr std::string_view start = "POST /rpc HTTP/1.1\r\nHost: localhost\r\nX: ";
      static_cast<void>(::send(fds_[i], start.data(), start.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
    }
    rounds_.add();
  }

  std::uint16_t port_;
  std::vector<int> fds_;
  rt::Flag over_;
  rt::Counter rounds_;
  std::thread thread_;
};

}  // namespace hild::testing
