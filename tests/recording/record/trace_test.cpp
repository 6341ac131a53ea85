// SPDX-License-Identifier: Apache-2.0
#include "recording/record/trace.hpp"

#include <gtest/gtest.h>

#include "records.hpp"

namespace hild::record {
namespace {

void give_ramp(Trace& trace, std::int64_t records) {
  for (std::int64_t n = 0; n < records; ++n) give(trace, header(n), static_cast<double>(n * n));
}

TEST(Trace, KeepsAllWhileThereIsRoom) {
  Trace trace({0}, 4);
  give_ramp(trace, 3);
  const auto points = trace.points(0);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(trace.stride(), 1);
  EXPECT_EQ(points[2].first, SimTime{3'000'000}) << "the output of frame 2 is that of t = 3 ms";
  EXPECT_EQ(points[2].min, 4);
  EXPECT_EQ(points[2].max, 4);
  EXPECT_EQ(points[2].mean(), 4);
}

// Four points: full at record 4 (pairs of 2), again at 8 (points of 4); 9 and 10 are in the open
// point. Values are 0 1 4 9 | 16 25 36 49 | 64 81.
TEST(Trace, MergesPairsWhenFull) {
  Trace trace({0}, 4);
  give_ramp(trace, 10);
  const auto points = trace.points(0);
  EXPECT_EQ(trace.stride(), 4);
  ASSERT_EQ(points.size(), 3U);

  EXPECT_EQ(points[0].first, SimTime{1'000'000});
  EXPECT_EQ(points[0].last, SimTime{4'000'000});
  EXPECT_EQ(points[0].records, 4);
  EXPECT_EQ(points[0].min, 0);
  EXPECT_EQ(points[0].max, 9);
  EXPECT_EQ(points[0].mean(), 3.5);
  EXPECT_EQ(points[0].latest, 9);

  EXPECT_EQ(points[1].first, SimTime{5'000'000});
  EXPECT_EQ(points[1].last, SimTime{8'000'000});
  EXPECT_EQ(points[1].mean(), 31.5);

  EXPECT_EQ(points[2].records, 2);
  EXPECT_EQ(points[2].last, SimTime{10'000'000});
  EXPECT_EQ(points[2].mean(), 72.5);
  EXPECT_EQ(points[2].latest, 81);
}

TEST(Trace, NeverGrows) {
  Trace trace({0}, 6);
  for (std::int64_t n = 0; n < 5000; ++n) {
    give(trace, header(n), static_cast<double>(n));
    ASSERT_LE(trace.points(0).size(), 6U) << n;
  }
  const auto points = trace.points(0);
  std::int64_t covered = 0;
  double sum = 0;
  for (const TracePoint& p : points) {
    covered += p.records;
    sum += p.sum;
  }
  EXPECT_EQ(covered, 5000);
  EXPECT_EQ(sum, 4999.0 * 5000.0 / 2.0);
  EXPECT_EQ(trace.stride(), 1024);  // 3 * 1024 <= 5000 < 6 * 1024
}

TEST(Trace, ADipBetweenPointsIsNotLost) {
  Trace trace({0}, 2);
  for (std::int64_t n = 0; n < 100; ++n) give(trace, header(n), n == 37 ? -5.0 : 1.0);
  EXPECT_EQ(trace.points(0)[0].min, -5.0);
  EXPECT_EQ(trace.points(0)[0].max, 1.0);
}

TEST(Trace, SeveralSignalsShareTheirTimes) {
  Trace trace({0, 0}, 4);
  give_ramp(trace, 6);
  ASSERT_EQ(trace.points(0).size(), trace.points(1).size());
  EXPECT_EQ(trace.points(1)[1].first, trace.points(0)[1].first);
  EXPECT_EQ(trace.points(1)[1].mean(), trace.points(0)[1].mean());
}

}  // namespace
}  // namespace hild::record
