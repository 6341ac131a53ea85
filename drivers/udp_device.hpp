// SPDX-License-Identifier: Apache-2.0
/// \file
/// A program or a machine at the other end of UDP: inputs come in packets, one image each, and
/// outputs go in packets, one an exchange.
#pragma once

#include <vector>

#include "drivers/udp_receiver.hpp"
#include "drivers/udp_sender.hpp"
#include "drivers/udp_socket.hpp"

namespace hild::udp {

/// As the configuration has it.
struct Settings {
  Ends ends{};
  ReceiveSettings receive{};
  Packet transmit{};
  bool big = false;  ///< byte order of the fields that do not say
};

class UdpDevice final : public io::Device {
 public:
  explicit UdpDevice(Settings settings);

  Result<io::Channel> add(io::Direction direction, io::Options& entry) override;
  Result<void> open(rt::Clock& clock) override;
  bool exchange(std::span<const double> outputs, std::span<double> inputs,
                std::span<MonoTime> sampled) noexcept override;
  bool flush() noexcept override { return error_ == 0 && sender_.flush(socket_.get()); }
  std::span<const io::DeviceCounter> counters() const noexcept override { return counters_; }
  std::string_view failure() const override;
  bool read_back(std::span<double> outputs) override;
  bool detach() override { return detached_ = true; }
  bool has_ticks() const override { return true; }
  void start(MonoTime zero) override { sender_.start(zero); }

 private:
  [[nodiscard]] Result<void> place_input(const Field& field, double start);
  [[nodiscard]] Result<void> place_output(const Field& field);
  [[nodiscard]] bool fail_with(int error, std::string_view call) noexcept;

  Settings settings_;
  std::vector<double> start_;  // values of the inputs before the first packet
  Counts counts_;
  const std::array<io::DeviceCounter, 13> counters_ = counts_.all();
  rt::Clock* clock_ = nullptr;
  Descriptor socket_;
  Receiver receiver_;
  Sender sender_;
  bool detached_ = false;
  // The failure, latched.
  int error_ = 0;
  std::string_view call_;
  mutable fmt::memory_buffer words_;
};

}  // namespace hild::udp
