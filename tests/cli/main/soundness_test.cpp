// SPDX-License-Identifier: Apache-2.0
/// \file
/// A method that is unstable at its step: `hild check` says so, and `hild run` ends as a fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cmath>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A motor at 5 V by forward Euler at 500 ms. Its modes are about -50 +- 2.2i 1/s, so that each
/// step multiplies them by 24.
const std::vector<std::string> half_a_second{"--set", "frame.period=500 ms", "--set",
                                             "integrator.method=forward-euler"};

Ended hild_with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return hild(arguments);
}

TEST(Sound, CheckSaysThatAStepIsUnstableAndWhichWouldNotBe) {
  const Motor motor;
  const Ended ended = hild_with({"check", motor.file, "--no-measure"}, half_a_second);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("UNSTABLE at this step of 500 ms: stable up to 39.9 ms"),
                    HasSubstr("warning: forward-euler is unstable at this step of 500 ms"),
                    HasSubstr("it grows 24.1 times a step"), HasSubstr("`hild advise"),
                    HasSubstr("UNSTABLE: what this run computes is not the plant.")));
  const Ended in_json = hild_with({"check", motor.file, "--no-measure", "--json"}, half_a_second);
  const json::value plan = json::parse(in_json.out);
  EXPECT_EQ(plan.at_pointer("/soundness/0/known"), true);
  EXPECT_EQ(plan.at_pointer("/soundness/0/stable"), false);
  // a/d of lambda^2 + a lambda + d; see tests/offline/advise/soundness_test.cpp. The Jacobian is
  // taken by differences, and the two modes are nearly one.
  EXPECT_NEAR(plan.at_pointer("/soundness/0/stable_to_s").to_number<double>(), 100.1 / 2510, 1e-4);
  EXPECT_NEAR(plan.at_pointer("/soundness/0/limiting_mode/real").to_number<double>(), -50.05, 0.2);
}

TEST(Sound, CheckSaysThatAStepIsStableAndHowAccurate) {
  const Motor motor;
  const Ended ended = hild({"check", motor.file, "--no-measure"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("stable at this step; up to"), HasSubstr("accuracy"),
                               Not(HasSubstr("UNSTABLE"))));
}

// From rest, 5 V: the speed is 0, 0, 62 500, then -2.94e6 rad/s after the third step.
TEST(Sound, ARunThatLeavesThePlantEndsAsAFaultAndSafe) {
  const Motor motor;
  const Ended ended = hild_with({"run", motor.file, "--offline", "--duration", "60", "--report",
                                 motor.folder.path("report.json")},
                                half_a_second);
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("forward-euler is unstable at this step of 500 ms"),
                               HasSubstr("outputs are cut to their limits")));
  const json::value report = json::parse(read_file(motor.folder.path("report.json")));
  EXPECT_EQ(report.at_pointer("/outcome/end"), "model_fault");
  EXPECT_EQ(report.at_pointer("/outcome/fault"), "implausible");
  EXPECT_EQ(report.at_pointer("/outcome/exit_code"), 2);
  EXPECT_THAT(std::string(report.at_pointer("/outcome/message").as_string()),
              AllOf(HasSubstr("state `speed` of dc-motor was -2.94"),
                    HasSubstr("rad/s at 1.5 s (frame 2), plausible is -1e+06 to 1e+06 rad/s")));
  EXPECT_THAT(std::string(report.at_pointer("/outcome/next").as_string()),
              AllOf(HasSubstr("`hild check"), HasSubstr("`hild advise")));
  EXPECT_EQ(report.at_pointer("/outcome/outputs_safe"), true);
  EXPECT_EQ(report.at_pointer("/clamped/frames"), 2) << "250 A, then 62 500 rad/s";
}

// The speed settles near 100 rad/s, the line carries 20 V at most: 2 rad/s/V is too little.
TEST(Sound, ClampedOutputsWarnAndEndTheRunOnlyWhereAskedTo) {
  const Motor motor;
  const std::vector<std::string> narrow{"--set", "outputs.shaft_speed.scale=2 rad/s/V"};
  const Ended told = hild_with({"run", motor.file, "--offline", "--duration", "5", "--report",
                                motor.folder.path("told.json")},
                               narrow);
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_THAT(told.err, AllOf(HasSubstr("outputs are cut to their limits"),
                              HasSubstr("`shaft_speed` ("), HasSubstr("-20 ... 20 there")));
  EXPECT_THAT(told.out, HasSubstr("of 500 frames (`shaft_speed`)"));
  const json::value report = json::parse(read_file(motor.folder.path("told.json")));
  EXPECT_EQ(report.at_pointer("/clamped/stretches"), 1);
  EXPECT_EQ(report.at_pointer("/clamped/outputs/0"), "shaft_speed");

  const Ended ended =
      hild_with({"run", motor.file, "--offline", "--duration", "5", "--report",
                 motor.folder.path("ended.json"), "--set", "safety.clamped.then=safe-stop", "--set",
                 "safety.clamped.after=500 ms"},
                narrow);
  EXPECT_EQ(ended.code, 2) << ended.err;
  const json::value other = json::parse(read_file(motor.folder.path("ended.json")));
  EXPECT_EQ(other.at_pointer("/outcome/fault"), "clamped");
  EXPECT_EQ(other.at_pointer("/clamped/frames"), 51) << "500 ms are 50 frames after the first";
}

}  // namespace
}  // namespace hild::test
