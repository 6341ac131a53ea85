// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "control/sequence/parse.hpp"
#include "control/sequence/scripted_bench.hpp"

namespace hild::sequence {
namespace {

using testing::HasSubstr;

class Run : public testing::Test {
 protected:
  ScriptedBench bench;
  Sequence sequence;
  Outcome outcome;
  std::vector<std::string> lines;  ///< as they were told

  void run(const std::string& text) {
    const Names names = bench_names();
    auto read = parse_text(text, "t.yaml", &names);
    ASSERT_TRUE(read) << read.error().message;
    sequence = std::move(*read);
    auto ran = run_sequence(bench, sequence, "speed",
                            [&](const StepOutcome& o) { lines.push_back(line_of(o)); });
    ASSERT_TRUE(ran) << ran.error().message;
    outcome = std::move(*ran);
  }
  [[nodiscard]] std::int64_t origin_frame() const { return outcome.origin.ns / 1'000'000; }
};

TEST_F(Run, ChangesTakeEffectAtTheFrameTheyArePlannedFor) {
  run("steps:\n"
      "  - at: 500 ms\n"
      "    set: {ratio: 2}\n"
      "  - wait: 250 ms\n"
      "  - mark: 1\n"
      "  - {mark: 2, at: 1 s}\n");
  ASSERT_EQ(bench.calls.size(), 3U);
  EXPECT_EQ(bench.calls[0].frame - origin_frame(), 500);
  EXPECT_EQ(bench.calls[1].frame - origin_frame(), 750);
  EXPECT_EQ(bench.calls[2].frame - origin_frame(), 1000);
  EXPECT_EQ(outcome.verdict(), Verdict::passed);
  EXPECT_EQ(outcome.steps[3].end, 1_s);
  EXPECT_TRUE(outcome.steps[3].message.empty());
  EXPECT_TRUE(bench.unsubscribed);
}

TEST_F(Run, SaysWhenAPlannedChangeCameLate) {
  bench.latency = 400;
  run("steps:\n"
      "  - wait: 100 ms\n"
      "  - mark: 1\n");
  EXPECT_EQ(outcome.verdict(), Verdict::passed);
  EXPECT_THAT(outcome.steps[1].message, HasSubstr("late"));
}

TEST_F(Run, TheLastWaitIsWaitedFor) {
  run("steps: [{wait: 2 s}]\n");
  EXPECT_GE(bench.frame - origin_frame(), 2000);
}

TEST_F(Run, AMomentThatHasPassedFailsTheStep) {
  run("steps:\n"
      "  - wait: 2 s\n"
      "  - {mark: 1, at: 1 s}\n"
      "  - mark: 2\n");
  EXPECT_EQ(outcome.steps[1].verdict, Verdict::failed);
  EXPECT_THAT(outcome.steps[1].message, HasSubstr("it is 2 s already"));
  EXPECT_EQ(outcome.steps[2].verdict, Verdict::skipped);
  EXPECT_TRUE(bench.calls.empty());
}

// A lag of 100 ms from a step at frame n: after k frames 1 - exp(-k / 100). In the band above 0.95
// from k = 300 on (exp(-2.9957) = 0.05: k = 299.57), so that 50 ms of it are over at k = 349.
TEST_F(Run, ExpectsTheExactStepAtWhichALagHasSettled) {
  double start = INFINITY;
  bench.took_effect = [&](const auto& call) { start = 1e-3 * double(call.frame); };
  bench.signal = [&](const std::string&, double t) {
    return t < start ? 0 : 1 - std::exp(-(t - start) / 0.1);
  };
  run("steps:\n"
      "  - set: {ratio: 1}\n"
      "  - {expect: 'state:current', is: 1 A, within: 0.05 A, for: 50 ms, timeout: 349 ms}\n"
      "  - {expect: 'state:current', min: 0.95 A, max: 1 A, for: 1 s}\n");
  EXPECT_EQ(outcome.verdict(), Verdict::passed) << outcome.steps[1].message;
  EXPECT_EQ(outcome.steps[1].start, outcome.steps[0].end);
  EXPECT_EQ(outcome.steps[1].end - outcome.steps[1].start, 349_ms);
  EXPECT_EQ(outcome.steps[2].end - outcome.steps[2].start, 1_s);
}

TEST_F(Run, FailsByOneFrameToo) {
  double start = INFINITY;
  bench.took_effect = [&](const auto& call) { start = 1e-3 * double(call.frame); };
  bench.signal = [&](const std::string&, double t) {
    return t < start ? 0 : 1 - std::exp(-(t - start) / 0.1);
  };
  run("steps:\n"
      "  - set: {ratio: 1}\n"
      "  - {expect: 'state:current', is: 1 A, within: 0.05 A, for: 50 ms, timeout: 348 ms}\n"
      "  - mark: 1\n"
      "always:\n"
      "  - release: shaft_speed\n"
      "  - quiet: load_torque\n");
  EXPECT_EQ(outcome.steps[1].verdict, Verdict::failed);
  EXPECT_THAT(outcome.steps[1].message, HasSubstr("state:current was 0.949"));
  EXPECT_EQ(outcome.steps[2].verdict, Verdict::skipped);
  EXPECT_EQ(outcome.always[0].verdict, Verdict::passed);
  EXPECT_EQ(outcome.always[1].verdict, Verdict::passed);
  EXPECT_TRUE(bench.calls_of("mark").empty());
  EXPECT_EQ(bench.calls_of("quiet").size(), 1U);
  EXPECT_EQ(outcome.verdict(), Verdict::failed);
  EXPECT_EQ(lines.size(), 5U);
}

TEST_F(Run, WaitsUntilAndGoesOnFromThatStep) {
  bench.signal = [](const std::string&, double t) { return t >= 0.7 ? 5 : 0; };
  run("steps:\n"
      "  - {wait until: 'state:current', min: 5 A, timeout: 2 s}\n"
      "  - wait: 300 ms\n"
      "  - mark: 1\n");
  ASSERT_EQ(bench.calls.size(), 1U);
  EXPECT_EQ(bench.calls[0].frame, 1000);
}

TEST_F(Run, WaitingInVainFails) {
  run("timeout: 1 s\n"
      "steps: [{wait until: 'state:current', min: 5 A}]\n");
  EXPECT_EQ(outcome.verdict(), Verdict::failed);
  EXPECT_EQ(outcome.steps[0].end, 1_s);
}

TEST_F(Run, SeveralSignalsAreToldApart) {
  bench.signal = [](const std::string& name, double) { return name == "state:current" ? 3 : 7; };
  run("steps:\n"
      "  - {expect: shaft_speed, min: 7 rad/s}\n"
      "  - {expect: 'state:current', max: 3 A}\n");
  EXPECT_EQ(outcome.verdict(), Verdict::passed);
  EXPECT_EQ(bench.subscribed, (std::vector<std::string>{"shaft_speed", "state:current"}));
}

TEST_F(Run, LostSamplesProveNothing) {
  bench.lost_before[75] = 3;
  run("steps: [{expect: 'state:current', min: 0 A, for: 200 ms}]\n");
  EXPECT_EQ(outcome.verdict(), Verdict::failed);
  EXPECT_THAT(outcome.steps[0].message, HasSubstr("samples were lost"));
}

TEST_F(Run, ARefusedChangeStopsWithItsWordsAndCleansUp) {
  bench.refuse = [](const std::string& method) -> std::optional<Failure> {
    if (method != "set") return std::nullopt;
    return Failure{Failure::Kind::refused, "out of limits"};
  };
  run("steps:\n"
      "  - set: {ratio: -1}\n"
      "  - mark: 1\n"
      "always:\n"
      "  - set: {ratio: 1}\n"
      "  - release: shaft_speed\n");
  EXPECT_EQ(outcome.steps[0].verdict, Verdict::error);
  EXPECT_EQ(outcome.steps[0].message, "out of limits");
  EXPECT_EQ(outcome.failure, Failure::Kind::refused);
  EXPECT_EQ(outcome.always[0].verdict, Verdict::error);
  EXPECT_EQ(outcome.always[1].verdict, Verdict::passed);
  EXPECT_EQ(outcome.verdict(), Verdict::error);
}

TEST_F(Run, TimeThatStandsStillIsAnError) {
  bench.stands_still_at = 300;
  run("steps: [{wait: 1 s}]\nalways: [{resume: }]\n");
  EXPECT_EQ(outcome.steps[0].verdict, Verdict::error);
  EXPECT_EQ(outcome.failure, Failure::Kind::stalled);
  EXPECT_EQ(outcome.steps[0].end, 250_ms);  // from 50 to 300: it got no further
  EXPECT_EQ(bench.calls_of("resume").size(), 1U);
}

TEST_F(Run, NobodyIsAskedOnceTheConnectionIsLost) {
  bench.stands_still_at = 300;
  bench.why_still = Failure::Kind::lost;
  run("steps: [{wait: 1 s}]\nalways: [{resume: }]\n");
  EXPECT_EQ(outcome.always[0].verdict, Verdict::skipped);
  EXPECT_TRUE(bench.calls.empty());
  EXPECT_FALSE(bench.unsubscribed);
}

TEST_F(Run, WithoutASubscriptionThereIsNothing) {
  bench.refuse = [](const std::string& method) -> std::optional<Failure> {
    if (method != "subscribe") return std::nullopt;
    return Failure{Failure::Kind::refused, "no such signal"};
  };
  const auto read = parse_text("steps: [{wait: 1 s}]", "t.yaml", nullptr);
  const auto ran = run_sequence(bench, *read, "speed");
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().message, "no such signal");
}

}  // namespace
}  // namespace hild::sequence
