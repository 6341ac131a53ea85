// SPDX-License-Identifier: Apache-2.0
/// \file
/// The device `udp` on the loopback, as the frame loop uses it, and the peer at its other end.
/// Ports are any that are free. What is sent arrives sooner or later: tests wait for conditions.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hild/core/descriptor.hpp"
#include "hild/io/device.hpp"
#include "tests/drivers/count_of.hpp"
#include "tests/drivers/fake_options.hpp"
#include "tests/drivers/udp_bytes.hpp"

namespace hild::test {

/// Whether it comes true in good time; a minute is what a hang takes.
template <class Condition>
[[nodiscard]] bool comes(Condition condition) {
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > late) return false;
  }
  return true;
}

/// A plain socket at 127.0.0.1.
class UdpPeer {
 public:
  /// Port 0: any.
  explicit UdpPeer(int port = 0) : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_in mine = at(port);
    EXPECT_EQ(::bind(fd(), reinterpret_cast<const sockaddr*>(&mine), sizeof mine), 0)
        << std::strerror(errno);
  }
  [[nodiscard]] int fd() const { return socket_.get(); }
  [[nodiscard]] int port() const {
    sockaddr_in mine{};
    socklen_t size = sizeof mine;
    EXPECT_EQ(::getsockname(fd(), reinterpret_cast<sockaddr*>(&mine), &size), 0);
    return ntohs(mine.sin_port);
  }
  [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port()); }

  void send(int to, const Bytes& packet) const {
    const sockaddr_in other = at(to);
    EXPECT_EQ(::sendto(fd(), packet.data(), packet.size(), 0,
                       reinterpret_cast<const sockaddr*>(&other), sizeof other),
              static_cast<ssize_t>(packet.size()))
        << std::strerror(errno);
  }
  /// The next packet; empty where none comes for a minute.
  [[nodiscard]] Bytes receive() const {
    pollfd there{.fd = fd(), .events = POLLIN, .revents = 0};
    if (::poll(&there, 1, 60'000) != 1) return {};
    Bytes packet(65'536);
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t n = ::recvfrom(fd(), packet.data(), packet.size(), 0,
                                 reinterpret_cast<sockaddr*>(&from), &size);
    sender_ = ntohs(from.sin_port);
    packet.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
    return packet;
  }
  /// Whether one is there now.
  [[nodiscard]] bool any() const {
    pollfd there{.fd = fd(), .events = POLLIN, .revents = 0};
    return ::poll(&there, 1, 0) == 1;
  }
  /// The port that the last one came from.
  [[nodiscard]] int sender() const { return sender_; }

  static sockaddr_in at(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
  }

 private:
  Descriptor socket_;
  mutable int sender_ = 0;
};

/// A port that nobody has; another program may take it before it is used.
inline int free_port() { return UdpPeer().port(); }

class UdpRig {
 public:
  using Texts = FakeOptions::Texts;

  /// `listen` is any that is free, where there is no key of that name.
  explicit UdpRig(Texts keys) : keys_(std::move(keys)), clock_(make_clock()) {}

  void input(Texts keys) { channels_.emplace_back(io::Direction::input, std::move(keys)); }
  void output(Texts keys) { channels_.emplace_back(io::Direction::output, std::move(keys)); }

  [[nodiscard]] std::unique_ptr<io::Device> made() {
    Texts keys = keys_;
    port_ = free_port();
    keys.try_emplace("listen", "127.0.0.1:" + std::to_string(port_));
    FakeOptions options(std::move(keys));
    auto device = io::find_driver("udp")->make("robot", options);
    EXPECT_EQ(options.unknown(), std::set<std::string>{});
    for (const auto& [direction, texts] : channels_) {
      FakeOptions entry(texts);
      const auto channel = device->add(direction, entry);
      EXPECT_TRUE(channel) << channel.error().message;
      EXPECT_EQ(entry.unknown(), std::set<std::string>{});
    }
    return device;
  }
  /// Anew, where another program took its port.
  void open() {
    Result<void> opened;
    for (int tries = 0; tries < 20; ++tries) {
      device_ = made();
      opened = device_->open(*clock_);
      if (opened || opened.error().message.find("in use") == std::string::npos) break;
    }
    ASSERT_TRUE(opened) << opened.error().message;
  }

  /// Writes `outputs` (none: empty) and returns the inputs.
  std::vector<double> exchange(std::vector<double> outputs = {}) {
    std::vector<double> values(inputs());
    sampled_ = clock_->now();
    EXPECT_TRUE(device_->exchange(outputs, values, std::span(&sampled_, 1))) << device_->failure();
    return values;
  }
  void write(std::vector<double> outputs) {
    EXPECT_TRUE(device_->exchange(outputs, {}, {})) << device_->failure();
  }
  /// Reads until so many were counted.
  [[nodiscard]] bool reads_until(std::string_view counter, std::int64_t count) {
    return comes([&] { return (void)(values_ = exchange()), this->count(counter) >= count; });
  }
  /// Of the last reads_until().
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

  [[nodiscard]] std::int64_t count(std::string_view name) const { return count_of(*device_, name); }
  [[nodiscard]] io::Device& device() { return *device_; }
  [[nodiscard]] rt::Clock& clock() { return *clock_; }
  [[nodiscard]] MonoTime sampled() const { return sampled_; }
  [[nodiscard]] int port() const { return port_; }

 private:
  static std::unique_ptr<rt::Clock> make_clock() {
    return rt::make_clock(rt::ClockKind::sleep, {}).value();
  }
  [[nodiscard]] std::size_t inputs() const {
    std::size_t n = 0;
    for (const auto& [direction, keys] : channels_) n += direction == io::Direction::input ? 1 : 0;
    return n;
  }

  Texts keys_;
  std::vector<std::pair<io::Direction, Texts>> channels_;
  std::unique_ptr<rt::Clock> clock_;
  std::unique_ptr<io::Device> device_;
  std::vector<double> values_;
  MonoTime sampled_{};
  int port_ = 0;
};

}  // namespace hild::test
