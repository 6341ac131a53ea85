// SPDX-License-Identifier: Apache-2.0
/// \file
/// What two nodes say of one another. The arm sends in its frames 0, 1, 2 ..., the meter looks
/// three tenths of a frame behind each tick; frames are of 10 ms.
#include "recording/join/join.hpp"

#include "pair.hpp"

namespace hild::join {
namespace {

using testing::HasSubstr;

std::string why_not(std::vector<NodeRecord> nodes) {
  const auto joined = join(nodes);
  return joined ? "joined" : joined.error().message;
}

TEST(Join, AgreesWhereAllIsReceivedOnce) {
  const Link link = link_of(arm_of(6), meter_that_sees({-1, 0, 1, 2, 3, 4}));
  EXPECT_EQ(link.from, "arm.position");
  EXPECT_EQ(link.to, "meter.way");
  EXPECT_EQ(link.sent, 5);  // the sixth is newer than the last look
  EXPECT_EQ(link.received, 5);
  EXPECT_EQ(link.lost + link.overtaken + link.repeated + link.out_of_order + link.unknown, 0);
  EXPECT_EQ(link.differences, 0);
  EXPECT_FALSE(link.first);
}

// Each is 13 ms old when it is used.
TEST(Join, TellsAges) {
  const Link link = link_of(arm_of(6), meter_that_sees({-1, 0, 1, 2, 3, 3}));
  EXPECT_EQ(link.ages.ticks, 5);
  EXPECT_EQ(link.ages.p50, Duration(13_ms));
  EXPECT_EQ(link.ages.max, Duration(23_ms));
  EXPECT_EQ(link.ages.too_old, 0);
  EXPECT_EQ(link.max_latency, Duration(25_ms));
  const Link older = link_of(arm_of(6), meter_that_sees({0, 1, 1, 1, 1, 5}));
  EXPECT_EQ(older.ages.max, Duration(33_ms));
  EXPECT_EQ(older.ages.p50, Duration(3_ms));
  EXPECT_EQ(older.ages.too_old, 1);
}

// A tick of the meter comes 3 ms after each sample. That of frame 2 is never seen, though the one
// of frame 1 was still there at the tick after it.
TEST(Join, CountsWhatIsLost) {
  const Link link = link_of(arm_of(6), meter_that_sees({0, 1, 1, 3, 4, 5}));
  EXPECT_EQ(link.sent, 6);
  EXPECT_EQ(link.received, 5);
  EXPECT_EQ(link.lost, 1);
  EXPECT_EQ(link.overtaken, 0);
  EXPECT_EQ(link.repeated, 1);
}

// The meter has no tick between those samples: it is stopped for two frames.
TEST(Join, WhatNobodyLookedAtIsNotLost) {
  NodeRecord meter = meter_of(7);
  for (const std::int64_t frame : {0, 1, 4, 5}) see(meter, frame, frame);
  const Link link = link_of(arm_of(6), meter);
  EXPECT_EQ(link.sent, 6);
  EXPECT_EQ(link.received, 4);
  EXPECT_EQ(link.lost, 0);
  EXPECT_EQ(link.overtaken, 2);
}

// Those of frames 1 and 2 took more than 3 ms, so that of frame 4 may have been there just after
// the tick that missed it, as that of frame 5 was before the next.
TEST(Join, WhatMayHaveBeenOnItsWayIsNotLost) {
  const Link link = link_of(arm_of(7), meter_that_sees({0, 0, 1, 2, 3, 5, 6}));
  EXPECT_EQ(link.sent, 7);
  EXPECT_EQ(link.lost, 0);
  EXPECT_EQ(link.overtaken, 1);
}

TEST(Join, CountsWhatComesOutOfOrder) {
  const Link link = link_of(arm_of(6), meter_that_sees({0, 1, 2, 1, 4, 5}));
  EXPECT_EQ(link.out_of_order, 1);
  EXPECT_EQ(link.received, 5);
  EXPECT_EQ(link.lost, 1);
  EXPECT_EQ(link.differences, 0);
}

// A slower meter sees one in two of them, and a faster one each of them twice.
TEST(Join, NodesNeedNotBeOfOneRate) {
  NodeRecord slow = meter_of(6);
  for (const std::int64_t frame : {0, 2, 4}) see(slow, frame, frame);
  const Link every_other = link_of(arm_of(6), slow);
  EXPECT_EQ(every_other.received, 3);
  EXPECT_EQ(every_other.lost, 0);
  EXPECT_EQ(every_other.overtaken, 2);
  NodeRecord fast = meter_of(3);
  for (const std::int64_t frame : {0, 1, 2}) {
    see(fast, frame, frame);
    see(fast, frame, frame);
    fast.looks.back().at = fast.looks.back().at + 5_ms;
  }
  const Link twice = link_of(arm_of(3), fast);
  EXPECT_EQ(twice.repeated, 3);
  EXPECT_EQ(twice.lost, 0);
}

// Under other samplings inputs are read within a step too: what was seen there alone was received.
TEST(Join, LooksWithinAStepCount) {
  NodeRecord meter = meter_that_sees({0, 0, 1, 2});
  meter.looks[0].tick = false;
  const Link link = link_of(arm_of(4), meter);
  EXPECT_EQ(link.received, 3);
  EXPECT_EQ(link.ages.ticks, 3);
  EXPECT_EQ(link.repeated, 0) << "at one tick each";
}

// Clocks are not read at once.
TEST(Join, InstantsNeedNotBeTheSame) {
  NodeRecord meter = meter_that_sees({0, 1, 2, 3});
  for (TaiTime& made : meter.made) made = made + 7_us;
  EXPECT_EQ(link_of(arm_of(5), meter).received, 4);
  EXPECT_EQ(link_of(arm_of(5), meter).differences, 0);
}

TEST(Join, NamesTheFirstDifference) {
  NodeRecord meter = meter_that_sees({0, 1, 2, 3, 4});
  meter.received[3] += 1e-10;  // the bits of 200'001 go down to some 3e-11
  meter.received[4] = 0;
  const Joined joined = joined_of(arm_of(6), meter);
  const Link* const link = joined.first_difference();
  ASSERT_NE(link, nullptr);
  EXPECT_EQ(link->differences, 2);
  const Difference& d = *link->first;
  EXPECT_EQ(d.frame, 3);
  EXPECT_EQ(d.t, 0.03);
  EXPECT_EQ(d.at, tick(3.3));
  EXPECT_EQ(d.sent_in, 3);
  EXPECT_EQ(d.sent, 103.0);
  EXPECT_EQ(d.expected, 206'001.0);
  EXPECT_EQ(d.received, 206'001.0 + 1e-10);
  EXPECT_FALSE(d.fits_frame);
  EXPECT_EQ(link->sent_unit, "m");
  EXPECT_EQ(link->unit, "V");
}

// The stamp is that of frame 3, the value that of frame 2.
TEST(Join, SaysOfWhichFrameAValueIs) {
  NodeRecord meter = meter_that_sees({0, 1, 2, 3, 4});
  meter.received[3] = seen_of(2);
  const Link link = link_of(arm_of(6), meter);
  ASSERT_TRUE(link.first);
  EXPECT_EQ(link.first->fits_frame, 2);
}

TEST(Join, AValueMustNotChangeWhileItIsUsedAgain) {
  NodeRecord meter = meter_that_sees({0, 1, 1, 3});
  meter.received[2] = 0;
  const Link link = link_of(arm_of(5), meter);
  EXPECT_EQ(link.differences, 1);
  ASSERT_TRUE(link.first);
  EXPECT_EQ(link.first->frame, 2);
  EXPECT_EQ(link.first->sent_in, 1);
}

TEST(Join, WhatNobodySentIsADifference) {
  NodeRecord arm = arm_of(6);
  arm.writes.erase(arm.writes.begin() + 2);  // it is not said to be missing
  arm.written.erase(arm.written.begin() + 2);
  const Link link = link_of(arm, meter_that_sees({0, 1, 2, 3, 4}));
  ASSERT_TRUE(link.first);
  EXPECT_FALSE(link.first->was_sent);
  EXPECT_EQ(link.first->made, tick(2));
  arm.missing.push_back({tick(1.5), tick(2.5)});
  const Link cut = link_of(arm, meter_that_sees({0, 1, 2, 3, 4}));
  EXPECT_FALSE(cut.first);
  EXPECT_EQ(cut.unknown, 1);
}

// A guard sends safe values once the run has ended; a run before it may have sent too.
TEST(Join, WhatCameOfAnotherRunIsNoDifference) {
  NodeRecord arm = arm_of(3);
  NodeRecord meter = meter_that_sees({0, 1, 2});
  see(meter, 3, 3);
  meter.last = tick(5);
  meter.received.back() = 0;
  const Link link = link_of(arm, meter);
  EXPECT_FALSE(link.first);
  EXPECT_EQ(link.unknown, 1);
  EXPECT_EQ(link.sent, 3);
  EXPECT_EQ(link.ages.ticks, 3);
}

// The arm has sent safe values 4 us after its last step.
TEST(Join, WhatIsSentAsARunEndsIsOfNoStep) {
  NodeRecord meter = meter_that_sees({0, 1, 2, 3, 4, 5});
  meter.made.back() = meter.made.back() + 4_us;
  meter.received.back() = 1;
  const Link link = link_of(arm_of(6), meter);
  EXPECT_EQ(link.differences, 0);
  EXPECT_EQ(link.unknown, 1);
  EXPECT_EQ(link.received, 5);
  // As it is of a write that is followed by another.
  const Link earlier = link_of(arm_of(7), meter);
  EXPECT_EQ(earlier.differences, 1);
  EXPECT_EQ(earlier.unknown, 0);
}

// The meter was held up at its frame 3 until 4 had been sent: nothing is of the future.
TEST(Join, WhatWasSentWhileAFrameWasHeldUpIsNotHeldAgainstAnotherWrite) {
  NodeRecord meter = meter_that_sees({0, 1, 2, 4, 4, 5});
  meter.made[3] = meter.made[4] = meter.looks[3].at;
  const Link link = link_of(arm_of(7), meter);
  EXPECT_EQ(link.differences, 0);
  EXPECT_EQ(link.unknown, 1);
  EXPECT_EQ(link.received, 4);
  // A stamp that was not cut is one.
  meter.made[3] = meter.made[4] = meter.looks[3].at + -1_us;
  EXPECT_EQ(link_of(arm_of(7), meter).differences, 2);
}

// Of two links the one whose difference was seen first; the other node looks earlier in each frame.
TEST(Join, TheFirstDifferenceIsThatOfTheSystem) {
  NodeRecord meter = meter_that_sees({0, 1, 2, 3, 4});
  NodeRecord other = meter_that_sees({0, 1, 2, 3, 4});
  other.name = other.links.node = "other";
  other.file = "other.mcap";
  for (Look& look : other.looks) look.at = look.at + -1_ms;
  meter.received[2] = 0;
  other.received[2] = 0;
  const std::array nodes{meter, arm_of(6), other};
  const auto joined = join(nodes);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->zero, tick(0));
  ASSERT_NE(joined->first_difference(), nullptr);
  EXPECT_EQ(joined->first_difference()->to, "other.way");
}

TEST(Join, ANodeThatIsNotGivenIsSaid) {
  NodeRecord meter = meter_that_sees({0, 1, 2});
  meter.links.received.push_back(meter.links.received[0]);
  meter.links.received[1].name.node = "lift";
  for (std::size_t l = 3; l-- > 0;) {
    meter.made.insert(meter.made.begin() + static_cast<std::ptrdiff_t>(l) + 1, tick(0));
    meter.received.insert(meter.received.begin() + static_cast<std::ptrdiff_t>(l) + 1, 0.0);
  }
  const Joined joined = joined_of(arm_of(4), meter);
  ASSERT_EQ(joined.unheld.size(), 1U);
  EXPECT_EQ(joined.unheld[0].from, "lift.place");
  EXPECT_EQ(joined.links.at(0).received, 3);
}

TEST(Join, RefusesWhatWasNotThereTogether) {
  EXPECT_THAT(why_not({arm_of(3)}), HasSubstr("found one recording, expected those of two"));
  EXPECT_THAT(why_not({}), HasSubstr("found no recording"));
  NodeRecord again = arm_of(3);
  again.file = "again.mcap";
  EXPECT_THAT(why_not({arm_of(3), again}),
              HasSubstr("arm.mcap and again.mcap both are of node arm"));
  NodeRecord elsewhere = meter_that_sees({0, 1});
  elsewhere.links.received[0].name.system = "shed";
  EXPECT_THAT(why_not({arm_of(3), elsewhere}),
              HasSubstr("arm.mcap is of system rig of domain 42, and meter.mcap of system shed"));
  NodeRecord later = meter_of(3);
  later.first = tick(53);
  later.last = tick(60);
  EXPECT_THAT(why_not({arm_of(3), later}),
              HasSubstr("meter.mcap and arm.mcap never met: the one begins 0.500 s after"));
  EXPECT_THAT(why_not({arm_of(3), meter_that_sees({-1, -1, -1})}),
              HasSubstr("no node has received anything of another one"));
}

TEST(Join, RefusesSignalsThatDoNotFit) {
  NodeRecord meter = meter_that_sees({0, 1});
  meter.links.received[0].unit = "kg";
  EXPECT_THAT(why_not({arm_of(3), meter}), HasSubstr("arm.mcap sends it in m, and meter.mcap "
                                                     "expects it in kg"));
  meter.links.received[0].name.signal = "angle";
  EXPECT_THAT(why_not({arm_of(3), meter}),
              HasSubstr("is to be the signal angle of node arm, which sends no such signal"));
  NodeRecord deaf = arm_of(3);
  deaf.name = deaf.links.node = "deaf";
  EXPECT_THAT(why_not({arm_of(3), deaf}), HasSubstr("none of these nodes receives"));
}

}  // namespace
}  // namespace hild::join
