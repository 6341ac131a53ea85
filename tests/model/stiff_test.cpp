// SPDX-License-Identifier: Apache-2.0
/// Cellier's circuit with load under the stiff methods, and what a model may say of its Jacobian.
#include "hild/numerics/methods/stiff.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <type_traits>

#include "model/advance.hpp"
#include "support/circuit.hpp"

namespace hild::test {
namespace {

using Dense = Circuit<true>;
using ByDifferences = Circuit<false>;

Eigen::MatrixXd jacobian_of(model::Stepper& plant, const std::vector<double>& x) {
  const auto n = static_cast<Eigen::Index>(x.size());
  const numerics::Structure& structure = plant.description().structure;
  std::vector<double> values(structure.room(x.size()));
  const numerics::Jacobian j(values.data(), x.size(), structure);
  const std::vector<double> u(plant.description().inputs.size());
  EXPECT_TRUE(plant.system().jacobian(0, x, u, j));
  return Eigen::MatrixXd::NullaryExpr(n, n, [&](Eigen::Index i, Eigen::Index k) {
    return j(static_cast<std::size_t>(i), static_cast<std::size_t>(k));
  });
}

std::vector<double> some_state(std::size_t n = 13) {
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(std::sin(1.7 * static_cast<double>(i) + 0.3));
  return x;
}

TEST(OscillatorLoad, FollowsKirchhoff) {
  Advance a("oscillator-load");
  a.inputs = {0.4};
  const auto circuit = model::make_stepper<Dense>(numerics::libe);
  const auto x = some_state();
  std::vector<double> dx(13);
  circuit->system().derivatives(0, x, a.inputs, dx);
  const auto builtin = a.derivatives(x);
  for (std::size_t i = 0; i < 13; ++i) {
    EXPECT_NEAR(builtin[i], dx[i], 1e-12 * std::abs(dx[i]) + 1e-12) << i;
  }
}

TEST(OscillatorLoad, KnowsItsJacobian) {
  Advance a("oscillator-load");
  const auto x = some_state();
  const Eigen::MatrixXd analytic = jacobian_of(a.plant(), x);
  EXPECT_LT((analytic - jacobian_of(*model::make_stepper<Dense>(numerics::libe), x)).norm(),
            1e-12 * analytic.norm());
  const auto differences = jacobian_of(*model::make_stepper<ByDifferences>(numerics::libe), x);
  // Differences of the cubic: half the second derivative times what it is moved by.
  EXPECT_LT((analytic - differences).cwiseAbs().maxCoeff(), 1e-7 * analytic.cwiseAbs().maxCoeff());
  EXPECT_NEAR(differences(1, 1), analytic(1, 1), 1e-4 * std::abs(analytic(1, 1)));
}

// errata: "R_l, C_l" of the load; forward Euler's limit is 2/|lambda| = 2.0e-6 s, not 1e-7 s.
TEST(OscillatorLoad, TakesForwardEulerToTwoMicroseconds) {
  Advance a("oscillator-load");
  const auto j = jacobian_of(a.plant(), std::vector<double>(13, 0.0));
  const double fastest = j.eigenvalues().real().minCoeff();
  EXPECT_NEAR(fastest, -1e6, 1e3);
  const double limit = -2 / fastest;
  EXPECT_NEAR(limit, 2.0e-6, 1e-8);

  const auto largest = [](Duration h) {
    Advance run("oscillator-load", numerics::forward_euler);
    double u_l = 0;
    run.run(4_ms, h, [&](double, model::Stepper::In x) { u_l = std::max(u_l, std::abs(x[12])); });
    return u_l;
  };
  EXPECT_LT(largest(from_seconds(0.95 * limit)), 1);
  EXPECT_FALSE(largest(from_seconds(1.05 * limit)) < 1e6);
}

// The trajectory of the circuit by Radau-IIA with small steps, at the whole milliseconds.
std::vector<double> reference(Duration time) {
  Advance fine("oscillator-load", numerics::radau_iia);
  std::vector<double> u_c;
  int steps = 0;
  fine.run(time, 10_us, [&](double, model::Stepper::In x) {
    if (++steps % 100 == 0) u_c.push_back(x[1]);
  });
  return u_c;
}

double error_at_milliseconds(const numerics::Method& m, Duration h) {
  const auto exact = reference(50_ms);
  Advance a("oscillator-load", m);
  double worst = 0;
  const auto per = static_cast<std::size_t>(Duration(1_ms).ns / h.ns);
  std::size_t steps = 0;
  a.run(50_ms, h, [&](double, model::Stepper::In x) {
    if (++steps % per == 0) worst = std::max(worst, std::abs(x[1] - exact[steps / per - 1]));
  });
  return worst;
}

double largest_swing(const numerics::Method& m, Duration h) {
  Advance a("oscillator-load", m);
  double swing = 0;
  a.run(500_ms, h, [&](double, model::Stepper::In x) {
    for (const double v : x) swing = std::isfinite(v) ? std::max(swing, std::abs(v)) : INFINITY;
  });
  return swing;
}

// Five hundred times forward Euler's limit. The oscillator is not resolved any more, but bounded.
TEST(OscillatorLoad, IsStableUnderStiffMethodsAtAMillisecond) {
  const double exact = largest_swing(numerics::radau_iia, 20_us);
  for (const auto* m : {&numerics::libe, &numerics::backward_euler, &numerics::radau_iia}) {
    const double swing = largest_swing(*m, 1_ms);
    // There h/C = 1 ohm: linearised at the top of a swing, the resistor is far off at its foot.
    EXPECT_LT(swing, (m->family == numerics::Family::newton ? 1.5 : 4) * exact) << m->name;
    EXPECT_GT(swing, 0.3 * exact) << m->name;
  }
}

TEST(OscillatorLoad, ComesNearerWithTheOrder) {
  for (const auto* m : {&numerics::libe, &numerics::backward_euler}) {
    const double coarse = error_at_milliseconds(*m, 20_us);
    EXPECT_NEAR(coarse / error_at_milliseconds(*m, 10_us), 2, 0.3) << m->name;
    EXPECT_LT(error_at_milliseconds(numerics::radau_iia, 100_us), 0.01 * coarse) << m->name;
  }
}

// ---- the inlined step --------------------------------------------------------------------------

// Newton's method does not notice that linear equations were eliminated beforehand: the six
// torn voltages move as they do among all thirteen states, at convergence and before.
TEST(Inlined, TornStepIsThatOfThirteenUnknowns) {
  for (const auto* m : {&numerics::backward_euler_1, &numerics::backward_euler_2,
                        &numerics::backward_euler, &numerics::backward_euler_5}) {
    const auto torn = model::find_model("oscillator-load")->make(*m);
    const auto full = model::make_stepper<Dense>(*m);
    ASSERT_TRUE(torn->compiled_together());
    ASSERT_FALSE(full->compiled_together());
    full->set_initial(some_state());
    SimTime t{};
    for (int n = 0; n < 200; ++n) {
      const Duration h = n % 10 == 7 ? Duration(2_ms) : Duration(1_ms);
      const std::vector<double> u{std::sin(0.3 * n)};
      torn->set_initial(full->states());
      step(*torn, t, h, u);
      step(*full, t, h, u);
      t += h;
      for (std::size_t i = 0; i < 13; ++i) {
        ASSERT_NEAR(torn->states()[i], full->states()[i], 1e-12) << m->name << " " << n << " " << i;
      }
    }
  }
}

// The definition of backward Euler, x_{n+1} = x_n + h f(x_{n+1}), by the model's derivatives alone.
TEST(Inlined, SolvesBackwardEulersEquation) {
  Advance a("oscillator-load", numerics::backward_euler_5);
  a.initial(some_state());
  a.inputs = {0.5};
  for (int n = 0; n < 20; ++n) {
    const std::vector<double> before(a.plant().states().begin(), a.plant().states().end());
    a.run(200_us, 200_us);
    const auto dx = a.derivatives({a.plant().states().begin(), a.plant().states().end()});
    for (std::size_t i = 0; i < 13; ++i) {
      // Of u_l the derivative is a difference of volts times 1e6: its rounding counts.
      EXPECT_NEAR(a.state(i), before[i] + 2e-4 * dx[i], i == 12 ? 1e-11 : 1e-12) << n << " " << i;
    }
  }
}

TEST(Inlined, RewindsAndShowsItsStart) {
  const auto once = model::find_model("oscillator-load")->make(numerics::backward_euler);
  const auto twice = model::find_model("oscillator-load")->make(numerics::backward_euler);
  SimTime t{};
  for (int n = 0; n < 50; ++n, t += 1_ms) {
    const double before = once->states()[1];
    step(*once, t, 1_ms);
    step(*twice, t, 700_us);
    twice->rewind();
    step(*twice, t, 1_ms);
    ASSERT_EQ(once->states()[1], twice->states()[1]);
    EXPECT_EQ(once->step_start().states[1], before);
    EXPECT_TRUE(once->step_start().derivatives.empty());
  }
}

// ---- what a model may offer --------------------------------------------------------------------

/// A stiff pendulum, x'' = -2 x' |x'| - 100 sin x, written once for any scalar.
struct Templated {
  static constexpr std::string_view name = "templated", summary = "by dual numbers";
  static constexpr std::array states{model::State{"angle", "rad", 1},
                                     model::State{"rate", "rad/s"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"angle", "rad"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Templated>;
  template <class S>
  static void derivatives(double /*t*/, std::span<const S, 2> x, D::U /*u*/, D::P /*p*/,
                          std::span<S, 2> dx) noexcept {
    using std::abs, std::sin;
    dx[0] = x[1];
    dx[1] = -2.0 * x[1] * abs(x[1]) - 100.0 * sin(x[0]);
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

TEST(Jacobians, ComeFromDualNumbersWhereDerivativesAreATemplate) {
  static_assert(model::JacobianOf<Templated>::automatic);
  const auto plant = model::make_stepper<Templated>(numerics::libe);
  std::array<double, 4> j{};
  ASSERT_TRUE(
      plant->system().jacobian(0, std::array{0.3, -5.0}, {}, {j.data(), 2, numerics::dense}));
  EXPECT_EQ(j[0], 0);
  EXPECT_EQ(j[2], 1);
  EXPECT_DOUBLE_EQ(j[1], -100 * std::cos(0.3));
  EXPECT_DOUBLE_EQ(j[3], -20);
  for (SimTime t{}; t < SimTime{} + Duration(20_s); t += 10_ms) step(*plant, t, 10_ms, {});
  EXPECT_NEAR(plant->states()[0], 0, 1e-2);
}

TEST(Jacobians, ByDifferencesDoAsWell) {
  const auto analytic = model::make_stepper<Dense>(numerics::libe);
  const auto differences = model::make_stepper<ByDifferences>(numerics::libe);
  for (SimTime t{}; t < SimTime{} + Duration(20_ms); t += 100_us) {
    step(*analytic, t, 100_us);
    step(*differences, t, 100_us);
  }
  for (std::size_t i = 0; i < 13; ++i) {
    EXPECT_NEAR(analytic->states()[i], differences->states()[i], 1e-6) << i;
  }
}

}  // namespace
}  // namespace hild::test
