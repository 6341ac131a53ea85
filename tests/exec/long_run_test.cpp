// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs whose counters start where those of a long run are: beyond 2^31 frames, and after 300 days.
/// What they compute and count is what a run does that starts at 0.
#include <gmock/gmock.h>

#include "fakes.hpp"
#include "hild/numerics/catalogue.hpp"
#include "plants.hpp"

namespace hild::exec {
namespace {

using testing::Rig;

constexpr std::int64_t across_2_31 = (std::int64_t{1} << 31) - 20;
constexpr std::int64_t across_2_32 = (std::int64_t{1} << 32) - 20;
constexpr std::int64_t days_300_at_1_khz = 300LL * 86'400 * 1'000;

/// Overruns, doubled steps and a slip, a stimulus, and an input that moves.
struct RunFrom {
  RunFrom(std::unique_ptr<model::Stepper> plant, const numerics::Method& method, std::int64_t first,
          Grid grid = Grid::of_rate_hz(1'000))
      : rig(std::move(plant), [](double t) { return std::sin(40 * t); }) {
    rig.first_frame = first;
    rig.settings.grid = grid;
    rig.settings.sampling = method.real_time() ? Sampling::stage : Sampling::frame;
    rig.plant.pass_cost = 5_us;
    rig.plant.extra = {{12, 1'300_us}, {15, 9'500_us}};
    outcome = rig.run(60);
  }
  Rig rig;
  Outcome outcome;
};

// NOLINTNEXTLINE(readability-function-size): one field after the other
void expect_the_same(const RunFrom& early, const RunFrom& late, std::int64_t first) {
  EXPECT_EQ(late.outcome.end, End::duration);
  ASSERT_EQ(early.rig.records.size(), late.rig.records.size());
  for (std::size_t i = 0; i < early.rig.records.size(); ++i) {
    const io::FrameHeader& a = early.rig.records[i];
    const io::FrameHeader& b = late.rig.records[i];
    EXPECT_EQ(b.step, a.step + first);
    EXPECT_EQ(b.frame, a.frame + first);
    EXPECT_EQ(b.t - a.t, early.rig.settings.grid.tick(first));
    EXPECT_EQ(b.due, a.due);
    EXPECT_EQ(b.end, a.end);
    EXPECT_EQ(b.lateness, a.lateness);
    EXPECT_EQ(b.span, a.span);
    EXPECT_EQ(b.slipped, a.slipped);
    EXPECT_EQ(b.state_events, a.state_events);
  }
  const Statistics& was = early.rig.statistics();
  const Statistics& is = late.rig.statistics();
  EXPECT_EQ(is.frames.get(), was.frames.get() + first);
  EXPECT_GT(is.overruns.get(), 0);
  EXPECT_GT(is.slips.get(), 0);
  EXPECT_EQ(is.overruns.get(), was.overruns.get());
  EXPECT_EQ(is.slips.get(), was.slips.get());
  ASSERT_EQ(early.rig.sampler.writes.size(), late.rig.sampler.writes.size());
}

// To the bit: neither model knows the time, and a step is as long there as here.
void expect_the_same_bits(const RunFrom& early, const RunFrom& late) {
  for (std::size_t i = 0; i < early.rig.sampler.writes.size(); ++i) {
    EXPECT_EQ(early.rig.sampler.writes[i].at, late.rig.sampler.writes[i].at);
    EXPECT_EQ(early.rig.sampler.writes[i].y, late.rig.sampler.writes[i].y) << i;
  }
}

class LongRun : public ::testing::TestWithParam<const numerics::Method*> {};

TEST_P(LongRun, ComputesWhatAShortOneDoes) {
  const numerics::Method& method = *GetParam();
  const auto lag = [&] { return model::make_stepper<testing::Lag>(method); };
  const RunFrom early(lag(), method, 0);
  for (const std::int64_t first : {across_2_31, across_2_32, days_300_at_1_khz}) {
    const RunFrom late(lag(), method, first);
    expect_the_same(early, late, first);
    expect_the_same_bits(early, late);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, LongRun, ::testing::ValuesIn(numerics::catalogue()),
                         [](const auto& test) {
                           std::string name(test.param->name);
                           std::erase_if(name, [](char c) { return c == '-' || c == '/'; });
                           return name;
                         });

TEST(LongRun, BouncesWhereAShortOneDoes) {
  const auto ball = [] { return model::make_stepper<testing::Ball>(numerics::rtrk4); };
  const Grid grid = Grid::of_rate_hz(100);
  const RunFrom early(ball(), numerics::rtrk4, 0, grid);
  const RunFrom late(ball(), numerics::rtrk4, across_2_31, grid);
  EXPECT_EQ(early.rig.statistics().state_events.get(), 1);
  EXPECT_EQ(late.rig.statistics().state_events.get(), 1);
  expect_the_same_bits(early, late);
}

// 3 kHz has no whole number of nanoseconds a frame: the grid is exact after 300 days too.
TEST(LongRun, KeepsAGridOfFractions) {
  constexpr std::int64_t first = 3 * days_300_at_1_khz;
  const RunFrom late(model::make_stepper<testing::Lag>(numerics::ab2), numerics::ab2, first,
                     Grid::of_rate_hz(3'000));
  EXPECT_EQ(late.rig.records.front().t.ns, 300LL * 86'400 * 1'000'000'000);
  EXPECT_EQ(late.rig.records.front().due, Rig::start);
  EXPECT_EQ(late.rig.statistics().sim_time_ns.get(),
            (Grid::of_rate_hz(3'000).tick(late.rig.records.back().frame + 1)).ns);
}

}  // namespace
}  // namespace hild::exec
