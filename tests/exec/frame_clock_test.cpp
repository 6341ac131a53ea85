// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clock of a run alone: when a step begins, what it covers, what is given up; by time, and by
/// what was recorded.
#include "exec/frame_clock.hpp"

#include <gtest/gtest.h>

#include <array>

#include "exec/recorded_clock.hpp"

namespace hild::testing {
namespace {

using exec::FrameClock;

constexpr MonoTime start{1'000'000'000};
constexpr MonoTime at(double ms) { return start + part(1_ms, ms); }

/// What a clock needs: the time, and where it tells what it did.
struct Bench {
  rt::VirtualClock clock{start - 10_us};
  exec::Statistics statistics;
  exec::Settings settings;
  exec::Step step;
  io::FrameHeader header;
  exec::Meter meter{clock, statistics, 1_ms, header};
};

struct Live : Bench {
  Live() {
    meter.start();
    frames.begin_run(start, 0);
  }
  /// Work that ends this much later; the clock learns of it by the meter.
  void work(Duration took) {
    clock.advance(took);
    meter.close(io::Phase::passes);
  }
  const exec::Step& begin() {
    EXPECT_TRUE(frames.next());
    frames.begin();
    return frames.step();
  }
  exec::LiveClock frames{settings, clock, meter, statistics, step};
};

TEST(FrameClock, WaitsForTheTickAndCoversAFrame) {
  Live live;
  for (int n = 0; n < 3; ++n) {
    const exec::Step& step = live.begin();
    EXPECT_EQ(live.clock.now(), at(n));
    EXPECT_EQ(step.number, n);
    EXPECT_EQ(step.frame, n);
    EXPECT_EQ(step.span, 1);
    EXPECT_TRUE(step.waited);
    EXPECT_FALSE(step.behind);
    EXPECT_EQ(step.due, at(n));
    EXPECT_EQ(step.deadline, at(n + 1));
    EXPECT_EQ(step.time.ns, n * 1'000'000);
    EXPECT_EQ(step.end.ns, (n + 1) * 1'000'000);
    EXPECT_EQ(step.wall(step.end), step.deadline);
    live.work(400_us);
    EXPECT_EQ(live.frames.ended(), at(n + 0.4));
    live.frames.advance();
  }
  EXPECT_EQ(live.frames.gone_by(), 3);
}

// 3.3 frames late: two steps of two frames, one of one, and nothing is given up.
TEST(FrameClock, CatchesUpByStepsOfTwoFrames) {
  Live live;
  live.begin();
  live.work(4'300_us);
  live.frames.advance();
  struct Expected {
    int span;
    bool waited;
  };
  for (const auto [span, waited] : {Expected{2, false}, {2, false}, {1, true}}) {
    const exec::Step& step = live.begin();
    EXPECT_EQ(step.span, span) << step.frame;
    EXPECT_EQ(step.waited, waited) << step.frame;
    EXPECT_EQ(step.deadline, at(static_cast<double>(step.frame + span)));
    live.work(100_us);
    live.frames.advance();
  }
  EXPECT_EQ(live.statistics.slips.get(), 0);
}

TEST(FrameClock, GivesUpWhatIsBeyondTheDebt) {
  Live live;
  live.settings.overrun.max_debt = 2;
  live.begin();
  live.work(9'500_us);
  live.frames.advance();
  const exec::Step& step = live.begin();
  EXPECT_TRUE(step.behind);
  EXPECT_EQ(step.frame, 1);
  EXPECT_EQ(step.slipped, 7) << "frame 3 lies at 10 ms now, the first tick at or after 9.5 ms";
  EXPECT_EQ(step.due, at(8));
  EXPECT_EQ(step.time.ns, 1'000'000) << "simulated time falls behind, and goes on";
  EXPECT_EQ(live.statistics.slips.get(), 7);
}

TEST(FrameClock, StandsWhileThePlantIsHeld) {
  Live live;
  live.begin();
  live.frames.shorten();
  live.frames.stand();
  const exec::Step& step = live.begin();
  EXPECT_EQ(step.frame, 0);
  EXPECT_EQ(step.number, 0);
  EXPECT_EQ(step.due, at(1));
  EXPECT_EQ(live.frames.gone_by(), 1);
}

TEST(FrameClock, TellsWhatToWaitForWithinAStep) {
  Live live;
  live.begin();
  EXPECT_TRUE(live.frames.waits_for_sample(at(0.5)));
  EXPECT_EQ(live.frames.timing(at(0.5), at(0.7)), FrameClock::Timing::wait);
  live.frames.wait_for(at(0.5));
  EXPECT_EQ(live.clock.now(), at(0.5));
  EXPECT_TRUE(live.frames.woken());
  EXPECT_EQ(live.frames.began_late(), 0_ns);
  EXPECT_FALSE(live.frames.waits_for_sample(at(0.5)));
  EXPECT_EQ(live.frames.timing(at(0.5), at(0.7)), FrameClock::Timing::now);
  live.work(200_us);
  EXPECT_EQ(live.frames.timing(at(0.5), at(0.7)), FrameClock::Timing::too_late);
  EXPECT_TRUE(live.frames.fits(at(0.8), 200_us));
  EXPECT_FALSE(live.frames.fits(at(0.8), 201_us));
  EXPECT_FALSE(live.frames.fits(at(0.1), 301_us)) << "it is later than that already";
  live.work(100_us);
  live.frames.wait_for(at(0.75));
  EXPECT_FALSE(live.frames.woken()) << "it did not sleep";
  EXPECT_EQ(live.frames.began_late(), 50_us);
}

TEST(FrameClock, CountsWakeUpsThatWereLate) {
  Live live;
  EXPECT_TRUE(live.frames.next());
  live.clock.delay_next_wake(150_us);
  live.frames.begin();
  EXPECT_TRUE(live.frames.woke_late());
  EXPECT_EQ(live.statistics.late_wakes.get(), 1);
}

/// Two steps: one that waited, one that began a frame and a half late.
struct TwoSteps final : exec::Replay {
  const io::FrameHeader* next() noexcept override { return step == 2 ? nullptr : &headers[step++]; }
  bool waits() noexcept override { return waited; }
  std::array<io::FrameHeader, 2> headers{};
  std::size_t step = 0;
  bool waited = false;
};

TEST(RecordedClock, DoesAgainWhatTimeDecidedThen) {
  Bench bench;
  TwoSteps run;
  run.headers[0].slept = true;
  run.headers[0].start = at(0.02);
  run.headers[0].end = at(2.5);
  run.headers[0].early = true;
  run.headers[1].start = at(2.5);
  run.headers[1].end = at(2.6);
  exec::RecordedClock frames(bench.settings, bench.clock, bench.meter, bench.statistics, bench.step,
                             run);
  bench.meter.start();
  frames.begin_run(start, 0);

  ASSERT_TRUE(frames.next());
  frames.begin();
  EXPECT_TRUE(frames.step().waited);
  EXPECT_EQ(frames.step().start, at(0.02));
  EXPECT_EQ(frames.ended(), at(2.5)) << "whatever the time is";
  EXPECT_FALSE(frames.fits(at(0.1), 1_us)) << "it was completed early";
  run.waited = true;
  EXPECT_TRUE(frames.waits_for_sample(at(-5)));
  run.waited = false;
  EXPECT_FALSE(frames.waits_for_sample(at(5)));
  EXPECT_EQ(frames.timing(at(5), at(5)), FrameClock::Timing::now);
  frames.advance();

  ASSERT_TRUE(frames.next());
  frames.begin();
  EXPECT_FALSE(frames.step().waited);
  EXPECT_EQ(frames.step().span, 2);
  EXPECT_EQ(frames.step().deadline, at(3));
  EXPECT_TRUE(frames.fits(at(9), 9_ms));
  frames.advance();
  EXPECT_FALSE(frames.next()) << "nothing more was recorded";
}

}  // namespace
}  // namespace hild::testing
