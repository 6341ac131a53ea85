// SPDX-License-Identifier: Apache-2.0
/// The kernel under every method of the catalogue: one code, equal to the bit whether sizes and
/// tableaux are known to the compiler or not; order over random spans; rewinding.
#include "hild/numerics/explicit_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::numerics {
namespace {

/// Nonlinear and time-dependent: x0' = -x0^2 + cos t, x1' = x0 x1 sin t.
template <class X, class Dx>
void derivatives(double t, X x, Dx dx) {
  dx[0] = -x[0] * x[0] + std::cos(t);
  dx[1] = x[0] * x[1] * std::sin(t);
}

template <class Step>
void advance(Step& step, SimTime t, Duration h) {
  step.begin(t, h);
  for (int i = 0; i < step.active().passes; ++i) {
    derivatives(step.time(i), step.stage(i), step.derivative(i));
  }
  step.finish();
}

template <class Step>
void start(Step& step) {
  step.state()[0] = 0.5;
  step.state()[1] = 1.0;
}

// Reference by RK-4 with steps so small that its error is far below what is measured.
std::array<double, 2> reference() {
  std::array<double, 2> x{0.5, 1.0};
  const int n = 20'000;
  const double h = 2.0 / n;
  for (int i = 0; i < n; ++i) {
    const double t = i * h;
    std::array<double, 2> k1{}, k2{}, k3{}, k4{};
    const auto at = [&](const std::array<double, 2>& k, double a) {
      return std::array{x[0] + a * h * k[0], x[1] + a * h * k[1]};
    };
    derivatives(t, x, std::span(k1));
    derivatives(t + h / 2, at(k1, 0.5), std::span(k2));
    derivatives(t + h / 2, at(k2, 0.5), std::span(k3));
    derivatives(t + h, at(k3, 1), std::span(k4));
    for (std::size_t s = 0; s < 2; ++s) x[s] += h / 6 * (k1[s] + 2 * k2[s] + 2 * k3[s] + k4[s]);
  }
  return x;
}

std::vector<const Method*> explicit_methods() {
  std::vector<const Method*> methods;
  for (const Method* m : catalogue()) {
    if (!m->implicit()) methods.push_back(m);
  }
  return methods;
}

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
  const auto exact = reference();
  const auto x = step.state();
  return std::hypot(x[0] - exact[0], x[1] - exact[1]);
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
                           std::erase(name, '-');
                           return name;
                         });

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
  }
}

TEST(Kernel, IsEqualToTheBitWhetherTheCompilerKnowsTheTableauOrNot) {
  compare_fixed_with_chosen<forward_euler>();
  compare_fixed_with_chosen<ab2>();
  compare_fixed_with_chosen<ab3>();
  compare_fixed_with_chosen<ab4>();
  compare_fixed_with_chosen<rtam2>();
  compare_fixed_with_chosen<rtam3>();
  compare_fixed_with_chosen<rtam4>();
  compare_fixed_with_chosen<rtrk2>();
  compare_fixed_with_chosen<rtrk3>();
  compare_fixed_with_chosen<rtrk4>();
  compare_fixed_with_chosen<rk4>();
}

}  // namespace
}  // namespace hild::numerics
