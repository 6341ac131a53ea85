// SPDX-License-Identifier: Apache-2.0
/// \file
/// A node: the device `dds` on the loopback, as the frame loop uses it, with its gateway. Each test
/// has a system of its own. What is sent arrives sooner or later: tests wait for conditions.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "drivers/dds_device.hpp"
#include "hild/io/device.hpp"
#include "tests/drivers/count_of.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::test {

/// A name that no other test has at the same time, nor has had in this process.
inline std::string own_system() {
  static int number = 0;
  return "test-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
}
/// The domain of this process: others that run beside it have other ports, more often than not.
/// Those of the first hundred are none that the kernel gives away.
inline std::string own_domain_of(pid_t process) { return std::to_string(1 + process % 100); }
inline std::string own_domain() { return own_domain_of(::getpid()); }

/// Whether it comes true in good time; a minute is what a hang takes.
template <class Condition>
[[nodiscard]] bool comes_true(Condition condition) {
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > late) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

class DdsNode {
 public:
  using Texts = FakeOptions::Texts;

  DdsNode(const std::string& system, const std::string& name, Texts more = {})
      : keys_(std::move(more)), clock_(rt::make_clock(rt::ClockKind::sleep, {}).value()) {
    keys_.merge(Texts{{"domain", own_domain()}, {"system", system}, {"node", name}});
  }
  ~DdsNode() { end(); }
  DdsNode(const DdsNode&) = delete;
  DdsNode& operator=(const DdsNode&) = delete;

  void input(const std::string& node, const std::string& signal, Texts more = {}) {
    more.merge(Texts{{"node", node}, {"signal", signal}});
    channels_.emplace_back(io::Direction::input, std::move(more));
    ++inputs_;
  }
  void output(const std::string& signal, Texts more = {}) {
    more.merge(Texts{{"signal", signal}});
    channels_.emplace_back(io::Direction::output, std::move(more));
  }

  /// As a run begins, anew where there was one.
  void begin() {
    end();
    FakeOptions options(keys_);
    device_ = io::find_driver("dds")->make("rig", options);
    EXPECT_EQ(options.unknown(), std::set<std::string>{});
    for (const auto& [direction, texts] : channels_) {
      FakeOptions entry(texts);
      const auto channel = device_->add(direction, entry);
      EXPECT_TRUE(channel) << channel.error().message;
      EXPECT_EQ(entry.unknown(), std::set<std::string>{});
    }
    const auto opened = device_->open(*clock_);
    ASSERT_TRUE(opened) << opened.error().message;
    device_->start(clock_->now());
  }
  void end() {
    if (device_) device_->stop();
    device_.reset();
  }

  /// Writes `outputs` (none: empty) and returns the inputs.
  std::vector<double> exchange(const std::vector<double>& outputs = {}) {
    std::vector<double> values(inputs_);
    sampled_.assign(inputs_ == 0 ? 0 : device_->groups(), clock_->now());
    good_ = device_->exchange(outputs, values, sampled_);
    return values;
  }
  /// Of the last exchange.
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] MonoTime sampled(std::size_t group = 0) const { return sampled_[group]; }
  [[nodiscard]] Duration age(std::size_t group = 0) const {
    return clock_->now() - sampled_[group];
  }

  [[nodiscard]] std::int64_t count(std::string_view name) const { return count_of(*device_, name); }
  [[nodiscard]] io::Device& device() { return *device_; }
  [[nodiscard]] pid_t gateway() const {
    return static_cast<const dds::DdsDevice&>(*device_).gateway();
  }
  [[nodiscard]] rt::Clock& clock() { return *clock_; }
  [[nodiscard]] const std::string& system() const { return keys_.at("system"); }

 private:
  Texts keys_;
  std::vector<std::pair<io::Direction, Texts>> channels_;
  std::size_t inputs_ = 0;
  std::unique_ptr<rt::Clock> clock_;
  std::unique_ptr<io::Device> device_;
  std::vector<MonoTime> sampled_;
  bool good_ = false;
};

}  // namespace hild::test
