// SPDX-License-Identifier: Apache-2.0
/// \file
/// The verdict on a step: against bounds that can be written down.
#include "offline/advise/soundness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cmath>

#include "config/plan/soundness.hpp"
#include "hild/numerics/catalogue.hpp"
#include "offline/advise/assembled.hpp"
#include "support/decays.hpp"

namespace hild::advise {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A linear model with these modes under a method and a step in s.
struct Linear {
  Linear(std::vector<Complex> lambda, std::string_view method, double h) {
    point.t = 0.25;
    point.modes.lambda = std::move(lambda);
    advanced.method = numerics::find_method(method);
    advanced.h = h;
    advanced.points = {&point, 1};
    advanced.modes = modes_of(std::span(&point.modes, 1));
    advanced.band = advanced.modes.slowest;
    advanced.demand.modes = {advanced.modes.distinct.back()};
  }
  plan::Soundness verdict() const { return judge(advanced); }
  Point point;
  Advanced advanced;
};

// Forward Euler: z = 1 + lambda h, whose error is about half of |lambda h|.
TEST(Soundness, OfARealModeIsTheInterceptAndHalfTheStep) {
  const plan::Soundness s = Linear({-1000, -10}, "forward-euler", 1e-3).verdict();
  EXPECT_TRUE(s.known());
  EXPECT_TRUE(s.stable());
  EXPECT_NEAR(s.stable_to, 2e-3, 1e-9);
  EXPECT_TRUE(s.doubled_stable());
  EXPECT_EQ(s.limiting, Complex(-1000));
  EXPECT_EQ(s.limiting_at, 0.25);
  ASSERT_TRUE(s.error);
  EXPECT_NEAR(*s.error, std::log1p(-0.01) / -0.01 - 1, 1e-12) << "the slow mode is what matters";
  EXPECT_NEAR(s.accurate_to, 1e-3 / (0.5 * 10), 1e-3 * s.accurate_to * 2);
  EXPECT_FALSE(s.far_off());
  EXPECT_THAT(plan::warnings_of(s, "rig.yaml"), IsEmpty());
}

TEST(Soundness, BeyondTheBoundTheGrowthOfAStepIsTold) {
  const plan::Soundness s = Linear({-1000, -10}, "forward-euler", 4e-3).verdict();
  EXPECT_FALSE(s.stable());
  EXPECT_NEAR(s.growth, 3, 1e-12) << "|1 - 4|";
  EXPECT_THAT(plan::warnings_of(s, "rig.yaml"),
              ElementsAre(AllOf(HasSubstr("forward-euler is unstable at this step of 4 ms"),
                                HasSubstr("grows 3 times a step"),
                                HasSubstr("up to 2 ms, by its mode -1e+03 1/s at 0.25 s"),
                                HasSubstr("`hild advise rig.yaml`"))));
  EXPECT_THAT(plan::soundness_text(s),
              HasSubstr("UNSTABLE at this step of 4 ms: stable up to 2 ms"));
}

TEST(Soundness, OfTwoModesTheOneThatEndsItIsNamed) {
  // |1 + lambda h| = 1 at h = 2 zeta / omega: 0.2 / 100 = 2 ms, before the 4 ms of -500.
  const Complex swinging(-10, std::sqrt(100.0 * 100 - 10 * 10));
  const plan::Soundness s =
      Linear({-500, swinging, std::conj(swinging)}, "forward-euler", 1e-3).verdict();
  EXPECT_NEAR(s.stable_to, 2e-3, 1e-8);
  EXPECT_EQ(s.limiting, swinging);
  EXPECT_THAT(plan::soundness_text(s), HasSubstr("by its mode -10 +- 99.5i 1/s"));
}

TEST(Soundness, ADoubledStepMayBeUnstableWhereOneIsNot) {
  const plan::Soundness s = Linear({-1000}, "forward-euler", 1.5e-3).verdict();
  EXPECT_TRUE(s.stable());
  EXPECT_FALSE(s.doubled_stable());
  EXPECT_THAT(plan::soundness_text(s), HasSubstr("not in the double steps after an overrun"));
}

TEST(Soundness, AMethodWithoutBoundIsStableAtAnyStep) {
  const plan::Soundness s = Linear({-1000, -10}, "backward-euler", 1).verdict();
  EXPECT_TRUE(s.stable());
  EXPECT_FALSE(s.limiting);
  EXPECT_THAT(plan::soundness_text(s), HasSubstr("stable at any step"));
  EXPECT_TRUE(s.far_off()) << "z = 1 / 11: ln 11 / 10 - 1";
  EXPECT_THAT(plan::warnings_of(s, "rig.yaml"), ElementsAre(HasSubstr("is off by some 76 %")));
}

TEST(Soundness, AnUndampedModeIsStableNowhereUnderForwardEuler) {
  const plan::Soundness s =
      Linear({Complex(0, 50), Complex(0, -50)}, "forward-euler", 0.01).verdict();
  // The accuracy is what an undamped mode may grow by: 1 + (h omega)^2 <= exp(2 a h omega), about
  // h omega <= 2 a.
  EXPECT_NEAR(s.stable_to, 2e-3 / 50, 1e-7);
  EXPECT_FALSE(s.stable());
  EXPECT_EQ(s.limiting, Complex(0, 50));
}

TEST(Soundness, OfPartitionsIsThatOfTheirBlocks) {
  static constexpr std::array<std::string_view, 1> a{"a"};
  static constexpr std::array<std::string_view, 1> b{"b"};
  static constexpr std::array states{model::State{"a"}, model::State{"b"}};
  static constexpr std::array partitions{model::Partition{"fast", a}, model::Partition{"slow", b}};
  const model::Description model{
      .name = "two", .summary = "", .states = states, .partitions = partitions};
  const auto* euler = numerics::find_method("forward-euler");
  Linear two({-1000, -10}, "forward-euler", 3e-3);
  two.point.jacobian = Eigen::Matrix2d{{-1000, 0}, {0, -10}}.sparseView();
  two.advanced.rates = model::Multirate{.rates = {{{euler, 2}, {euler, 1}}}, .count = 2};
  two.advanced.model = &model;
  const plan::Soundness s = two.verdict();
  EXPECT_NEAR(s.stable_to, 4e-3, 1e-9) << "2 ms in each of two steps";
  EXPECT_TRUE(s.stable());
  EXPECT_FALSE(s.error) << "not told of parts with methods of their own";
  EXPECT_THAT(plan::soundness_text(s), HasSubstr("what couples them is not judged"));
}

// ---- of a configuration ------------------------------------------------------------------------

/// lambda^2 + a lambda + d with a = R/L + b/J and d = (R b + k^2)/(L J), two complex modes.
constexpr double a = 1.0 / 0.01 + 1e-5 / 1e-4;
constexpr double d = (1e-5 + 0.05 * 0.05) / (0.01 * 1e-4);

std::string motor(const char* period, const char* method = "forward-euler") {
  return fmt::format(
      "frame: {{period: {}}}\nmodel: {{type: dc-motor}}\nintegrator: {{method: {}}}\n", period,
      method);
}

TEST(SoundnessOf, AMotorAtHalfASecondIsUnstable) {
  const std::string text = motor("500 ms");
  for (const bool on_the_way : {false, true}) {
    const plan::Assembly assembly = assembled(text);
    const auto all = on_the_way ? soundness_of(assembly, [&] { return assembled(text); })
                                : soundness_at_start(assembly);
    ASSERT_EQ(all.size(), 1U);
    const plan::Soundness& s = all[0];
    ASSERT_TRUE(s.known()) << s.unknown;
    EXPECT_FALSE(s.stable());
    // |1 + h lambda|^2 = 1 - a h + d h^2.
    EXPECT_NEAR(s.stable_to, a / d, 1e-6 * a / d);
    EXPECT_NEAR(s.growth, std::sqrt(1 - a * 0.5 + d * 0.25), 1e-6);
    ASSERT_TRUE(s.limiting);
    EXPECT_NEAR(s.limiting->real(), -a / 2, 1e-4);
    EXPECT_NEAR(s.limiting->imag(), std::sqrt(d - a * a / 4), 1e-3);
  }
}

TEST(SoundnessOf, TheSameMotorAtAMillisecondIsSound) {
  const plan::Assembly assembly = assembled(motor("1 ms"));
  const auto all = soundness_of(assembly, [] { return assembled(motor("1 ms")); });
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(all[0].stable());
  EXPECT_THAT(plan::warnings_of(all[0], "rig.yaml"), IsEmpty());
  const auto json = plan::soundness_json(all[0]);
  EXPECT_EQ(json.at("known"), true);
  EXPECT_EQ(json.at("stable"), true);
  EXPECT_NEAR(json.at("stable_to_s").as_double(), a / d, 1e-6 * a / d);
}

using Many = test::Decays<401, true>;
HILD_MODEL(Many);

// n^3 at every start of a run would be hours.
TEST(SoundnessOf, AModelOfManyStatesIsLeftToAdvise) {
  const std::string text =
      "frame: {period: 1 ms}\nmodel: {type: decays}\nintegrator: {method: libe}\n";
  for (const bool on_the_way : {false, true}) {
    const plan::Assembly assembly = assembled(text);
    int followed = 0;
    const auto another = [&] { return ++followed, assembled(text); };
    const auto all = on_the_way ? soundness_of(assembly, another) : soundness_at_start(assembly);
    EXPECT_EQ(followed, 0);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_FALSE(all[0].known());
    EXPECT_THAT(all[0].unknown, HasSubstr("it has 401 states"));
    EXPECT_THAT(all[0].unknown, HasSubstr("`hild advise`"));
  }
}

TEST(SoundnessOf, EachOfSeveralModelsIsJudgedAtItsOwnStep) {
  const plan::Assembly assembly = assembled(
      "frame: {period: 20 ms}\n"
      "models:\n"
      "  fast: {type: dc-motor, integrator: {method: forward-euler}, substeps: 4}\n"
      "  slow: {type: dc-motor, integrator: {method: forward-euler}, every: 5}\n"
      "connections: [{from: fast.torque, to: slow.load_torque}]\n");
  const auto all = soundness_at_start(assembly);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].model, "fast");
  EXPECT_NEAR(all[0].h, 5e-3, 1e-15);
  EXPECT_TRUE(all[0].stable());
  EXPECT_EQ(all[1].model, "slow");
  EXPECT_NEAR(all[1].h, 100e-3, 1e-15);
  EXPECT_FALSE(all[1].stable());
  EXPECT_THAT(plan::warnings_of(all[1], "rig.yaml"),
              ElementsAre(HasSubstr("models.slow: forward-euler is unstable")));
  EXPECT_THAT(plan::soundness_text(all[1]), HasSubstr("what connects them is not judged"));
}

}  // namespace
}  // namespace hild::advise
