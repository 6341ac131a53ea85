// SPDX-License-Identifier: Apache-2.0
/// Multirate and mixed-mode integration against Cellier's difference equations written out by hand.
#include "hild/model/multirate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods/stiff.hpp"
#include "model/advance.hpp"

namespace hild::test {
namespace {

using model::Interface;
using model::Multirate;
using model::Rate;
using numerics::ab2, numerics::backward_euler, numerics::forward_euler, numerics::libe;

Multirate rates(std::initializer_list<Rate> list, Interface interface = Interface::hold) {
  Multirate m;
  for (const Rate& r : list) m.rates[m.count++] = r;
  m.interface = interface;
  return m;
}

std::unique_ptr<model::Stepper> make(std::string_view name, const Multirate& m) {
  const auto* found = model::find_model(name);
  EXPECT_TRUE(model::check_partitions(found->description));
  EXPECT_TRUE(model::check_rates(found->description, m));
  return found->make_multirate(m);
}

void advance_by(model::Stepper& plant, SimTime t, Duration h, double u = 0) {
  const int passes = plant.begin(t, h).count();
  for (int i = 0; i < passes; ++i) plant.pass(i, std::array{u});
  plant.finish();
}

std::vector<double> values(model::Stepper::In x) { return {x.begin(), x.end()}; }

std::vector<double> slopes(model::Stepper& plant, const std::vector<double>& x, double u = 0) {
  std::vector<double> dx(x.size());
  plant.system().derivatives(0, x, std::array{u}, dx);
  return dx;
}

// x_f(t_i + (j + 1) h) = x_f + h f_f(x_f, x_s(t_i)); x_s(t_i + k h) = x_s + k h f_s(t_i)  (VI,
// VII).
TEST(Multirate, IsCelliersForwardEuler) {
  const auto plant = make("oscillator-line", rates({{&forward_euler, 10}, {&forward_euler, 1}}));
  EXPECT_EQ(plant->method().order, 1);
  auto x = values(plant->states());
  for (SimTime t{}; t < SimTime{} + Duration(300_ms); t += 1_ms) {
    const auto slow = slopes(*plant, x, 0.2);
    auto now = x;
    for (int j = 0; j < 10; ++j) {
      const auto f = slopes(*plant, now, 0.2);
      for (std::size_t s = 0; s < 2; ++s) now[s] += 1e-4 * f[s];
    }
    for (std::size_t s = 2; s < 12; ++s) now[s] += 1e-3 * slow[s];
    x = now;
    advance_by(*plant, t, 1_ms, 0.2);
    for (std::size_t s = 0; s < 12; ++s) ASSERT_NEAR(plant->states()[s], x[s], 1e-9) << s;
    x = values(plant->states());
  }
  EXPECT_GT(std::abs(x[0]) + std::abs(x[1]), 0.5) << "it oscillates";
}

TEST(Multirate, WithOneRateIsForwardEulerToTheBit) {
  const auto plant = make("oscillator-line", rates({{&forward_euler, 1}, {&forward_euler, 1}}));
  const auto single = model::find_model("oscillator-line")->make(forward_euler);
  for (SimTime t{}; t < SimTime{} + Duration(50_ms); t += 100_us) {
    advance_by(*plant, t, 100_us);
    advance_by(*single, t, 100_us);
    for (std::size_t s = 0; s < 12; ++s) ASSERT_EQ(plant->states()[s], single->states()[s]);
  }
}

/// Counts the derivatives it evaluates, of two fast and ten slow states.
struct Counting {
  static constexpr std::string_view name = "counting", summary = "for tests";
  static constexpr std::array states{model::State{"a"}, model::State{"b"}, model::State{"c"},
                                     model::State{"d"}, model::State{"e"}, model::State{"f"},
                                     model::State{"g"}, model::State{"h"}, model::State{"i"},
                                     model::State{"j"}, model::State{"k"}, model::State{"l"}};
  static constexpr std::array<std::string_view, 2> fast{"a", "b"};
  static constexpr std::array<std::string_view, 10> slow{"c", "d", "e", "f", "g",
                                                         "h", "i", "j", "k", "l"};
  static constexpr std::array partitions{model::Partition{"fast", fast},
                                         model::Partition{"slow", slow}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"a"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Counting>;
  static inline std::size_t evaluated = 0;
  static void derivatives(double t, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    derivatives_of(0, 12, t, x, u, p, dx);
  }
  static void derivatives_of(std::size_t first, std::size_t last, double, D::X x, D::U, D::P,
                             D::DX dx) noexcept {
    evaluated += last - first;
    for (std::size_t i = first; i < last; ++i) dx[i] = -x[i];
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

// Ten times two functions and once ten, instead of ten times twelve: a quarter (Multi-rate V).
TEST(Multirate, EvaluatesAQuarterAndSpreadsIt) {
  const auto plant =
      model::make_multirate_stepper<Counting>(rates({{&forward_euler, 10}, {&forward_euler, 1}}));
  Counting::evaluated = 0;
  const model::Passes& passes = plant->begin({}, 1_ms);
  ASSERT_EQ(passes.count(), 10);
  for (int i = 0; i < 10; ++i) {
    EXPECT_DOUBLE_EQ(passes.nodes[static_cast<std::size_t>(i)], i / 10.0);
    plant->pass(i, {});
    EXPECT_EQ(Counting::evaluated, 3U * static_cast<std::size_t>(i + 1)) << "two fast, one slow";
  }
  plant->finish();
  EXPECT_EQ(4 * Counting::evaluated, 12U * 10U);
}

// Mixed-mode II: all explicit at the values before, but u_l solved for with the new u_5.
TEST(MixedMode, IsCelliersWithTheLoadSolvedForByHand) {
  for (const auto* implicit : {&backward_euler, &libe}) {
    const auto plant =
        make("oscillator-load", rates({{&forward_euler, 10}, {&forward_euler, 1}, {implicit, 1}}));
    const double a = 1e-3 / (1e3 * 1e-9);
    for (SimTime t{}; t < SimTime{} + Duration(200_ms); t += 1_ms) {
      const auto before = values(plant->states());
      advance_by(*plant, t, 1_ms);
      const auto slow = slopes(*plant, before);
      for (std::size_t s = 2; s < 12; ++s) {
        ASSERT_NEAR(plant->states()[s], before[s] + 1e-3 * slow[s], 1e-12) << s;
      }
      ASSERT_NEAR(plant->states()[12], (before[12] + a * plant->states()[11]) / (1 + a), 1e-10);
    }
  }
}

// "Adequately accurate": not much worse than the circuit without its load at a single 0.1 ms.
TEST(MixedMode, IsBoundedAndAdequateAtAMillisecond) {
  const auto exact = [] {
    Advance fine("oscillator-load", numerics::radau_iia);
    std::vector<double> u;
    int n = 0;
    fine.run(30_ms, 10_us, [&](double, model::Stepper::In x) {
      if (++n % 100 == 0) u.push_back(x[1]);
    });
    return u;
  }();
  Advance single("oscillator-line", forward_euler);
  const auto mixed = make("oscillator-load",
                          rates({{&forward_euler, 10}, {&forward_euler, 1}, {&backward_euler, 1}}));
  double single_error = 0;
  double mixed_error = 0;
  SimTime t{};
  for (const double u : exact) {
    single.run(1_ms, 100_us);
    advance_by(*mixed, t, 1_ms);
    t += 1_ms;
    single_error = std::max(single_error, std::abs(single.state(1) - u));
    mixed_error = std::max(mixed_error, std::abs(mixed->states()[1] - u));
  }
  EXPECT_LT(mixed_error, 2 * single_error);
  for (; t < SimTime{} + Duration(5_s); t += 1_ms) {
    advance_by(*mixed, t, 1_ms);
    for (const double v : mixed->states()) ASSERT_LT(std::abs(v), 20);
  }
}

double error_after(const Multirate& m, Duration h) {
  Advance fine("oscillator-line");
  fine.run(20_ms, 10_us);
  const auto plant = make("oscillator-line", m);
  for (SimTime t{}; t < SimTime{} + Duration(20_ms); t += h) advance_by(*plant, t, h);
  double worst = 0;
  for (std::size_t s = 0; s < 12; ++s) {
    worst = std::max(worst, std::abs(plant->states()[s] - fine.state(s)));
  }
  return worst;
}

double order_of(const Multirate& m) {
  return std::log2(error_after(m, 50_us) / error_after(m, 25_us));
}

TEST(Multirate, IsOfTheOrderItSays) {
  const auto held = rates({{&ab2, 4}, {&ab2, 1}});
  const auto carried_on = rates({{&ab2, 4}, {&ab2, 1}}, Interface::extrapolate);
  EXPECT_EQ(held.method().order, 1);
  EXPECT_EQ(carried_on.method().order, 2);
  EXPECT_NEAR(order_of(held), 1, 0.15);
  EXPECT_NEAR(order_of(carried_on), 2, 0.15);
  EXPECT_NEAR(order_of(rates({{&forward_euler, 4}, {&forward_euler, 1}})), 1, 0.15);
  EXPECT_NEAR(order_of(rates({{&ab2, 4}, {&backward_euler, 2}})), 1, 0.15);
}

TEST(Multirate, RewindsAndTakesDoubledSteps) {
  const auto m = rates({{&ab2, 6}, {&ab2, 2}, {&libe, 3}}, Interface::extrapolate);
  const auto once = make("oscillator-load", m);
  const auto twice = make("oscillator-load", m);
  SimTime t{};
  for (int n = 0; n < 200; ++n) {
    const Duration h = n % 10 == 7 ? Duration(200_us) : Duration(100_us);
    const auto before = values(once->states());
    advance_by(*once, t, h);
    EXPECT_EQ(values(once->step_start().states), before);
    advance_by(*twice, t, 77_us);
    twice->rewind();
    advance_by(*twice, t, h);
    t += h;
    ASSERT_EQ(values(once->states()), values(twice->states())) << n;
  }
  // A restart forgets the slopes of before: the next step is that of a new plant.
  const auto fresh = make("oscillator-load", m);
  fresh->set_initial(once->states());
  once->restart(model::Restart::here);
  advance_by(*once, t, 100_us);
  advance_by(*fresh, t, 100_us);
  EXPECT_EQ(values(once->states()), values(fresh->states()));
}

// ---- errors ------------------------------------------------------------------------------------

std::string partitions_of(std::initializer_list<model::Partition> list) {
  auto d = model::find_model("van-der-pol")->description;
  d.partitions = std::span(list.begin(), list.size());
  const auto checked = model::check_partitions(d);
  return checked ? "sound" : checked.error().message;
}

TEST(Partitions, HaveEachStateOnce) {
  static constexpr std::array<std::string_view, 1> x{"x"}, v{"v"}, z{"z"};
  static constexpr std::array<std::string_view, 2> both{"x", "v"};
  EXPECT_EQ(partitions_of({{"one", x}, {"two", v}}), "sound");
  EXPECT_EQ(partitions_of({{"one", x}}),
            "model van-der-pol: state v is in no partition: add it to one");
  EXPECT_EQ(partitions_of({{"one", both}, {"two", v}}),
            "model van-der-pol: state v is in partition one and in two: leave it in one");
  EXPECT_EQ(partitions_of({{"one", both}, {"two", z}}),
            "model van-der-pol: partition two has `z`, which is no state");
}

TEST(Partitions, TakeMethodsAndRatiosThatFit) {
  const auto& line = model::find_model("oscillator-line")->description;
  const auto error = [&](const Multirate& m) {
    const auto checked = model::check_rates(line, m);
    return checked ? "sound" : checked.error().message;
  };
  EXPECT_EQ(error(rates({{&ab2, 12}, {&libe, 4}})), "sound");
  EXPECT_THAT(error(rates({{&ab2, 10}, {&ab2, 4}})),
              testing::HasSubstr("partition line: ratio 4 does not divide the largest, 10"));
  EXPECT_THAT(error(rates({{&numerics::rk4, 1}, {&ab2, 1}})),
              testing::HasSubstr("partition oscillator: takes forward-euler, ab-2"));
  EXPECT_THAT(error(rates({{&ab2, 10}})), testing::HasSubstr("2 partitions, but rates for 1"));
}

}  // namespace
}  // namespace hild::test
