// SPDX-License-Identifier: Apache-2.0
/// \file
/// A Comedi device on a card that is not there, and a clock that is set by hand.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "hild/io/device.hpp"
#include "tests/drivers/count_of.hpp"
#include "tests/drivers/fake_card.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::comedi {

using test::FakeOptions;
using Texts = FakeOptions::Texts;

/// Set by hand, and yet no simulated time: what a card is driven by. Until it is set it goes on
/// with each look, as whoever times a call by it waits for.
class SetClock final : public rt::Clock {
 public:
  [[nodiscard]] MonoTime now() noexcept override {
    if (!set_) now_ += 1_us;
    return now_;
  }
  void sleep_until(MonoTime due) noexcept override { now_ = std::max(now_, due); }
  void set(std::int64_t ns) noexcept {
    now_ = {ns};
    set_ = true;
  }
  void let_go() noexcept { set_ = false; }

 private:
  MonoTime now_{};
  bool set_ = false;
};

class OnFakeCard : public ::testing::Test {
 protected:
  void make(Texts keys = {}) {
    keys.emplace("path", card_.path());
    keys.emplace("calibration", "none");
    FakeOptions options(std::move(keys));
    device_ = io::find_driver("comedi")->make("daq", options);
    EXPECT_EQ(options.unknown(), std::set<std::string>{});
  }
  Result<io::Channel> add(io::Direction direction, Texts keys) {
    FakeOptions entry(std::move(keys));
    auto channel = device_->add(direction, entry);
    EXPECT_EQ(entry.unknown(), std::set<std::string>{});
    (direction == io::Direction::input ? inputs_ : outputs_).push_back(0);
    sampled_.resize(device_->groups());
    return channel;
  }
  Result<io::Channel> input(Texts keys) { return add(io::Direction::input, std::move(keys)); }
  Result<io::Channel> output(Texts keys) { return add(io::Direction::output, std::move(keys)); }

  /// It is one second then.
  void open() {
    clock_.let_go();
    const auto opened = device_->open(clock_);
    ASSERT_TRUE(opened) << opened.error().message;
    clock_.set(1'000'000'000);
  }
  /// The words of a refusal to open.
  std::string refusal() {
    const auto opened = device_->open(clock_);
    EXPECT_FALSE(opened);
    if (opened) return {};
    EXPECT_EQ(opened.error().code, ExitCode::device_failed);
    EXPECT_NE(opened.error().message.find(card_.path()), std::string::npos);
    return opened.error().message;
  }
  bool exchange() {
    sampled_.assign(device_->groups(), clock_.now());
    return device_->exchange(outputs_, inputs_, sampled_);
  }
  [[nodiscard]] std::int64_t counted(std::string_view name) const {
    return test::count_of(*device_, name);
  }
  void TearDown() override {
    if (device_) device_->stop();
  }

  test::FakeCard card_;
  SetClock clock_;
  std::unique_ptr<io::Device> device_;
  std::vector<double> inputs_;
  std::vector<double> outputs_;
  std::vector<MonoTime> sampled_;
};

inline bool holds(std::string_view text, std::string_view words) {
  return text.find(words) != text.npos;
}

}  // namespace hild::comedi
