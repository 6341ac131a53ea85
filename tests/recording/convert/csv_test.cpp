// SPDX-License-Identifier: Apache-2.0
/// \file
/// Signals as text, to the character.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "recording/convert/export.hpp"
#include "recording/convert/selection.hpp"
#include "recording/framelog/runs.hpp"

namespace hild::convert {
namespace {

using framelog::Recording;
using testing::HasSubstr;

class Csv : public testing::Test {
 protected:
  Csv() {
    std::string pattern = std::filesystem::temp_directory_path() / "hild-csv-XXXXXX";
    folder = ::mkdtemp(pattern.data());
  }
  ~Csv() override { std::filesystem::remove_all(folder); }

  std::string exported(const std::string& log, const ExportOptions& options) {
    mcap::MemorySource source(log);
    const auto done = export_csv(source, folder + "/out.csv", options);
    if (!done) return done.error().message;
    rows = done->rows;
    std::ifstream in(folder + "/out.csv", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string folder;
  std::int64_t rows = 0;
};

// u = step + 0.1 i, x = 1e6 + step, y = -step/3 - i; what belongs to the end of step n stands in
// the row of tick n + 1.
TEST_F(Csv, ARowATick) {
  const Recording run;
  run.give(0, 2);
  EXPECT_EQ(exported(run.close(), {}),
            "time [s],input.voltage [V],input.load [N m],state.speed [rad/s],output.speed "
            "[rad/s],output.2nd/odd []\n"
            "0,0,0.1,,,\n"
            "0.001,1,1.1,1000000,-0,-1\n"
            "0.002,2,2.1,1000001,-0.3333333333333333,-1.3333333333333333\n"
            "0.003,,,1000002,-0.6666666666666666,-1.6666666666666665\n");
  EXPECT_EQ(rows, 4);
}

// A name that would be two columns, or part of the next, is one: RFC 4180.
TEST_F(Csv, NamesWithCommasAndQuotes) {
  auto description = framelog::description_of_run();
  description.signals.inputs = {{"A[1,2]", "V"}, {"the \"load\"", "N m"}};
  const Recording run({framelog::everything()}, Recording::one_each(), description);
  run.give(0, 1);
  EXPECT_THAT(exported(run.close(), {.signals = {"A[1,2]", "the \"load\""}, .range = {}}),
              testing::StartsWith("time [s],\"input.A[1,2] [V]\",\"input.the \"\"load\"\" [N m]\"\n"
                                  "0,0,0.1\n"));
}

// Only when they are asked for, and by that word: a signal's name means its value.
TEST_F(Csv, RawCounts) {
  const Recording run;
  run.give(0, 1);
  EXPECT_EQ(exported(run.close(), {.signals = {"load", "counts"}, .range = {}}),
            "time [s],input.load [N m],count.load []\n"
            "0,0.1,4000000000\n"
            "0.001,1.1,4000000001\n");
}

TEST_F(Csv, SelectedSignalsOfARange) {
  const Recording run;
  run.give(0, 9);
  EXPECT_EQ(exported(run.close(), {.signals = {"states", "inputs.load", "timing.lateness"},
                                   .range = {.from = 0.004, .to = 0.005}}),
            "time [s],input.load [N m],state.speed [rad/s],timing.lateness [us]\n"
            "0.004,4.1,1000003,-400\n"
            "0.005,5.1,1000004,-400\n");
}

TEST_F(Csv, GapsAndHeldFramesLeaveTheirRows) {
  const Recording run;
  run.give(0, 0);
  io::FrameHeader held = framelog::header_of(1);
  held.frozen = true;
  held.passes = 0;
  run.give(held);
  run.give(held);
  run.give(4, 4);
  EXPECT_EQ(exported(run.close(), {.signals = {"inputs.voltage", "states"}, .range = {}}),
            "time [s],input.voltage [V],state.speed [rad/s]\n"
            "0,0,\n"
            "0.001,,1000000\n"
            "0.001,,1000001\n"
            "0.001,,1000001\n"
            "0.004,4,\n"
            "0.005,,1000004\n");
}

TEST_F(Csv, AnUnknownSignalIsRefusedWithThoseThereAre) {
  const Recording run;
  run.give(0, 0);
  EXPECT_THAT(exported(run.close(), {.signals = {"sped"}, .range = {}}),
              testing::AllOf(HasSubstr("--signals sped"), HasSubstr("outputs.speed"),
                             HasSubstr("states.speed")));
}

TEST_F(Csv, AFullDiskIsTold) {
  const Recording run;
  run.give(0, 0);
  mcap::MemorySource source(run.close());
  const auto done = export_csv(source, "/dev/full", {});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("/dev/full: No space left on device"));
}

TEST(Selection, ANameOfTwoKindsStandsForBoth) {
  framelog::LogHead head;
  head.columns[static_cast<std::size_t>(framelog::LogPart::outputs)] = {{"x", "m"}, {"y", "m"}};
  head.columns[static_cast<std::size_t>(framelog::LogPart::states)] = {{"x", "m"}};
  const auto chosen = choose(head, {"x"});
  ASSERT_TRUE(chosen);
  ASSERT_EQ(chosen->size(), 2U);
  EXPECT_EQ((*chosen)[0].part, framelog::LogPart::states);
  EXPECT_EQ((*chosen)[1].columns, std::vector<std::size_t>{0});
  EXPECT_EQ(choose(head, {"output.y"})->size(), 1U);
}

// One of the phases in `timing` is called as the group is.
TEST(Selection, AWordThatNamesAGroupSelectsTheGroupAlone) {
  framelog::LogHead head;
  head.columns[static_cast<std::size_t>(framelog::LogPart::outputs)] = {{"x", "m"}};
  head.columns[static_cast<std::size_t>(framelog::LogPart::timing)] = {{"wake", "s"},
                                                                       {"outputs", "s"}};
  const auto chosen = choose(head, {"outputs"});
  ASSERT_TRUE(chosen);
  ASSERT_EQ(chosen->size(), 1U);
  EXPECT_EQ((*chosen)[0].part, framelog::LogPart::outputs);
  EXPECT_EQ((*chosen)[0].columns, std::vector<std::size_t>{0});
  const auto phase = choose(head, {"timing.outputs"});
  ASSERT_TRUE(phase);
  ASSERT_EQ(phase->size(), 1U);
  EXPECT_EQ((*phase)[0].columns, std::vector<std::size_t>{1});
}

}  // namespace
}  // namespace hild::convert
