// SPDX-License-Identifier: Apache-2.0
/// \file
/// What must hold beside other steps: looked at in every step of the run from the beginning of the
/// block to its end, and ends it where it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "control/sequence/parse.hpp"
#include "control/sequence/runner.hpp"
#include "control/sequence/scripted_bench.hpp"

namespace hild::sequence {
namespace {

using testing::HasSubstr;

class Meanwhile : public testing::Test {
 protected:
  ScriptedBench bench;
  Sequence sequence;
  Outcome outcome;

  void run(const std::string& text) {
    const Names names = bench_names();
    auto read = parse_text(text, "t.yaml", &names);
    ASSERT_TRUE(read) << read.error().message;
    sequence = std::move(*read);
    auto ran = run_sequence(bench, sequence, "speed");
    ASSERT_TRUE(ran) << ran.error().message;
    outcome = std::move(*ran);
  }
  /// The current is 5 A for one step, the one that ends so long after the start of the sequence.
  void spike_at(Duration after_start) {
    bench.signal = [after_start](const std::string& name, double t) {
      if (name != "output:current") return 0.0;
      const double start = 0.05;  // the bench begins with 50 samples
      return std::abs(t - start - seconds(after_start)) < 1e-9 ? 5.0 : 1.0;
    };
  }
  static std::string block(const std::string& more = {}) {
    return "steps:\n"
           "  - wait: 100 ms\n"
           "  - meanwhile: [{expect: 'output:current', max: 3 A" +
           more +
           "}]\n"
           "    steps:\n"
           "      - wait: 500 ms\n"
           "      - mark: 1\n"
           "  - wait: 100 ms\n";
  }
};

TEST_F(Meanwhile, PassesWhereItHoldsAllTheTime) {
  spike_at(10_s);
  run(block());
  ASSERT_EQ(outcome.steps.size(), 5U);
  EXPECT_EQ(outcome.verdict(), Verdict::passed);
  EXPECT_EQ(outcome.steps[3].step->name, "meanwhile expect output:current");
  EXPECT_EQ(outcome.steps[3].step->keyword, "meanwhile");
  EXPECT_EQ(outcome.steps[3].start, 100_ms);
  EXPECT_GE(outcome.steps[3].end, 600_ms);
  EXPECT_EQ(bench.subscribed, std::vector<std::string>{"output:current"});
}

// One step of a thousand.
TEST_F(Meanwhile, FailsAtTheStepInWhichItDoesNotAndEndsTheBlock) {
  spike_at(237_ms);
  run(block());
  EXPECT_EQ(outcome.verdict(), Verdict::failed);
  EXPECT_EQ(outcome.steps[0].verdict, Verdict::passed);
  EXPECT_EQ(outcome.steps[1].verdict, Verdict::skipped) << "the wait was ended";
  EXPECT_THAT(outcome.steps[1].message, HasSubstr("ended"));
  EXPECT_EQ(outcome.steps[2].verdict, Verdict::skipped);
  EXPECT_EQ(outcome.steps[3].verdict, Verdict::failed);
  EXPECT_EQ(outcome.steps[3].end, 237_ms);
  EXPECT_THAT(outcome.steps[3].message,
              HasSubstr("output:current was 5 A at 0.237 s, expected at most 3 A meanwhile"));
  EXPECT_EQ(outcome.steps[4].verdict, Verdict::skipped);
  EXPECT_TRUE(bench.calls_of("mark").empty());
}

// A planned change is sent a quarter of a second ahead.
TEST_F(Meanwhile, AChangeThatIsUnderWayIsMadeAllTheSame) {
  spike_at(590_ms);
  run(block());
  EXPECT_EQ(bench.calls_of("mark").size(), 1U);
  EXPECT_EQ(outcome.steps[3].verdict, Verdict::failed);
  EXPECT_EQ(outcome.steps[3].end, 590_ms);
  EXPECT_EQ(outcome.steps[4].verdict, Verdict::skipped);
}

TEST_F(Meanwhile, TheStepThatEndsWhereTheBlockBeginsDoesNotCount) {
  spike_at(100_ms);
  run(block());
  EXPECT_EQ(outcome.verdict(), Verdict::passed);
}

TEST_F(Meanwhile, TheFirstStepOfTheBlockCounts) {
  spike_at(101_ms);
  run(block());
  EXPECT_EQ(outcome.verdict(), Verdict::failed);
}

TEST_F(Meanwhile, WhatComesBehindTheBlockDoesNotCount) {
  spike_at(650_ms);
  run(block());
  EXPECT_EQ(outcome.verdict(), Verdict::passed);
}

TEST_F(Meanwhile, LooksFromALaterTimeOnWhereItIsTo) {
  spike_at(150_ms);
  run(block(", after: 50 ms"));
  EXPECT_EQ(outcome.verdict(), Verdict::passed);
}

TEST_F(Meanwhile, EndsACondition) {
  spike_at(300_ms);
  run("steps:\n"
      "  - meanwhile: [{expect: 'output:current', max: 3 A}]\n"
      "    steps:\n"
      "      - wait until: shaft_speed\n"
      "        min: 100 rad/s\n"
      "        timeout: 20 s\n"
      "always: [{mark: 9}]\n");
  EXPECT_EQ(outcome.steps[0].verdict, Verdict::skipped);
  EXPECT_EQ(outcome.steps[1].verdict, Verdict::failed);
  EXPECT_EQ(outcome.always[0].verdict, Verdict::passed) << "and what always runs does";
}

TEST_F(Meanwhile, IsSkippedWhereTheBlockFailsByItself) {
  spike_at(10_s);
  run("steps:\n"
      "  - meanwhile: [{expect: 'output:current', max: 3 A}]\n"
      "    steps:\n"
      "      - expect: shaft_speed\n"
      "        min: 100 rad/s\n");
  EXPECT_EQ(outcome.steps[0].verdict, Verdict::failed);
  EXPECT_EQ(outcome.steps[1].verdict, Verdict::skipped);
}

TEST_F(Meanwhile, IsRefusedWhereItIsNoCondition) {
  const Names names = bench_names();
  const auto refused = [&](const std::string& entry) {
    const auto read = parse_text("steps:\n  - meanwhile: [" + entry + "]\n    steps: [{mark: 1}]\n",
                                 "t.yaml", &names);
    return read ? "" : read.error().message;
  };
  EXPECT_THAT(refused("{mark: 1}"), HasSubstr("t.yaml:2: steps[1].meanwhile[1]: found a map"));
  EXPECT_THAT(refused("{expect: shaft_speed}"), HasSubstr("found nothing to compare with"));
  EXPECT_THAT(refused("{expect: shaft_sped, max: 1 rad/s}"), HasSubstr("\"shaft_speed\"?"));
  EXPECT_THAT(refused("{expect: shaft_speed, max: 1 V}"), HasSubstr("meanwhile[1].max"));
  EXPECT_THAT(refused("{expect: shaft_speed, max: 1 rad/s, for: 1 s}"),
              HasSubstr("meanwhile[1].for: found an unknown key"));
}

}  // namespace
}  // namespace hild::sequence
