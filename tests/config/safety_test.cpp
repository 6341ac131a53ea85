// SPDX-License-Identifier: Apache-2.0
/// \file
/// Safe actions, slew limits and the section `safety`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fakes.hpp"

namespace hild::config {
namespace {

using testing::HasSubstr;

const std::string speed = "outputs: {speed: {device: daq, channel: 3, scale: 50 rad/s/V, ";

TEST(SafetyOfOutputs, IsAValueUnlessOtherwiseSaid) {
  const auto config = fakes::read(fakes::head + speed + "safe: 2 V}}\n");
  ASSERT_TRUE(config) << config.error().message;
  const auto& output = config->outputs[0];
  EXPECT_EQ(output.safe, 2);
  EXPECT_FALSE(output.action.hold);
  EXPECT_EQ(output.action.ramp, Duration{});
  EXPECT_TRUE(std::isinf(output.slew));
}

TEST(SafetyOfOutputs, MayTakeTimeAndHaveALimitOfSpeed) {
  const auto config =
      fakes::read(fakes::head + speed + "safe: 2 V, safe_ramp: 300 ms, slew: 500 mV/s}}\n");
  ASSERT_TRUE(config) << config.error().message;
  const auto& output = config->outputs[0];
  EXPECT_EQ(output.action.ramp, Duration(300_ms));
  EXPECT_DOUBLE_EQ(output.slew, 0.5);
  // Two frames, what a doubled step covers.
  EXPECT_DOUBLE_EQ(output.most_step, 0.5 * 2 * seconds(config->settings.grid.period()));
}

TEST(SafetyOfOutputs, MayBeToHold) {
  const auto config = fakes::read(fakes::head + speed + "limits: 1 V..5 V, safe: hold}}\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_TRUE(config->outputs[0].action.hold);
  EXPECT_EQ(config->outputs[0].safe, 1) << "within the limits, until it is known";
}

TEST(SafetyOfOutputs, ThatContradictsItselfIsRefused) {
  const auto error = [](const std::string& entry) {
    return fakes::error_of(fakes::read(fakes::head + speed + entry + "}}\n"));
  };
  EXPECT_THAT(error("safe: hold, safe_ramp: 1 s"),
              HasSubstr("outputs.speed.safe_ramp: found a ramp "
                        "beside `safe: hold`"));
  EXPECT_THAT(error("safe: hold it"), HasSubstr("outputs.speed.safe: found \"hold it\""));
  EXPECT_THAT(error("safe: 0 V, slew: 0 V/s"), HasSubstr("expected more than 0 V/s"));
  EXPECT_THAT(error("safe: 0 V, slew: 1 V"), HasSubstr("outputs.speed.slew: found \"1 V\""));
  const std::string digital =
      "outputs: {running: {device: daq, channel: 1, kind: digital, safe: 0, ";
  EXPECT_THAT(fakes::error_of(fakes::read(fakes::head + digital + "safe_ramp: 1 s}}")),
              HasSubstr("which can only switch"));
  EXPECT_THAT(fakes::error_of(fakes::read(fakes::head + digital + "slew: 1 V/s}}")),
              HasSubstr("outputs.running.slew: found an unknown key"));
}

TEST(SafetyOfARun, IsGuardedUnlessOtherwiseSaid) {
  const auto config = fakes::read(fakes::head);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_TRUE(config->safety.guard);
  EXPECT_EQ(config->safety.within, Duration(1_s));
  EXPECT_EQ(config->safety.within_ordinary, Duration(5_s)) << "a busy machine is no hang";
  EXPECT_EQ(config->safety.ramp_in, Duration(1_s));
}

TEST(SafetyOfARun, IsRead) {
  const auto config =
      fakes::read(fakes::head + "safety: {guard: false, within: 20 ms, ramp_in: 0 s}\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_FALSE(config->safety.guard);
  EXPECT_EQ(config->safety.within, Duration(20_ms));
  EXPECT_EQ(config->safety.within_ordinary, Duration(20_ms)) << "as it was asked for";
  EXPECT_EQ(config->safety.ramp_in, Duration{});
}

// What the guard waits must not be taken by slow frames alone.
TEST(SafetyOfARun, GivesTimeForSomeFrames) {
  const auto slow = fakes::read(fakes::head, {{"frame.period", "500 ms"}});
  ASSERT_TRUE(slow) << slow.error().message;
  EXPECT_EQ(slow->safety.within, Duration(4_s));
  EXPECT_EQ(slow->safety.within_ordinary, Duration(20_s));
  EXPECT_THAT(fakes::error_of(fakes::read(fakes::head + "safety: {within: 1900 ms}\n",
                                          {{"frame.period", "500 ms"}})),
              HasSubstr("safety.within: found \"1900 ms\", expected at least 20 ms and 4 frames"));
  EXPECT_THAT(fakes::error_of(fakes::read(fakes::head + "safety: {within: 10 ms}\n")),
              HasSubstr("at least 20 ms"));
  EXPECT_THAT(fakes::error_of(fakes::read(fakes::head + "safety: {gaurd: true}\n")),
              HasSubstr("did you mean \"guard\""));
}

TEST(Standstill, IsASecondOrSomeFramesUnlessOtherwiseSaid) {
  const auto usual = fakes::read(fakes::head);
  ASSERT_TRUE(usual) << usual.error().message;
  EXPECT_EQ(usual->settings.overrun.standstill, Duration(1_s));
  EXPECT_EQ(usual->standstill_ordinary, Duration(5_s)) << "a busy machine is no hang";
  const auto slow = fakes::read(fakes::head, {{"frame.period", "500 ms"}});
  ASSERT_TRUE(slow) << slow.error().message;
  EXPECT_EQ(slow->settings.overrun.standstill, Duration(4_s));
}

TEST(Standstill, IsReadAndGivesTimeForSomeFrames) {
  const auto read = fakes::read(fakes::head + "overrun: {standstill: 20 ms}\n");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->settings.overrun.standstill, Duration(20_ms));
  EXPECT_EQ(read->standstill_ordinary, Duration(20_ms)) << "as it was asked for";
  EXPECT_THAT(
      fakes::error_of(fakes::read(fakes::head + "overrun: {standstill: 1900 ms}\n",
                                  {{"frame.period", "500 ms"}})),
      HasSubstr("overrun.standstill: found \"1900 ms\", expected at least 20 ms and 4 frames"));
  EXPECT_THAT(fakes::error_of(fakes::read(fakes::head + "overrun: {standstill: 10 ms}\n")),
              HasSubstr("at least 20 ms"));
  EXPECT_THAT(fakes::error_of(fakes::read(fakes::head + "overrun: {standstill: 2 h}\n")),
              HasSubstr("at most 1 h"));
}

}  // namespace
}  // namespace hild::config
