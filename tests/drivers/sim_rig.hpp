// SPDX-License-Identifier: Apache-2.0
/// \file
/// A simulated device on a virtual clock, as the frame loop uses it, with a D/A image of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hild/io/device.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::test {

class SimRig {
 public:
  using Texts = FakeOptions::Texts;

  explicit SimRig(Texts keys = {}) {
    keys.try_emplace("image", image_);
    FakeOptions options(std::move(keys));
    device_ = io::find_driver("sim")->make("rig", options);
    EXPECT_EQ(options.unknown(), std::set<std::string>{});
  }
  SimRig(const SimRig&) = delete;
  SimRig& operator=(const SimRig&) = delete;
  ~SimRig() {
    device_.reset();
    ::shm_unlink(("/" + image_).c_str());
  }

  [[nodiscard]] Result<io::Channel> try_add(io::Direction direction, Texts keys) {
    FakeOptions entry(std::move(keys));
    auto channel = device_->add(direction, entry);
    EXPECT_EQ(entry.unknown(), std::set<std::string>{});
    return channel;
  }
  io::Channel input(Texts keys) {
    ++inputs_;
    return try_add(io::Direction::input, std::move(keys)).value();
  }
  io::Channel output(Texts keys) { return try_add(io::Direction::output, std::move(keys)).value(); }

  void open() {
    const auto opened = device_->open(clock_);
    ASSERT_TRUE(opened) << opened.error().message;
  }
  void open_and_start() {
    open();
    device_->start(clock_.now());
  }

  /// Writes `outputs` (none: empty) and returns the inputs; `instants` tells when they were taken.
  std::vector<double> exchange(std::vector<double> outputs = {}) {
    std::vector<double> values(inputs_);
    instants_.resize(std::max<std::size_t>(device_->groups(), 1));
    EXPECT_TRUE(device_->exchange(outputs, values, instants_));
    return values;
  }

  [[nodiscard]] io::Device& device() { return *device_; }
  [[nodiscard]] rt::VirtualClock& clock() { return clock_; }
  /// When the first group was.
  [[nodiscard]] MonoTime sampled() const { return instants_.at(0); }
  [[nodiscard]] const std::vector<MonoTime>& instants() const { return instants_; }
  [[nodiscard]] const std::string& image() const { return image_; }
  void unplug() { device_.reset(); }  ///< the process ends, the image stays

 private:
  static inline int made = 0;
  std::string image_ = "hild-test-" + std::to_string(::getpid()) + "-" + std::to_string(++made);
  rt::VirtualClock clock_{MonoTime{5'000'000'000}};
  std::unique_ptr<io::Device> device_;
  std::size_t inputs_ = 0;
  std::vector<MonoTime> instants_{MonoTime{}};
};

}  // namespace hild::test
