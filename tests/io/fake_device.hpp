// SPDX-License-Identifier: Apache-2.0
/// \file
/// A device without hardware: images are given, writes are kept, failures are scripted.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "hild/io/device.hpp"

namespace hild::test {

class FakeDevice final : public io::Device {
 public:
  std::vector<double> image;              ///< what an input image holds
  std::vector<std::uint32_t> raw;         ///< its counts; set before open()
  Duration age{};                         ///< of every image
  std::size_t group_count = 1;            ///< each image a microsecond younger than the last
  bool there = true;                      ///< whether it can be opened
  std::string_view why_unguardable;       ///< empty: a guard can take it to safety
  bool threaded = false;                  ///< begins a thread when it is opened
  Duration keeps_safe{};                  ///< how long safe values are to go on
  std::vector<io::DeviceFault> can_have;  ///< faults; set before the bus is made
  std::vector<std::pair<std::size_t, double>> given;  ///< faults that began, with their values
  Duration delivers{};                       ///< how long after they are made its images are there
  std::vector<MonoTime> awaited;             ///< until when, each time
  int holds = 0;                             ///< looks for which what it was given does not leave
  bool alive = true;                         ///< whether it answers
  std::vector<std::vector<double>> written;  ///< every output image, in order
  std::vector<double> carries;               ///< what its lines carry before it is opened
  bool heard = false;                        ///< whether other nodes hear of its outputs
  int opened = 0;
  int calls = 0;
  int reads = 0;

  Result<io::Channel> add(io::Direction /*direction*/, io::Options& /*entry*/) override {
    return io::Channel{};
  }
  Result<void> open(rt::Clock& clock) override {
    if (!there) return fail(ExitCode::device_failed, "nobody at home");
    clock_ = &clock;
    ++opened;
    if (threaded) {
      thread_ = std::jthread([](const std::stop_token& stop) {
        while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      });
    }
    return {};
  }
  std::size_t groups() const override { return group_count; }
  bool exchange(std::span<const double> outputs, std::span<double> inputs,
                std::span<MonoTime> sampled) noexcept override {
    ++calls;
    MonoTime taken = clock_->now() - age;  // one that was not opened has no clock: it would crash
    for (MonoTime& instant : sampled) {
      instant = taken;
      taken += 1_us;
    }
    if (!alive) return false;
    if (!outputs.empty()) written.emplace_back(outputs.begin(), outputs.end());
    if (!inputs.empty()) {
      ++reads;
      std::copy_n(image.begin(), inputs.size(), inputs.begin());
    }
    return true;
  }
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept override { return raw; }
  [[nodiscard]] Duration safe_for() const noexcept override { return keeps_safe; }
  [[nodiscard]] std::span<const io::DeviceFault> faults() const override { return can_have; }
  void set_fault(std::size_t fault, bool begins, double value) noexcept override {
    if (begins) given.emplace_back(fault, value);
  }
  void await_image(MonoTime from, MonoTime until) noexcept override {
    awaited.insert(awaited.end(), {from, until});
  }
  [[nodiscard]] Duration delivery() const noexcept override { return delivers; }
  bool flush() noexcept override { return holds == 0 || --holds == 0; }
  [[nodiscard]] std::string_view failure() const override { return "pulled out"; }
  [[nodiscard]] bool read_back(std::span<double> outputs) override {
    if (carries.size() < outputs.size()) return false;
    std::copy_n(carries.begin(), outputs.size(), outputs.begin());
    return true;
  }

  [[nodiscard]] std::string_view unguardable() const override { return why_unguardable; }
  [[nodiscard]] std::optional<io::Link> link(io::Direction direction,
                                             std::size_t /*index*/) const override {
    if (!heard || direction == io::Direction::input) return {};
    return io::Link{};
  }

 private:
  rt::Clock* clock_ = nullptr;
  std::jthread thread_;
};

}  // namespace hild::test
