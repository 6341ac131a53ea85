// SPDX-License-Identifier: Apache-2.0
// A card with a scan each 100 ns that is told to start at 1000 ns; what is expected is counted by
// hand.
#include "drivers/comedi_scan_times.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace hild::comedi {
namespace {

class ComediScanTimes : public ::testing::Test {
 protected:
  std::int64_t found(std::int64_t scans, bool emptied, std::int64_t began, std::int64_t now) {
    times_.found(scans, emptied, {began}, {now});
    return times_.newest().ns;
  }
  ScanTimes times_{{100}, {990}, {1000}};
};

TEST_F(ComediScanTimes, GoesByThePeriodOfTheCard) {
  EXPECT_EQ(times_.newest().ns, 990);  // what there was before
  EXPECT_EQ(found(1, true, 1150, 1151), 1100);
  EXPECT_EQ(found(1, true, 1250, 1251), 1200);
  EXPECT_EQ(found(3, true, 1550, 1551), 1500);
}

TEST_F(ComediScanTimes, NothingNewLeavesTheImageAsOldAsItIs) {
  EXPECT_EQ(found(1, true, 1150, 1151), 1100);
  EXPECT_EQ(found(0, true, 1180, 1181), 1100);
}

TEST_F(ComediScanTimes, AScanIsNotOfLaterThanTheReadThatBroughtIt) {
  EXPECT_EQ(found(1, true, 1040, 1045), 1045);  // a card that samples at once when it starts
  EXPECT_EQ(found(1, true, 1160, 1161), 1145);  // and counts from there
}

TEST_F(ComediScanTimes, AScanIsNotOfEarlierThanAReadThatDidNotFindIt) {
  EXPECT_EQ(found(0, true, 1150, 1151), 990);
  EXPECT_EQ(found(1, true, 1180, 1181), 1150);
  EXPECT_EQ(found(1, true, 1290, 1291), 1250);
}

// A card that is slower than it says, of which each scan was waited for.
TEST_F(ComediScanTimes, AScanThatWasWaitedForIsOfTheTimeAtWhichItCame) {
  EXPECT_EQ(found(0, true, 1095, 1096), 990);
  times_.woke({1103});
  EXPECT_EQ(found(1, true, 1104, 1105), 1103);
  EXPECT_EQ(found(0, true, 1190, 1191), 1103);
  times_.woke({1206});
  EXPECT_EQ(found(1, true, 1207, 1208), 1206);
}

// What a read left behind may have been complete long ago.
TEST_F(ComediScanTimes, AReadThatLeavesSomethingSaysNothingOfTheNextOne) {
  EXPECT_EQ(found(2, false, 5000, 5001), 1200);
  EXPECT_EQ(found(1, true, 5002, 5003), 1300);
  EXPECT_EQ(found(1, true, 5050, 5051), 5002);  // which was not there at 5002
}

// A card whose clock is off by a hundredth, read each 100 ns or so: some reads find no scan, or
// two.
class ComediOtherClock : public ::testing::TestWithParam<int> {};

TEST_P(ComediOtherClock, IsFollowedWithinThePeriod) {
  const std::int64_t true_period = GetParam();
  ScanTimes times({100}, {990}, {1000});
  std::int64_t before = 990;
  std::int64_t seen = 0;
  for (std::int64_t began = 1010; began < 200'000; began += 90 + began % 19) {
    const std::int64_t there = (began - 1000) / true_period;  // complete at 1000 + k period
    times.found(there - seen, true, {began}, {began + 2});
    seen = there;
    const std::int64_t at = times.newest().ns;
    ASSERT_GE(at, before);
    ASSERT_LE(at, began + 2);
    if (seen > 0) {
      ASSERT_LE(std::abs(at - (1000 + seen * true_period)), 110) << "read at " << began;
    }
    before = at;
  }
}

INSTANTIATE_TEST_SUITE_P(SlowAndFast, ComediOtherClock, ::testing::Values(99, 100, 101));

}  // namespace
}  // namespace hild::comedi
