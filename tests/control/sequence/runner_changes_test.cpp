// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "control/sequence/parse.hpp"
#include "control/sequence/runner.hpp"
#include "control/sequence/scripted_bench.hpp"

namespace hild::sequence {
namespace {

Outcome run(ScriptedBench& bench, const std::string& text) {
  const Names names = bench_names();
  const auto sequence = parse_text(text, "t.yaml", &names);
  EXPECT_TRUE(sequence) << sequence.error().message;
  auto outcome = run_sequence(bench, *sequence, "speed");
  EXPECT_TRUE(outcome);
  if (!outcome) return {};
  EXPECT_EQ(outcome->verdict(), Verdict::passed);
  return std::move(*outcome);
}

double value_of(const ScriptedBench::Call& set, const char* name) {
  return set.params.at("values").at(name).to_number<double>();
}

// From 1 to 3 in 100 ms, set every 10 ms: eleven settings, each its own time's value on the line.
TEST(Changes, AParameterGoesUpItsRampAtItsOwnFrames) {
  ScriptedBench bench;
  run(bench, "steps: [{ramp: ratio, from: 1, to: 3, over: 100 ms, every: 10 ms}]\n");
  const auto sets = bench.calls_of("set");
  ASSERT_EQ(sets.size(), 11U);
  for (std::size_t k = 0; k < sets.size(); ++k) {
    EXPECT_EQ(sets[k].frame, sets[0].frame + 10 * std::int64_t(k));
    EXPECT_NEAR(value_of(sets[k], "ratio"), 1 + 0.2 * double(k), 1e-12);
  }
  EXPECT_EQ(value_of(sets.back(), "ratio"), 3);
}

// 25 ms do not divide into 10 ms: the last setting is at the end all the same.
TEST(Changes, ARampEndsWhereAndWhenItShould) {
  ScriptedBench bench;
  run(bench, "steps: [{ramp: ratio, from: 0, to: 1, over: 25 ms, every: 10 ms}]\n");
  const auto sets = bench.calls_of("set");
  ASSERT_EQ(sets.size(), 3U);
  EXPECT_NEAR(value_of(sets[1], "ratio"), 0.4, 1e-12);
  EXPECT_EQ(value_of(sets[2], "ratio"), 1);
  EXPECT_EQ(sets[2].frame - sets[0].frame, 25);
}

TEST(Changes, ARampWithoutAStartBeginsAtWhatIs) {
  ScriptedBench bench;
  bench.signal = [](const std::string& name, double) { return name == "ratio" ? 5 : 0; };
  run(bench, "steps: [{ramp: ratio, to: 6, over: 10 ms, every: 10 ms}]\n");
  const auto sets = bench.calls_of("set");
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(value_of(sets[0], "ratio"), 5);
}

// Not sent ahead of its time, as what can be planned for a step is.
TEST(Changes, ARecorderBeginsAndEndsAtItsTime) {
  ScriptedBench bench;
  run(bench, "steps: [{wait: 1 s}, {record: fast}, {wait: 2 s}, {unrecord: fast}, {record: }]\n");
  const auto begun = bench.calls_of("record");
  const auto ended = bench.calls_of("unrecord");
  ASSERT_EQ(begun.size(), 2U);
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(begun[0].params.at("recorder"), "fast");
  EXPECT_GE(begun[0].frame, 1000);
  EXPECT_GE(ended[0].frame, 3000);
  EXPECT_TRUE(begun[1].params.empty()) << "all of them";
  EXPECT_GE(bench.frame, begun[1].frame + 100) << "waited for";
}

TEST(Changes, ARecorderThatCannotBeginFailsItsStep) {
  ScriptedBench bench;
  bench.recorder_error = "fast.mcap: No space left on device";
  const Names names = bench_names();
  const auto sequence = parse_text("steps: [{record: fast}]\n", "t.yaml", &names);
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto outcome = run_sequence(bench, *sequence, "speed");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->verdict(), Verdict::failed);
  EXPECT_EQ(outcome->steps.at(0).message,
            "fast does not record: fast.mcap: No space left on device");
}

TEST(Changes, AnInputGoesUpItsRampByAStimulus) {
  ScriptedBench bench;
  const Outcome outcome = run(bench,
                              "steps:\n"
                              "  - {ramp: load_torque, from: 20 mNm, to: 60 mNm, over: 500 ms}\n"
                              "  - mark: 1\n");
  const auto stimuli = bench.calls_of("stimulate");
  ASSERT_EQ(stimuli.size(), 1U);
  const auto& params = stimuli[0].params;
  EXPECT_EQ(params.at("input"), "load_torque");
  EXPECT_EQ(params.at("shape"), "ramp");
  EXPECT_EQ(params.at("replace"), true);
  EXPECT_DOUBLE_EQ(params.at("offset").as_double(), 0.02);
  EXPECT_DOUBLE_EQ(params.at("amplitude").as_double(), 0.04);
  EXPECT_DOUBLE_EQ(params.at("over_s").as_double(), 0.5);
  EXPECT_EQ(bench.calls_of("mark")[0].frame - stimuli[0].frame, 500);
}

TEST(Changes, AFaultLastsAsManyFramesAsItsTimeHolds) {
  ScriptedBench bench;
  run(bench, "steps: [{fault: shaft_speed, kind: stuck, value: 0 rad/s, for: 20 ms}]\n");
  ASSERT_EQ(bench.calls.size(), 1U);
  EXPECT_EQ(bench.calls[0].params.at("frames"), 20);
}

TEST(Changes, ATransactionIsOneCall) {
  ScriptedBench bench;
  run(bench,
      "steps:\n"
      "  - transaction:\n"
      "      - set: {ratio: 2}\n"
      "      - {fault: current, kind: dropout, for: 1 ms}\n");
  ASSERT_EQ(bench.calls.size(), 1U);
  EXPECT_EQ(bench.calls[0].method, "transaction");
  EXPECT_EQ(bench.calls[0].params.at("changes"),
            boost::json::parse(R"([{"set":{"values":{"ratio":2.0}}},
              {"override":{"signal":"current","kind":"dropout","frames":1}}])"));
}

}  // namespace
}  // namespace hild::sequence
