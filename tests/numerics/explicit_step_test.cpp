// SPDX-License-Identifier: Apache-2.0
/// The kernel under every method of the catalogue: one code, equal to the bit whether sizes and
/// tableaux are known to the compiler or not; order over random spans; rewinding.
#include "hild/numerics/explicit_step.hpp"

#include <gtest/gtest.h>

#include <random>

#include "hild/numerics/every_method.hpp"
#include "numerics/problem.hpp"

namespace hild::numerics {
namespace {

class EveryMethod : public ::testing::TestWithParam<const Method*> {};

/// Integrates over 2 s in n steps whose lengths are drawn from 1, 2 and 1/2.
double error_over_random_spans(const Method& method, int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> lengths;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    lengths.push_back(std::array{1.0, 2.0, 0.5}[random() % 3]);
    sum += lengths.back();
  }
  ExplicitStep step{Static<2>{}, Chosen(method)};
  start(step);
  double passed = 0;
  SimTime t{};
  for (const double length : lengths) {
    passed += length;
    const SimTime next = SimTime{} + from_seconds(2.0 * passed / sum);
    advance(step, t, next - t);
    t = next;
  }
  static const auto exact = reference();
  return distance(step.state(), exact);
}

TEST_P(EveryMethod, KeepsItsOrderOverRandomSpans) {
  const Method& method = *GetParam();
  // The mean over several draws, since a draw's largest step decides its error.
  double coarse = 0;
  double fine = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    coarse += error_over_random_spans(method, 50, seed);
    fine += error_over_random_spans(method, 200, seed);
  }
  EXPECT_GT(std::log2(coarse / fine) / 2, method.order - 0.3) << coarse << " -> " << fine;
}

TEST_P(EveryMethod, IsStartedByItsStarterForAsManyStepsAsItNeedsDerivatives) {
  const Method& method = *GetParam();
  ExplicitStep step{Static<2>{}, Chosen(method)};
  start(step);
  SimTime t{};
  const auto take_steps = [&](int n, bool starting) {
    for (int i = 0; i < n; ++i, t += 10_ms) {
      advance(step, t, 10_ms);
      EXPECT_EQ(step.starting(), starting) << i;
      EXPECT_EQ(step.active().history == 0, starting || method.history == 0);
    }
  };
  take_steps(method.history, true);
  take_steps(3, false);
  step.restart();
  take_steps(method.history, true);
  take_steps(3, false);
}

// What a state event leaves behind: nothing of the history before it may be used.
TEST_P(EveryMethod, ForgetsWhatWasBeforeARestart) {
  ExplicitStep used{Static<2>{}, Chosen(*GetParam())};
  ExplicitStep fresh{Static<2>{}, Chosen(*GetParam())};
  start(used);
  for (int n = 0; n < 7; ++n) advance(used, SimTime{} + 10_ms * n, 10_ms);
  used.restart();
  start(used);
  start(fresh);
  for (SimTime t{}; t < SimTime{} + 100_ms; t += 10_ms) {
    advance(used, t, 10_ms);
    advance(fresh, t, 10_ms);
    ASSERT_EQ(used.state()[0], fresh.state()[0]);
    ASSERT_EQ(used.state()[1], fresh.state()[1]);
  }
}

// With every tenth step doubled the error still shrinks as the order says.
TEST_P(EveryMethod, KeepsItsOrderThroughDoubledSteps) {
  const auto error = [&](Duration h) {
    ExplicitStep step{Static<2>{}, Chosen(*GetParam())};
    start(step);
    int n = 0;
    for (SimTime t{}; t < SimTime{} + 2200_ms;) {
      const Duration span = n++ % 10 == 7 ? h * 2 : h;
      advance(step, t, span);
      t += span;
    }
    static const auto exact = reference(2.2);
    return distance(step.state(), exact);
  };
  // 11 frames a round: 2.2 s are a whole number of rounds.
  const double coarse = error(25_ms);
  const double fine = error(6250_us);
  EXPECT_GT(std::log2(coarse / fine) / 2, GetParam()->order - 0.3) << coarse << " -> " << fine;
}

TEST_P(EveryMethod, IsEqualToTheBitWithStaticAndRunTimeSizes) {
  const Method& method = *GetParam();
  ExplicitStep fixed{Static<2>{}, Chosen(method)};
  ExplicitStep dynamic{Dynamic(2), Chosen(method)};
  start(fixed);
  start(dynamic);
  SimTime t{};
  for (int n = 0; n < 200; ++n) {
    const Duration h = n % 10 == 7 ? Duration(20_ms) : Duration(10_ms);
    advance(fixed, t, h);
    advance(dynamic, t, h);
    t += h;
    ASSERT_EQ(fixed.state()[0], dynamic.state()[0]);
    ASSERT_EQ(fixed.state()[1], dynamic.state()[1]);
  }
}

TEST_P(EveryMethod, RewindsAsIfTheStepHadNotBeen) {
  const Method& method = *GetParam();
  ExplicitStep once{Static<2>{}, Chosen(method)};
  ExplicitStep twice{Static<2>{}, Chosen(method)};
  start(once);
  start(twice);
  SimTime t{};
  for (int n = 0; n < 50; ++n) {
    advance(once, t, 10_ms);
    advance(twice, t, 25_ms);  // tried, and taken back
    twice.rewind();
    advance(twice, t, 10_ms);
    t += 10_ms;
    ASSERT_EQ(once.state()[0], twice.state()[0]);
  }
}

TEST_P(EveryMethod, ShowsTheStartOfTheStepUntilTheNextBegins) {
  ExplicitStep step{Static<2>{}, Chosen(*GetParam())};
  start(step);
  advance(step, {}, 10_ms);
  EXPECT_EQ(step.start_state()[0], 0.5);
  EXPECT_DOUBLE_EQ(step.start_derivative()[0], -0.25 + 1.0);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMethod, ::testing::ValuesIn(explicit_methods()),
                         [](const auto& test) {
                           std::string name(test.param->name);
                           std::erase_if(name, [](char c) { return c == '-' || c == '/'; });
                           return name;
                         });

template <class Fixed, class Chosen>
void compare_other_results(const Fixed& fixed, const Chosen& chosen) {
  std::array<double, 2> a{};
  std::array<double, 2> b{};
  ASSERT_EQ(fixed.error_estimate(a), chosen.error_estimate(b));
  ASSERT_EQ(a, b);
  ASSERT_EQ(fixed.dense(0.3, a), chosen.dense(0.3, b));
  ASSERT_EQ(a, b);
}

template <const Method& M>
void compare_fixed_with_chosen() {
  ExplicitStep fixed{Static<2>{}, Fixed<M>{}};
  ExplicitStep chosen{Static<2>{}, Chosen(M)};
  start(fixed);
  start(chosen);
  SimTime t{};
  for (int n = 0; n < 200; ++n) {
    const Duration h = n % 10 == 7 ? Duration(20_ms) : Duration(10_ms);
    advance(fixed, t, h);
    advance(chosen, t, h);
    t += h;
    ASSERT_EQ(fixed.state()[0], chosen.state()[0]) << M.name;
    ASSERT_EQ(fixed.state()[1], chosen.state()[1]) << M.name;
    compare_other_results(fixed, chosen);
  }
}

TEST(Kernel, IsEqualToTheBitWhetherTheCompilerKnowsTheTableauOrNot) {
  with_every_method([]<const Method & M> {
    if constexpr (!M.implicit()) compare_fixed_with_chosen<M>();
  });
}

}  // namespace
}  // namespace hild::numerics
