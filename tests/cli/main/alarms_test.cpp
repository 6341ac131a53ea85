// SPDX-License-Identifier: Apache-2.0
/// \file
/// Alarms from the configuration to the recording: told, acknowledged, replayed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

/// A coil whose current decays: a step of Euler on L di/dt = -R i multiplies it by 1 - h R / L.
/// With h = 10 ms, R = 1 ohm and L = 1 H, i after n steps is 0.99^n A. It is below 0.5 A from n =
/// 69 on (ln 0.5 / ln 0.99 = 68.97), below 0.2 A from n = 161 on (160.14).
struct AlarmedCoil {
  explicit AlarmedCoil(const std::string& alarms)
      : file(folder.file(
            "coil.yaml",
            "frame: {period: 10 ms}\n"
            "model: {type: dc-motor, initial: {current: 1 A}, parameters: {resistance: 1 ohm, "
            "inductance: 1 H, constant: 0 Nm/A}}\n"
            "integrator: {method: forward-euler}\n"
            "devices: {rig: {driver: sim}}\n"
            "inputs: {armature_voltage: {device: rig, channel: 0}}\n"
            "record: {file: " +
                folder.path("run.mcap") + ", keyframes: 200 ms}\nalarms:\n" + alarms)) {}
  Ended run(std::vector<std::string> more) {
    more.insert(more.begin(), {"run", file, "--offline"});
    return hild(std::move(more));
  }
  /// Whether a replay, from this time on, has the same alarms.
  [[nodiscard]] bool same(const std::string& from) const {
    const Ended ended = hild({"replay", folder.path("run.mcap"), "--json", "--from", from});
    EXPECT_EQ(ended.code, 0) << ended.err << ended.out;
    return ended.code == 0 && json::parse(ended.out).at("same").as_bool();
  }

  Folder folder;
  std::string file;
};

TEST(AlarmedRuns, EndInTheStepInWhichOneIsToStopThem) {
  AlarmedCoil coil(
      "  low: {watch: \"state:current\", below: 500 mA, latch: true}\n"
      "  gone: {watch: \"state:current\", below: 0.2 A, text: it is gone, then: stop}\n");
  const Ended ended = coil.run({"--duration", "5"});
  EXPECT_EQ(ended.code, 5) << ended.err;
  EXPECT_THAT(ended.out + ended.err,
              HasSubstr("Stopped in frame 160: alarm `gone`, it is gone: state current was 0.19"));
  EXPECT_TRUE(coil.same("0 s"));
  EXPECT_TRUE(coil.same("1 s"));
}

TEST(AlarmedRuns, AreReplayedWithWhatWasAcknowledged) {
  AlarmedCoil coil("  low: {watch: \"state:current\", below: 500 mA, after: 50 ms, latch: true}\n");
  const std::string steps = coil.folder.file("steps.yaml",
                                             "steps:\n"
                                             "  - wait until: 'state:current'\n"
                                             "    max: 0.3 A\n"
                                             "  - acknowledge: low\n"
                                             "  - wait: 500 ms\n");
  const Ended ended = coil.run({"--sequence", steps});
  ASSERT_EQ(ended.code, 0) << ended.err << ended.out;
  EXPECT_TRUE(coil.same("0 s"));
  EXPECT_TRUE(coil.same("1.3 s"));
  const Ended other =
      coil.run({"--sequence",
                coil.folder.file("other.yaml", "steps:\n  - wait: 10 ms\n  - acknowledge: lo\n")});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("found \"lo\", expected the name of an alarm (did you mean "
                                   "\"low\"?)"));
}

// The first step that is over is at 10 ms, and the times of a sequence are counted from there. The
// alarm is active from 0.74 s on, five frames behind the first that is below.
TEST(AlarmedRuns, AreJudgedBySequences) {
  AlarmedCoil coil("  low: {watch: \"state:current\", below: 500 mA, after: 50 ms, latch: true}\n");
  const Ended met =
      coil.run({"--sequence", coil.folder.file("met.yaml",
                                               "steps:\n"
                                               "  - expect: alarm:low\n"
                                               "    is: clear\n"
                                               "    for: 720 ms\n"
                                               "  - {expect: alarm:low, is: active}\n"
                                               "  - acknowledge: low\n"
                                               "  - {expect: alarm:low, is: open}\n")});
  EXPECT_EQ(met.code, 0) << met.err << met.out;
  EXPECT_THAT(met.out, HasSubstr("PASS      0.730 s  expect alarm:low"));
  AlarmedCoil other("  low: {watch: \"state:current\", below: 500 mA, after: 50 ms}\n");
  const Ended unmet =
      other.run({"--sequence", other.folder.file("unmet.yaml",
                                                 "steps:\n"
                                                 "  - meanwhile:\n"
                                                 "      - {expect: alarm:low, is: clear}\n"
                                                 "    steps: [{wait: 2 s}]\n")});
  EXPECT_EQ(unmet.code, 6) << unmet.err << unmet.out;
  EXPECT_THAT(unmet.out, HasSubstr("alarm:low was active at 0.73 s, expected clear meanwhile"));
}

}  // namespace
}  // namespace hild::test
