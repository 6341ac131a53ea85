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

// No period of 3 kHz is whole: steps of 333 333 and of 333 334 ns. What a nanosecond does is far
// below what a nanosecond does to the inputs, 1e-9 of their slope.
TEST_P(EveryMethod, LosesNothingOnAGridOfWholeNanoseconds) {
  const Method& m = *GetParam();
  const auto run = [&](auto tick) {
    ExplicitStep<Static<2>, Chosen> step({}, Chosen(m));
    start(step);
    for (std::int64_t n = 0; n < 1500; ++n)
      advance(step, SimTime{tick(n)}, Duration{tick(n + 1) - tick(n)});
    return std::array{step.state()[0], step.state()[1]};
  };
  const auto grid = run([](std::int64_t n) { return n * 1'000'000'000 / 3000; });
  const auto whole = run([](std::int64_t n) { return n * 333'333; });
  const auto errors = [](const std::array<double, 2>& x, double end) {
    const auto right = reference(end);
    return std::max(std::abs(x[0] - right[0]), std::abs(x[1] - right[1]));
  };
  EXPECT_LT(errors(grid, 0.5), 1.001 * errors(whole, 1500 * 333'333e-9) + 2e-12);
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

TEST_P(EveryMethod, HasNothingToRewindBeforeAStepIsFinished) {
  ExplicitStep step{Static<2>{}, Chosen(*GetParam())};
  start(step);
  step.rewind();
  EXPECT_EQ(step.state()[0], 0.5);
  step.begin({}, 10_ms);
  step.rewind();
  EXPECT_EQ(step.state()[0], 0.5);
  advance(step, {}, 10_ms);
  step.rewind();
  step.rewind();
  EXPECT_EQ(step.state()[0], 0.5) << "taken back once";
}

// Its formula needs the derivatives of the steps before, which a starter has yet to gather.
TEST_P(EveryMethod, HasNoAnytimeStepWhileItsStarterIsAtWork) {
  const Method& method = *GetParam();
  ExplicitStep step{Static<2>{}, Chosen(method)};
  start(step);
  SimTime t{};
  for (int n = 0; n <= method.history; ++n, t += 10_ms) {
    const std::array before{step.state()[0], step.state()[1]};
    step.begin(t, 10_ms);
    derivatives(step.time(0), step.stage(0), input(step.time(0)), step.derivative(0));
    const bool early = method.anytime != nullptr && n == method.history;
    ASSERT_EQ(step.finish_early(), early) << n;
    if (early) continue;
    EXPECT_EQ(step.state()[0], before[0]) << "nothing done";
    EXPECT_EQ(step.state()[1], before[1]) << "nothing done";
    advance(step, t, 10_ms);
  }
}

// x = t^p solves x' = p t^(p-1); of order p, both methods find it but for rounding.
TEST_P(EveryMethod, KeepsTheOrderOfItsAnytimeStepWhateverTheLengths) {
  const Method& method = *GetParam();
  if (method.anytime == nullptr) return;
  const int order = std::min(method.order, method.anytime->order);
  ExplicitStep step{Static<1>{}, Chosen(method)};
  step.state()[0] = 0;
  const auto derive = [&](int pass) {
    static_cast<void>(step.stage(pass));
    step.derivative(pass)[0] = order * std::pow(step.time(pass), order - 1);
  };
  SimTime t{};
  int n = 0;
  for (const double length : {1.0, 1.0, 2.0, 1.0, 0.5, 0.75, 2.0, 2.0, 2.0, 2.0, 0.25}) {
    const Duration h = from_seconds(length);
    step.begin(t, h);
    derive(0);
    // From there on each second step is cut short.
    if (n++ % 2 == 0 || !step.finish_early()) {
      for (int pass = 1; pass < step.active().passes; ++pass) derive(pass);
      step.finish();
    }
    t += h;
    const double exact = std::pow(seconds(t), order);
    EXPECT_NEAR(step.state()[0], exact, 1e-13 * exact) << n;
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

// AB-2 by hand, with the weights it is printed with. One step of another length has others.
TEST(Kernel, TakesAGridOfARateToBeEven) {
  ExplicitStep<Static<2>, Chosen> step({}, Chosen(ab2));
  start(step);
  const auto tick = [](std::int64_t n) { return SimTime{n * 1'000'000'000 / 3000}; };
  std::array<double, 2> x{0.5, 1.0}, before{}, f{};
  const auto slopes = [&](std::int64_t n) {
    derivatives(seconds(tick(n)), std::span<const double>(x), input(seconds(tick(n))),
                std::span(f));
  };
  for (std::int64_t n = 0; n < 100; ++n) {
    const Duration h = tick(n + 1) - tick(n);
    slopes(n);
    const double by = seconds(h);
    advance(step, tick(n), h);
    for (std::size_t i = 0; i < 2; ++i) {
      const double next = x[i] + by * -0.5 * (before[i] + -3 * f[i]);
      if (n > 0) {
        ASSERT_EQ(step.state()[i], next) << n;
      }
      x[i] = step.state()[i];
    }
    before = f;
  }
  slopes(100);
  const double longer = seconds(333'336_ns);
  advance(step, tick(100), 333'336_ns);
  EXPECT_NE(step.state()[0], x[0] + longer * -0.5 * (before[0] + -3 * f[0]));
}

TEST(Kernel, IsEqualToTheBitWhetherTheCompilerKnowsTheTableauOrNot) {
  with_every_method([]<const Method & M> {
    if constexpr (!M.implicit()) compare_fixed_with_chosen<M>();
  });
}

}  // namespace
}  // namespace hild::numerics
