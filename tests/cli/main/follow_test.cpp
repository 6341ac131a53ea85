// SPDX-License-Identifier: Apache-2.0
/// \file
/// Frames that follow a device, in runs as a user starts them: of a simulated one that converts at
/// its own rate, on the virtual clock and in real time.
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <cmath>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

using ::testing::HasSubstr;

/// Frames of 5 ms at a device of 201 Hz, which is 0.5 % faster.
std::string following(Folder& folder, const std::string& more = {}) {
  return folder.file(
      "run.yaml",
      "frame: {period: 5 ms, priority: 0, clock: {device: rig}, missing: 50}\n"
      "model: {type: dc-motor}\n"
      "integrator: {method: rtam-2}\n"
      "devices: {rig: {driver: sim, image: " +
          folder.image() +
          ", autonomous: {rate: 201 Hz}}}\n"
          "inputs: {armature_voltage: {device: rig, channel: 0, scale: 1 V/V, source: {sine: "
          "{amplitude: 5 V, frequency: 2 Hz}}}}\n"
          "outputs: {shaft_speed: {device: rig, channel: 0, scale: 50 rad/s/V, safe: 0 V}}\n" +
          more);
}

boost::json::value report_in(const Folder& folder) {
  return boost::json::parse(read_file(folder.path("report.json")));
}

TEST(Follow, FramesAreAsLongAsTheDeviceHasThem) {
  Folder folder;
  const std::string file = following(folder, "record: {file: run.mcap}\n");
  const Ended ended =
      hild({"run", file, "--offline", "--duration", "20", "--report", folder.path("report.json")});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto report = report_in(folder);
  EXPECT_NEAR(report.at_pointer("/ticks/period_us").to_number<double>(), 1e6 / 201, 0.001);
  EXPECT_EQ(report.at_pointer("/ticks/device").as_string(), "rig");
  // At first the grid has to find the images. Then none is missing, which without following would
  // be so once in 201 frames, or read twice.
  EXPECT_LE(report.at("missing_ticks").to_number<int>(), 3);
  EXPECT_LE(report.at("stray_ticks").to_number<int>(), 10);
  EXPECT_LE(report.at_pointer("/ticks/jitter_us").to_number<double>(), 1.0);
  EXPECT_EQ(report.at_pointer("/overruns/total").to_number<int>(), 0);
  const Ended replayed = hild({"replay", folder.path("run.mcap")});
  EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
}

// By the clock of this machine, of a device that is 10 % faster than the frames would be. What a
// load delays is jitter, and of the mean a small part; where the load takes the CPUs from the
// device for so long that it does not tick, there is nothing to follow, and it is tried again.
TEST(Follow, InRealTimeTheyAreTheSame) {
  Folder folder;
  const std::string file = following(folder, "record: {file: run.mcap}\n");
  constexpr double period_us = 1e6 / 220;
  double found = 0;  // 5000 if nobody followed
  for (int tries = 0; tries < 10 && std::abs(found - period_us) > period_us * 0.03; ++tries) {
    const Ended ended =
        hild({"run", file, "--duration", "3", "--report", folder.path("report.json"), "--set",
              "devices.rig.autonomous.rate=220 Hz", "--set", "frame.tolerance=30 %", "--set",
              "frame.missing=2000", "--set", "record.replace=true"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    found = report_in(folder).at_pointer("/ticks/period_us").to_number<double>();
  }
  EXPECT_NEAR(found, period_us, period_us * 0.03);
  EXPECT_EQ(hild({"replay", folder.path("run.mcap")}).code, 0);
}

// One that converts once in two seconds ticks no frame of 5 ms.
TEST(Follow, ADeviceThatDoesNotTickEndsTheRunSafely) {
  Folder folder;
  const Ended ended =
      hild({"run", following(folder), "--offline", "--duration", "20", "--set",
            "devices.rig.autonomous.rate=0.5 Hz", "--report", folder.path("report.json")});
  EXPECT_EQ(ended.code, 4);
  const auto report = report_in(folder);
  EXPECT_EQ(report.at_pointer("/outcome/end").as_string(), "tick_lost");
  EXPECT_THAT(std::string(report.at_pointer("/outcome/message").as_string()),
              HasSubstr("device rig, whose images the frames follow, has no new one"));
  EXPECT_TRUE(report.at_pointer("/ticks/period_us").is_null()) << "nobody knows";
  EXPECT_EQ(report.at_pointer("/outcome/outputs_safe"), true);
}

// ---- frames in phase with those of other machines ----------------------------------------------

// By the clocks of this machine; a grid that nobody set is within what a reading is off by.
TEST(Align, FramesStandOnTaiAndRepeat) {
  Folder folder;
  const std::string file = following(folder, "record: {file: run.mcap}\n");
  const Ended ended = hild({"run", file, "--duration", "1", "--report", folder.path("report.json"),
                            "--set", "frame={period: 5 ms, priority: 0, align: tai, phase: 2 ms}"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto report = report_in(folder);
  EXPECT_LE(std::abs(report.at("phase_error_us").to_number<double>()), 5.0);
  EXPECT_EQ(report.at("clock_steps").to_number<int>(), 0);
  EXPECT_TRUE(report.at("ticks").is_null());
  EXPECT_THAT(ended.out, HasSubstr("ticks on TAI"));
  EXPECT_EQ(hild({"replay", folder.path("run.mcap")}).code, 0);
}

// On the virtual clock there is no other machine.
TEST(Align, OfflineThereIsNothingToStandOn) {
  Folder folder;
  const Ended ended =
      hild({"run", following(folder), "--offline", "--duration", "1", "--report",
            folder.path("report.json"), "--set", "frame={period: 5 ms, align: tai}"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(report_in(folder).at("phase_error_us").is_null());
  EXPECT_THAT(ended.err, ::testing::Not(HasSubstr("TAI")));
}

}  // namespace
}  // namespace hild::test
