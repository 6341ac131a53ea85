// SPDX-License-Identifier: Apache-2.0
/// Outputs between the ticks by the dense result: when they go out, and how right they are.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <tuple>

#include "exec/fakes.hpp"
#include "exec/plants.hpp"

namespace hild::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;

struct DenseRig : Rig {
  DenseRig(std::unique_ptr<model::Stepper> made, int rate, std::vector<double> thetas)
      : Rig(std::move(made), nothing()), period(1'000'000'000 / rate) {
    settings.grid = Grid::of_rate_hz(rate);
    settings.dense_outputs = std::move(thetas);
  }
  /// When outputs went out, in frames since the start, from frame `first` up to frame `last`.
  [[nodiscard]] std::vector<double> times(double first, double last) const {
    std::vector<double> found;
    for (const auto& w : sampler.writes) {
      const double at = frames(w.at);
      if (at >= first - 1e-9 && at < last - 1e-9) found.push_back(at);
    }
    return found;
  }
  [[nodiscard]] double frames(MonoTime t) const {
    return static_cast<double>((t - start).ns) / static_cast<double>(period);
  }
  std::int64_t period;
};

std::vector<double> each_frame(double first, double last, const std::vector<double>& thetas) {
  std::vector<double> all;
  for (double n = first; n < last; ++n) {
    all.push_back(n);
    for (const double theta : thetas) all.push_back(n + theta);
  }
  return all;
}

// One sample a frame: all passes are done at the tick, and every theta is on time.
TEST(DenseOutputs, GoOutAtTheirInstants) {
  const std::vector<double> thetas{0.25, 0.5, 0.75};
  DenseRig rig(oscillator(), 100, thetas);
  rig.run(20);
  EXPECT_THAT(rig.times(0, 20), Pointwise(DoubleNear(1e-9), each_frame(0, 20, thetas)));
  for (const auto& w : rig.sampler.writes) {
    EXPECT_NEAR(w.y[0], std::cos(seconds(w.at - Rig::start)), 1e-9);
  }
  EXPECT_EQ(rig.statistics().intermediate_writes.get(), 60);
  EXPECT_EQ(rig.statistics().overruns.get(), 0);
}

// With a sample a pass the last one starts at 4/5 of the step: what belongs to an earlier instant
// goes out at the same part of the next step.
TEST(DenseOutputs, AreAStepLateBeforeTheLastPass) {
  const std::vector<double> thetas{0.3, 0.8, 0.9};
  DenseRig rig(oscillator(), 100, thetas);
  rig.settings.sampling = exec::Sampling::stage;
  rig.plant.pass_cost = 100_us;
  rig.run(20);
  EXPECT_THAT(rig.times(0, 1), Pointwise(DoubleNear(1e-9), std::vector{0.0, 0.9}));
  EXPECT_THAT(rig.times(1, 20), Pointwise(DoubleNear(1e-9), each_frame(1, 20, thetas)));
  for (const auto& w : rig.sampler.writes) {
    const double at = rig.frames(w.at);
    const double theta = at - std::floor(at + 1e-9);
    const bool delayed = theta > 0.1 && theta < 0.85;
    EXPECT_NEAR(w.y[0], std::cos((at - (delayed ? 1 : 0)) / 100), 1e-9) << at;
  }
}

// The local error of a result of order 3 falls with the fourth power of the step, and that of the
// steps of order 4 with it.
TEST(DenseOutputs, HaveTheOrderOfTheDenseResult) {
  const auto worst = [](int rate) {
    DenseRig rig(oscillator(), rate, {0.35, 0.65});
    rig.run(2 * rate);
    double error = 0;
    for (const auto& w : rig.sampler.writes) {
      error = std::max(error, std::abs(w.y[0] - std::cos(seconds(w.at - Rig::start))));
    }
    return error;
  };
  const double coarse = worst(4);
  const double fine = worst(8);
  EXPECT_GT(fine, 1e-8);
  EXPECT_GT(coarse / fine, 14);
  EXPECT_LT(coarse / fine, 40);
}

// Passes that take 0.6 of the frame: at 0.25 nothing is known, and at 0.6 the value of 0.5 is
// newer.
TEST(DenseOutputs, MakeRoomForTheNextWhenTheyAreLate) {
  DenseRig rig(oscillator(), 1000, {0.25, 0.5, 0.75});
  rig.plant.pass_cost = 120_us;
  rig.run(10);
  EXPECT_THAT(rig.times(3, 5), Pointwise(DoubleNear(1e-9), each_frame(3, 5, {0.6, 0.75})));
  EXPECT_EQ(rig.statistics().dense_left_out.get(), 10);
  EXPECT_EQ(rig.statistics().intermediate_writes.get(), 20);
  for (const auto& w : rig.sampler.writes) {
    const double late = rig.frames(w.at) - std::floor(rig.frames(w.at) + 1e-9);
    const double behind = std::abs(late - 0.6) < 1e-9 ? 0.1e-3 : 0;
    EXPECT_NEAR(w.y[0], std::cos(seconds(w.at - Rig::start) - behind), 1e-12);
  }
}

// A doubled step has parts of its own length; those of a step that is over when it is known do not
// go out.
TEST(DenseOutputs, ArePartsOfADoubledStepToo) {
  DenseRig rig(oscillator(), 100, {0.5, 0.9});
  rig.plant.extra[5] = 23_ms;
  rig.run(12);
  ASSERT_EQ(rig.statistics().doubled_steps.get(), 1);
  // The step from frame 5 ends at 7.3; then that from 6, which covers two frames, is there at once.
  const std::vector<std::array<double, 2>> expected{{5, 5}, {7.3, 6},   {7.3, 7},  {7.8, 7.8},
                                                    {8, 8}, {8.5, 8.5}, {8.9, 8.9}};
  std::size_t k = 0;
  for (const auto& w : rig.sampler.writes) {
    const double at = rig.frames(w.at);
    if (at < 5 - 1e-9 || k == expected.size()) continue;
    EXPECT_NEAR(at, expected[k][0], 1e-9);
    EXPECT_NEAR(w.y[0], std::cos(expected[k][1] / 100), 1e-7) << at;
    ++k;
  }
  EXPECT_EQ(k, expected.size());
  EXPECT_EQ(rig.statistics().dense_left_out.get(), 2);
}

/// A ball dropped from 1 m under 10 m/s2 that loses half of its speed at the floor.
double height(double t) {
  const double fall = std::sqrt(0.2);
  if (t < fall) return 1 - 5 * t * t;
  t -= fall;
  double speed = 0.5 * 10 * fall;
  while (t > 2 * speed / 10) {
    t -= 2 * speed / 10;
    speed *= 0.5;
  }
  return speed * t - 5 * t * t;
}

// The dense result before an event is that of the step, and after it that of the rest.
TEST(DenseOutputs, FollowAStateEventWithinTheStep) {
  const std::vector<double> thetas{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
  DenseRig rig(model::make_stepper<Ball>(numerics::ode45), 20, thetas);
  rig.run(20);
  ASSERT_GE(rig.statistics().state_events.get(), 2);
  ASSERT_EQ(rig.sampler.writes.size(), 200U);
  for (const auto& w : rig.sampler.writes) {
    const double t = seconds(w.at - Rig::start);
    EXPECT_NEAR(w.y[0], height(t), 1e-7) << t;
  }
}

// What was known before the run was held is nobody's afterwards.
TEST(DenseOutputs, OfBeforeAFreezeAreNotPutOutAfterIt) {
  DenseRig rig(oscillator(), 100, {0.3});
  rig.settings.sampling = exec::Sampling::stage;
  rig.sampler.on_call = [&](int calls) {
    if (calls == 30) std::ignore = rig.events.submit(transaction(0, exec::Freeze{}));
    if (calls == 60) std::ignore = rig.events.submit(transaction(0, exec::Resume{}));
  };
  rig.run(60);
  int resumed = 0;
  for (std::size_t k = 1; k < rig.records.size(); ++k) {
    const double tick = rig.frames(rig.records[k].due);
    const bool follows = !rig.records[k - 1].frozen && !rig.records[k].frozen;
    resumed += rig.records[k - 1].frozen && !rig.records[k].frozen ? 1 : 0;
    EXPECT_EQ(rig.times(tick + 0.25, tick + 0.35).size(), follows ? 1U : 0U) << tick;
  }
  EXPECT_EQ(resumed, 1);
}

TEST(DenseOutputs, AreNoneForAMethodWithoutThem) {
  DenseRig rig(oscillator(numerics::rk4), 100, {0.5});
  rig.run(10);
  EXPECT_EQ(rig.sampler.writes.size(), 10U);
}

}  // namespace
}  // namespace hild::testing
