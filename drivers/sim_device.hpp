// SPDX-License-Identifier: Apache-2.0
/// \file
/// The simulated converter device. It works in one of these ways:
///   synchronous   every exchange converts at once (also before start() and after stop());
///   autonomous    between start() and stop() the device converts at its own rate: it takes its D/A
///                 mailbox and fills its A/D mailbox, and exchange only touches the mailboxes;
///   controlled    in either, a simulated controller runs at its own rate.
/// What has a rate of its own runs on a thread in a live run. On a virtual clock the exchange plays
/// everything that was due until then, in the order of time, so that an offline run repeats
/// exactly.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "drivers/sim_autonomous.hpp"
#include "drivers/sim_control_loop.hpp"
#include "hild/io/device.hpp"
#include "hild/io/repeatable.hpp"

namespace hild::sim {

struct SimSettings {
  Name name;
  Name image;  ///< name of the D/A image in shared memory
  /// Path of the file, for the message to others who are refused the image.
  std::vector<char> configuration;
  std::uint64_t seed = 1;
  std::optional<Grid> autonomous;
  std::int64_t fail_after = -1;  ///< exchanges before it vanishes, -1: never
  std::int64_t stall_every = 0;  ///< of so many exchanges one takes `stall`; 0: none does
  Duration stall{};
  std::unique_ptr<Controller> controller;
};

class SimDevice final : public io::Device, public io::Repeatable {
 public:
  explicit SimDevice(SimSettings settings);
  ~SimDevice() override;

  Result<io::Channel> add(io::Direction direction, io::Options& entry) override;
  Result<void> open(rt::Clock& clock) override;
  std::size_t groups() const override { return world_.groups.size(); }
  bool exchange(std::span<const double> outputs, std::span<double> inputs,
                std::span<MonoTime> sampled) noexcept override;
  std::span<const std::uint32_t> counts() const noexcept override { return counts_; }
  std::string_view failure() const override { return {failure_.data(), failure_.size()}; }
  bool read_back(std::span<double> outputs) override;
  bool detach() override { return detached_ = true; }
  bool observe() override { return observing_ = true; }
  bool hardware() const override { return false; }
  bool has_ticks() const override { return settings_.autonomous.has_value(); }
  const io::Signal* signal(std::size_t index) const override {
    return world_.inputs[index].source->signal();
  }
  void start(MonoTime zero) override;
  void stop() override;
  std::string_view why_not_repeatable() const override;

 private:
  [[nodiscard]] Result<io::Channel> add_input(io::Options& entry);
  [[nodiscard]] Result<io::Channel> add_output(io::Options& entry);
  [[nodiscard]] Result<void> check_wiring() const;
  [[nodiscard]] Result<void> open_image();
  void start_threads();
  void latch(std::string_view problem);

  void play(MonoTime now) noexcept;
  void stall(MonoTime now) noexcept;

  SimSettings settings_;
  World world_;
  std::optional<AutonomousConverter> converter_;
  std::optional<ControlLoop> controller_;
  rt::Clock* clock_ = nullptr;
  bool virtual_ = false;
  bool detached_ = false;
  bool observing_ = false;
  bool running_ = false;
  bool failed_ = false;
  std::int64_t exchanges_ = 0;
  std::int64_t until_stall_ = 0;  ///< exchanges of the run since the last one that took long
  fmt::memory_buffer failure_;
  std::vector<std::uint32_t> counts_;  ///< counts of the image handed over last
};

}  // namespace hild::sim
