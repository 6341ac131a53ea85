// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild io` and `hild safe`, before and after a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Io, PrintsInputsInTheirUnitAndAtTheConverter) {
  const Motor motor;
  const Ended ended = hild({"io", motor.file, "--set", "inputs.armature_voltage.scale=2.4 V/V"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  // 5 V at the converter, to the nearest of its steps.
  EXPECT_THAT(ended.out, ContainsRegex("armature_voltage +(12|12.000|11.999|12.001)[0-9]* V +"
                                       "(5|5.000|4.999)[0-9]* on rig A/D channel 0"));
  EXPECT_THAT(ended.out, ContainsRegex("load_torque +0 N m +\\(constant\\)"));
}

TEST(Io, ReadsAsOftenAsAsked) {
  const Motor motor;
  const Ended ended = hild({"io", motor.file, "--count", "3"});
  EXPECT_EQ(ended.code, 0);
  int times = 0;
  for (auto at = ended.out.find("inputs\n"); at != std::string::npos;
       at = ended.out.find("inputs\n", at + 1)) {
    ++times;
  }
  EXPECT_EQ(times, 3);
}

TEST(Io, WritesOneOutputAndLeavesTheOthers) {
  const Motor motor;
  ASSERT_EQ(hild({"safe", motor.file}).code, 0);
  const Ended ended = hild({"io", motor.file, "--write", "shaft_speed=-50"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(motor.held(),
              ElementsAre(DoubleNear(-2.5, one_step), DoubleNear(safe_current, one_step)));
  EXPECT_THAT(ended.out, ContainsRegex("shaft_speed +-(50|50.00|49.99)[0-9]* rad/s"));

  ASSERT_EQ(hild({"io", motor.file, "--write", "current=1"}).code, 0);
  EXPECT_THAT(motor.held(), ElementsAre(DoubleNear(-2.5, one_step), DoubleNear(0.5, one_step)));
}

TEST(Io, ReadingWritesNothing) {
  const Motor motor;
  ASSERT_EQ(hild({"safe", motor.file}).code, 0);
  ASSERT_EQ(hild({"io", motor.file}).code, 0);
  EXPECT_THAT(motor.held(),
              ElementsAre(DoubleNear(safe_speed, one_step), DoubleNear(safe_current, one_step)));
}

TEST(Io, RefusesWhatItCannotWrite) {
  const Motor motor;
  ASSERT_EQ(hild({"safe", motor.file}).code, 0);
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"torque=1", "no output `torque` is mapped to a device"},
      {"speed=1", "no output `speed`"},
      {"shaft_speed", "expected NAME=VALUE"},
      {"shaft_speed=", "expected a number"},
      {"shaft_speed=fast", "expected a number"},
      {"shaft_speed=1x", "expected a number"},
      {"shaft_speed=nan", "expected a number"},
      {"shaft_speed=201", "at the converter, whose limits are -10..10"},
  };
  for (const auto& [text, words] : wrong) {
    const Ended ended = hild({"io", motor.file, "--write", text});
    EXPECT_EQ(ended.code, 1) << text;
    EXPECT_THAT(ended.err, HasSubstr(words)) << text;
  }
  EXPECT_EQ(hild({"io", motor.file, "--wiggle", "torque"}).code, 1);
  const Ended wide = hild({"io", motor.file, "--wiggle", "shaft_speed", "--set",
                           "outputs.shaft_speed.range=-1e9 V..1e9 V"});
  EXPECT_EQ(wide.code, 1);
  EXPECT_THAT(wide.err, HasSubstr("give it narrower `limits`"));
  EXPECT_THAT(motor.held(),
              ElementsAre(DoubleNear(safe_speed, one_step), DoubleNear(safe_current, one_step)));
}

TEST(Io, WigglesUntilInterruptedAndPutsTheValueBack) {
  const Motor motor;
  ASSERT_EQ(hild({"io", motor.file, "--write", "shaft_speed=20"}).code, 0);
  const double before = motor.held().at(0);
  Program wiggling({"io", motor.file, "--wiggle", "shaft_speed"});
  ASSERT_TRUE(leaves(motor.rig, before));
  wiggling.signal(SIGINT);
  const Ended ended = wiggling.wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(motor.held().at(0), before);
}

TEST(Safe, DrivesEveryOutputToItsSafeValue) {
  const Motor motor;
  ASSERT_EQ(hild({"io", motor.file, "--write", "shaft_speed=0", "--write", "current=0"}).code, 0);
  const Ended ended = hild({"safe", motor.file});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(ContainsRegex("shaft_speed +3 +rig D/A channel 0"),
                               ContainsRegex("current +-2 +meter D/A channel 1"),
                               HasSubstr("All outputs are at their safe values.")));
  EXPECT_THAT(motor.held(),
              ElementsAre(DoubleNear(safe_speed, one_step), DoubleNear(safe_current, one_step)));
}

TEST(Safe, OneDeviceThatCannotBeOpenedLeavesTheOthersSafe) {
  const Motor motor;
  std::ofstream("/dev/shm/" + motor.rig) << "not an image";
  const Ended ended = hild({"safe", motor.file});
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("device rig"), HasSubstr("expected"),
                               HasSubstr("not at their safe values")));
  EXPECT_THAT(ended.out, Not(HasSubstr("safe values.")));
  EXPECT_NEAR(voltages(motor.meter).value().at(1), safe_current, one_step);
}

TEST(Safe, ADeviceThatDoesNotAnswerIsNamed) {
  const Motor motor;
  const Ended ended = hild({"safe", motor.file, "--set", "devices.rig.fail_after=0"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.err, HasSubstr("device rig: vanished after 0 exchanges"));
  EXPECT_NEAR(voltages(motor.meter).value().at(1), safe_current, one_step);
}

}  // namespace
}  // namespace hild::test
