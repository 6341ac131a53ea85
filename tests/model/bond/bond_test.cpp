// SPDX-License-Identifier: Apache-2.0
/// Bonds between masses, whose steps under a held force are exact: against closed forms.
#include "model/bond/bond.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <deque>
#include <numbers>

#include "hild/numerics/methods.hpp"

namespace hild::model {
namespace {

using ::testing::ElementsAre;

constexpr Duration frame{1'000'000};
constexpr double h = 1e-3;

BondData data_of(BondEnds ends, double stiffness, double delay = h) {
  return {.ends = ends,
          .stiffness = stiffness,
          .frame = h,
          .delay = delay,
          .effort_unit = std::string_view("N"),
          .flow_unit = std::string_view("m/s"),
          .stiffness_unit = std::string_view("N/m"),
          .energy_unit = std::string_view("J")};
}
std::unique_ptr<Stepper> stepper_of(BondEnds ends, double stiffness, double delay = h) {
  auto stepper = make_stepper(make_bond(data_of(ends, stiffness, delay)), numerics::forward_euler);
  stepper->reset();
  return stepper;
}

/// A bond beside the time that its steps begin at.
class Ticking {
 public:
  explicit Ticking(std::unique_ptr<Stepper> stepper)
      : stepper_(std::move(stepper)), y_(stepper_->description().outputs.size()) {}

  /// Its outputs at a tick, from which it then takes a step.
  const std::vector<double>& tick(std::vector<double> u, int frames = 1) {
    stepper_->outputs(seconds(t_), u, y_);
    stepper_->step(t_, frame * frames, u);
    t_ = t_ + frame * frames;
    return y_;
  }
  Stepper& operator*() { return *stepper_; }

 private:
  std::unique_ptr<Stepper> stepper_;
  std::vector<double> y_;
  SimTime t_{};
};

/// Puts what is given to it out so many ticks later.
class Late {
 public:
  explicit Late(std::size_t ticks) : on_the_way_(ticks) {}
  double pass(double value) {
    on_the_way_.push_back(value);
    const double first = on_the_way_.front();
    on_the_way_.pop_front();
    return first;
  }
  [[nodiscard]] double squares() const {
    double sum = 0;
    for (const double w : on_the_way_) sum += w * w;
    return sum;
  }

 private:
  std::deque<double> on_the_way_;
};

/// Two masses between which a line goes whose waves take so many frames beside their own one.
class Line {
 public:
  Line(double mass_a, double mass_b, double stiffness, std::size_t frames)
      : mass_{mass_a, mass_b},
        impedance_(stiffness * h * static_cast<double>(frames + 1)),
        a_(stepper_of(BondEnds::a, stiffness, h * static_cast<double>(frames + 1))),
        b_(stepper_of(BondEnds::b, stiffness, h * static_cast<double>(frames + 1))),
        to_a_(frames),
        to_b_(frames) {}

  double v[2] = {1, 0};

  void frame() {
    // The wave that leaves depends on the flow alone, not on what comes.
    const double leaving_a = leaving(a_, v[0]);
    const double leaving_b = leaving(b_, v[1]);
    const double to_a = to_a_.pass(leaving_b);
    const double to_b = to_b_.pass(leaving_a);
    const auto& at_a = a_.tick({v[0], to_a});
    const auto& at_b = b_.tick({v[1], to_b});
    residual = at_a[1] + at_b[1];
    stored = h / (4 * impedance_) * (to_a * to_a + to_b * to_b + to_a_.squares() + to_b_.squares());
    v[0] -= h / mass_[0] * at_a[0];
    v[1] += h / mass_[1] * at_b[0];
  }
  [[nodiscard]] double kinetic() const {
    return (mass_[0] * v[0] * v[0] + mass_[1] * v[1] * v[1]) / 2;
  }

  double residual = 0;  ///< of both ends, until the last frame
  double stored = 0;    ///< in the line when it began

 private:
  static double leaving(Ticking& end, double flow) {
    std::array<double, 3> y{};
    (*end).outputs(0, std::array{flow, 0.0}, y);
    return y[2];
  }

  double mass_[2];
  double impedance_;
  Ticking a_, b_;
  Late to_a_, to_b_;
};

TEST(Bond, SaysWhatItTakesAndGives) {
  const auto bond = make_bond(data_of(BondEnds::both, 5));
  const Description& d = description_of(*bond);
  EXPECT_EQ(d.name, "bond");
  ASSERT_EQ(d.inputs.size(), 2U);
  EXPECT_EQ(d.inputs[1].name, "flow_b");
  EXPECT_EQ(d.inputs[1].unit, "m/s");
  ASSERT_EQ(d.outputs.size(), 2U);
  EXPECT_EQ(d.outputs[0].name, "effort");
  EXPECT_EQ(d.outputs[1].unit, "J");
  ASSERT_EQ(d.parameters.size(), 1U);
  EXPECT_EQ(d.parameters[0].value, 5);
  ASSERT_TRUE(d.feedthrough);
  EXPECT_EQ(d.feedthrough->size(), 2U) << "the effort, on both flows";
  const auto end = make_bond(data_of(BondEnds::b, 5));
  EXPECT_EQ(description_of(*end).inputs[1].name, "wave_in");
  EXPECT_EQ(description_of(*end).feedthrough->size(), 3U)
      << "what leaves waits for nothing to come";
}

// v of one mass to the other: r(n + 1) - 2 r(n) + r(n - 1) = -(w h)^2 r(n), with r(1) = r(0).
TEST(Bond, OfTwoMassesIsTheSpringThatFollowsTheirNewestFlows) {
  constexpr double m[2] = {2, 1};
  constexpr double stiffness = 1e5;
  Ticking bond(stepper_of(BondEnds::both, stiffness));
  const double theta = std::acos(1 - stiffness * (1 / m[0] + 1 / m[1]) * h * h / 2);
  double v[2] = {1, 0};
  for (int n = 0; n < 20'000; ++n) {
    ASSERT_NEAR(v[0] - v[1], std::cos(n * theta) + std::tan(theta / 2) * std::sin(n * theta), 1e-8);
    ASSERT_NEAR(m[0] * v[0] + m[1] * v[1], 2, 1e-9) << "nothing takes their momentum";
    const double effort = bond.tick({v[0], v[1]})[0];
    v[0] -= h / m[0] * effort;
    v[1] += h / m[1] * effort;
  }
}

// Where a spring belongs to one of two coupled models its effort is that of the tick before its
// flows: each frame makes the swing sqrt(1 + (w h)^2) times as large, at any step.
TEST(Bond, StandsWhereASpringInOneOfTheModelsDoesNot) {
  for (const double omega_h : {0.01, 0.1, 0.5}) {
    const double stiffness = omega_h * omega_h / (h * h);  // of a mass of 1 kg before a wall
    const int frames = static_cast<int>(20 / (omega_h * omega_h));
    Ticking bond(stepper_of(BondEnds::both, stiffness));
    double v = 1;
    double most = 0;
    double sampled_v = 1;
    double sampled_effort = 0;
    for (int n = 0; n < frames; ++n) {
      v -= h * bond.tick({v, 0})[0];
      most = std::max(most, std::abs(v));
      const double held = sampled_effort;
      sampled_effort += stiffness * h * sampled_v;
      sampled_v -= h * held;
    }
    EXPECT_LT(most, 1 / std::cos(omega_h / 2) * 1.05) << omega_h;
    const double swing = std::hypot(sampled_v, sampled_effort * h / omega_h);
    EXPECT_NEAR(std::log(swing), frames * std::log1p(omega_h * omega_h) / 2, 1e-6) << omega_h;
    EXPECT_GT(swing, 1000);
  }
}

// H(z) = ((1 - a) z - 1) / (z - (1 - a)), a = Z h / m: of magnitude 1 on the unit circle.
TEST(BondEnd, WithAMassGivesBackAllThatComesAtEveryFrequency) {
  constexpr double mass = 2;
  for (const double delay : {h, 3 * h}) {
    for (const double a : {0.2, 1.0, 1.7}) {
      const double stiffness = a * mass / (delay * h);
      for (const double nu : {0.05, 0.7, 1.5, 3.0}) {
        Ticking end(stepper_of(BondEnds::a, stiffness, delay));
        const std::complex<double> z = std::polar(1.0, nu);
        const std::complex<double> response = ((1 - a) * z - 1.0) / (z - (1 - a));
        ASSERT_NEAR(std::abs(response), 1, 1e-12);
        double v = 0;
        for (int n = 0; n < 400; ++n) {
          const auto& y = end.tick({v, std::cos(n * nu)});
          if (n > 300) {  // of the start nothing is left: at most 0.8^300
            const auto left = response * std::polar(1.0, (n - 1) * nu);  // in the step before
            EXPECT_NEAR(y[2], left.real(), 1e-8) << a << " " << nu << " " << n;
          }
          v -= h / mass * y[0];
        }
      }
    }
  }
}

TEST(BondEnd, TwoOfThemAreStableWhateverTheDelayBetweenThem) {
  for (const std::size_t frames : {0U, 1U, 2U, 3U, 7U, 50U}) {
    // Z h / m of the lighter one is 1.5.
    Line line(20, 1, 1.5 / (h * h * static_cast<double>(frames + 1)), frames);
    double most = 0;
    for (int n = 0; n < 200'000; ++n) {
      line.frame();
      most = std::max(most, line.kinetic());
    }
    EXPECT_LT(most, 1.5 * 10) << frames;  // of 10 J in the beginning
    EXPECT_GT(most, 5) << frames;
  }
}

// Energy is what the masses have, what is on its way, and what sampling has brought: told to the
// last bit but for rounding.
TEST(BondEnd, TellsWhatEnergySamplingBrings) {
  for (const std::size_t frames : {0U, 1U, 3U}) {
    Line line(2, 1, 1e5, frames);
    double before = line.kinetic();
    double first = 0;
    double most = 0;
    for (int n = 0; n < 5'000; ++n) {
      line.frame();  // at its start the masses had `before`
      const double all = before + line.stored - line.residual;
      if (n == 0) first = all;
      ASSERT_NEAR(all, first, 1e-9) << frames << " " << n;
      before = line.kinetic();
      most = std::max(most, std::abs(line.residual));
    }
    EXPECT_GT(most, 1e-4) << "some does come, and goes again";
    EXPECT_LT(most, 1) << frames;
  }
}
TEST(Bond, TellsWhatEnergySamplingBrings) {
  constexpr double stiffness = 1e5;
  Ticking bond(stepper_of(BondEnds::both, stiffness));
  double v[2] = {1, 0};
  double first = 0;
  for (int n = 0; n < 5'000; ++n) {
    const double kinetic = v[0] * v[0] + v[1] * v[1] / 2;
    const auto& y = bond.tick({v[0], v[1]});
    const double all = kinetic + y[0] * y[0] / (2 * stiffness) - y[1];
    if (n == 0) first = all;
    ASSERT_NEAR(all, first, 1e-9) << n;
    v[0] -= h / 2 * y[0];
    v[1] += h * y[0];
  }
}

// An overrun doubles a step: the spring is then as long as both frames make it.
TEST(Bond, ADoubledStepIsTwiceTheWay) {
  Ticking bond(stepper_of(BondEnds::both, 1000));
  bond.tick({1, 0});
  bond.tick({1, 0}, 2);
  bond.tick({1, 0});
  EXPECT_NEAR(bond.tick({0, 0})[0], 1000 * 3 * h, 1e-12) << "1, 2 by the flow at their ends, 0";
}
// Between ends the way is in the waves: in the mean of a round trip.
TEST(BondEnd, ADoubledStepIsTwiceTheWay) {
  Ticking end(stepper_of(BondEnds::a, 1000));
  double wave = 0;
  double sum = 0;
  for (int n = 0; n < 40; ++n) {
    const double flow = n >= 10 && n < 14 ? 1 : 0;
    const auto& y = end.tick({flow, wave}, n == 12 ? 2 : 1);
    wave = y[2];  // a wall gives back what comes
    if (n >= 38) sum += y[0];
  }
  // Steps from 9 to 13 and their mean flows: 1/2, 1, 1, 1 twice, 1/2: of five frames.
  EXPECT_NEAR(sum / 2, 1000 * 5 * h, 1e-12);
}

TEST(Bond, IsAPreloadedSpringInTheBeginning) {
  for (const BondEnds ends : {BondEnds::both, BondEnds::b}) {
    Ticking bond(stepper_of(ends, 1000));
    (*bond).set_initial(std::array{7.0, 0.0});
    std::vector<double> y((*bond).description().outputs.size());
    (*bond).outputs(0, std::array{3.0, 3.0}, y);
    if (ends == BondEnds::both) {
      EXPECT_EQ(y[0], 7);
    } else {
      EXPECT_EQ(y[2], 7 - 3.0) << "e - Z f leaves end b";
    }
  }
}

// A step that is taken back, and one that is saved before it, come out the same.
TEST(Bond, GoesOnFromWhatWasSaved) {
  for (const BondEnds ends : {BondEnds::both, BondEnds::a}) {
    Ticking bond(stepper_of(ends, 1e5));
    for (int n = 0; n < 5; ++n) bond.tick({0.3 * n, 0.1});
    std::array<std::byte, 256> bytes{};
    Archive save = Archive::saving(bytes, {});
    (*bond).transfer(save, between_steps);
    ASSERT_TRUE(save.good());
    const auto after = [&](Stepper& stepper, double flow) {
      stepper.step({5'000'000}, frame, std::array{flow, 0.2});
      return std::vector(stepper.states().begin(), stepper.states().end());
    };
    const auto expected = after(*bond, 0.7);
    (*bond).rewind();
    EXPECT_NE(after(*bond, 0.8), expected);
    (*bond).rewind();
    EXPECT_EQ(after(*bond, 0.7), expected);
    Ticking other(stepper_of(ends, 1e5));
    Archive load = Archive::loading(std::span(bytes).first(save.bytes()), {});
    (*other).transfer(load, between_steps);
    ASSERT_TRUE(load.good());
    EXPECT_EQ(after(*other, 0.7), expected);
  }
}

// x'' of one mass to the other is -K (1/m1 + 1/m2) x.
TEST(Bond, IsASpringWhereTimeIsNotSampled) {
  const auto system = make_system(make_bond(data_of(BondEnds::both, 50)));
  std::array<double, 2> dx{9, 9};
  system->derivatives(0, std::array{4.0, 0.0}, std::array{3.0, 1.0}, dx);
  EXPECT_THAT(dx, ElementsAre(100.0, 0.0));
  std::array<double, 2> y{};
  system->outputs(0, std::array{4.0, 0.0}, std::array{3.0, 1.0}, y);
  EXPECT_EQ(y[0], 4);
}

}  // namespace
}  // namespace hild::model
