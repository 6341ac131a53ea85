// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a plan tells of interlocks, alarms and sequences.
#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "config/config.hpp"
#include "config/plan/assembly.hpp"
#include "config/plan/plan.hpp"

namespace hild::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

plan::Plan plan_with(const std::string& more) {
  auto read = config::load_text(
      "frame: {rate: 1 kHz}\nmodel: {type: dc-motor}\nintegrator: {method: rk-4}\n"
      "devices: {rig: {driver: sim}}\n" +
          more,
      "rig.yaml");
  if (!read) {
    ADD_FAILURE() << read.error().message;
    return {};
  }
  return plan::make_plan(plan::assemble(std::move(*read)), {}, {});
}

TEST(Watches, AreToldByThePlanWithLimitsAndWhatFollows) {
  const plan::Plan plan = plan_with(
      "interlocks:\n"
      "  overspeed: {output: shaft_speed, min: -400 rad/s, max: 400 rad/s}\n"
      "  stop_button: {device: rig, channel: 3, digital: true, max: 0.5}\n"
      "alarms:\n"
      "  hot: {watch: 'state:current', above: 2000 mA, then: disarm}\n"
      "  slow: {watch: 'output:shaft_speed', below: 20 rad/s}\n");
  EXPECT_THAT(
      plan::to_text(plan),
      HasSubstr(
          "  interlocks       overspeed: output shaft_speed within -400 ... 400 rad/s, else stop\n"
          "                   stop_button: line stop_button at most 0.5, else stop\n"
          "  alarms           hot: state current at most 2 A, else disarm\n"
          "                   slow: output shaft_speed at least 20 rad/s, else note\n"));
  const auto read = boost::json::parse(plan::to_json(plan));
  EXPECT_EQ(
      read.at("interlocks"),
      boost::json::parse(R"([{"name": "overspeed", "signal": "output shaft_speed", "unit": "rad/s",
                "low": -400.0, "high": 400.0, "then": "stop"},
               {"name": "stop_button", "signal": "line stop_button", "unit": "", "low": null, "high": 0.5,
                "then": "stop"}])"));
  EXPECT_EQ(
      read.at("alarms"),
      boost::json::parse(R"([{"name": "hot", "signal": "state current", "unit": "A", "low": null,
                "high": 2.0, "then": "disarm"},
               {"name": "slow", "signal": "output shaft_speed", "unit": "rad/s", "low": 20.0,
                "high": null, "then": "note"}])"));
}

TEST(Sequences, ThatClientsMayBeginAreToldByThePlan) {
  plan::Plan plan = plan_with("");
  EXPECT_THAT(plan::to_text(plan), Not(HasSubstr("sequences")));
  plan = plan_with("control: {sequences: {score: /rig/score.yaml, run-up: /rig/up.yaml}}\n");
  EXPECT_THAT(plan::to_text(plan), HasSubstr("  sequences        score, /rig/score.yaml\n"
                                             "                   run-up, /rig/up.yaml\n"));
  EXPECT_EQ(boost::json::parse(plan::to_json(plan)).at("sequences"),
            boost::json::parse(R"([{"name": "score", "file": "/rig/score.yaml"},
                                   {"name": "run-up", "file": "/rig/up.yaml"}])"));
}

TEST(Watches, AreNotToldWhereThereAreNone) {
  const std::string text = plan::to_text(plan_with(""));
  EXPECT_THAT(text, Not(HasSubstr("interlocks")));
  EXPECT_THAT(text, Not(HasSubstr("alarms")));
}

}  // namespace
}  // namespace hild::testing
