// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is plausible of states, and what follows where outputs are clamped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fakes.hpp"

namespace hild::config {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A plant with `angle` in rad, which starts at 0, and `speed` in rad/s, which starts at 2.
Result<Config> with_bounds(const std::string& of_model, const std::string& more = "") {
  return fakes::read("frame: {period: 1 ms}\nmodel: {type: test-plant" + of_model +
                     "}\nintegrator: {method: rtam-2}\n" + more);
}
std::string error(const std::string& of_model, const std::string& more = "") {
  return fakes::error_of(with_bounds(of_model, more));
}

TEST(Plausible, WithoutADeclarationIsAsFarAsADoubleReaches) {
  const auto config = with_bounds("");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_EQ(config->model.plausible.size(), 2U);
  EXPECT_EQ(config->model.plausible[0].low, -1e15);
  EXPECT_EQ(config->model.plausible[0].high, 1e15);
  EXPECT_EQ(config->model.plausible[1].high, 2e15) << "it starts at 2";
}

TEST(Plausible, GrowsWithWhereTheStateStarts) {
  const auto config = with_bounds(", initial: {angle: -1e6 rad}");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->model.plausible[0].low, -1e21);
  EXPECT_EQ(config->model.plausible[0].high, 1e21);
}

TEST(Plausible, MayBeGivenWithUnitsOrSwitchedOff) {
  const auto config = with_bounds(", plausible: {angle: -180 deg..180 deg, speed: none}");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_NEAR(config->model.plausible[0].low, -M_PI, 1e-12);
  EXPECT_NEAR(config->model.plausible[0].high, M_PI, 1e-12);
  EXPECT_TRUE(std::isinf(config->model.plausible[1].low));
  EXPECT_TRUE(std::isinf(config->model.plausible[1].high));
}

TEST(Plausible, HoldsWhereTheStateStarts) {
  EXPECT_THAT(error(", plausible: {speed: 3 rad/s..9 rad/s}"),
              AllOf(HasSubstr("rig.yaml:2: model.plausible.speed: found \"3 rad/s..9 rad/s\""),
                    HasSubstr("an interval that holds 2 rad/s, where the state starts")));
}

TEST(Plausible, IsOfStatesOfTheModel) {
  EXPECT_THAT(error(", plausible: {sped: none}"),
              AllOf(HasSubstr("model.plausible"), HasSubstr("sped"), HasSubstr("speed")));
  EXPECT_THAT(error(", plausible: {speed: 9 rad/s..3 rad/s}"), HasSubstr("an interval such as"));
  EXPECT_THAT(error(", plausible: {speed: 400 rad/s}"), HasSubstr("an interval such as"));
}

// The dc-motor of the tree declares 1e6 A.
TEST(Plausible, AStartBeyondWhatTheModelDeclaresIsRefused) {
  const auto motor = [](const std::string& more) {
    return fakes::read("frame: {period: 1 ms}\nmodel: {type: dc-motor, " + more +
                       "}\nintegrator: {method: rtam-2}\n");
  };
  EXPECT_THAT(fakes::error_of(motor("initial: {current: 2 MA}")),
              AllOf(HasSubstr("rig.yaml:2: model.initial.current: found \"2 MA\""),
                    HasSubstr("expected a plausible value, -1e+06..1e+06 A"),
                    HasSubstr("`plausible` of the model sets another range")));
  const auto wider = motor("initial: {current: 2 MA}, plausible: {current: -3 MA..3 MA}");
  ASSERT_TRUE(wider) << wider.error().message;
  EXPECT_EQ(wider->model.plausible[0].high, 3e6);
  EXPECT_EQ(wider->model.plausible[1].high, 1e6);
}

TEST(Plausible, OfSeveralModelsFollowsTheirStates) {
  const auto config = fakes::read(
      "frame: {period: 1 ms}\nmodels:\n"
      "  a: {type: test-plant, integrator: {method: rtam-2}, plausible: {angle: -1 rad..1 rad}}\n"
      "  b: {type: test-plant, integrator: {method: rtam-2}, plausible: {speed: none}}\n"
      "connections: [{from: a.speed, to: b.brake, scale: 1 s/rad}]\n");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_EQ(config->model.plausible.size(), 4U);
  EXPECT_EQ(config->model.plausible[0].high, 1);
  EXPECT_EQ(config->model.plausible[1].high, 2e15);
  EXPECT_EQ(config->model.plausible[2].high, 1e15);
  EXPECT_TRUE(std::isinf(config->model.plausible[3].high));
}

TEST(Clamped, IsOnlyToldUnlessTheRunIsToEnd) {
  const auto usual = with_bounds("");
  ASSERT_TRUE(usual) << usual.error().message;
  EXPECT_FALSE(usual->settings.clamping.stop);
  const auto told = with_bounds("", "safety: {clamped: {then: continue}}\n");
  ASSERT_TRUE(told) << told.error().message;
  EXPECT_FALSE(told->settings.clamping.stop);
  const auto ended = with_bounds("", "safety: {clamped: {then: safe-stop}}\n");
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_TRUE(ended->settings.clamping.stop);
  EXPECT_EQ(ended->settings.clamping.after, Duration(1_s));
  const auto soon = with_bounds("", "safety: {clamped: {then: safe-stop, after: 20 ms}}\n");
  ASSERT_TRUE(soon) << soon.error().message;
  EXPECT_EQ(soon->settings.clamping.after, Duration(20_ms));
}

TEST(Clamped, ThatContradictsItselfIsRefused) {
  EXPECT_THAT(
      error("", "safety: {clamped: {after: 20 ms}}\n"),
      HasSubstr("safety.clamped.after: found a time, expected `then: safe-stop` beside it"));
  EXPECT_THAT(error("", "safety: {clamped: {then: freeze}}\n"),
              HasSubstr("safety.clamped.then: found \"freeze\""));
}

}  // namespace
}  // namespace hild::config
