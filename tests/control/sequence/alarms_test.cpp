// SPDX-License-Identifier: Apache-2.0
/// \file
/// What sequences expect of alarms, which are sampled as signals are: 2 active, 1 open, 0 clear.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/sequence/parse.hpp"
#include "control/sequence/runner.hpp"
#include "control/sequence/scripted_bench.hpp"

namespace hild::sequence {
namespace {

using testing::HasSubstr;

/// The alarm `hot` is clear at first, active from 0.1 s after the start of the sequence on, over
/// from 0.3 s on, and acknowledged by a step.
class AlarmsExpected : public testing::Test {
 protected:
  AlarmsExpected() {
    bench.signal = [this](const std::string& name, double t) {
      EXPECT_EQ(name, "alarm:hot");
      const double since = t - 0.05 + 1e-9;  // the bench begins with 50 samples
      return since < 0.1 ? 0.0 : since < 0.3 ? 2.0 : acknowledged ? 0.0 : 1.0;
    };
    bench.took_effect = [this](const ScriptedBench::Call& call) {
      acknowledged = acknowledged || call.method == "acknowledge";
    };
  }
  void run(const std::string& steps) {
    const Names names = bench_names();
    auto read = parse_text("steps:\n" + steps, "t.yaml", &names);
    ASSERT_TRUE(read) << read.error().message;
    sequence = std::move(*read);
    auto ran = run_sequence(bench, sequence, "speed");
    ASSERT_TRUE(ran) << ran.error().message;
    outcome = std::move(*ran);
  }
  [[nodiscard]] std::string message() const { return outcome.steps.back().message; }

  ScriptedBench bench;
  bool acknowledged = false;
  Sequence sequence;
  Outcome outcome;
};

TEST_F(AlarmsExpected, PassWhereTheyAreAsExpected) {
  run("  - {expect: alarm:hot, is: clear}\n"
      "  - {wait until: alarm:hot, is: open, timeout: 1 s}\n"
      "  - {expect: alarm:hot, is: active, for: 50 ms}\n"
      "  - {expect: alarm:hot, is: open, for: 200 ms}\n"
      "  - acknowledge: hot\n"
      "  - {expect: alarm:hot, is: clear, for: 100 ms}\n");
  for (const StepOutcome& one : outcome.steps) {
    EXPECT_EQ(one.verdict, Verdict::passed) << line_of(one);
  }
  EXPECT_EQ(outcome.steps[1].end, 100_ms) << "one that is active is open";
  EXPECT_EQ(bench.subscribed, std::vector<std::string>{"alarm:hot"});
}

TEST_F(AlarmsExpected, FailWhereOneIsNotActiveInTime) {
  run("  - {expect: alarm:hot, is: active, timeout: 50 ms}\n");
  EXPECT_EQ(outcome.verdict(), Verdict::failed);
  EXPECT_THAT(message(), HasSubstr("alarm:hot was clear at 0.05 s, expected active within 0.05 s"));
}

TEST_F(AlarmsExpected, FailWhereOneIsOverButNotAcknowledged) {
  run("  - wait: 250 ms\n"
      "  - {expect: alarm:hot, is: clear, timeout: 100 ms}\n");
  EXPECT_EQ(outcome.verdict(), Verdict::failed);
  EXPECT_THAT(message(), HasSubstr("alarm:hot was open at 0.35 s (open ... active in 0.1 s), "
                                   "expected clear within 0.1 s"));
  bench.frame = 0;
  run("  - wait: 350 ms\n"
      "  - {expect: alarm:hot, is: active}\n");
  EXPECT_THAT(message(), HasSubstr("alarm:hot was open at 0.351 s, expected active"));
}

TEST_F(AlarmsExpected, EndABlockInTheStepInWhichOneBecomesActive) {
  run("  - meanwhile: [{expect: alarm:hot, is: clear}]\n"
      "    steps: [{wait: 1 s}]\n");
  ASSERT_EQ(outcome.steps.size(), 2U);
  EXPECT_EQ(outcome.steps[0].verdict, Verdict::skipped);
  EXPECT_EQ(outcome.steps[1].verdict, Verdict::failed);
  EXPECT_EQ(message(), "alarm:hot was active at 0.1 s, expected clear meanwhile");
}

TEST(ParseAlarms, AreNamedWithTheirPrefixAndHaveNoBand) {
  const Names names = bench_names();
  const auto refused = [&](const std::string& step) {
    const auto read = parse_text("steps: [" + step + "]\n", "t.yaml", &names);
    EXPECT_FALSE(read) << step;
    return read ? "" : read.error().message;
  };
  EXPECT_THAT(refused("{expect: alarm:hto, is: open}"),
              HasSubstr("expect: found \"alarm:hto\", expected the name of an alarm (did you mean "
                        "\"hot\"?)"));
  EXPECT_THAT(refused("{expect: hot, is: open}"), HasSubstr("steps[1].expect: found \"hot\""));
  EXPECT_THAT(
      refused("{expect: alarm:hot, is: loud}"),
      ::testing::AllOf(HasSubstr("steps[1].is: "), HasSubstr(R"("clear", "open", "active")")));
  EXPECT_THAT(refused("{expect: alarm:hot}"), HasSubstr("is"));
  EXPECT_THAT(refused("{expect: alarm:hot, is: open, max: 3}"),
              HasSubstr("steps[1].max: found an unknown key"));
  EXPECT_THAT(refused("{expect: alarm:hot, is: open, within: 2 s}"),
              HasSubstr("steps[1].within: found an unknown key"));
  EXPECT_TRUE(parse_text("steps: [{expect: alarm:any, is: open}]\n", "t.yaml", nullptr));
}

}  // namespace
}  // namespace hild::sequence
