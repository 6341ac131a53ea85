// SPDX-License-Identifier: Apache-2.0
#include "recording/record/words.hpp"

#include <gtest/gtest.h>

#include "recording/record/overrun_log.hpp"
#include "records.hpp"

namespace hild::record {
namespace {

TEST(Words, DurationsInTheUnitThatReadsBest) {
  EXPECT_EQ(in_words(214_us), "214 us");
  EXPECT_EQ(in_words(2'600_ns), "3 us");
  EXPECT_EQ(in_words(9'999_us), "9999 us");
  EXPECT_EQ(in_words(12'340_us), "12.3 ms");
  EXPECT_EQ(in_words(12'340_ms), "12.3 s");
}

TEST(Words, AnOverrunNamesItsThreeLongestPhases) {
  io::FrameHeader h = late(48211, 214_us, io::Cause::device);
  set_phase(h, io::Phase::wake, 3_us);
  set_phase(h, io::Phase::device, 198_us);
  set_phase(h, io::Phase::passes, 12_us);
  set_phase(h, io::Phase::outputs, 1_us);
  set_phase(h, io::Phase::wait, 500_us);  // waiting is nobody's fault
  set_phase(h, io::Phase::idle, 900_us);
  EXPECT_EQ(overrun_line(h, 2),
            "frame 48211: +214 us late, cause device (device 198 us, passes 12 us, wake 3 us); "
            "next step covers 2 frames");
  EXPECT_EQ(overrun_line(h, 1),
            "frame 48211: +214 us late, cause device (device 198 us, passes 12 us, wake 3 us)");
  EXPECT_EQ(overrun_line(h, 2, {.devices = "daq, meter", .utilisation = 0.3104}),
            "frame 48211: +214 us late, cause device (device daq, meter 198 us, passes 12 us, "
            "wake 3 us); next step covers 2 frames; utilisation before 31.0 %");
}

TEST(Words, AnOverrunOfUnmeasuredPhases) {
  EXPECT_EQ(overrun_line(late(7, 50_us, io::Cause::late_wake), 0),
            "frame 7: +50 us late, cause late wake");
}

TEST(Words, ALateWakeSaysWhetherItWasAtARelease) {
  io::FrameHeader h = late(7, 50_us, io::Cause::late_wake);
  h.start = h.due + 800_us;
  set_phase(h, io::Phase::wake, 850_us);  // 50 us at a release
  EXPECT_EQ(overrun_line(h, 0), "frame 7: +50 us late, cause late wake (wake 850 us)");
  h.start = h.due + 3_us;
  EXPECT_EQ(overrun_line(h, 0), "frame 7: +50 us late, cause late wake at a release (wake 850 us)");
  // The grid has moved meanwhile: the tick it was woken for is not the one it is due at.
  h.slipped = 2;
  EXPECT_EQ(overrun_line(h, 0), "frame 7: +50 us late, cause late wake (wake 850 us)");
  h.cause = io::Cause::preemption;
  EXPECT_EQ(overrun_line(h, 0), "frame 7: +50 us late, cause preemption (wake 850 us)");
}

TEST(Words, AnUnknownCauseSaysHowToLearnMore) {
  const io::FrameHeader h = late(7, 50_us, io::Cause::unknown);
  EXPECT_EQ(
      overrun_line(h, 0),
      "frame 7: +50 us late, cause unknown; `--set overrun.evidence=true` has the kernel tell "
      "what it did");
  EXPECT_EQ(overrun_line(h, 0, {.evidence = true}), "frame 7: +50 us late, cause unknown");
}

TEST(Words, LateWakes) {
  io::FrameHeader h = header(512);
  h.start = h.due + 340_us;
  set_phase(h, io::Phase::wake, 343_us);
  EXPECT_EQ(late_wake_line(h, 100_us), "frame 512: woke 340 us late, in time all the same");
  h.start = h.due + 5_us;
  EXPECT_EQ(late_wake_line(h, 100_us),
            "frame 512: woke 338 us late for a release, in time all the same");
}

TEST(Words, FramesGivenUpShowInTheTicks) {
  const io::FrameHeader before = late(10, 2'500_us, io::Cause::pass);
  io::FrameHeader h = header(11);
  EXPECT_EQ(frames_given_up(before, h), 0);
  h.due += 3_ms;
  h.deadline += 3_ms;
  EXPECT_EQ(frames_given_up(before, h), 3);
  h.step += 1;  // records lost in between: only what the record itself says
  EXPECT_EQ(frames_given_up(before, h), 0);
  h.slipped = 2;
  EXPECT_EQ(frames_given_up(before, h), 2);
}

TEST(Words, AFrozenFrameMovesTheGridButIsNoSlip) {
  io::FrameHeader before = header(10);
  before.step = 10;
  before.frozen = true;
  io::FrameHeader h = header(10);
  h.step = 11;
  h.due += 5_ms;
  h.deadline += 5_ms;
  EXPECT_EQ(frames_given_up(before, h), 0);
}

TEST(Tally, SumsUpInOneLine) {
  Tally tally;
  tally.overrun(late(1, 100_us, io::Cause::pass));
  tally.overrun(late(2, 214_us, io::Cause::device));
  tally.overrun(late(3, 30_us, io::Cause::device));
  EXPECT_EQ(tally.line(1_s), "and 3 more overruns in 1.0 s: device 2, pass 1; worst +214 us");
  tally.late_wakes = 1;
  tally.slips = 4;
  tally.recoveries = 2;
  EXPECT_EQ(tally.line(2500_ms),
            "and 3 more overruns, 1 late wake, 4 slipped frames, 2 recoveries in 2.5 s: "
            "device 2, pass 1; worst +214 us");
}

TEST(Tally, WithoutOverrunsNamesNoCause) {
  Tally tally;
  tally.late_wakes = 2;
  EXPECT_EQ(tally.line(1_s), "and 2 more late wakes in 1.0 s");
}

}  // namespace
}  // namespace hild::record
