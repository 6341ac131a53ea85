// SPDX-License-Identifier: Apache-2.0
/// Whole steps in one call are those of the passes to the bit, and leave the same behind: every
/// method of the catalogue under every built-in model, by partitions too, and the kernel itself.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "hild/model/integrated.hpp"
#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/every_method.hpp"
#include "model/advance.hpp"
#include "numerics/problem.hpp"
#include "support/circuit.hpp"

namespace hild::test {
namespace {

using model::Stepper;

std::vector<double> state_values(Stepper::In x) { return {x.begin(), x.end()}; }

void by_passes(Stepper& plant, SimTime t, Duration h, int steps, Stepper::In u) {
  for (int n = 0; n < steps; ++n, t += h) {
    const int passes = plant.begin(t, h).count();
    for (int i = 0; i < passes; ++i) plant.pass(i, u);
    plant.finish();
  }
}

::testing::AssertionResult same(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) == std::bit_cast<std::uint64_t>(b[i])) continue;
    return ::testing::AssertionFailure() << std::hexfloat << i << ": " << a[i] << " not " << b[i];
  }
  return ::testing::AssertionSuccess();
}

void expect_same(Stepper& a, Stepper& b, const std::string& where) {
  ASSERT_TRUE(same(state_values(a.states()), state_values(b.states()))) << where;
  const Stepper::StepStart from_a = a.step_start();
  const Stepper::StepStart from_b = b.step_start();
  ASSERT_TRUE(same(state_values(from_a.states), state_values(from_b.states))) << where;
  ASSERT_TRUE(same(state_values(from_a.derivatives), state_values(from_b.derivatives))) << where;
  std::vector<double> ea(a.states().size());
  std::vector<double> eb(ea);
  ASSERT_EQ(a.error_estimate(ea), b.error_estimate(eb)) << where;
  ASSERT_TRUE(same(ea, eb)) << where;
  ASSERT_EQ(a.dense(0.3, ea), b.dense(0.3, eb)) << where;
  ASSERT_TRUE(same(ea, eb)) << where;
}

// Runs of steps of some length, now and then taken back, or without what was before.
void compare(Stepper& whole, Stepper& passes, Duration h) {
  std::mt19937 random(7);
  const std::string name(passes.method().name);
  const std::vector<double> start(passes.description().states.size(), 0.1);
  whole.set_initial(start);
  passes.set_initial(start);
  SimTime t{};
  for (int round = 0; round < 60; ++round) {
    const std::vector<double> u(passes.description().inputs.size(), 0.1 * (round % 4));
    const Duration length = random() % 5 == 0 ? h * 2 : h;
    const int steps = 1 + static_cast<int>(random() % 8);
    if (steps == 1) {
      whole.step(t, length, u);
    } else {
      whole.advance(t, length, steps, u);
    }
    by_passes(passes, t, length, steps, u);
    ASSERT_NO_FATAL_FAILURE(expect_same(whole, passes, name + " " + std::to_string(round)));
    t += length * steps;
    if (random() % 6 == 0) {
      whole.rewind();
      passes.rewind();
      t += -length;
      ASSERT_TRUE(same(state_values(whole.states()), state_values(passes.states()))) << name;
    }
    if (random() % 10 == 0) {
      whole.restart(model::Restart::here);
      passes.restart(model::Restart::here);
    }
  }
}

TEST(WholeSteps, AreThoseOfThePassesForEveryModelAndMethod) {
  for (const auto* registration : model::models()) {
    for (const auto* method : numerics::catalogue()) {
      const auto whole = registration->make(*method);
      const auto passes = registration->make(*method);
      ASSERT_NO_FATAL_FAILURE(compare(*whole, *passes, 10_us)) << registration->description.name;
    }
  }
}

TEST(WholeSteps, AreThoseOfThePassesCompiledTogetherWithEveryMethod) {
  numerics::with_every_method([]<const numerics::Method & M>() {
    using Together = model::Integrated<Circuit<true>, numerics::Fixed<M>>;
    Together whole{numerics::Fixed<M>{}};
    Together passes{numerics::Fixed<M>{}};
    compare(whole, passes, 1_us);
    // Compiled together or not.
    std::conditional_t<M.implicit(), model::ChosenImplicit, numerics::Chosen> chosen(M);
    model::Integrated<Circuit<true>, decltype(chosen)> read(chosen);
    Together fresh{numerics::Fixed<M>{}};
    compare(fresh, read, 1_us);
  });
}

// Together with the rates, and with rates read at run time.
template <class M, model::Multirate Rates>
void compare_rates() {
  using Together = model::Integrated<M, model::FixedRates<Rates>>;
  Together whole{model::FixedRates<Rates>{}};
  Together passes{model::FixedRates<Rates>{}};
  compare(whole, passes, 1_us);
  model::Integrated<M, model::Multirate> read(Rates);
  Together fresh{model::FixedRates<Rates>{}};
  compare(fresh, read, 1_us);
}

/// The circuit in three parts; its states can be evaluated alone, or only together.
template <bool Alone>
struct InParts : Circuit<true> {
  static constexpr std::array<std::string_view, 2> fast{"i_L", "u_C"};
  static constexpr std::array<std::string_view, 9> slow{"i_1", "u_1", "i_2", "u_2", "u_3",
                                                        "i_4", "u_4", "i_5", "u_5"};
  static constexpr std::array<std::string_view, 2> rest{"u_l", "i_3"};
  static constexpr std::array partitions{model::Partition{"fast", fast},
                                         model::Partition{"slow", slow},
                                         model::Partition{"rest", rest}};
  static void derivatives_of(std::size_t first, std::size_t last, double t, D::X x, D::U u, D::P p,
                             D::DX dx) noexcept requires(Alone) {
    std::array<double, 13> all{};
    derivatives(t, x, u, p, all);
    for (std::size_t i = first; i < last; ++i) dx[i] = all[i];
  }
};

template <class M>
void compare_all_rates() {
  using model::by_rates, model::Interface;
  using numerics::forward_euler, numerics::ab2, numerics::libe, numerics::backward_euler;
  compare_rates<M, by_rates({{&forward_euler, 10}, {&forward_euler, 1}, {&forward_euler, 2}})>();
  compare_rates<M, by_rates({{&ab2, 6}, {&ab2, 2}, {&libe, 3}})>();
  compare_rates<M, by_rates({{&ab2, 6}, {&ab2, 2}, {&libe, 3}}, Interface::extrapolate)>();
  compare_rates<M, by_rates({{&forward_euler, 4}, {&ab2, 1}, {&backward_euler, 1}},
                            Interface::extrapolate)>();
  compare_rates<M, by_rates({{&libe, 2}, {&backward_euler, 1}, {&ab2, 4}})>();
}

TEST(WholeSteps, AreThoseOfThePassesByPartitions) {
  compare_all_rates<InParts<true>>();
  compare_all_rates<InParts<false>>();
}

TEST(WholeSteps, OfAModelThatListsItsRatesAreCompiledTogether) {
  const auto rates =
      model::by_rates({{&numerics::forward_euler, 10}, {&numerics::forward_euler, 1}});
  const auto* line = model::find_model("oscillator-line");
  const auto together = line->make_multirate(rates);
  EXPECT_TRUE(together->compiled_together());
  auto other = rates;
  other.rates[0].ratio = 5;
  EXPECT_FALSE(line->make_multirate(other)->compiled_together());
  const auto passes = line->make_multirate(rates);
  compare(*together, *passes, 100_us);
}

// ---- the kernel, with time in the derivatives --------------------------------------------------

template <class Step>
void compare_kernel(Step whole, Step passes) {
  numerics::start(whole);
  numerics::start(passes);
  SimTime t{};
  for (int round = 0; round < 40; ++round) {
    const Duration h = round % 7 == 3 ? Duration(20_ms) : Duration(10_ms);
    const auto f = [](double at, auto x, auto dx) {
      numerics::derivatives(at, x, numerics::input(at), dx);
    };
    whole.advance(t, h, 3, f);
    for (int n = 0; n < 3; ++n, t += h) numerics::advance(passes, t, h);
    for (std::size_t s = 0; s < 2; ++s) ASSERT_EQ(whole.state()[s], passes.state()[s]);
  }
}

template <const numerics::Method&... Methods>
void compare_kernels() {
  using numerics::Chosen;
  using numerics::Dynamic;
  using numerics::ExplicitStep;
  using numerics::Fixed;
  using numerics::Static;
  (compare_kernel(ExplicitStep{Static<2>{}, Fixed<Methods>{}},
                  ExplicitStep{Static<2>{}, Fixed<Methods>{}}),
   ...);
  (compare_kernel(ExplicitStep{Dynamic(2), Chosen(Methods)},
                  ExplicitStep{Dynamic(2), Chosen(Methods)}),
   ...);
}

TEST(WholeSteps, EvaluateAtTheTimesOfThePasses) {
  using namespace numerics;  // NOLINT: its methods
  compare_kernels<forward_euler, ab3, rtam2, rtrk3, rk4, am3, heun, ode45>();
}

}  // namespace
}  // namespace hild::test
