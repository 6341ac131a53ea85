// SPDX-License-Identifier: Apache-2.0
/// \file
/// Other nodes over DDS: inputs come in samples, one image of each node, and outputs go in samples,
/// one an exchange. A gateway, a process of its own, talks to them; the frame has a page of memory
/// in common with it.
#pragma once

#include <optional>
#include <vector>

#include "drivers/dds/gateway_process.hpp"
#include "drivers/dds_counts.hpp"
#include "drivers/dds_nodes.hpp"
#include "drivers/dds_receiver.hpp"
#include "drivers/dds_sender.hpp"

namespace hild::dds {

/// As the configuration has it.
struct Settings {
  GatewayTask task{};           ///< without signals, which come with the channels
  bool needs_gateway = false;   ///< the device fails when it has ended
  std::vector<Name> members{};  ///< of the system, which agree with one another
  Duration min_age{};           ///< a sample is used once it is so old
};

/// What the frame reads, in the order of the channels.
struct InputPlaces {
  std::vector<Places> nodes{};  ///< those of each node of the task
  std::vector<double> start{};  ///< values before the first sample
};

class DdsDevice final : public io::Device {
 public:
  DdsDevice(Settings settings, Page page, Descriptor file);
  ~DdsDevice() override = default;

  Result<io::Channel> add(io::Direction direction, io::Options& entry) override;
  Result<void> open(rt::Clock& clock) override;
  std::size_t groups() const override;
  bool exchange(std::span<const double> outputs, std::span<double> inputs,
                std::span<MonoTime> sampled) noexcept override;
  bool flush() noexcept override { return detached_ || !sender_ || sender_->left(); }
  Duration safe_for() const noexcept override;
  std::span<const io::DeviceCounter> counters() const noexcept override { return counters_; }
  std::string_view failure() const override;
  bool read_back(std::span<double> outputs) override;
  bool detach() override { return detached_ = true; }
  bool has_ticks() const override { return true; }
  io::DeviceRemark remark() const override;
  std::optional<io::Link> link(io::Direction direction, std::size_t index) const override;
  io::Nodes* nodes() override { return detached_ ? nullptr : &nodes_; }
  void stop() override;

  /// What open() does once there is a gateway: reads and writes the page, whoever is at its other
  /// end.
  void join(rt::Clock& clock);
  /// The process, for tests; negative: there is none.
  [[nodiscard]] pid_t gateway() const noexcept { return gateway_ ? gateway_->pid() : -1; }
  /// Whether the page says that it has ended.
  [[nodiscard]] bool gateway_ended() const noexcept { return page_.head().life.cut(); }

 private:
  [[nodiscard]] bool notice_end_of_gateway() noexcept;

  Settings settings_;
  InputPlaces inputs_;
  Page page_;
  PageNodes nodes_{page_, settings_.task.node.view(), settings_.members};
  Descriptor file_;  // of the page, until the gateway has it
  OwnCounts counts_;
  const std::array<io::DeviceCounter, 15> counters_ = counters_of(page_.head().counts, counts_);
  Descriptor name_;  // claimed
  std::unique_ptr<GatewayProcess> gateway_;
  std::optional<Receiver> receiver_;
  std::optional<Sender> sender_;
  rt::Clock* clock_ = nullptr;
  bool detached_ = false;
  bool failed_ = false;  // latched
};

}  // namespace hild::dds
