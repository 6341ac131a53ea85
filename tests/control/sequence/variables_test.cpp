// SPDX-License-Identifier: Apache-2.0
/// \file
/// Variables, repetitions and sweeps: what a file becomes with them, and what is refused.
#include "control/sequence/variables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/sequence/parse.hpp"
#include "control/sequence/scripted_bench.hpp"

namespace hild::sequence {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Sequence sequence_of(const std::string& text, const std::vector<Let>& given = {}) {
  const Names names = bench_names();
  auto read = parse_text(text, "t.yaml", &names, given);
  EXPECT_TRUE(read) << read.error().message;
  return read ? std::move(*read) : Sequence{};
}

std::string refusal_of(const std::string& text, const std::vector<Let>& given = {}) {
  const Names names = bench_names();
  const auto read = parse_text(text, "t.yaml", &names, given);
  EXPECT_FALSE(read);
  return read ? "" : read.error().message;
}

std::vector<std::string> names_of_steps(const std::vector<Step>& steps) {
  std::vector<std::string> all;
  all.reserve(steps.size());
  for (const Step& step : steps) all.push_back(step.name);
  return all;
}

double inertia_in(const Step& step) {
  const auto& change = std::get<Command>(step.what).changes.front();
  return change.params.at("values").at("inertia").to_number<double>();
}

TEST(Variables, StandWhereverAValueDoes) {
  const Sequence s = sequence_of(
      "name: at $level\n"
      "let: {level: 0.4 g m2, pause: 250 ms, signal: shaft_speed, double: '${level}'}\n"
      "timeout: $pause\n"
      "steps:\n"
      "  - set: {inertia: $level}\n"
      "  - wait: $pause\n"
      "  - expect: $signal\n"
      "    min: 1 rad/s\n"
      "  - transaction: [{set: {inertia: $double}}, {mark: 3}]\n"
      "  - name: costs $$3, ${pause}s long\n"
      "    wait until: shaft_speed\n"
      "    min: 1 rad/s\n");
  EXPECT_EQ(s.name, "at 0.4 g m2");
  EXPECT_DOUBLE_EQ(inertia_in(s.steps[0]), 4e-4) << "in the parameter's unit";
  EXPECT_EQ(std::get<Pause>(s.steps[1].what).length, 250_ms);
  EXPECT_EQ(std::get<Condition>(s.steps[2].what).signal, "shaft_speed");
  EXPECT_DOUBLE_EQ(inertia_in(s.steps[3]), 4e-4);
  EXPECT_EQ(s.steps[4].name, "costs $3, 250 mss long");
  EXPECT_EQ(std::get<Condition>(s.steps[4].what).timeout, 250_ms);
}

TEST(Variables, WhatIsGivenStandsInPlaceOfTheFilesValue) {
  const std::string text =
      "let: {level: 1 g m2, other: $level}\nsteps: [{set: {inertia: $other}}]\n";
  EXPECT_DOUBLE_EQ(inertia_in(sequence_of(text).steps[0]), 1e-3);
  EXPECT_DOUBLE_EQ(inertia_in(sequence_of(text, {{"level", "2 g m2"}}).steps[0]), 2e-3);
  EXPECT_DOUBLE_EQ(inertia_in(sequence_of(text, {{"other", "3 g m2"}}).steps[0]), 3e-3);
}

TEST(Variables, AreRefusedWithTheirPlace) {
  EXPECT_THAT(refusal_of("let: {level: 1 V}\nsteps:\n  - set: {inertia: $levle}\n"),
              AllOf(HasSubstr("t.yaml:3: steps[1].set.inertia: found \"$levle\""),
                    HasSubstr("did you mean \"level\"?")));
  EXPECT_THAT(refusal_of("steps:\n  - wait: $x\n"), HasSubstr("the file has none (`let`)"));
  EXPECT_THAT(refusal_of("let: {level: 1 V}\nsteps:\n  - set: {inertia: $level}\n"),
              HasSubstr("t.yaml:3: steps[1].set.inertia: found \"1 V\""))
      << "the unit is that of where it stands";
  EXPECT_THAT(refusal_of("let: {a: 1}\nsteps: [{wait: '$'}]\n"), HasSubstr("a dollar sign is $$"));
  EXPECT_THAT(refusal_of("let: {a: 1}\nsteps: [{wait: '${a'}]\n"), HasSubstr("${load}"));
  EXPECT_THAT(refusal_of("let: {9a: 1}\nsteps: [{wait: 1 s}]\n"),
              HasSubstr("t.yaml:1: let.9a: expected the name of a variable"));
  EXPECT_THAT(refusal_of("let: {a: [1]}\nsteps: [{wait: 1 s}]\n"),
              HasSubstr("let.a: found a list, expected a value"));
  EXPECT_THAT(refusal_of("let: {b: $a, a: 1}\nsteps: [{wait: 1 s}]\n"), HasSubstr("\"$a\""))
      << "only those before it";
  EXPECT_THAT(refusal_of("let: {load: 1}\nsteps: [{wait: 1 s}]\n", {{"laod", "2"}}),
              AllOf(HasSubstr("--let laod: t.yaml has no such variable"),
                    HasSubstr("did you mean \"load\"?")));
  for (const char* text : {"load", "=1", "load=", "9=1"}) {
    EXPECT_FALSE(read_given(text)) << text;
  }
  EXPECT_EQ(read_given("load=a=b")->value, "a=b");
}

TEST(Repeated, StepsAreTakenSoOften) {
  const Sequence s = sequence_of(
      "let: {times: 2}\n"
      "steps:\n"
      "  - repeat: $times\n"
      "    steps:\n"
      "      - mark: 1\n"
      "      - repeat: 2\n"
      "        steps: [{wait: 10 ms}]\n"
      "  - mark: 2\n");
  EXPECT_THAT(
      names_of_steps(s.steps),
      ElementsAre("mark 1 (1 of 2)", "wait 10 ms (1 of 2) (1 of 2)", "wait 10 ms (2 of 2) (1 of 2)",
                  "mark 1 (2 of 2)", "wait 10 ms (1 of 2) (2 of 2)", "wait 10 ms (2 of 2) (2 of 2)",
                  "mark 2"));
  EXPECT_EQ(s.steps[0].line, 5);
}

TEST(Repeated, ForEachValueOfVariables) {
  const Sequence s = sequence_of(
      "let: {unit: g m2}\n"
      "steps:\n"
      "  - for each: {level: ['1 ${unit}', 2 g m2], label: [5, 6]}\n"
      "    steps:\n"
      "      - set: {inertia: $level}\n"
      "      - mark: $label\n");
  ASSERT_EQ(s.steps.size(), 8U);
  EXPECT_EQ(s.steps[0].name, "set inertia 1 g m2 (level = 1 g m2, label = 5)");
  EXPECT_EQ(s.steps[3].name, "mark 6 (level = 1 g m2, label = 6)");
  EXPECT_DOUBLE_EQ(inertia_in(s.steps[4]), 2e-3);
}

// 1, 1.5, 2 ... with both ends, in the unit of the first; 3000 mg m2 are 3 g m2.
TEST(Repeated, ARangeHasBothEnds) {
  const Sequence s = sequence_of(
      "steps:\n"
      "  - for each: {level: {from: 1 g m2, to: 3000 mg m2, steps: 5}}\n"
      "    steps: [{set: {inertia: $level}}]\n");
  ASSERT_EQ(s.steps.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_DOUBLE_EQ(inertia_in(s.steps[i]), 1e-3 * (1 + 0.5 * static_cast<double>(i)));
  }
}

TEST(Repeated, IsBoundedAndHasNoFixedTimes) {
  EXPECT_THAT(refusal_of("steps:\n  - repeat: 10000\n    steps: [{mark: 1}, {mark: 2}]\n"),
              HasSubstr("more than 10000 steps"));
  EXPECT_THAT(refusal_of("steps:\n  - repeat: 200\n    steps:\n      - repeat: 200\n        steps: "
                         "[{mark: 1}]\n"),
              HasSubstr("t.yaml:5: steps[1].steps[1].steps[1]"));
  EXPECT_THAT(refusal_of("steps:\n  - repeat: 0\n    steps: [{mark: 1}]\n"),
              HasSubstr("t.yaml:2: steps[1].repeat: found \"0\""));
  EXPECT_THAT(refusal_of("steps:\n  - repeat: 2\n    steps: [{mark: 1, at: 1 s}]\n"),
              HasSubstr("steps[1].steps[1].at: what is repeated has no fixed time"));
  EXPECT_THAT(refusal_of("steps:\n  - repeat: 2\n"), HasSubstr("a block without \"steps\""));
  EXPECT_THAT(refusal_of("steps:\n  - repeat: 2\n    for each: {a: [1]}\n    steps: [{mark: 1}]\n"),
              HasSubstr("expected one of them a block"));
  EXPECT_THAT(refusal_of("steps:\n  - repaet: 2\n    steps: [{mark: 1}]\n"),
              HasSubstr("did you mean \"repeat\"?"));
  EXPECT_THAT(refusal_of("let: {a: 1}\nsteps:\n  - for each: {a: [1]}\n    steps: [{mark: 1}]\n"),
              HasSubstr("there is a variable \"a\" already"));
  EXPECT_THAT(refusal_of("steps:\n  - for each: {a: []}\n    steps: [{mark: 1}]\n"),
              HasSubstr("expected values, such as"));
  EXPECT_THAT(refusal_of("steps:\n  - for each: {a: {from: 1 V, to: 2 s, steps: 3}}\n    steps: "
                         "[{mark: 1}]\n"),
              HasSubstr("for each.a.to"));
  std::string deep = "{mark: 1}";
  for (int n = 0; n < 9; ++n) deep.insert(0, "{repeat: 1, steps: [").append("]}");
  EXPECT_THAT(refusal_of("steps: [" + deep + "]\n"), HasSubstr("no more than 8 blocks"));
}

TEST(Swept, VariablesAreToldWithTheirValues) {
  const std::string text =
      "let: {base: 1}\n"
      "sweep: {load: [$base Nm, 2 Nm], inertia: {from: 1 g m2, to: 2 g m2, steps: 3}}\n"
      "steps: [{set: {inertia: $inertia}}, {stimulate: load_torque, shape: step, amplitude: "
      "$load}]\n";
  const auto axes = sweep_of_text(text, "t.yaml", {});
  ASSERT_TRUE(axes) << axes.error().message;
  ASSERT_THAT(*axes, SizeIs(2));
  EXPECT_THAT((*axes)[0].values, ElementsAre("1 Nm", "2 Nm"));
  EXPECT_THAT((*axes)[1].values, ElementsAre("1 g m2", "1.5 g m2", "2 g m2"));
  const auto all = combinations(*axes);
  ASSERT_THAT(all, SizeIs(6));
  EXPECT_EQ(all[1][0].value, "1 Nm");
  EXPECT_EQ(all[1][1].value, "1.5 g m2") << "the last first";
  const auto rest = sweep_of_text(text, "t.yaml", {{"load", "7 Nm"}});
  ASSERT_THAT(*rest, SizeIs(1));
  EXPECT_EQ((*rest)[0].name, "inertia");
  // A run has one of each.
  EXPECT_THAT(refusal_of(text), AllOf(HasSubstr("t.yaml:2: sweep.load: found 2 values"),
                                      HasSubstr("--let load=1 Nm")));
  const Sequence one = sequence_of(text, {{"load", "7 Nm"}, {"inertia", "2 g m2"}});
  EXPECT_DOUBLE_EQ(inertia_in(one.steps[0]), 2e-3);
  ASSERT_THAT(one.swept, SizeIs(2));
  EXPECT_EQ(one.swept[0].value, "7 Nm");
}

TEST(Swept, CombinationsAreBounded) {
  EXPECT_THAT(refusal_of("sweep: {a: {from: 1, to: 2, steps: 101}, b: {from: 1, to: 2, steps: "
                         "100}}\nsteps: [{mark: 1}]\n"),
              HasSubstr("more than 10000 combinations"));
  EXPECT_THAT(refusal_of("sweep: {a: 1}\nsteps: [{mark: 1}]\n"), HasSubstr("sweep.a: found"));
  EXPECT_THAT(combinations({}), ElementsAre(IsEmpty()));
}

}  // namespace
}  // namespace hild::sequence
