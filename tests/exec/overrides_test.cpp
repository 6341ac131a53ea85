// SPDX-License-Identifier: Apache-2.0
/// Falsified signals: each kind, stacked, of inputs and outputs.
#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::Override;
using exec::OverrideKind;
using exec::Side;

double tick_number(double t) {
  return std::round(1e3 * t);
}  // the input is the number of the frame

// Posted in step 1, in force in steps 2 to 4.
std::vector<double> falsified(const Override& o, const exec::Sampling sampling) {
  SteeringRig rig(numerics::forward_euler, tick_number);
  rig.settings.sampling = sampling;
  rig.at[1] = [&] { rig.post(transaction(1, o)); };
  rig.run(7);
  return rig.inputs();
}
class Overridden : public ::testing::TestWithParam<exec::Sampling> {};

TEST_P(Overridden, EachKindIsExact) {
  const auto of = [&](OverrideKind kind, double value) {
    return falsified({Side::input, 0, kind, value, 0, 3}, GetParam());
  };
  EXPECT_EQ(of(OverrideKind::stuck, 9), (std::vector<double>{0, 1, 9, 9, 9, 5, 6}));
  EXPECT_EQ(of(OverrideKind::offset, 0.5), (std::vector<double>{0, 1, 2.5, 3.5, 4.5, 5, 6}));
  EXPECT_EQ(of(OverrideKind::gain, -2), (std::vector<double>{0, 1, -4, -6, -8, 5, 6}));
  EXPECT_EQ(of(OverrideKind::dropout, 0), (std::vector<double>{0, 1, 1, 1, 1, 5, 6}));
  EXPECT_EQ(of(OverrideKind::coarse, 2.5), (std::vector<double>{0, 1, 2.5, 2.5, 5, 5, 6}));
}
INSTANTIATE_TEST_SUITE_P(Sampling, Overridden,
                         ::testing::Values(exec::Sampling::frame, exec::Sampling::stage));

TEST(Overrides, StackAndLastUntilReleased) {
  SteeringRig rig(numerics::forward_euler, tick_number);
  rig.at[1] = [&] {
    rig.post(transaction(1, Override{Side::input, 0, OverrideKind::offset, 1},
                         Override{Side::input, 0, OverrideKind::gain, 10}));
  };
  rig.at[3] = [&] { rig.post(transaction(2, Override{Side::input, 0, OverrideKind::stuck, -7})); };
  rig.at[4] = [&] { rig.post(transaction(3, exec::ReleaseOverride{Side::input, 0})); };
  rig.run(7);
  EXPECT_EQ(rig.inputs(), (std::vector<double>{0, 1, 21, 31, -7, 5, 6}));
}

// 1.1 u + 0.2, rounded to halves: 2.4 and 3.5.
TEST(Overrides, AreCoarseAfterWhatElseIsWrong) {
  SteeringRig rig(numerics::forward_euler, tick_number);
  rig.at[1] = [&] {
    rig.post(transaction(1, Override{Side::input, 0, OverrideKind::coarse, 0.5},
                         Override{Side::input, 0, OverrideKind::offset, 0.2},
                         Override{Side::input, 0, OverrideKind::gain, 1.1}));
  };
  rig.run(4);
  EXPECT_EQ(rig.inputs(), (std::vector<double>{0, 1, 2.5, 3.5}));
}

TEST(Overrides, OfTheLargestNumberInTheSmallestStepsIsANumber) {
  SteeringRig rig(numerics::forward_euler, [](double) { return 1e300; });
  rig.at[1] = [&] {
    rig.post(transaction(1, Override{Side::input, 0, OverrideKind::coarse, 1e-9}));
  };
  rig.run(4);
  EXPECT_EQ(rig.inputs(), (std::vector<double>{1e300, 1e300, 1e300, 1e300}));
}

TEST(Overrides, OfAnOutputReachTheHardwareAndTheRecordButNotThePlant) {
  SteeringRig rig(numerics::forward_euler, tick_number);
  rig.at[1] = [&] {
    rig.post(transaction(1, Override{Side::output, 1, OverrideKind::stuck, 99, 0, 2}));
    rig.post(transaction(2, Override{Side::output, 0, OverrideKind::dropout, 0, 0, 2}));
  };
  rig.run(6);
  // y1 = u of the step; y0 = x is 0, 0, 1, 3 ... thousandths at the ends of steps.
  std::vector<double> recorded;
  std::vector<double> written;
  for (std::size_t n = 0; n < 5; ++n) {
    recorded.push_back(rig.steps[n].outputs[1]);
    written.push_back(rig.sampler.writes[n + 1].y[1]);
  }
  EXPECT_EQ(recorded, (std::vector<double>{0, 1, 99, 99, 4}));
  EXPECT_EQ(written, recorded);
  EXPECT_EQ(rig.steps[3].outputs[0], rig.steps[1].outputs[0]);
  EXPECT_NE(rig.steps[4].outputs[0], rig.steps[1].outputs[0]);
  EXPECT_NEAR(rig.steps[4].states[0], 1e-3 * (0 + 1 + 2 + 3 + 4), 1e-15);
}

// More frames than there are to count.
TEST(Overrides, OfFramesWithoutNumberGoOnToTheEnd) {
  const Override o{Side::input, 0, OverrideKind::stuck,
                   9,           0, std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(falsified(o, exec::Sampling::frame), (std::vector<double>{0, 1, 9, 9, 9, 9, 9}));
}

// Also in a plant that is held, which sees what is sampled meanwhile: the dropout began before.
TEST(Overrides, ADropoutThatIsRenewedKeepsWhatItKept) {
  SteeringRig rig(numerics::forward_euler, tick_number);
  const Override dropout{Side::input, 0, OverrideKind::dropout, 0, 0, 3};
  rig.at[1] = [&] { rig.post(transaction(1, dropout)); };
  rig.at[2] = [&] { rig.post(transaction(2, exec::Freeze{})); };
  rig.sampler.on_call = [&](int call) {
    if (call == 6) rig.post(transaction(3, dropout));
    if (call == 8) rig.post(transaction(4, exec::Resume{}));
  };
  rig.run(14);
  ASSERT_EQ(rig.replies.size(), 4U);
  EXPECT_EQ(rig.replies[2].frame, 3);
  // Frozen from 3 to 7; the renewed one lasts from frame 3 of the plant to 5.
  EXPECT_EQ(rig.inputs(), (std::vector<double>{0, 1, 1, 1, 1, 1, 11, 12, 13}));
}

std::vector<double> noisy(std::uint64_t seed) {
  SteeringRig rig(numerics::forward_euler, [](double) { return 5.0; });
  rig.at[0] = [&] {
    rig.post(transaction(1, Override{Side::input, 0, OverrideKind::noise, 0.25, seed}));
  };
  rig.run(20'001);
  auto u = rig.inputs();
  u.erase(u.begin());
  return u;
}

TEST(Overrides, NoiseIsNormalAndTheSameForTheSameSeed) {
  const auto u = noisy(42);
  EXPECT_EQ(u, noisy(42));
  EXPECT_NE(u, noisy(43));
  double mean = 0;
  double square = 0;
  int within = 0;
  for (const double v : u) {
    const double d = (v - 5) / 0.25;
    mean += d / 20'000;
    square += d * d / 20'000;
    within += std::abs(d) < 1 ? 1 : 0;
  }
  // Five standard deviations of the estimates.
  EXPECT_NEAR(mean, 0, 5 / std::sqrt(20'000.0));
  EXPECT_NEAR(square, 1, 5 * std::sqrt(2 / 20'000.0));
  EXPECT_NEAR(within / 20'000.0, 0.6827, 5 * std::sqrt(0.6827 * 0.3173 / 20'000));
}

}  // namespace
}  // namespace hild::testing
