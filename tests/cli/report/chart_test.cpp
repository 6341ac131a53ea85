// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cli/report/progress.hpp"
#include "cli/report/terminal.hpp"
#include "styles.hpp"

namespace hild::report {
namespace {

constexpr Style wide{.utf8 = false, .colour = false, .width = 100};

TEST(Bins, EndAtOneTwoAndFive) {
  exec::Histogram h;
  h.add(500_ns);
  h.add(1'500_ns);
  h.add(3_us);
  h.add(60_us);
  const auto bins = log_bins(h);
  ASSERT_EQ(bins.size(), 7U);
  const std::array<std::int64_t, 7> ends{1, 2, 5, 10, 20, 50, 100};
  const std::array<std::int64_t, 7> counts{1, 1, 1, 0, 0, 0, 1};
  for (std::size_t i = 0; i < bins.size(); ++i) {
    EXPECT_EQ(bins[i].high, 1_us * ends[i]);
    EXPECT_EQ(bins[i].low, i == 0 ? 0_us : bins[i - 1].high);
    EXPECT_EQ(bins[i].count, counts[i]) << i;
  }
}

TEST(Bins, LeaveOutEmptyEnds) {
  exec::Histogram h;
  EXPECT_TRUE(log_bins(h).empty());
  h.add(3_ms);
  h.add(3_ms);
  const auto bins = log_bins(h);
  ASSERT_EQ(bins.size(), 1U);
  EXPECT_EQ(bins[0].low, 2_ms);
  EXPECT_EQ(bins[0].high, 5_ms);
  EXPECT_EQ(bins[0].count, 2);
}

// The fullest bin gets all 40 columns; a single wake is still seen.
TEST(BarChart, BarsAreProportionalAndNeverVanish) {
  const std::vector<Bin> bins{
      {2_us, 5_us, 100}, {5_us, 10_us, 50}, {10_us, 20_us, 0}, {20_us, 50_us, 1}};
  EXPECT_EQ(bar_chart(bins, ascii), "    2 ..  5 us   100  66.23 %  " + std::string(40, '#') +
                                        "\n" + "    5 .. 10 us    50  33.11 %  " +
                                        std::string(20, '#') + "\n" +
                                        "   10 .. 20 us     0   0.00 %\n"
                                        "   20 .. 50 us     1   0.66 %  #\n");
  EXPECT_EQ(bar_chart({}, ascii), "");
}

TEST(Progress, OneLine) {
  const Progress p{.t_s = 3,
                   .duration_s = 10,
                   .frames = 3000,
                   .overruns = 0,
                   .late_wakes = 2,
                   .utilisation = 0.123};
  EXPECT_EQ(progress_line(p, wide),
            "t  3.0 s / 10 s  [###.......]  frames 3000  overruns 0  late wakes 2  "
            "utilisation 12 %");
  EXPECT_EQ(progress_line(p, ascii),
            "t  3.0 s / 10 s  [###.......]  frames 3000  overruns 0  late wakes 2  util 12 %");
}

TEST(Progress, WithoutADurationThereIsNoBar) {
  const Progress p{.t_s = 61.5,
                   .duration_s = {},
                   .frames = 61500,
                   .overruns = 1,
                   .late_wakes = 0,
                   .utilisation = 0.5};
  EXPECT_EQ(progress_line(p, ascii), "t 61.5 s  frames 61500  overruns 1  late wakes 0  util 50 %");
}

TEST(Progress, ALongRunShortensItsBarThenLosesIt) {
  Progress p{.t_s = 1800,
             .duration_s = 3600,
             .frames = 18000000,
             .overruns = 0,
             .late_wakes = 0,
             .utilisation = 0.5};
  EXPECT_EQ(progress_line(p, ascii),
            "t 1800.0 s / 3600 s  frames 18000000  overruns 0  late wakes 0  util 50 %");
  p.frames = 1800;
  EXPECT_EQ(progress_line(p, ascii),
            "t 1800.0 s / 3600 s  [####...]  frames 1800  overruns 0  late wakes 0  util 50 %");
}

TEST(Progress, OverrunsStandOutInColour) {
  const Style colour{.utf8 = false, .colour = true, .width = 100};
  Progress p;
  EXPECT_EQ(progress_line(p, colour).find('\x1b'), std::string::npos);
  p.overruns = 2;
  EXPECT_NE(progress_line(p, colour).find("\x1b[31moverruns 2\x1b[0m"), std::string::npos);
}

TEST(Progress, FromTheStatistics) {
  exec::Statistics s;
  s.frames.set(1500);
  s.overruns.set(3);
  s.late_wakes.set(4);
  s.work.add(100_us);
  s.work.add(300_us);
  const Progress p = progress_of(s, Grid::of_rate_hz(1000), 10_s);
  EXPECT_DOUBLE_EQ(p.t_s, 1.5);
  EXPECT_EQ(p.duration_s, 10.0);
  EXPECT_EQ(p.overruns, 3);
  EXPECT_EQ(p.late_wakes, 4);
  EXPECT_DOUBLE_EQ(p.utilisation, 0.2);
}

}  // namespace
}  // namespace hild::report
