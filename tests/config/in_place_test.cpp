// SPDX-License-Identifier: Apache-2.0
/// \file
/// A simulated device in the place of another driver's, which goes on to say what its channels are.
#include <gmock/gmock.h>

#include "config/fakes.hpp"

namespace hild::config {
namespace {

using ::testing::HasSubstr;

const std::string wired =
    "inputs:\n"
    "  voltage: {device: daq, channel: 7, source: {constant: 2 V}}\n"
    "  load: {device: daq, channel: 2, unit: mNm}\n"
    "  brake: {device: daq, channel: 3, kind: digital}\n"
    "outputs:\n"
    "  speed: {device: daq, channel: 5, unit: rpm, safe: 0 rpm}\n";

/// What exchange() gives once the device is open, without anything outside of this process.
std::vector<double> read_once(io::Device& device, std::size_t inputs,
                              const std::vector<double>& outputs) {
  rt::VirtualClock clock;
  EXPECT_TRUE(device.detach());
  EXPECT_TRUE(device.open(clock));
  std::vector<double> values(inputs, -1);
  std::vector<MonoTime> sampled(device.groups());
  EXPECT_TRUE(device.exchange(outputs, values, sampled));
  return values;
}

TEST(InPlace, ASettingSimulatesWhatAnotherDriverDescribes) {
  const auto config = fakes::read(fakes::head + wired, {{"devices.daq.driver", "sim"}});
  ASSERT_TRUE(config) << config.error().message;
  const auto real =
      fakes::read(fakes::head +
                  "inputs: {voltage: {device: daq, channel: 7}}\n"
                  "outputs: {speed: {device: daq, channel: 5, unit: rpm, safe: 0 rpm}}\n");
  ASSERT_TRUE(real) << real.error().message;
  EXPECT_EQ(config->inputs[0].channel.range.high, real->inputs[0].channel.range.high);
  EXPECT_EQ(config->inputs[1].scale, 1e-3) << "the driver says that it is mNm";
  EXPECT_TRUE(config->inputs[2].channel.digital);
  EXPECT_EQ(config->outputs[0].scale, real->outputs[0].scale);
  EXPECT_FALSE(config->devices[0].device->hardware());
  const auto values = read_once(*config->devices[0].device, 3, {5});
  EXPECT_EQ(values[0], 2) << "the driver tells of no counts";
  EXPECT_EQ(values[1], 0);
  EXPECT_EQ(values[2], 0);
}

// As a recording has it, and as one may write it.
TEST(InPlace, WhatIsResolvedReadsTheSame) {
  const auto config = fakes::read(fakes::head + wired, {{"devices.daq.driver", "sim"}});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_THAT(config->resolved, HasSubstr("in_place_of: fake"));
  const auto again = fakes::read(config->resolved);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->inputs[1].scale, 1e-3);
  EXPECT_FALSE(again->devices[0].device->hardware());
}

// A number has no steps of its own: 2.5 mNm stays 2.5, of whatever the driver would carry.
TEST(InPlace, NumbersAreInTheUnitOfTheirChannel) {
  const std::string inputs =
      "inputs: {load: {device: daq, channel: 2, unit: mNm, source: {constant: 0.0025 N m}}}\n";
  const auto config = fakes::read(fakes::head + inputs, {{"devices.daq.driver", "sim"}});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_DOUBLE_EQ(read_once(*config->devices[0].device, 1, {})[0], 2.5);
}

TEST(InPlace, ItsDriverRefusesAsEver) {
  const auto taken = fakes::read(fakes::head +
                                     "inputs:\n"
                                     "  voltage: {device: daq, channel: 99}\n",
                                 {{"devices.daq.driver", "sim"}});
  EXPECT_THAT(fakes::error_of(taken),
              HasSubstr("rig.yaml:6: inputs.voltage.channel: found \"99\""));
  const auto unknown = fakes::read(
      fakes::head + wired, {{"devices.daq.driver", "sim"}, {"devices.daq.in_place_of", "faek"}});
  EXPECT_THAT(fakes::error_of(unknown),
              HasSubstr("in_place_of: found \"faek\", expected a driver"));
  const auto other = fakes::read(fakes::head + wired, {{"devices.daq.in_place_of", "fake"}});
  EXPECT_THAT(fakes::error_of(other), HasSubstr("whose place another one takes than sim"));
}

}  // namespace
}  // namespace hild::config
