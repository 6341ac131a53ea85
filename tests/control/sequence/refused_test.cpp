// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files with something wrong: each error names the line, what was found and what was expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/sequence/parse.hpp"
#include "control/sequence/scripted_bench.hpp"

namespace hild::sequence {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& text) {
  const Names names = bench_names();
  const auto sequence = parse_text(text, "t.yaml", &names);
  return sequence ? "accepted" : sequence.error().message;
}

std::string of_step(const std::string& step) { return refusal("steps:\n  - " + step + "\n"); }

TEST(Refused, TheDocument) {
  EXPECT_THAT(refusal("- wait: 1 s\n"), HasSubstr("t.yaml:1: found a list, expected a map"));
  EXPECT_THAT(refusal("name: x\n"), HasSubstr("found no \"steps\""));
  EXPECT_THAT(refusal("steps: []\n"), HasSubstr("t.yaml:1: steps: found an empty list"));
  EXPECT_THAT(refusal("steps: now\n"), HasSubstr("found \"now\", expected a list of steps"));
  EXPECT_THAT(refusal("steps: [{wait: 1 s}]\nallways: [{wait: 1 s}]\n"),
              HasSubstr("t.yaml:2: allways: found an unknown key, did you mean \"always\"?"));
  EXPECT_THAT(refusal("steps: [{wait: 1 s}]\nalways: [{wait: 1 s, at: 1 s}]\n"),
              HasSubstr("t.yaml:2: always[1].at: what always runs"));
  EXPECT_THAT(refusal("steps: [{wait: \"1 s}]\n"), HasSubstr("not valid YAML"));
}

TEST(Refused, AStepThatIsNone) {
  EXPECT_THAT(of_step("wait"), HasSubstr("t.yaml:2: steps[1]: found \"wait\", expected a step"));
  EXPECT_THAT(of_step("{name: x}"), HasSubstr("found nothing to do, expected one of: \"set\""));
  EXPECT_THAT(
      of_step("expct: shaft_speed"),
      HasSubstr("t.yaml:2: steps[1].expct: found an unknown key, did you mean \"expect\"?"));
  EXPECT_THAT(of_step("{wait: 1 s, set: {ratio: 1}}"), HasSubstr("found a second thing to do"));
  EXPECT_THAT(of_step("{wait: 1 s, fro: 2 s}"), HasSubstr("steps[1].fro: found an unknown key"));
}

TEST(Refused, WhatAMarkCannotBeCalled) {
  EXPECT_THAT(of_step("{mark: 1, text: " + std::string(81, 'x') + "}"),
              HasSubstr("t.yaml:2: steps[1].text: found 81 bytes, expected 80 at most"));
  EXPECT_THAT(of_step("{mark: 1, text: \"a\\tb\"}"),
              HasSubstr("steps[1].text: found a control character at byte 2, expected one line"));
  EXPECT_THAT(of_step("{save: 1, text: x}"), HasSubstr("steps[1].text: found an unknown key"));
}

TEST(Refused, Times) {
  EXPECT_THAT(of_step("wait: 5"), HasSubstr("steps[1].wait: found \"5\", expected a time"));
  EXPECT_THAT(of_step("wait: 5 V"), HasSubstr("\"V\" does not convert to \"ns\""));
  EXPECT_THAT(of_step("{wait: 1 s, at: -1 s}"), HasSubstr("steps[1].at: found \"-1 s\""));
  EXPECT_THAT(of_step("{ramp: ratio, to: 2, over: 0 s}"), HasSubstr("expected a time above 0"));
  EXPECT_THAT(of_step("{ramp: ratio, to: 2, over: 1 h, every: 1 us}"),
              HasSubstr("steps[1].every: found \"1 us\", expected a time above 0, at most 100000"));
}

TEST(Refused, NamesAndUnits) {
  EXPECT_THAT(of_step("set: {inertai: 1 kg m2}"),
              HasSubstr("steps[1].set.inertai: found \"inertai\", expected the name of a parameter "
                        "(did you mean \"inertia\"?)"));
  EXPECT_THAT(of_step("set: {inertia: 1}"), HasSubstr("the unit is missing: \"1 kg m2\"?"));
  EXPECT_THAT(of_step("set: {inertia: 1 V}"), HasSubstr("\"V\" does not convert to \"kg m2\""));
  EXPECT_THAT(of_step("set: {inertia: .nan}"), HasSubstr("expected a quantity in kg m2"));
  EXPECT_THAT(of_step("set: {}"), HasSubstr("expected values by name"));
  EXPECT_THAT(of_step("quiet: shaft_speed"), HasSubstr("expected the name of an input"));
  EXPECT_THAT(of_step("release: \"state:speed\""),
              HasSubstr("expected the name of an input or an output"));
  EXPECT_THAT(of_step("{expect: shaft, min: 1 rad/s}"),
              HasSubstr("expected the name of an output"));
  EXPECT_THAT(of_step("{expect: current, min: 1 A}"),
              HasSubstr("expected \"output:current\" or \"state:current\""));
}

TEST(Refused, Conditions) {
  EXPECT_THAT(of_step("expect: shaft_speed"), HasSubstr("found nothing to compare with"));
  EXPECT_THAT(of_step("{expect: shaft_speed, is: 1 rad/s}"),
              HasSubstr("steps[1].within: found nothing"));
  EXPECT_THAT(of_step("{expect: shaft_speed, is: 1 rad/s, within: -1 rad/s}"),
              HasSubstr("expected a tolerance, not negative"));
  EXPECT_THAT(of_step("{expect: shaft_speed, is: 1 rad/s, within: 1 rad/s, max: 3 rad/s}"),
              HasSubstr("steps[1].max: expected \"is\" and \"within\", or limits"));
  EXPECT_THAT(of_step("{expect: shaft_speed, min: 3 rad/s, max: 1 rad/s}"),
              HasSubstr("expected a limit not below \"min\""));
  EXPECT_THAT(of_step("{expect: shaft_speed, min: 3 rad/s, for: 2 s, timeout: 1 s}"),
              HasSubstr("expected at least the 2 s of \"for\""));
}

TEST(Refused, Changes) {
  EXPECT_THAT(of_step("{fault: shaft_speed, kind: broken}"),
              HasSubstr("steps[1].kind: found \"broken\", expected one of \"gain\""));
  EXPECT_THAT(of_step("{fault: shaft_speed, kind: stuck}"),
              HasSubstr("steps[1].value: found nothing"));
  EXPECT_THAT(of_step("{fault: shaft_speed, kind: dropout, value: 1 rad/s}"),
              HasSubstr("steps[1].value: found an unknown key"));
  EXPECT_THAT(of_step("resume: now"),
              HasSubstr("steps[1].resume: found \"now\", expected nothing"));
  EXPECT_THAT(of_step("save: 8"), HasSubstr("expected a whole number, 0..7"));
  EXPECT_THAT(of_step("step: 0"), HasSubstr("expected a whole number, 1.."));
  EXPECT_THAT(of_step("transaction: []"), HasSubstr("expected a list of 1 to 16 changes"));
  EXPECT_THAT(
      of_step("transaction: [{wait: 1 s}]"),
      HasSubstr("steps[1].transaction[1].wait: expected a change that takes effect at once"));
  EXPECT_THAT(of_step("{stimulate: load_torque, shape: playback, amplitude: 1 Nm,"
                      " table: {times: [0 s], values: [1, 2]}}"),
              HasSubstr("found 2 values at 1 times"));
}

TEST(Refused, ARecorderThatIsNotThere) {
  EXPECT_THAT(
      of_step("{record: fats}"),
      AllOf(HasSubstr("found \"fats\", expected the name of a recorder"), HasSubstr("fast")));
}

TEST(Refused, MoreStepsThanAnybodyWrites) {
  std::string text = "steps:\n";
  for (int i = 0; i < 1001; ++i) text += "  - resume:\n";
  EXPECT_THAT(refusal(text), HasSubstr("found 1001 steps, expected 1000 at most"));
}

TEST(Refused, AFileThatIsNotThere) {
  const auto sequence = parse_file("/no/such/file.yaml", nullptr);
  ASSERT_FALSE(sequence);
  EXPECT_THAT(sequence.error().message, HasSubstr("/no/such/file.yaml"));
}

TEST(Refused, AListThatIsNoList) {
  EXPECT_THAT(Names::from_list(boost::json::value(3)).error().message,
              HasSubstr("the daemon's `list` has no parameters"));
}

}  // namespace
}  // namespace hild::sequence
