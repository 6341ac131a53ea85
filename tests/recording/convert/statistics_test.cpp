// SPDX-License-Identifier: Apache-2.0
/// \file
/// Against what can be worked out of the numbers of the recording by hand.
#include "recording/convert/statistics.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "recording/framelog/runs.hpp"

namespace hild::convert {
namespace {

using framelog::Recording;
using testing::HasSubstr;

Result<std::vector<SignalStatistics>> statistics(const std::string& log,
                                                 const ExportOptions& options) {
  mcap::MemorySource source(log);
  return statistics_of(source, options);
}

// Inputs u = step + 0.1 i, states x = 1e6 + step.
TEST(SignalStatistics, AreThoseOfTheRecordedValues) {
  const Recording run;
  run.give(0, 4);
  const auto all = statistics(run.close(), {.signals = {"inputs", "states"}, .range = {}});
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 3U);
  EXPECT_EQ((*all)[0].name, "input.voltage");
  EXPECT_EQ((*all)[0].unit, "V");
  EXPECT_EQ((*all)[0].count, 5);
  EXPECT_NEAR((*all)[1].mean, 2.1, 1e-15);
  EXPECT_EQ((*all)[1].least, 0.1);
  EXPECT_EQ((*all)[1].most, 4.1);
  // 0 ... 4 beside a million.
  EXPECT_EQ((*all)[2].name, "state.speed");
  EXPECT_EQ((*all)[2].mean, 1e6 + 2);
  EXPECT_NEAR((*all)[2].deviation, std::sqrt(2.5), 1e-12);
}
TEST(SignalStatistics, OfARange) {
  const Recording run;
  run.give(0, 9);
  const auto all =
      statistics(run.close(), {.signals = {"inputs.load"}, .range = {.from = 0.004, .to = 0.005}});
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 1U);
  EXPECT_EQ(all->front().count, 2);
  EXPECT_NEAR(all->front().mean, 4.6, 1e-14);
  EXPECT_NEAR(all->front().deviation, std::sqrt(0.5), 1e-14);
}
TEST(SignalStatistics, OfNothing) {
  const Recording run;
  run.give(0, 1);
  const auto all = statistics(run.close(), {.signals = {"inputs"}, .range = {.from = 7, .to = 8}});
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->front().count, 0);
}
TEST(SignalStatistics, AnUnknownSignalIsRefusedWithThoseThereAre) {
  const Recording run;
  run.give(0, 0);
  const auto all = statistics(run.close(), {.signals = {"sped"}, .range = {}});
  ASSERT_FALSE(all);
  EXPECT_THAT(all.error().message, HasSubstr("outputs.speed"));
}

}  // namespace
}  // namespace hild::convert
