// SPDX-License-Identifier: Apache-2.0
/// \file
/// Test sequences of offline runs: in lock-step with the loop, so that nothing depends on how fast
/// the machine is; one run, and a run for each combination of a sweep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

/// A coil whose current decays: a step of Euler on L di/dt = -R i multiplies it by 1 - h R / L.
/// With h = 10 ms, R = 1 ohm and L = 1 H, i after n steps is 0.99^n A; it is below 0.5 A from n =
/// 69 on (ln 0.5 / ln 0.99 = 68.97).
class OfflineSequences : public ::testing::Test {
 protected:
  Ended run(const std::string& sequence, std::vector<std::string> more = {}) {
    std::vector<std::string> all{"run", file_, "--offline", "--sequence",
                                 folder_.file("sequence.yaml", sequence)};
    all.insert(all.end(), more.begin(), more.end());
    return hild(std::move(all));
  }
  static json::value outcome_of(const Ended& ended) {
    return json::parse(ended.out.empty() ? "{}" : ended.out);
  }

  Folder folder_;
  std::string file_ = folder_.file(
      "coil.yaml",
      "frame: {period: 10 ms}\n"
      "model: {type: dc-motor, initial: {current: 1 A}, parameters: {resistance: 1 ohm, "
      "inductance: 1 H, constant: 0 Nm/A}}\n"
      "integrator: {method: forward-euler}\n"
      "devices: {rig: {driver: sim}}\n"
      "inputs: {armature_voltage: {device: rig, channel: 0}}\n");
  const std::string decays_ =
      "steps:\n"
      "  - wait until: 'state:current'\n"
      "    max: 0.5 A\n"
      "  - name: halved\n"
      "    expect: 'state:current'\n"
      "    min: 0.4 A\n";
};

// The sequence begins with the end of the first step; n = 69 is 680 ms later, and the expectation
// is of the step behind it.
TEST_F(OfflineSequences, AConditionIsMetInTheStepThatTheModelSays) {
  const Ended ended = run(decays_, {"--json"});
  ASSERT_EQ(ended.code, 0) << ended.err << ended.out;
  const json::value outcome = outcome_of(ended);
  EXPECT_EQ(outcome.at("result"), "passed");
  EXPECT_DOUBLE_EQ(outcome.at_pointer("/steps/0/end_s").to_number<double>(), 0.68);
  EXPECT_DOUBLE_EQ(outcome.at_pointer("/steps/1/end_s").to_number<double>(), 0.69);
}

TEST_F(OfflineSequences, IsTheSameEachTimeAndIsReplayed) {
  const std::string log = folder_.path("run.mcap");
  const std::string text =
      "let: {level: 2 ohm}\n"
      "steps:\n"
      "  - set: {resistance: $level}\n"
      "  - wait until: 'state:current'\n"
      "    max: 0.3 A\n"
      "  - ramp: resistance\n"
      "    to: 4 ohm\n"
      "    over: 200 ms\n"
      "  - wait: 300 ms\n"
      "  - set: {resistance: 1 ohm}\n"
      "  - wait: 100 ms\n";
  std::vector<std::string> outcomes;
  for (int n = 0; n < 3; ++n) {
    const Ended ended = run(text, {"--json", "--set", "record={file: " + log + ", replace: true}"});
    ASSERT_EQ(ended.code, 0) << ended.err << ended.out;
    outcomes.push_back(ended.out);
  }
  EXPECT_EQ(outcomes[0], outcomes[1]);
  EXPECT_EQ(outcomes[0], outcomes[2]);
  const Ended replayed = hild({"replay", log});
  EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
}

TEST_F(OfflineSequences, WhatItsMarksAreCalledIsInTheRecording) {
  const std::string log = folder_.path("run.mcap");
  const Ended ended =
      run("steps:\n"
          "  - {mark: 7, at: 200 ms, text: the load comes on}\n"
          "  - {mark: 8, at: 300 ms}\n"
          "  - wait: 100 ms\n",
          {"--json", "--set", "record={file: " + log + "}"});
  ASSERT_EQ(ended.code, 0) << ended.err << ended.out;
  // The sequence begins with the end of the first step.
  const Ended told = hild({"log", log});
  EXPECT_THAT(told.out, HasSubstr(" 0.210000 s: 7, the load comes on\n 0.310000 s: 8\n"));
  const json::value read = json::parse(hild({"log", log, "--json"}).out);
  EXPECT_EQ(read.at("mark_list"),
            json::parse(R"([{"frame": 21, "t_s": 0.21, "label": 7, "text": "the load comes on"},
                      {"frame": 31, "t_s": 0.31, "label": 8}])"));
}

TEST_F(OfflineSequences, AnExpectationThatIsNotMetEndsTheRunWithSix) {
  const std::string report = folder_.path("report.json");
  const std::string junit = folder_.path("junit.xml");
  const Ended ended =
      run("let: {most: 0.7 A}\n"
          "steps:\n"
          "  - meanwhile: [{expect: 'state:current', min: $most, name: not too small}]\n"
          "    steps: [{wait: 2 s}]\n"
          "always: [{mark: 1}]\n",
          {"--report", report, "--junit", junit});
  EXPECT_EQ(ended.code, 6) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("FAIL"));
  EXPECT_THAT(ended.out, HasSubstr("sequence: failed (1 passed, 1 failed, 1 skipped)"));
  const json::value told = json::parse(read_file(report));
  EXPECT_EQ(told.at_pointer("/sequence/result"), "failed");
  EXPECT_EQ(told.at_pointer("/sequence/steps/1/name"), "not too small");
  // 0.99^36 = 0.696: the 36th step is the first below 0.7 A, 350 ms after the first.
  EXPECT_DOUBLE_EQ(told.at_pointer("/sequence/steps/1/end_s").to_number<double>(), 0.35);
  EXPECT_THAT(read_file(junit), HasSubstr("failures=\"1\""));
  EXPECT_EQ(run("steps: [{wait: 2 s}]\n", {"--duration", "1"}).code, 1)
      << "the run was over before it";
}

TEST_F(OfflineSequences, ASweepIsARunForEachCombination) {
  const std::string into = folder_.path("runs");
  const std::string junit = folder_.path("junit.xml");
  const std::string text =
      "name: decay\n"
      "sweep: {resistance: [1 ohm, 2 ohm, 4 ohm], limit: [0.5 A, 0.01 A]}\n"
      "steps:\n"
      "  - set: {resistance: $resistance}\n"
      "  - expect: 'state:current'\n"
      "    max: $limit\n"
      "    timeout: 1 s\n";
  const Ended ended = run(text, {"--into", into, "--jobs", "2", "--junit", junit, "--json"});
  // After a second i is 0.37, 0.13 and 0.02 A: the second limit is met by none.
  EXPECT_EQ(ended.code, 6) << ended.err << ended.out;
  const json::value summary = json::parse(ended.out);
  const json::array& runs = summary.at("runs").as_array();
  ASSERT_EQ(runs.size(), 6U);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool met = i % 2 == 0;
    EXPECT_EQ(runs[i].at("exit_code"), met ? 0 : 6);
    EXPECT_EQ(runs[i].at_pointer("/report/sequence/result"), met ? "passed" : "failed");
    if (!met) {
      EXPECT_THAT(std::string(runs[i].at("message").as_string()), HasSubstr("expect"));
    }
  }
  EXPECT_EQ(runs[3].at("settings").at("$resistance"), "2 ohm");
  EXPECT_EQ(runs[3].at("settings").at("$limit"), "0.01 A");
  EXPECT_EQ(runs[3].at_pointer("/report/sequence/let/limit"), "0.01 A");
  const std::string xml = read_file(junit);
  EXPECT_THAT(xml, HasSubstr("decay (resistance = 4 ohm, limit = 0.01 A)"));
  const std::string suite = "<testsuite ";
  std::size_t suites = 0;
  for (std::size_t at = xml.find(suite); at != std::string::npos; at = xml.find(suite, at + 1)) {
    ++suites;
  }
  EXPECT_EQ(suites, 6U);
  // One value of each is one run.
  const Ended one = run(text, {"--let", "resistance=1 ohm", "--let", "limit=0.5 A"});
  EXPECT_EQ(one.code, 0) << one.out << one.err;
}

TEST_F(OfflineSequences, GoTogetherWithSettingsOfTheConfiguration) {
  const Ended ended =
      run("sweep: {limit: [0.5 A, 0.6 A]}\n"
          "steps: [{wait until: 'state:current', max: $limit}]\n",
          {"--into", folder_.path("runs"), "--sweep", "model.parameters.inductance=1 H,2 H"});
  EXPECT_EQ(ended.code, 0) << ended.err << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("$limit"));
  EXPECT_THAT(ended.out, HasSubstr("passed"));
  EXPECT_THAT(ended.out, HasSubstr(" 4 of 4 runs ended well."));
}

TEST_F(OfflineSequences, WhatIsWrongIsToldBeforeAnyRun) {
  const std::string into = folder_.path("runs");
  const Ended unit =
      run("sweep: {limit: [0.5 A, 0.6 V]}\n"
          "steps: [{wait until: 'state:current', max: $limit}]\n",
          {"--into", into});
  EXPECT_EQ(unit.code, 1);
  EXPECT_THAT(unit.err, HasSubstr("steps[1].max: found \"0.6 V\""));
  EXPECT_FALSE(std::filesystem::exists(into));
  EXPECT_THAT(run("steps: [{wait until: curent, max: 1 A}]\n").err, HasSubstr("current"));
  EXPECT_THAT(run("steps: [{wait: 1 s}]\n", {"--let", "x=1"}).err, HasSubstr("--let x: "));
  const std::string good = folder_.file("good.yaml", "steps: [{wait: 1 s}]\n");
  EXPECT_THAT(hild({"run", file_, "--sequence", good}).err, HasSubstr("needs --offline"));
  EXPECT_THAT(hild({"run", file_, "--offline", "--duration", "1", "--let", "a=1"}).err,
              HasSubstr("give --sequence"));
}

TEST_F(OfflineSequences, APlantThatStandsStillIsTold) {
  const Ended ended = run("steps: [{freeze: hold}, {wait: 1 s}]\n");
  EXPECT_EQ(ended.code, 1) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("simulated time stands still"));
}

}  // namespace
}  // namespace hild::test
