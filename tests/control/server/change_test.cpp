// SPDX-License-Identifier: Apache-2.0
/// \file
/// Each method that changes the run does, from the step that its reply names, and reads that follow
/// see it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

class Change : public ::testing::Test {
 protected:
  double get(const std::string& name) {
    return client.call("get", {{"names", json::array{json::value(name)}}})
        .at("values")
        .at(name)
        .to_number<double>();
  }
  std::int64_t frame_of(const json::value& effect) {
    EXPECT_NEAR(effect.at("time_s").to_number<double>(),
                1e-3 * static_cast<double>(effect.at("frame").as_int64()), 1e-9);
    return effect.at("frame").as_int64();
  }
  /// The step that started at a frame, from the records. Ends the run: what is looked up in steps
  /// after the last reply is to be waited for first (run_past).
  const Recording::Step& step_at(std::int64_t frame) {
    rig.end();
    for (const auto& s : rig.recording.steps) {
      if (s.header.frame == frame && !s.header.frozen) return s;
    }
    ADD_FAILURE() << "no step at frame " << frame;
    return rig.recording.steps.front();
  }

  ServerRig rig;
  LineClient client{rig.start().socket()};
};

TEST_F(Change, SetTakesNumbersAndTextsWithUnits) {
  const std::int64_t frame =
      frame_of(client.call("set", R"({"values": {"level": 0.013, "inertia": "200 g m2",
                                                  "parameter:gain": "250 mV"}})"_json.as_object()));
  EXPECT_EQ(get("parameter:level"), 0.013);
  EXPECT_DOUBLE_EQ(get("inertia"), 0.2);
  EXPECT_DOUBLE_EQ(get("gain"), 0.25);
  EXPECT_EQ(step_at(frame).outputs[0], 0.013) << "in the very step";
  EXPECT_EQ(step_at(frame - 1).outputs[0], 0);
  EXPECT_EQ(step_at(frame).header.external_events, 3);
}

TEST_F(Change, AtAFrameOrATimeToCome) {
  std::int64_t then = 0;
  {
    const ServerRig::Halt halt(rig);
    then = client.call("get").at("frame").as_int64() + 200;
    client.request("set", {{"values", {{"level", 1}}}, {"at", {{"frame", then}}}});
    // The first step that starts at 0.5 of a frame after, or later.
    const double time = 1e-3 * (static_cast<double>(then) + 200.5);
    client.request("set", {{"values", {{"level", 2}}}, {"at", {{"time_s", time}}}});
    client.call("get");  // those before it have been taken
  }
  EXPECT_EQ(frame_of(client.reply().at("result")), then);
  EXPECT_EQ(frame_of(client.reply().at("result")), then + 201);
  EXPECT_GT(frame_of(client.call("set", {{"values", {{"level", 3}}}, {"at", {{"frame", 0}}}})),
            then + 201)
      << "what has passed is the next step";
  EXPECT_EQ(step_at(then).outputs[0], 1);
  EXPECT_EQ(step_at(then + 200).outputs[0], 1);
  EXPECT_EQ(step_at(then + 201).outputs[0], 2);
}

TEST_F(Change, EveryKindOfOverrideFalsifiesAndIsReleased) {
  EXPECT_EQ(get("seen"), 0.5);
  client.call("override", R"({"signal": "u", "kind": "stuck", "value": 3})"_json.as_object());
  EXPECT_EQ(get("seen"), 3);
  client.call("release", {{"signal", "u"}});
  EXPECT_EQ(get("seen"), 0.5);
  client.call("override",
              R"({"signal": "u", "kind": "offset", "value": "1 rev/s"})"_json.as_object());
  EXPECT_DOUBLE_EQ(get("seen"), 0.5 + 2 * std::numbers::pi) << "1 rev/s is 2 pi rad/s";
  client.call("override", R"({"signal": "u", "kind": "gain", "value": -2})"_json.as_object());
  EXPECT_DOUBLE_EQ(get("seen"), -1 + 2 * std::numbers::pi) << "gain before offset";
  client.call("release", {{"signal", "u"}});

  client.call("override", R"({"signal": "output:load", "kind": "dropout"})"_json.as_object());
  client.call("override",
              R"({"signal": "input:load", "kind": "stuck", "value": 9})"_json.as_object());
  EXPECT_EQ(get("input:load"), 9);
  EXPECT_EQ(get("output:load"), 0.25) << "keeps what it was";
  client.call("release", {{"signal", "output:load"}});
  EXPECT_EQ(get("output:load"), 9);
}

TEST_F(Change, NoiseOfASeedIsTheSame) {
  const auto noisy = [&](std::int64_t seed) {
    return frame_of(client.call(
        "override", {{"signal", "u"}, {"kind", "noise"}, {"value", 2}, {"seed", seed}}));
  };
  const std::int64_t one = noisy(7);
  const std::int64_t other = noisy(8);
  const std::int64_t again = noisy(7);
  const auto u = [&](std::int64_t frame) { return step_at(frame).inputs[0]; };
  EXPECT_NE(u(one), 0.5);
  EXPECT_NE(u(one), u(other));
  EXPECT_EQ(u(one), u(again));
}

TEST_F(Change, AnOverrideLastsItsFrames) {
  const std::int64_t frame = frame_of(client.call(
      "override", R"({"signal": "u", "kind": "stuck", "value": 4, "frames": 5})"_json.as_object()));
  rig.run_past(frame + 5);
  EXPECT_EQ(step_at(frame - 1).inputs[0], 0.5);
  EXPECT_EQ(step_at(frame).inputs[0], 4);
  EXPECT_EQ(step_at(frame + 4).inputs[0], 4);
  EXPECT_EQ(step_at(frame + 5).inputs[0], 0.5);
}

TEST_F(Change, FaultsOfDevicesAreInjectedAndCleared) {
  client.call("freeze");  // nothing runs out
  const json::value faults = client.call("list").at("device_faults");
  EXPECT_EQ(faults.at(0), (json::object{{"name", "bus.Command.missing"},
                                        {"unit", ""},
                                        {"low", 0.0},
                                        {"high", 0.0},
                                        {"help", "its frames do not come"}}));
  client.call("inject", {{"fault", "bus.Command.missing"}});
  const std::int64_t frame = frame_of(client.call(
      "inject", {{"fault", "bus.Command.delayed"}, {"value", "20 ms"}, {"frames", 1000}}));
  const json::value status = client.call("status");
  EXPECT_EQ(
      status.at("injected"),
      (json::array{
          {{"fault", "bus.Command.missing"}},
          {{"fault", "bus.Command.delayed"}, {"value", 0.02}, {"until_frame", frame + 1000}}}));
  const json::value told = client.call("get").at("told");
  EXPECT_THAT(json::serialize(told),
              testing::HasSubstr("bus.Command.missing, bus.Command.delayed"));
  client.call("clear", {{"fault", "bus.Command.missing"}});
  client.call("clear", {{"fault", "bus.Command.delayed"}});
  EXPECT_EQ(client.call("status").at("injected"), json::array());
}

// Beyond the last frame there can be: it has no end.
TEST_F(Change, WhatLastsLongerThanFramesGoHasNoEnd) {
  client.call("freeze");
  client.call("inject", {{"fault", "bus.Command.missing"}, {"frames", INT64_MAX}});
  client.call("override",
              {{"signal", "u"}, {"kind", "stuck"}, {"value", 1}, {"frames", INT64_MAX}});
  const json::value status = client.call("status");
  EXPECT_EQ(status.at("injected"), (json::array{{{"fault", "bus.Command.missing"}}}));
  EXPECT_EQ(status.at("overrides"),
            (json::array{{{"signal", "u"}, {"kind", "stuck"}, {"value", 1.0}}}));
}

TEST_F(Change, StatusTellsOverridesAndStimuliInForce) {
  client.call("freeze");  // nothing runs out
  client.call("override",
              R"({"signal": "u", "kind": "gain", "value": 2, "frames": 1000000})"_json.as_object());
  client.call("override", R"({"signal": "input:load", "kind": "dropout"})"_json.as_object());
  const std::int64_t frame = frame_of(client.call(
      "stimulate", R"({"input": "load", "shape": "sine", "amplitude": 1, "frequency_hz": 2,
                       "duration_s": 1000})"_json.as_object()));
  const double since = 1e-3 * static_cast<double>(frame);
  const json::value status = client.call("status");
  EXPECT_EQ(status.at("state"), "frozen");
  EXPECT_EQ(
      status.at("overrides").at(0),
      (json::object{
          {"signal", "u"}, {"kind", "gain"}, {"value", 2.0}, {"until_frame", frame + 1000000}}));
  EXPECT_EQ(status.at("overrides").at(1),
            (json::object{{"signal", "input:load"}, {"kind", "dropout"}}));
  const json::object stimulus = status.at("stimuli").at(0).as_object();
  EXPECT_EQ(stimulus.at("input"), "input:load");
  EXPECT_EQ(stimulus.at("shape"), "sine");
  EXPECT_EQ(stimulus.at("replace"), false);
  EXPECT_NEAR(stimulus.at("since_s").as_double(), since, 1e-9);
  EXPECT_NEAR(stimulus.at("until_s").as_double(), since + 1000, 1e-6);
  client.call("release", {{"signal", "u"}});
  client.call("quiet", {{"input", "load"}});
  EXPECT_EQ(client.call("status").at("overrides").as_array().size(), 1U);
  EXPECT_EQ(client.call("status").at("stimuli"), json::array());
  // What has run out is not in force.
  client.call("override",
              R"({"signal": "u", "kind": "stuck", "value": 2, "frames": 3})"_json.as_object());
  client.call(
      "stimulate",
      R"({"input": "u", "shape": "step", "amplitude": 1, "duration_s": 0.003})"_json.as_object());
  EXPECT_EQ(client.call("status").at("overrides").as_array().size(), 2U);
  EXPECT_EQ(client.call("status").at("stimuli").as_array().size(), 1U);
  client.call("step", {{"frames", 4}});
  while (client.call("get").at("frame").as_int64() < frame + 4) {
  }
  EXPECT_EQ(client.call("status").at("overrides").as_array().size(), 1U);
  EXPECT_EQ(client.call("status").at("stimuli"), json::array());
}

// Expected values are the formulas of the shapes, tau after the step each took effect at.
TEST_F(Change, StimuliAreTheirFunctionsOfTime) {
  const auto start = [&](const char* params) {
    return frame_of(client.call("stimulate", json::parse(params).as_object()));
  };
  const std::int64_t step = start(
      R"({"input": "u", "shape": "step", "amplitude": 2, "offset": 1, "duration_s": "20 ms"})");
  client.call("set", {{"values", {{"level", 0}}}, {"at", {{"frame", step + 50}}}});
  const std::int64_t ramp =
      start(R"({"input": "u", "shape": "ramp", "amplitude": 8, "over_s": 0.016, "replace": true})");
  client.call("set", {{"values", {{"level", 0}}}, {"at", {{"frame", ramp + 50}}}});
  const std::int64_t sine =
      start(R"({"input": "u", "shape": "sine", "amplitude": 3, "frequency_hz": 10,
                "phase_rad": "90 deg", "replace": true})");
  client.call("set", {{"values", {{"level", 0}}}, {"at", {{"frame", sine + 50}}}});
  const std::int64_t chirp =
      start(R"({"input": "u", "shape": "chirp", "amplitude": 1, "frequency_hz": 5,
                "frequency_end_hz": 25, "over_s": 0.04, "replace": true})");
  client.call("set", {{"values", {{"level", 0}}}, {"at", {{"frame", chirp + 50}}}});
  const std::int64_t table =
      start(R"({"input": "u", "shape": "playback", "amplitude": 10, "replace": true,
                "table": {"times_s": [0, "10 ms", 0.02], "values": [0, 1, "-1 rad/s"]}})");
  client.call("set", {{"values", {{"level", 0}}}, {"at", {{"frame", table + 50}}}});
  const std::int64_t quiet = frame_of(client.call("quiet", {{"input", "u"}}));

  const auto u = [&](std::int64_t frame) { return step_at(frame).inputs[0]; };
  EXPECT_DOUBLE_EQ(u(step + 19), 0.5 + 3);
  EXPECT_DOUBLE_EQ(u(step + 20), 0.5);
  EXPECT_NEAR(u(ramp + 4), 8 * 4.0 / 16, 1e-9);
  EXPECT_NEAR(u(ramp + 30), 8, 1e-12);
  EXPECT_NEAR(u(sine + 5), 3 * std::cos(2 * std::numbers::pi * 10 * 0.005), 1e-9);
  const double cycles = 5 * 0.03 + (25 - 5) / 0.04 * 0.03 * 0.03 / 2;
  EXPECT_NEAR(u(chirp + 30), std::sin(2 * std::numbers::pi * cycles), 1e-9);
  EXPECT_NEAR(u(table + 5), 5, 1e-9);
  EXPECT_NEAR(u(table + 15), 0, 1e-9);
  EXPECT_NEAR(u(table + 40), -10, 1e-9) << "holds after its end";
  EXPECT_EQ(u(quiet), 0.5);
}

TEST_F(Change, FrozenItStandsStillStepsAndGoesOn) {
  client.call("freeze");
  const json::value held = client.call("get");
  EXPECT_EQ(held.at("frozen"), true);
  EXPECT_EQ(client.call("status").at("state"), "frozen");
  EXPECT_EQ(client.call("get").at("frame"), held.at("frame"));
  const double x = get("x");
  client.call("step", {{"frames", 4}});
  while (client.call("status").at("state") != "frozen" || get("x") == x) {
  }
  EXPECT_NEAR(get("x") - x, 4 * 0.5e-3, 1e-12);
  client.call("step");
  while (client.call("status").at("state") != "frozen" || get("x") - x < 2.2e-3) {
  }
  EXPECT_NEAR(get("x") - x, 5 * 0.5e-3, 1e-12) << "one frame unless told otherwise";
  client.call("resume");
  EXPECT_EQ(client.call("status").at("state"), "running");
  EXPECT_GT(client.call("status").at("frozen_frames").as_int64(), 0);
}

TEST_F(Change, FrozenOutputsFollowWhatIsDeclared) {
  client.call("freeze",
              R"({"outputs": "declared", "values": {"level": -5, "output:load": "2 N m"}})"_json
                  .as_object());
  EXPECT_EQ(get("output:level"), -5);
  EXPECT_EQ(get("output:load"), 2);
  EXPECT_EQ(get("seen"), 0.5) << "never declared";
  client.call("resume");
  client.call("freeze", {{"outputs", "safe"}});
  client.call("resume");
  client.call("freeze", {{"outputs", "hold"}});
}

TEST_F(Change, StatesAreSavedRestoredAndReset) {
  client.call("freeze");
  client.call("save", {{"slot", 2}});
  client.call("save");
  EXPECT_EQ(client.call("list").at("slots"), (json::array{0, 2}));
  const double x = get("x");
  client.call("set", {{"values", {{"level", 8}}}});
  client.call("step", {{"frames", 10}});
  while (get("x") <= x + 4.9e-3) {
  }
  client.call("restore", {{"slot", 2}});
  EXPECT_EQ(get("x"), x);
  EXPECT_EQ(get("parameter:level"), 8) << "parameters only when asked for";
  client.call("restore", {{"parameters", true}});
  EXPECT_EQ(get("parameter:level"), 0);
  client.call("set", {{"values", {{"level", 8}}}});
  client.call("reset");
  EXPECT_EQ(get("x"), 0);
  EXPECT_EQ(get("parameter:level"), 8);
  client.call("reset", {{"parameters", true}});
  EXPECT_EQ(get("parameter:level"), 0);
}

TEST_F(Change, AMarkIsInTheRecord) {
  const std::int64_t first = frame_of(client.call("mark"));
  const std::int64_t other = frame_of(client.call("mark", {{"label", 4294967295}}));
  rig.run_past(other + 1);
  EXPECT_EQ(step_at(first).header.mark, 1U);
  EXPECT_EQ(step_at(other).header.mark, 4294967295U);
  EXPECT_EQ(step_at(other + 1).header.mark, 0U);
}

TEST_F(Change, OutputsAreArmedAndDisarmed) {
  EXPECT_TRUE(client.call("status").at("armed").as_bool());
  EXPECT_GE(client.call("disarm").at("frame").as_int64(), 0);
  EXPECT_FALSE(client.call("status").at("armed").as_bool());
  EXPECT_GE(client.call("arm").at("frame").as_int64(), 0);
  EXPECT_TRUE(client.call("status").at("armed").as_bool());
}

TEST(Arming, IsRefusedWhileAnInputIsLostThatDisarms) {
  ServerRig rig;
  rig.wires[1].loss = {2_ms, io::OnLoss::disarm, 0};
  rig.start();
  LineClient client(rig.socket());
  EXPECT_GE(client.call("arm").at("frame").as_int64(), 0);
  rig.sampler.age_ns.set(5'000'000);
  ASSERT_TRUE(comes([&] { return client.call("status").at("lost_inputs").as_int64() == 1; }));
  client.call("disarm");
  const json::object refused = client.error("arm");
  EXPECT_EQ(refused.at("code"), -32000);
  EXPECT_THAT(std::string(refused.at("message").as_string()),
              ::testing::AllOf(HasSubstr("is lost since frame "), HasSubstr("on_loss: disarm")));
  EXPECT_FALSE(rig.armed);
  rig.sampler.age_ns.set(0);
  EXPECT_TRUE(comes([&] {
    client.request("arm");
    return client.reply().contains("result");
  })) << "once it is back";
  EXPECT_TRUE(rig.armed);
}

// Else the first step would disarm them again, and nobody would be told.
TEST(Arming, IsRefusedUntilAStepHasLookedForInputsThatDisarm) {
  ServerRig rig;
  rig.wires[1].loss = {2_ms, io::OnLoss::disarm, 0};
  rig.start(false);
  LineClient client(rig.socket());
  client.call("disarm");
  EXPECT_THAT(std::string(client.error("arm").at("message").as_string()),
              HasSubstr("no step has been made yet"));
  EXPECT_FALSE(rig.armed);
  rig.run_frames();
  EXPECT_GE(client.call("arm").at("frame").as_int64(), 0);
  EXPECT_TRUE(rig.armed);
}

TEST_F(Change, StopEndsTheRunAndIsAnswered) {
  EXPECT_GE(client.call("stop").at("frame").as_int64(), 0);
  rig.end();
  EXPECT_EQ(rig.outcome.end, exec::End::requested);
  EXPECT_TRUE(rig.outcome.safe);
  EXPECT_TRUE(client.closed());
  EXPECT_FALSE(std::filesystem::exists(rig.socket()));
}

TEST_F(Change, RestartIsTakenWhereItMakesSense) {
  client.call("set", {{"values", {{"level", 1}}}, {"restart", true}});
  client.call("override", {{"signal", "u"}, {"kind", "gain"}, {"value", 2}, {"restart", true}});
  client.call("release", {{"signal", "u"}, {"restart", true}});
  client.call("stimulate",
              {{"input", "u"}, {"shape", "step"}, {"amplitude", 2}, {"restart", true}});
  client.call("quiet", {{"input", "u"}, {"restart", true}});
  EXPECT_THAT(client.error("mark", {{"restart", true}}).at("message").as_string().c_str(),
              HasSubstr("\"restart\": unknown param"));
}

}  // namespace
}  // namespace hild::testing
