// SPDX-License-Identifier: Apache-2.0
/// \file
/// A CAN bus: inputs come in messages, an image group each, and outputs go in messages that are
/// sent by their cycles, on change or with each write. Two system calls a device call.
#pragma once

#include "drivers/can_receiver.hpp"
#include "drivers/can_sender.hpp"
#include "drivers/can_setup.hpp"

namespace hild::can {

/// Opens the socket of a device: open_socket(), where no test has one of its own.
using OpenSocket = Result<Descriptor> (*)(const Link& link, std::span<const can_filter> wanted);
/// Whether the kernel alone makes the interface: is_virtual(), likewise.
using IsVirtual = bool (*)(const Link& link);

class CanDevice final : public io::Device {
 public:
  explicit CanDevice(io::Options& options, OpenSocket open_it = open_socket,
                     IsVirtual ask = is_virtual);

  Result<io::Channel> add(io::Direction direction, io::Options& entry) override;
  Result<void> open(rt::Clock& clock) override;
  std::size_t groups() const override { return std::max<std::size_t>(setup_.incoming().size(), 1); }
  bool exchange(std::span<const double> outputs, std::span<double> inputs,
                std::span<MonoTime> sampled) noexcept override;
  bool flush() noexcept override;
  Duration safe_for() const noexcept override { return sender_.safe_for(); }
  io::DeviceRemark remark() const override { return setup_.remark(); }
  std::span<const io::DeviceCounter> counters() const noexcept override { return counters_; }
  std::span<const io::DeviceFault> faults() const override;
  void set_fault(std::size_t fault, bool there, double value) noexcept override;
  std::string_view failure() const override;
  bool read_back(std::span<double> outputs) override;
  bool detach() override { return detached_ = true; }
  bool has_ticks() const override { return true; }
  Result<std::unique_ptr<io::Listener>> listener(rt::Clock& clock) override;
  void start(MonoTime zero) override;

 private:
  void set_bus_fault(Faults::Kind kind, bool there) noexcept;
  void tell(const ControllerError& error) const noexcept;
  [[nodiscard]] bool fail_with(int error, std::string_view call) noexcept;

  Setup setup_;
  OpenSocket open_socket_;
  IsVirtual is_virtual_;
  Counts counts_;
  const std::array<io::DeviceCounter, 17> counters_ = counts_.all();
  rt::Clock* clock_ = nullptr;
  Descriptor socket_;
  Receiver receiver_;
  Sender sender_;
  bool detached_ = false;
  bool virtual_ = false;                              // so that errors are ours to tell
  std::array<bool, Faults::kinds> wrong_with_bus_{};  // by Faults::Kind
  // The failure, latched.
  int error_ = 0;
  std::string_view call_;
  mutable fmt::memory_buffer words_;
};

}  // namespace hild::can
