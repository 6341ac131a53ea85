// SPDX-License-Identifier: Apache-2.0
#include "recording/record/overrun_log.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <sstream>

#include "recording/record/words.hpp"
#include "records.hpp"

namespace hild::record {
namespace {

class OverrunLogTest : public testing::Test {
 protected:
  OverrunLogTest() { logger_->set_pattern("%L %v"); }

  OverrunLog log(int lines = 10) { return OverrunLog(logger_, {.lines_per_second = lines}); }
  /// All lines since the last call.
  std::string lines() {
    std::string text = out_.str();
    out_.str({});
    return text;
  }

  std::ostringstream out_;
  std::shared_ptr<spdlog::logger> logger_ = std::make_shared<spdlog::logger>(
      "hild", std::make_shared<spdlog::sinks::ostream_sink_mt>(out_));
};

TEST_F(OverrunLogTest, SaysNothingOfAGoodRun) {
  OverrunLog sink(logger_);
  for (std::int64_t n = 0; n < 3000; ++n) give(sink, header(n));
  sink.flush();
  EXPECT_EQ(lines(), "");
}

TEST_F(OverrunLogTest, AnOverrunIsToldWithTheSpanOfTheNextStep) {
  OverrunLog sink(logger_);
  give(sink, late(10, 1'200_us, io::Cause::device));
  EXPECT_EQ(lines(), "");
  give(sink, doubled(header(11)));
  EXPECT_EQ(lines(),
            "W frame 10: +1200 us late, cause device; next step covers 2 frames\n"
            "I frame 11: in step again after 1 doubled step\n");
}

TEST_F(OverrunLogTest, RecoveryCountsTheDoubledSteps) {
  OverrunLog sink(logger_);
  give(sink, late(10, 2'300_us, io::Cause::pass));
  give(sink, doubled(late(11, 800_us, io::Cause::carried)));
  io::FrameHeader second = doubled(header(13));
  second.step = 12;
  give(sink, second);
  EXPECT_EQ(lines(),
            "W frame 10: +2300 us late, cause pass; next step covers 2 frames\n"
            "W frame 11: +800 us late, cause step before; next step covers 2 frames\n"
            "I frame 13: in step again after 2 doubled steps\n");
}

TEST_F(OverrunLogTest, TheLastOverrunIsToldAtTheEnd) {
  OverrunLog sink(logger_);
  give(sink, late(10, 50_us, io::Cause::unknown));
  sink.flush();
  EXPECT_EQ(lines(), fmt::format("W frame 10: +50 us late, cause unknown; {}\n", learn_more));
  sink.flush();
  EXPECT_EQ(lines(), "");
}

TEST_F(OverrunLogTest, CapsNameTheFunctionOfTheModel) {
  OverrunLog sink(logger_, {.lines_per_second = 2});
  io::FrameHeader one = header(10);
  one.capped = 1U << static_cast<unsigned>(io::Cap::event_iterations);
  give(sink, one);
  io::FrameHeader two = header(11);
  two.capped = 1U << static_cast<unsigned>(io::Cap::state_events) |
               1U << static_cast<unsigned>(io::Cap::step_parts);
  give(sink, two);
  two.step = two.frame = 12;
  give(sink, two);
  sink.flush();
  const std::string said = lines();
  EXPECT_EQ(
      said.find("W frame 10: an event that took too many updates, left as it was (model's "
                "update discrete states)\n"
                "W frame 11: more state events than max_events, the rest put off to the next "
                "frame (model's event functions); a step that took too many parts, left where "
                "it was (model's do step)\n"
                "W and 1 more step cut short in "),
      0U)
      << said;
}

TEST_F(OverrunLogTest, CapsNameTheModelsOfSeveral) {
  OverrunLog sink(logger_, {.models = {"pump", "valve", "tank"}});
  io::FrameHeader one = header(10);
  one.capped = 1U << static_cast<unsigned>(io::Cap::step_parts);
  one.capped_by = 0b101;
  give(sink, one);
  sink.flush();
  EXPECT_EQ(lines(),
            "W frame 10: a step that took too many parts, left where it was (model's do step); by "
            "pump, tank\n");
}

TEST_F(OverrunLogTest, ALostRecordHidesTheNextSpan) {
  OverrunLog sink(logger_);
  give(sink, late(10, 50_us, io::Cause::device));
  give(sink, doubled(header(12)));
  EXPECT_EQ(lines().substr(0, 39), "W frame 10: +50 us late, cause device\nI");
}

TEST_F(OverrunLogTest, LateWakesSlipsAndTheFreeze) {
  OverrunLog sink(logger_);
  io::FrameHeader woke_late = header(0);
  woke_late.late_wake = true;
  woke_late.start = woke_late.due + 150_us;
  set_phase(woke_late, io::Phase::wake, 150_us);
  give(sink, woke_late);
  io::FrameHeader slipped = header(1);
  slipped.slipped = 3;
  give(sink, slipped);
  io::FrameHeader frozen = header(2);
  frozen.frozen = frozen.limited = true;
  frozen.lateness = 5_us;
  give(sink, frozen);
  give(sink, frozen);
  sink.flush();
  EXPECT_EQ(lines(),
            "I frame 0: woke 150 us late, in time all the same\n"
            "W frame 1: 3 frames given up (slip), simulated time falls behind\n"
            "E frame 2: overrun limit reached, the plant is frozen\n");
}

TEST_F(OverrunLogTest, AFreezeThatWasAskedForAndItsEnd) {
  OverrunLog sink(logger_);
  give(sink, header(1));
  io::FrameHeader frozen = header(2);
  frozen.frozen = true;
  give(sink, frozen);
  give(sink, frozen);
  give(sink, header(2));
  give(sink, header(3));
  sink.flush();
  EXPECT_EQ(lines(),
            "I frame 2: the plant is frozen, as asked for\n"
            "I frame 2: the plant goes on\n");
}

TEST_F(OverrunLogTest, TheLateWakeOfAnOverrunIsToldOnce) {
  OverrunLog sink(logger_);
  io::FrameHeader h = late(5, 40_us, io::Cause::late_wake);
  h.late_wake = true;
  h.start = h.due + 700_us;
  set_phase(h, io::Phase::wake, 700_us);
  give(sink, h);
  sink.flush();
  EXPECT_EQ(lines(), "W frame 5: +40 us late, cause late wake (wake 700 us)\n");
}

// Frame n of 1 ms is late by n us, so that it ends at (n + 1) ms + n us after the start, and is
// told when frame n + 1 has ended; 3 lines a second. The first line, of frame 1, opens the window
// at 3.002 ms. Frame 1001 ends at 1003.001 ms, frame 1002 at 1004.002 ms: the window is over.
TEST_F(OverrunLogTest, AStormIsSummedUpOnceASecond) {
  OverrunLog sink(logger_, {.lines_per_second = 3});
  const auto storm = [&sink](std::int64_t from, std::int64_t to) {
    for (std::int64_t n = from; n < to; ++n) {
      give(sink, late(n, 1_us * n, n % 4 == 0 ? io::Cause::pass : io::Cause::device));
    }
  };
  storm(0, 1000);
  EXPECT_EQ(lines(),
            "W frame 1: +1 us late, cause device\n"
            "W frame 2: +2 us late, cause device\n"
            "W frame 3: +3 us late, cause device\n");
  storm(1000, 1002);
  EXPECT_EQ(lines(), "");
  // 4 ... 1000 were kept back, 250 of them with n % 4 == 0. What sums them up is one of the next
  // three lines.
  storm(1002, 1005);
  EXPECT_EQ(lines(),
            "W and 997 more overruns in 1.0 s: device 747, pass 250; worst +1000 us\n"
            "W frame 1001: +1001 us late, cause device\n"
            "W frame 1002: +1002 us late, cause device\n");
  // 1003 was kept back, 1004 waits for its next step.
  sink.flush();
  EXPECT_EQ(lines(), "W and 2 more overruns in 0.0 s: device 1, pass 1; worst +1004 us\n");
}

TEST_F(OverrunLogTest, AGoodRecordClosesTheWindow) {
  OverrunLog sink(logger_, {.lines_per_second = 1});
  for (std::int64_t n = 1; n <= 3; ++n) give(sink, late(n, 10_us, io::Cause::device));
  for (std::int64_t n = 4; n <= 1002; ++n) give(sink, header(n));
  EXPECT_EQ(lines(), "W frame 1: +10 us late, cause device\n");
  // Frame 1 was told when frame 2 ended, 3.010 ms; frame 1003 ends at 1003.6 ms.
  give(sink, header(1003));
  EXPECT_EQ(lines(), "W and 2 more overruns in 1.0 s: device 2; worst +10 us\n");
}

}  // namespace
}  // namespace hild::record
