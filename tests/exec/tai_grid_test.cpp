// SPDX-License-Identifier: Apache-2.0
/// \file
/// Frames on TAI: where they stand, when clocks drift and when they are set. Times are chosen so
/// that each is counted by hand.
#include "exec/tai_grid.hpp"

#include <gtest/gtest.h>

#include "exec/aligned_clock.hpp"
#include "exec/fakes.hpp"

namespace hild::testing {
namespace {

using exec::TaiGrid;

/// Frames of 1 ms, 200 us behind whole milliseconds of TAI.
constexpr exec::Align behind{.phase = 200'000_ns};
TaiGrid grid() { return {behind, Grid::of_period(1_ms)}; }

TEST(TaiGrid, TheFirstTickIsTheNextOneOfAll) {
  // TAI is 1000.7 ms ahead: ticks are where it has whole milliseconds and 200 us, so at x.5 ms.
  constexpr Duration ahead = 1'000'700_us;
  EXPECT_EQ(grid().first_tick(MonoTime{5'100'000}, ahead).ns, 5'500'000);
  EXPECT_EQ(grid().first_tick(MonoTime{5'500'000}, ahead).ns, 5'500'000);
  EXPECT_EQ(grid().first_tick(MonoTime{5'500'001}, ahead).ns, 6'500'000);
}

// Three thousand a second are 333 333 and 333 334 ns; the second frame of TAI's first second is
// due at 666 666 ns.
TEST(TaiGrid, KnowsRatesOfNoWholeNanoseconds) {
  const TaiGrid thirds({}, Grid::of_rate_hz(3000));
  EXPECT_EQ(thirds.first_tick(MonoTime{400'000}, {}).ns, 666'666);
  EXPECT_EQ(thirds.error(MonoTime{666'666}, {}), Duration{});
  EXPECT_EQ(thirds.error(MonoTime{666'670}, {}), Duration{4});
  // A hundred years on.
  const Duration century{3'155'760'000 * 1'000'000'000};
  EXPECT_EQ(thirds.error(MonoTime{333'333}, century), Duration{});
}

TEST(TaiGrid, AnErrorIsToTheNearestTick) {
  EXPECT_EQ(grid().error(MonoTime{5'200'000}, {}), Duration{});
  EXPECT_EQ(grid().error(MonoTime{5'230'000}, {}), Duration(30_us));
  EXPECT_EQ(grid().error(MonoTime{5'170'000}, {}), Duration(-30_us));
  EXPECT_EQ(grid().error(MonoTime{5'699'000}, {}), Duration(499_us));
  EXPECT_EQ(grid().error(MonoTime{5'701'000}, {}), Duration(-499_us));
}

// By a thousandth of a frame at most, to the nearest phase.
TEST(TaiGrid, ItIsMovedSlowly) {
  TaiGrid g = grid();
  EXPECT_EQ(g.see(MonoTime{5'200'400}, {}).move, Duration{-400});
  EXPECT_EQ(g.see(MonoTime{6'230'000}, {}).move, Duration{-1'000});
  EXPECT_EQ(g.see(MonoTime{7'100'000}, {}).move, Duration{1'000});
}

TEST(TaiGrid, AClockThatWasSetIsNoticedOnce) {
  TaiGrid g = grid();
  EXPECT_FALSE(g.see(MonoTime{5'200'000}, {1_s, {}}).stepped) << "the first look";
  EXPECT_FALSE(g.see(MonoTime{6'200'000}, {1_s + 10_us, {}}).stepped) << "an error of reading";
  EXPECT_TRUE(g.see(MonoTime{7'200'000}, {1_s - 300_us, {}}).stepped);
  EXPECT_FALSE(g.see(MonoTime{8'200'000}, {1_s - 300_us, {}}).stepped);
  EXPECT_EQ(g.see(MonoTime{9'200'000}, {1_s - 300_us, {}}).error, Duration(-300_us));
}

// Somebody came between the two clocks.
TEST(TaiGrid, AReadingThatIsUncertainTellsNothing) {
  TaiGrid g = grid();
  EXPECT_EQ(g.see(MonoTime{5'300'000}, {1_s, 6_us}).move, Duration{});
  static_cast<void>(g.see(MonoTime{5'200'000}, {1_s, {}}));
  const auto seen = g.see(MonoTime{6'200'000}, {1_s + 20_us, 20_us});
  EXPECT_FALSE(seen.stepped);
  EXPECT_EQ(seen.error, Duration{});
  EXPECT_TRUE(g.see(MonoTime{7'200'000}, {1_s + 20_us, 5_us}).stepped);
}

// ---- in the loop -------------------------------------------------------------------------------

/// The clock of a machine whose TAI is a function of its monotonic clock.
class FakeTai final : public rt::TaiClock {
 public:
  explicit FakeTai(rt::VirtualClock& clock) : clock_(&clock) {}
  rt::TaiReading read() noexcept override { return {of(clock_->now()), {}}; }
  std::function<Duration(MonoTime)> of;

 private:
  rt::VirtualClock* clock_;
};

struct Aligned {
  Aligned() { rig.settings.align = behind; }
  exec::Outcome run(std::int64_t frames) {
    const io::FrameLayout layout = exec::FrameLoop::layout(rig.plant);
    rt::SlotRing ring(layout.bytes(), static_cast<std::size_t>(2 * frames + 8));
    exec::Parts parts{rig.clock, rig.sampler, rig.plant, plain_inputs(1),
                      {0.0},     &rig.events, &ring};
    parts.tai = &tai;
    rig.loop = std::make_unique<exec::FrameLoop>(rig.settings, std::move(parts));
    rig.clock.sleep_until(start - 1_ms);
    const exec::Outcome outcome = rig.loop->run(start, frames, rig.stop);
    while (const std::byte* slot = ring.front()) {
      records.push_back(io::FrameView(layout, slot).header());
      ring.release();
    }
    return outcome;
  }
  /// What tick `n` is late by on TAI, with the phase.
  [[nodiscard]] Duration late(std::size_t n) {
    const MonoTime due = records[n].due;
    const std::int64_t on_grid = (due.ns + tai.of(due).ns - 200'000) % 1'000'000;
    return {on_grid < 500'000 ? on_grid : on_grid - 1'000'000};
  }

  MonoTime start = Rig::start + 200_us;  // in phase, where TAI is a whole second ahead
  Rig rig;
  FakeTai tai{rig.clock};
  std::vector<io::FrameHeader> records;
};

// Where TAI goes at another rate than the monotonic clock, a tick is off by what it drifts between
// the look at it and the tick, which is a frame: 200 ns.
TEST(AlignedFrames, KeepWithAClockThatDrifts) {
  for (const int ppm : {-200, 200}) {
    Aligned run;
    run.tai.of = [&](MonoTime t) { return 1_s + Duration{(t - Rig::start).ns / 1'000'000 * ppm}; };
    ASSERT_EQ(run.run(3000).end, exec::End::duration);
    for (std::size_t n = 0; n < 3000; ++n) {
      EXPECT_LE(std::abs(run.late(n).ns), 200) << n;
    }
    EXPECT_EQ(run.rig.statistics().slips.get(), 0);
    EXPECT_EQ(run.rig.statistics().doubled_steps.get(), 0);
    EXPECT_EQ(run.rig.statistics().overruns.get(), 0);
    EXPECT_EQ(run.rig.statistics().clock_steps.get(), 0);
  }
}

// Set by 300 us, which is first seen before frame 1001: by 1 us a frame the grid is there after 300
// frames, without a slip.
TEST(AlignedFrames, MoveToWhereAClockWasSetTo) {
  Aligned run;
  run.tai.of = [](MonoTime t) { return t < Rig::start + 1_s ? Duration(1_s) : 1_s - 300_us; };
  ASSERT_EQ(run.run(2000).end, exec::End::duration);
  EXPECT_EQ(run.rig.statistics().clock_steps.get(), 1);
  EXPECT_EQ(run.rig.statistics().slips.get(), 0);
  EXPECT_EQ(run.late(999), Duration{});
  EXPECT_EQ(run.late(1100), Duration(-200_us));
  for (std::size_t n = 1302; n < 2000; ++n) EXPECT_EQ(run.late(n), Duration{}) << n;
}

TEST(AlignedFrames, EndWhereAClockIsNotToBeSet) {
  Aligned run;
  run.rig.settings.align->ends_on_step = true;
  run.tai.of = [](MonoTime t) { return t < Rig::start + 50_ms ? Duration(1_s) : 2_s; };
  const exec::Outcome outcome = run.run(200);
  EXPECT_EQ(outcome.end, exec::End::clock_set);
  // It is looked at once a step has ended, at 50.2 ms for the first time.
  EXPECT_EQ(outcome.frame, 51);
  EXPECT_EQ(run.records.size(), 51U);
}

}  // namespace
}  // namespace hild::testing
