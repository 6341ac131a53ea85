// SPDX-License-Identifier: Apache-2.0
/// Models with algebraic variables: found in every pass, torn in inlined steps, consistent after
/// events.
#include <gtest/gtest.h>

#include <cmath>

#include "model/advance.hpp"
#include "support/circuit_equations.hpp"

namespace hild::test {
namespace {

using InlinedCircuit = model::InlinedEquations<CircuitEquations>;

// "We got away with six tearing variables", the voltages at places 1, 3 ... 11.
TEST(CircuitEquations, AreTornAtSixVoltages) {
  static_assert(numerics::Torn<InlinedCircuit>);
  constexpr auto plan = numerics::TornNewton<InlinedCircuit>::plan;
  EXPECT_EQ(plan.tearing.torn, 0b1010'1010'1010U);
  EXPECT_EQ(plan.tearing.causal, 8);
  // Only u_C occurs other than linearly: the iterations are about it alone.
  EXPECT_EQ(plan.core, 13);
  EXPECT_EQ(plan.variable[13], 1);
}

TEST(CircuitEquations, StepAsTornByHand) {
  for (const auto* m : {&numerics::backward_euler_1, &numerics::backward_euler_2,
                        &numerics::backward_euler, &numerics::backward_euler_5}) {
    const auto by_hand = model::find_model("oscillator-load")->make(*m);
    const auto found = model::make_stepper<CircuitEquations>(*m);
    ASSERT_TRUE(found->compiled_together());
    SimTime t{};
    step(*found, t, 1_ms);  // the first one goes on until i_R is found
    t += 1_ms;
    for (int n = 0; n < 200; ++n) {
      const Duration h = n % 10 == 7 ? Duration(2_ms) : n % 10 == 8 ? 1_us : Duration(1_ms);
      const std::vector<double> u{std::sin(0.3 * n)};
      by_hand->set_initial(found->states());
      step(*by_hand, t, h, u);
      step(*found, t, h, u);
      t += h;
      for (std::size_t i = 0; i < 13; ++i) {
        ASSERT_NEAR(found->states()[i], by_hand->states()[i], 1e-12) << m->name << " " << n << i;
      }
    }
  }
}

/// The same, of whose coefficients nothing is said.
struct Varying : CircuitEquations {
  static constexpr bool constant_coefficients = false;
};

// Factors are kept only while they are those of the step: of the same bits as found anew. Five
// iterations leave nothing that a search after a parameter was set would go on for.
TEST(CircuitEquations, KeepFactorsWithoutATrace) {
  const auto kept = model::make_stepper<CircuitEquations>(numerics::backward_euler_5);
  const auto anew = model::make_stepper<Varying>(numerics::backward_euler_5);
  const auto by_hand = model::find_model("oscillator-load")->make(numerics::backward_euler_5);
  SimTime t{};
  for (int n = 0; n < 60; ++n) {
    const Duration h = n % 20 < 10 ? 1_ms : 300_us;
    if (n % 15 == 7) {
      for (auto* plant : {kept.get(), anew.get(), by_hand.get()}) {
        plant->system().set_parameter(CircuitEquations::resistance, 10 + n);
      }
    }
    for (auto* plant : {kept.get(), anew.get(), by_hand.get()}) step(*plant, t, h);
    t += h;
    for (std::size_t i = 0; i < 13; ++i) {
      ASSERT_EQ(kept->states()[i], anew->states()[i]) << n << " " << i;
      ASSERT_NEAR(kept->states()[i], by_hand->states()[i], 1e-11) << n << " " << i;
    }
  }
}

// Ferroresonance: without resistance its energy stays: of the capacitor, and of the coil the
// integral of i over the flux, L i^2 / 2 + flux_s (i tanh(i / i_s) - i_s ln cosh(i / i_s)).
TEST(Ferroresonance, KeepsItsEnergy) {
  Advance a("ferroresonance", numerics::rk4);
  a.parameter("resistance", 0);
  a.initial({0, 300});
  const auto energy = [](double i, double u_c) {
    return 0.1 * i * i / 2 + i * std::tanh(i / 0.5) - 0.5 * std::log(std::cosh(i / 0.5)) +
           1e-4 * u_c * u_c / 2;
  };
  double most = 0;
  a.run(200_ms, 50_us, [&](double t, model::Stepper::In x) {
    std::array<double, 3> y{};
    a.plant().outputs(t, std::array{0.0}, y);
    most = std::max(most, std::abs(y[0]));
    EXPECT_NEAR(energy(y[0], x[1]), 4.5, 1e-6) << t;
  });
  EXPECT_GT(most, 2);  // far into saturation
  EXPECT_EQ(a.plant().system().cap_counts()->algebraic_iterations, 0);
}

// ---- one equation, in all ways -----------------------------------------------------------------

/// x' = -z, x = z + z^3: so (1/z + 3 z) z' = -1, and ln z + 3/2 z^2 + t is constant. `How` it is
/// written decides how its equation is solved.
enum class How { traced, differentiated, plain };

template <How How>
struct Decay {
  static constexpr std::string_view name = "decay", summary = "with an algebraic variable";
  static constexpr std::array states{model::State{"x", "1", 2}};
  static constexpr std::array algebraic{model::Algebraic{.name = "z", .start = 0.5}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"z"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using Inlined = model::CompiledWith<numerics::backward_euler>;
  using D = model::Data<Decay>;

  template <class S>
  static constexpr void residuals(double /*t*/, std::span<const S, 1> x, typename D::U /*u*/,
                                  std::span<const S, 1> z, typename D::P /*p*/,
                                  std::span<S, 1> r) noexcept
      requires(How != How::plain || std::is_same_v<S, double>) {
    if constexpr (How == How::differentiated) keeps_the_compiler_out();
    r[0] = z[0] + z[0] * z[0] * z[0] - x[0];
  }
  template <class S>
  static constexpr void derivatives(double /*t*/, std::span<const S, 1> /*x*/, typename D::U /*u*/,
                                    std::span<const S, 1> z, typename D::P /*p*/,
                                    std::span<S, 1> dx) noexcept
      requires(How != How::plain || std::is_same_v<S, double>) {
    dx[0] = -z[0];
  }
  static void outputs_of(double, typename D::X, typename D::U, typename D::Z z, typename D::P,
                         typename D::Y y) noexcept {
    y[0] = z[0];
  }

 private:
  static void keeps_the_compiler_out() noexcept {}
};

double z_of(model::Stepper& plant, SimTime t) {
  std::array<double, 1> z{};
  plant.outputs(seconds(t), {}, z);
  return z[0];
}

template <class M>
void decays(const numerics::Method& method, double tolerance) {
  const auto plant = model::make_stepper<M>(method);
  SimTime t{};
  EXPECT_NEAR(z_of(*plant, t), 1, 1e-14);
  for (int n = 0; n < 1000; ++n, t += 1_ms) step(*plant, t, 1_ms, {});
  const double z = z_of(*plant, t);
  EXPECT_NEAR(std::log(z) + 1.5 * z * z + 1, 1.5, tolerance) << method.name;
  EXPECT_EQ(plant->system().cap_counts()->algebraic_iterations, 0);
}

TEST(Algebraic, AreFoundHoweverTheModelIsWritten) {
  using Traced = model::AlgebraicEquations<Decay<How::traced>>;
  using Differentiated = model::AlgebraicEquations<Decay<How::differentiated>>;
  using Plain = model::AlgebraicEquations<Decay<How::plain>>;
  static_assert(numerics::Torn<Traced> && !numerics::Torn<Differentiated>);
  static_assert(Differentiated::differentiable && !Plain::differentiable);
  decays<Decay<How::traced>>(numerics::rk4, 1e-12);
  decays<Decay<How::differentiated>>(numerics::rk4, 1e-12);
  decays<Decay<How::plain>>(numerics::rk4, 1e-11);
}

// The orders of the methods are those of a model without: their errors at 1 ms.
TEST(Algebraic, LeaveMethodsTheirOrder) {
  for (const auto* m : {&numerics::ab2, &numerics::rtam2, &numerics::radau_iia}) {
    decays<Decay<How::traced>>(*m, 1e-6);
  }
  decays<Decay<How::traced>>(numerics::libe, 1e-3);
  decays<Decay<How::traced>>(numerics::backward_euler, 1e-3);
  decays<Decay<How::differentiated>>(numerics::backward_euler, 1e-3);
  decays<Decay<How::plain>>(numerics::backward_euler, 1e-3);
}

TEST(Algebraic, AreDescribed) {
  const auto registration = model::registration_of<Decay<How::traced>>();
  ASSERT_EQ(registration.description.algebraic.size(), 1);
  EXPECT_EQ(registration.description.algebraic[0].name, "z");
  // A system alone finds them for any state, one after the other: x = 30 for z = 3.
  const auto system = registration.make_system();
  for (const double z : {3.0, -1.0, 0.0, 100.0}) {
    std::array<double, 1> dx{};
    system->derivatives(0, std::array{z + z * z * z}, {}, dx);
    EXPECT_NEAR(dx[0], -z, 1e-12 * (1 + std::abs(z)));
  }
  EXPECT_EQ(system->cap_counts()->algebraic_iterations, 0);
}

// What is asked of a plant between passes does not show in its steps.
TEST(Algebraic, AreNotMovedByWhatIsAsked) {
  const auto asked = model::make_stepper<Decay<How::traced>>(numerics::rtam2);
  const auto left_alone = model::make_stepper<Decay<How::traced>>(numerics::rtam2);
  const auto at_once = model::make_stepper<Decay<How::traced>>(numerics::rtam2);
  SimTime t{};
  for (int n = 0; n < 50; ++n, t += 10_ms) {
    std::array<double, 1> out{};
    asked->system().derivatives(0, std::array{-5.0}, {}, out);
    asked->system().outputs(0, std::array{7.0}, {}, out);
    ASSERT_TRUE(asked->system().jacobian(0, std::array{7.0}, {}, {out.data(), 1, numerics::dense}));
    step(*asked, t, 10_ms, {});
    step(*left_alone, t, 10_ms, {});
    ASSERT_EQ(asked->states()[0], left_alone->states()[0]);
  }
  at_once->advance(SimTime{}, 10_ms, 50, {});
  EXPECT_EQ(at_once->states()[0], left_alone->states()[0]);
}

TEST(Algebraic, AreTakenBackWithTheStep) {
  for (const bool advance : {false, true}) {
    const auto once = model::make_stepper<Decay<How::traced>>(numerics::rk4);
    const auto twice = model::make_stepper<Decay<How::traced>>(numerics::rk4);
    SimTime t{};
    for (int n = 0; n < 20; ++n, t += 100_ms) {
      step(*once, t, 100_ms, {});
      if (advance) {
        twice->advance(t, 70_ms, 1, {});
      } else {
        step(*twice, t, 70_ms, {});
      }
      twice->rewind();
      step(*twice, t, 100_ms, {});
      ASSERT_EQ(once->states()[0], twice->states()[0]) << n;
    }
  }
}

// ---- after events ------------------------------------------------------------------------------

/// t' = 1; at t = 10.5 ms `k` becomes -1000, and z of z + z^3 = k moves from 1 to nearly -10.
/// `Solvable` or not: else z^2 = k, which then has no solution.
template <bool Solvable>
struct Switched {
  static constexpr std::string_view name = "switched", summary = "by an event";
  static constexpr std::array states{model::State{"clock", "s", -0.0105}};
  static constexpr std::array algebraic{model::Algebraic{.name = "z", .start = 1}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"z"}};
  static constexpr std::array parameters{model::Parameter{"k", "1", 2}};
  static constexpr std::array events{model::Event{"now", model::Crossing::rising}};
  using D = model::Data<Switched>;
  template <class S>
  static constexpr void residuals(double /*t*/, std::span<const S, 1> /*x*/, typename D::U /*u*/,
                                  std::span<const S, 1> z, typename D::P p,
                                  std::span<S, 1> r) noexcept {
    r[0] = (Solvable ? z[0] + z[0] * z[0] * z[0] : z[0] * z[0] + 1) - p[0];
  }
  template <class S>
  static constexpr void derivatives(double /*t*/, std::span<const S, 1> /*x*/, typename D::U /*u*/,
                                    std::span<const S, 1> /*z*/, typename D::P /*p*/,
                                    std::span<S, 1> dx) noexcept {
    dx[0] = 1;
  }
  static void outputs_of(double, typename D::X, typename D::U, typename D::Z z, typename D::P,
                         typename D::Y y) noexcept {
    y[0] = z[0];
  }
  static void event_functions(double, typename D::X x, typename D::U, typename D::P,
                              std::span<double, 1> g) noexcept {
    g[0] = x[0];
  }
  static void on_event(std::size_t, double, typename D::NewX, typename D::U,
                       typename D::NewP p) noexcept {
    p[0] = -1000;
  }
};

/// z + z^3 = k by Cardano's formula.
double root(double k) {
  const double d = std::sqrt(k * k / 4 + 1.0 / 27);
  return std::cbrt(k / 2 + d) + std::cbrt(k / 2 - d);
}

// From 1 Newton's method needs more than the three iterations of a pass.
TEST(Algebraic, AreFoundAnewAfterAnEvent) {
  const auto plant = model::make_stepper<Switched<true>>(numerics::rk4);
  step(*plant, SimTime{}, 1_ms, {});
  EXPECT_NEAR(z_of(*plant, {}), 1, 1e-12);
  plant->system().on_event(0, 1e-3, plant->states(), {});
  plant->restart(model::Restart::here);
  EXPECT_NEAR(z_of(*plant, {}), root(-1000), 1e-12 * 10);
  step(*plant, SimTime{} + Duration(1_ms), 1_ms, {});
  EXPECT_NEAR(z_of(*plant, {}), root(-1000), 1e-12 * 10);
  EXPECT_EQ(plant->system().cap_counts()->algebraic_iterations, 0);
}

TEST(Algebraic, AreFoundAnewWhenAParameterIsSet) {
  const auto plant = model::make_stepper<Switched<true>>(numerics::rk4);
  step(*plant, SimTime{}, 1_ms, {});
  plant->system().set_parameter(0, -1000);
  step(*plant, SimTime{} + Duration(1_ms), 1_ms, {});
  EXPECT_EQ(plant->system().cap_counts()->algebraic_iterations, 0);
  // Without noticing it would still be on its way there.
  EXPECT_NEAR(z_of(*plant, {}), root(-1000), 1e-12 * 10);
}

// The search is bounded, and each one that fails is counted: those of the four passes.
TEST(Algebraic, ThatHaveNoSolutionAreCounted) {
  const auto plant = model::make_stepper<Switched<false>>(numerics::rk4);
  step(*plant, SimTime{}, 1_ms, {});
  EXPECT_EQ(plant->system().cap_counts()->algebraic_iterations, 0);
  plant->system().set_parameter(0, -1000);
  step(*plant, SimTime{} + Duration(1_ms), 1_ms, {});
  EXPECT_EQ(plant->system().cap_counts()->algebraic_iterations, 4);
}

}  // namespace
}  // namespace hild::test
