// SPDX-License-Identifier: Apache-2.0
/// \file
/// A frame that follows a device.
#include <gmock/gmock.h>

#include "config/fakes.hpp"

namespace hild::config {
namespace {

using ::testing::HasSubstr;

std::string following(const std::string& frame,
                      const std::string& inputs = "load: {device: ecu, channel: 1, unit: mNm}") {
  return "frame: {period: 1 ms, " + frame +
         "}\n"
         "model: {type: test-plant}\n"
         "integrator: {method: rtam-2}\n"
         "devices: {daq: {driver: fake}, ecu: {driver: fake}}\n"
         "inputs:\n"
         "  voltage: {device: daq, channel: 0}\n  " +
         inputs + "\n";
}

TEST(Follow, ADeviceIsFoundByItsFirstInput) {
  const auto config = fakes::read(following("clock: {device: ecu}"));
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_TRUE(config->settings.follow);
  EXPECT_EQ(config->frame.follows, "ecu");
  EXPECT_EQ(config->frame.follows_input, 1U);
  EXPECT_EQ(config->frame.clock, rt::ClockKind::sleep);
  EXPECT_EQ(config->settings.follow->phase, 100_us);
  EXPECT_EQ(config->settings.follow->tolerance, 0.1);
  EXPECT_EQ(config->settings.follow->missing, 3);
}

TEST(Follow, AnInputIsFollowedByItsName) {
  const auto config = fakes::read(following(
      "clock: {input: voltage, phase: 20 us, wait: sleep+spin}, tolerance: 5 %, missing: 7"));
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->frame.follows, "daq");
  EXPECT_EQ(config->frame.follows_input, 0U);
  EXPECT_EQ(config->frame.clock, rt::ClockKind::sleep_spin);
  EXPECT_EQ(config->settings.follow->phase, 20_us);
  EXPECT_DOUBLE_EQ(config->settings.follow->tolerance, 0.05);
  EXPECT_EQ(config->settings.follow->missing, 7);
}

// There is nothing to follow then: a run without the hardware has the ticks it makes.
TEST(Follow, WhatIsSimulatedInItsPlaceAtTheTickIsNot) {
  const auto config =
      fakes::read(following("clock: {device: ecu}"), {{"devices.ecu.driver", "sim"}});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_FALSE(config->settings.follow);
  const auto paced =
      fakes::read(following("clock: {device: ecu}"),
                  {{"devices.ecu.driver", "sim"}, {"devices.ecu.autonomous", "{rate: 1 kHz}"}});
  ASSERT_TRUE(paced) << paced.error().message;
  EXPECT_TRUE(paced->settings.follow);
}

/// The same, whose device ecu wakes frames.
std::string woken(const std::string& frame) {
  std::string text = following(frame);
  const std::string plain = "ecu: {driver: fake}";
  return text.replace(text.find(plain), plain.size(), "ecu: {driver: fake, path: wakes}");
}

TEST(Follow, AFrameMayBeginWithItsImage) {
  const auto config = fakes::read(woken("clock: {device: ecu, mode: wake}"));
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_TRUE(config->settings.follow);
  EXPECT_TRUE(config->settings.follow->wake);
  const auto plain = fakes::read(woken("clock: {device: ecu, mode: follow}"));
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_FALSE(plain->settings.follow->wake);
}

TEST(Follow, WhatIsSimulatedInThePlaceOfAWakingOneIsFollowed) {
  const auto paced =
      fakes::read(woken("clock: {device: ecu, mode: wake}"),
                  {{"devices.ecu.driver", "sim"}, {"devices.ecu.autonomous", "{rate: 1 kHz}"}});
  ASSERT_TRUE(paced) << paced.error().message;
  ASSERT_TRUE(paced->settings.follow);
  EXPECT_FALSE(paced->settings.follow->wake);
}

TEST(Follow, OnlyWhatWakesCanBeWaitedFor) {
  EXPECT_THAT(fakes::error_of(fakes::read(following("clock: {device: ecu, mode: wake}"))),
              HasSubstr("rig.yaml:1: frame.clock.mode: found \"wake\", expected `follow`: only a "
                        "card that scans by itself"));
  EXPECT_THAT(
      fakes::error_of(fakes::read(woken("clock: {device: ecu, mode: wake, phase: 100 us}"))),
      HasSubstr("frame.clock.phase: found it beside `mode: wake`"));
}

TEST(Follow, WhatCannotBeFollowedIsRefused) {
  const auto error = [](const std::string& text) { return fakes::error_of(fakes::read(text)); };
  EXPECT_THAT(error(following("clock: {device: ecus}")),
              HasSubstr("rig.yaml:1: frame.clock.device: found \"ecus\", expected a device with an "
                        "input on it"));
  EXPECT_THAT(error(following("clock: {device: ecu}", "brake: {value: 1}")),
              HasSubstr("frame.clock.device: found \"ecu\", expected a device with an input"));
  const std::string asked = "devices: {daq: {driver: fake, path: asked}";
  std::string no_ticks = following("clock: {input: voltage}");
  no_ticks.replace(no_ticks.find("devices: {daq: {driver: fake}"), 29, asked);
  EXPECT_THAT(error(no_ticks),
              HasSubstr("rig.yaml:1: frame.clock.input: found voltage, whose images are made when "
                        "hild reads them, expected a device with a clock of its own"));
  EXPECT_THAT(error(following("clock: {}")), HasSubstr("frame.clock.device: found nothing"));
  EXPECT_THAT(error(following("clock: {device: ecu, phase: 1 ms}")),
              HasSubstr("frame.clock.phase: found \"1 ms\", expected a time below the frame's"));
  EXPECT_THAT(error(following("clock: {device: ecu}, tolerance: 60 %")),
              HasSubstr("frame.tolerance: found \"60 %\""));
  EXPECT_THAT(error(following("clock: sleep, missing: 3")),
              HasSubstr("frame.missing: found an unknown key"));
}

// ---- frames in phase with those of others ------------------------------------------------------

std::string aligned(const std::string& keys) {
  return "frame: {period: 1 ms, " + keys +
         "}\nmodel: {type: test-plant}\nintegrator: {method: rtam-2}\n";
}

TEST(Align, FramesStandOnTai) {
  const auto config = fakes::read(aligned("align: tai"));
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_TRUE(config->settings.align);
  EXPECT_EQ(config->settings.align->phase, Duration{});
  EXPECT_FALSE(config->settings.align->ends_on_step);
  const auto shifted = fakes::read(aligned("align: tai, phase: 200 us, on_step: stop"));
  ASSERT_TRUE(shifted) << shifted.error().message;
  EXPECT_EQ(shifted->settings.align->phase, 200_us);
  EXPECT_TRUE(shifted->settings.align->ends_on_step);
}

TEST(Align, WhatCannotBeAlignedIsRefused) {
  const auto error = [](const std::string& text) { return fakes::error_of(fakes::read(text)); };
  EXPECT_THAT(error(aligned("align: utc")),
              HasSubstr("rig.yaml:1: frame.align: found \"utc\", expected"));
  EXPECT_THAT(error(aligned("align: tai, phase: 1 ms")),
              HasSubstr("frame.phase: found \"1 ms\", expected a time below the frame's"));
  EXPECT_THAT(error(aligned("phase: 200 us")), HasSubstr("frame.phase: found an unknown key"));
  EXPECT_THAT(error(following("align: tai, clock: {device: ecu}")),
              HasSubstr("frame.align: found it beside a device that frames follow"));
}

}  // namespace
}  // namespace hild::config
