// SPDX-License-Identifier: Apache-2.0
/// The kernel under every implicit method: order over random spans, equal bits, rewinding.
#include "hild/numerics/implicit_step.hpp"

#include <gtest/gtest.h>

#include <random>

#include "hild/numerics/every_method.hpp"
#include "hild/numerics/explicit_step.hpp"
#include "numerics/stiff.hpp"

namespace hild::numerics {
namespace {

using test::Driven;

template <class Step>
void start_both(Step& step) {
  step.state()[0] = 0.5;
  step.state()[1] = 1.0;
}

// By RK-4 with steps so small that its error is far below what is measured.
std::array<double, 2> fine_reference() {
  ExplicitStep step{Static<2>{}, Fixed<rk4>{}};
  start_both(step);
  std::array<double, 4> unused{};
  for (SimTime t{}; t < SimTime{} + Duration(2_s); t += 100_us) {
    step.begin(t, 100_us);
    for (int i = 0; i < 4; ++i) {
      Driven{}(i, step.time(i), step.stage(i), step.derivative(i),
               Jacobian(unused.data(), 2, dense));
    }
    step.finish();
  }
  return {step.state()[0], step.state()[1]};
}

double implicit_error_over_random_spans(const Method& method, int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> lengths;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    lengths.push_back(std::array{1.0, 2.0, 0.5}[random() % 3]);
    sum += lengths.back();
  }
  ImplicitStep step{Static<2>{}, Chosen(method)};
  start_both(step);
  double passed = 0;
  SimTime t{};
  for (const double length : lengths) {
    passed += length;
    const SimTime next = SimTime{} + from_seconds(2.0 * passed / sum);
    test::advance(step, t, next - t, Driven{});
    t = next;
  }
  static const auto exact = fine_reference();
  return std::hypot(step.state()[0] - exact[0], step.state()[1] - exact[1]);
}

class EveryImplicitMethod : public ::testing::TestWithParam<const Method*> {};

TEST_P(EveryImplicitMethod, KeepsItsOrderOverRandomSpans) {
  const Method& method = *GetParam();
  double coarse = 0;
  double fine = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    coarse += implicit_error_over_random_spans(method, 100, seed);
    fine += implicit_error_over_random_spans(method, 400, seed);
  }
  const double measured = std::log2(coarse / fine) / 2;
  EXPECT_GT(measured, method.order - 0.15) << coarse << " -> " << fine;
  EXPECT_LT(measured, method.order + 0.5) << coarse << " -> " << fine;
}

TEST_P(EveryImplicitMethod, IsEqualToTheBitWithStaticAndRunTimeSizes) {
  ImplicitStep fixed{Static<2>{}, Chosen(*GetParam())};
  ImplicitStep dynamic{Dynamic(2), Chosen(*GetParam())};
  start_both(fixed);
  start_both(dynamic);
  SimTime t{};
  for (int n = 0; n < 200; ++n) {
    const Duration h = n % 10 == 7 ? Duration(20_ms) : Duration(10_ms);
    test::advance(fixed, t, h, Driven{});
    test::advance(dynamic, t, h, Driven{});
    t += h;
    ASSERT_EQ(fixed.state()[0], dynamic.state()[0]);
    ASSERT_EQ(fixed.state()[1], dynamic.state()[1]);
  }
}

TEST_P(EveryImplicitMethod, RewindsAsIfTheStepHadNotBeen) {
  ImplicitStep once{Static<2>{}, Chosen(*GetParam())};
  ImplicitStep twice{Static<2>{}, Chosen(*GetParam())};
  start_both(once);
  start_both(twice);
  SimTime t{};
  for (int n = 0; n < 50; ++n) {
    test::advance(once, t, 10_ms, Driven{});
    test::advance(twice, t, 25_ms, Driven{});  // tried, and taken back
    twice.rewind();
    if (n % 7 == 0) twice.restart();
    test::advance(twice, t, 10_ms, Driven{});
    t += 10_ms;
    ASSERT_EQ(once.state()[0], twice.state()[0]);
    ASSERT_EQ(once.state()[1], twice.state()[1]);
  }
}

// x' = 0.75 at the start, of those that evaluate it there.
TEST_P(EveryImplicitMethod, ShowsTheStartOfTheStepUntilTheNextBegins) {
  ImplicitStep step{Static<2>{}, Chosen(*GetParam())};
  start_both(step);
  test::advance(step, {}, 1_ms, Driven{});
  EXPECT_EQ(step.start_state()[0], 0.5);
  EXPECT_NE(step.state()[0], 0.5);
  const auto slope = step.start_derivative();
  ASSERT_EQ(slope.empty(), GetParam()->node(0).value() != 0);
  for (const double first : slope.first(slope.empty() ? 0 : 1)) EXPECT_DOUBLE_EQ(first, 0.75);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryImplicitMethod,
                         ::testing::ValuesIn(test::implicit_methods()), [](const auto& test) {
                           std::string name(test.param->name);
                           std::erase(name, '-');
                           return name;
                         });

template <const Method& M>
void compare_fixed_with_chosen_stages() {
  ImplicitStep fixed{Static<2>{}, Fixed<M>{}};
  ImplicitStep chosen{Static<2>{}, Chosen(M)};
  start_both(fixed);
  start_both(chosen);
  SimTime t{};
  for (int n = 0; n < 200; ++n) {
    const Duration h = n % 10 == 7 ? Duration(20_ms) : Duration(10_ms);
    test::advance(fixed, t, h, Driven{});
    test::advance(chosen, t, h, Driven{});
    t += h;
    ASSERT_EQ(fixed.state()[0], chosen.state()[0]) << M.name;
    ASSERT_EQ(fixed.state()[1], chosen.state()[1]) << M.name;
  }
}

TEST(ImplicitKernel, IsEqualToTheBitWhetherTheCompilerKnowsTheTableauOrNot) {
  with_every_method([]<const Method & M> {
    if constexpr (M.implicit()) compare_fixed_with_chosen_stages<M>();
  });
}

TEST(ImplicitKernel, TakesInputsWhereTheMethodsWantThem) {
  std::vector<double> times;
  const auto note = [&](int, double t, auto, auto dx, Jacobian) {
    times.push_back(t);
    dx[0] = 0;
  };
  const auto of = [&](const Method& m) {
    times.clear();
    ImplicitStep step{Static<1>{}, Chosen(m)};
    test::advance(step, SimTime{} + Duration(1_s), 300_ms, note);
    return times;
  };
  EXPECT_EQ(of(libe), (std::vector{1.0}));
  EXPECT_EQ(of(backward_euler), (std::vector{1.3, 1.3, 1.3}));
  ASSERT_EQ(of(radau_iia).size(), 4U);
  EXPECT_DOUBLE_EQ(times[0], 1.1);
  EXPECT_DOUBLE_EQ(times[1], 1.3);
}

// Cellier: "if the Jacobian is approximated by the zero matrix, LIBE turns into FE".
TEST(Libe, IsForwardEulerToTheBitWithoutAJacobian) {
  ImplicitStep libe_step{Static<2>{}, Fixed<libe>{}};
  ExplicitStep euler{Static<2>{}, Fixed<forward_euler>{}};
  start_both(libe_step);
  start_both(euler);
  SimTime t{};
  std::array<double, 4> unused{};
  const auto blind = [&](int stage, double at, auto x, auto dx, Jacobian) {
    Driven{}(stage, at, x, dx, Jacobian(unused.data(), 2, dense));
  };
  for (int n = 0; n < 200; ++n) {
    const Duration h = n % 10 == 7 ? Duration(20_ms) : Duration(10_ms);
    test::advance(libe_step, t, h, blind);
    euler.begin(t, h);
    Driven{}(0, euler.time(0), euler.stage(0), euler.derivative(0),
             Jacobian(unused.data(), 2, dense));
    euler.finish();
    t += h;
    ASSERT_EQ(libe_step.state()[0], euler.state()[0]);
    ASSERT_EQ(libe_step.state()[1], euler.state()[1]);
  }
}

/// Ten states in a chain, nonlinear; J is tridiagonal.
struct Chain {
  template <class X, class Dx>
  void operator()(int /*stage*/, double /*t*/, X x, Dx dx, Jacobian j) const {
    for (std::size_t i = 0; i < 10; ++i) {
      dx[i] = -1000 * x[i] * x[i] * x[i];
      j(i, i) = -3000 * x[i] * x[i];
      if (i > 0) dx[i] += 2000 * x[i - 1], j(i, i - 1) = 2000;
      if (i < 9) dx[i] -= 500 * x[i + 1], j(i, i + 1) = -500;
    }
  }
};

template <Structure S>
std::vector<double> after_steps(const Method& m) {
  ImplicitStep<Static<10>, Chosen, S> step({}, Chosen(m));
  for (std::size_t i = 0; i < 10; ++i) step.state()[i] = 1 + 0.1 * static_cast<double>(i);
  for (SimTime t{}; t < SimTime{} + Duration(50_ms); t += 1_ms)
    test::advance(step, t, 1_ms, Chain{});
  return {step.state().begin(), step.state().end()};
}

TEST(ImplicitKernel, GivesTheSameWhateverTheStructureIsDeclared) {
  for (const Method* m : test::implicit_methods()) {
    const auto full = after_steps<dense>(*m);
    const auto chain = after_steps<tridiagonal>(*m);
    const auto band = after_steps<banded(2, 3)>(*m);
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_NEAR(chain[i], full[i], 1e-12) << m->name << " state " << i;
      EXPECT_NEAR(band[i], full[i], 1e-12) << m->name << " state " << i;
    }
  }
}

}  // namespace
}  // namespace hild::numerics
