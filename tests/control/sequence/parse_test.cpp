// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/parse.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "control/sequence/scripted_bench.hpp"

namespace hild::sequence {
namespace {

namespace json = boost::json;

Sequence parsed(const std::string& text) {
  const Names names = bench_names();
  auto sequence = parse_text(text, "t.yaml", &names);
  EXPECT_TRUE(sequence) << sequence.error().message;
  return sequence ? *sequence : Sequence{};
}

/// The one change of the one step.
Change change_of(const std::string& step) {
  const Sequence sequence = parsed("steps:\n  - " + step + "\n");
  if (sequence.steps.size() != 1) return {};
  const auto* command = std::get_if<Command>(&sequence.steps[0].what);
  EXPECT_NE(command, nullptr);
  return command != nullptr && command->changes.size() == 1 ? command->changes[0] : Change{};
}

struct Row {
  const char* step;
  const char* method;
  const char* params;
};

TEST(Parse, EachChangeBecomesTheMethodAndParamsOfTheControlInterface) {
  const std::vector<Row> rows{
      {"set: {inertia: 800 g m2, ratio: 2}", "set", R"({"values":{"inertia":0.8,"ratio":2.0}})"},
      {"{set: {ratio: 2}, restart: true}", "set", R"({"values":{"ratio":2.0},"restart":true})"},
      {"{fault: shaft_speed, kind: stuck, value: 60 rpm}", "override",
       R"({"signal":"shaft_speed","kind":"stuck","value":6.283185307179586})"},
      {"{fault: shaft_speed, kind: gain, value: 50 %}", "override",
       R"({"signal":"shaft_speed","kind":"gain","value":0.5})"},
      {"{fault: shaft_speed, kind: dropout}", "override",
       R"({"signal":"shaft_speed","kind":"dropout"})"},
      {"{fault: \"input:load_torque\", kind: noise, value: 2 mN m, seed: 7}", "override",
       R"({"signal":"input:load_torque","kind":"noise","value":0.002,"seed":7})"},
      {"release: shaft_speed", "release", R"({"signal":"shaft_speed"})"},
      {"quiet: load_torque", "quiet", R"({"input":"load_torque"})"},
      {"{stimulate: load_torque, shape: step, amplitude: 60 mNm, replace: true, for: 2 s}",
       "stimulate",
       R"({"input":"load_torque","shape":"step","replace":true,"amplitude":0.06,"duration_s":2.0})"},
      {"{stimulate: load_torque, shape: chirp, amplitude: 1 Nm, offset: 2 Nm, frequency: 1 Hz,"
       " frequency_end: 2 kHz, over: 500 ms, phase: 180 deg}",
       "stimulate",
       R"({"input":"load_torque","shape":"chirp","offset":2.0,"amplitude":1.0,"frequency_hz":1.0,
           "phase_rad":3.141592653589793,"frequency_end_hz":2000.0,"over_s":0.5})"},
      {"{stimulate: load_torque, shape: playback, amplitude: 1 Nm, table: {times: [0 s, 1 ms],"
       " values: [0, 2.5]}}",
       "stimulate",
       R"({"input":"load_torque","shape":"playback","amplitude":1.0,
           "table":{"times_s":[0.0,0.001],"values":[0.0,2.5]}})"},
      {"freeze:", "freeze", R"({"outputs":"hold"})"},
      {"freeze: safe", "freeze", R"({"outputs":"safe"})"},
      {"{freeze: declared, values: {current: 100 mA}}", "freeze",
       R"({"outputs":"declared","values":{"current":0.1}})"},
      {"step: 10", "step", R"({"frames":10})"},
      {"resume:", "resume", "{}"},
      {"save: 7", "save", R"({"slot":7})"},
      {"{restore: 2, parameters: true}", "restore", R"({"slot":2,"parameters":true})"},
      {"reset:", "reset", "{}"},
      {"mark: 3", "mark", R"({"label":3})"},
      {"{mark: 2, text: the load comes on}", "mark", R"({"label":2,"text":"the load comes on"})"},
      {"{mark: , text: Ü}", "mark", R"({"text":"Ü"})"},
      {"inject: bus.Command.missing", "inject", R"({"fault":"bus.Command.missing"})"},
      {"{inject: bus.Command.delayed, value: 20 ms}", "inject",
       R"({"fault":"bus.Command.delayed","value":0.02})"},
      {"clear: bus.Command.missing", "clear", R"({"fault":"bus.Command.missing"})"},
      {"acknowledge: hot", "acknowledge", R"({"alarm":"hot"})"},
  };
  for (const auto& [step, method, params] : rows) {
    const Change change = change_of(step);
    EXPECT_EQ(change.method, method) << step;
    const json::object expected = json::parse(params).as_object();
    ASSERT_EQ(change.params.size(), expected.size()) << step << json::serialize(change.params);
    for (const auto& [key, value] : expected) {
      ASSERT_TRUE(change.params.contains(key)) << step << key;
      if (value.is_double()) {
        EXPECT_DOUBLE_EQ(change.params.at(key).to_number<double>(), value.as_double()) << step;
      } else if (!value.is_object()) {
        EXPECT_EQ(change.params.at(key), value) << step;
      } else {
        EXPECT_EQ(json::serialize(change.params.at(key)), json::serialize(value)) << step;
      }
    }
  }
}

TEST(Parse, KeepsOrderNamesLinesAndTimes) {
  const Sequence s = parsed(
      "name: load step\n"
      "description: what for\n"
      "steps:\n"
      "  - wait: 500 ms\n"
      "  - name: heavier\n"
      "    at: 1.5 s\n"
      "    set: {ratio: 2}\n"
      "always:\n"
      "  - release: shaft_speed\n");
  EXPECT_EQ(s.name, "load step");
  EXPECT_EQ(s.description, "what for");
  ASSERT_EQ(s.steps.size(), 2U);
  EXPECT_EQ(s.steps[0].name, "wait 500 ms");
  EXPECT_EQ(s.steps[0].line, 4);
  EXPECT_EQ(std::get<Pause>(s.steps[0].what).length, 500_ms);
  EXPECT_EQ(s.steps[1].name, "heavier");
  EXPECT_EQ(s.steps[1].line, 5);
  EXPECT_EQ(s.steps[1].at, 1500_ms);
  ASSERT_EQ(s.always.size(), 1U);
  EXPECT_EQ(s.always[0].line, 9);
}

TEST(Parse, TheFileNamesASequenceWithoutAName) {
  const auto s = parse_text("steps: [{wait: 1 s}]", "tests/night.yaml", nullptr);
  ASSERT_TRUE(s);
  EXPECT_EQ(s->name, "night");
}

TEST(Parse, AConditionIsABandWithTimes) {
  const Sequence s = parsed(
      "timeout: 3 s\n"
      "steps:\n"
      "  - {expect: shaft_speed, is: 120 rad/s, within: 60 rpm, for: 200 ms, timeout: 1 s}\n"
      "  - {expect: 'state:current', min: 0 A, max: 2000 mA, for: 1 s}\n"
      "  - {wait until: 'state:speed', min: 100 rad/s}\n");
  ASSERT_EQ(s.steps.size(), 3U);
  const auto& near = std::get<Condition>(s.steps[0].what);
  EXPECT_DOUBLE_EQ(near.low, 120 - 6.283185307179586);
  EXPECT_DOUBLE_EQ(near.high, 120 + 6.283185307179586);
  EXPECT_EQ(near.hold, 200_ms);
  EXPECT_EQ(near.timeout, 1_s);
  EXPECT_EQ(near.unit, "rad/s");
  const auto& within = std::get<Condition>(s.steps[1].what);
  EXPECT_DOUBLE_EQ(within.low, 0);
  EXPECT_DOUBLE_EQ(within.high, 2);
  EXPECT_EQ(within.timeout, 1_s);  // from now on: no more time than it lasts
  const auto& reached = std::get<Condition>(s.steps[2].what);
  EXPECT_EQ(reached.signal, "state:speed");
  EXPECT_TRUE(std::isinf(reached.high));
  EXPECT_EQ(reached.timeout, 3_s);
  EXPECT_EQ(signals_of(s),
            (std::vector<std::string>{"shaft_speed", "state:current", "state:speed"}));
}

TEST(Parse, ARampIsOfAParameterInStepsOrOfAnInput) {
  const Sequence s = parsed(
      "steps:\n"
      "  - {ramp: ratio, from: 1, to: 3, over: 2 s, every: 100 ms}\n"
      "  - {ramp: load_torque, to: 60 mNm, over: 2 s}\n");
  ASSERT_EQ(s.steps.size(), 2U);
  const auto& parameter = std::get<Ramp>(s.steps[0].what);
  EXPECT_TRUE(parameter.parameter);
  EXPECT_EQ(parameter.from, 1.0);
  EXPECT_EQ(parameter.every, 100_ms);
  const auto& input = std::get<Ramp>(s.steps[1].what);
  EXPECT_FALSE(input.parameter);
  EXPECT_FALSE(input.from.has_value());
  EXPECT_DOUBLE_EQ(input.to, 0.06);
}

TEST(Parse, SeveralChangesAreOneTransaction) {
  const Sequence s = parsed(
      "steps:\n"
      "  - transaction:\n"
      "      - set: {ratio: 2}\n"
      "      - {fault: shaft_speed, kind: stuck, value: 0 rad/s, for: 5 ms}\n"
      "      - mark: 1\n");
  ASSERT_EQ(s.steps.size(), 1U);
  const auto& changes = std::get<Command>(s.steps[0].what).changes;
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes[1].method, "override");
  EXPECT_EQ(changes[1].lasts, 5_ms);
}

TEST(Parse, WithoutARunNamesAreTakenAsTheyAre) {
  const auto s = parse_text("steps: [{set: {whatever: 3 V}}, {expect: no_such, min: 1 bar}]",
                            "t.yaml", nullptr);
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->steps.size(), 2U);
}

}  // namespace
}  // namespace hild::sequence
