// SPDX-License-Identifier: Apache-2.0
/// \file
/// The controllers: what a tolerance buys, what a step costs, and how an integration fails.
#include "offline/reference/adaptive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "offline/reference/problems.hpp"

namespace hild::test {
namespace {

using reference::Adaptive;
using reference::AdaptiveOptions;
using reference::FormulaKind;
using testing::AllOf;
using testing::HasSubstr;

class Formulas : public testing::TestWithParam<FormulaKind> {};
INSTANTIATE_TEST_SUITE_P(Reference, Formulas, testing::ValuesIn(both_formulas), [](const auto& i) {
  return i.param == FormulaKind::jack ? "jack" : "ode45";
});

// Over six decades of tolerance the error follows it, decade by decade.
TEST_P(Formulas, ErrorIsProportionalToTheTolerance) {
  double first = 0;
  double last = 0;
  for (int decade = 4; decade <= 10; ++decade) {
    const double tolerance = std::pow(10, -decade);
    auto problem = oscillator();
    Adaptive a(problem, with(GetParam(), tolerance, tolerance));
    ASSERT_TRUE(a.start(0, Vector{1, 0}));
    ASSERT_TRUE(advance(a, 10));
    const double error = std::hypot(a.state()[0] - std::cos(10), a.state()[1] + std::sin(10));
    EXPECT_LT(error, 20 * tolerance) << decade;
    EXPECT_GT(error, 1e-3 * tolerance) << decade << ": the steps are far too short";
    (decade == 4 ? first : last) = error;
  }
  EXPECT_NEAR(std::log10(first / last), 6, 0.8);
}

// A tenth of the tolerance shortens the steps by the root that belongs to the error estimate.
TEST_P(Formulas, StepsFollowTheRootOfTheTolerance) {
  const auto steps = [](double tolerance) {
    auto problem = oscillator();
    Adaptive a(problem, with(GetParam(), tolerance, tolerance));
    EXPECT_TRUE(a.start(0, Vector{1, 0}));
    EXPECT_TRUE(advance(a, 100));
    return static_cast<double>(a.counts().accepted);
  };
  const double power = GetParam() == FormulaKind::jack ? 5 : 4;
  EXPECT_NEAR(std::log10(steps(1e-10) / steps(1e-6)), 4 / power, 0.08);
}

TEST_P(Formulas, CountsWhatItDid) {
  // A smooth stretch, then one that needs far shorter steps: some are refused.
  Problem problem(1, [](double t, auto, auto dy) { dy[0] = 1 / (1e-4 + (t - 5) * (t - 5)); });
  auto options = with(GetParam(), 1e-7, 1e-7);
  options.first_step = 0.5;
  Adaptive a(problem, options);
  ASSERT_TRUE(a.start(0, Vector{0}));
  ASSERT_TRUE(advance(a, 10));
  EXPECT_NEAR(a.state()[0], 100 * 2 * std::atan(500), 1e-2);
  const auto counts = a.counts();
  EXPECT_GT(counts.rejected, 3);
  EXPECT_LT(counts.rejected, counts.accepted / 3);
  EXPECT_EQ(counts.evaluations, problem.calls);
  const int tried = GetParam() == FormulaKind::jack ? 10 : 4;
  EXPECT_EQ(counts.evaluations, 1 + tried * (counts.accepted + counts.rejected) + counts.accepted);
  EXPECT_LT(counts.shortest_step, 1e-2);
  EXPECT_GT(counts.longest_step, 0.1);
}

TEST_P(Formulas, EndsExactlyWhereAsked) {
  auto problem = oscillator();
  Adaptive a(problem, with(GetParam(), 1e-8, 1e-8));
  ASSERT_TRUE(a.start(0, Vector{1, 0}));
  for (const double end : {0.1, 0.1 + 1e-12, 0.3, 1.0, 1.0 / 3 + 1}) {
    ASSERT_TRUE(advance(a, end));
    EXPECT_EQ(a.time(), end);
    EXPECT_NEAR(a.state()[0], std::cos(end), 1e-7);
  }
}

TEST_P(Formulas, TakesNoStepLongerThanAllowed) {
  Problem problem(1, [](double, auto, auto dy) { dy[0] = 1; });
  auto options = with(GetParam(), 1e-6, 1e-6);
  options.largest_step = 0.125;
  Adaptive a(problem, options);
  ASSERT_TRUE(a.start(0, Vector{0}));
  ASSERT_TRUE(advance(a, 10));
  EXPECT_EQ(a.counts().longest_step, 0.125);
  EXPECT_GE(a.counts().accepted, 80);
}

TEST_P(Formulas, EstimateAFirstStepThatNeedNotBeRefused) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    Problem fast(2, [&](double, auto y, auto dy) { dy[0] = y[1] * scale, dy[1] = -y[0] * scale; });
    Adaptive a(fast, with(GetParam(), 1e-8, 1e-8));
    ASSERT_TRUE(a.start(0, Vector{1, 0}));
    ASSERT_TRUE(a.step(1e9 / scale));
    EXPECT_EQ(a.counts().rejected, 0) << scale;
    EXPECT_GT(a.time() * scale, 1e-4) << scale;
  }
}

// ---- failures ----------------------------------------------------------------------------------

std::string failure(reference::Ode& system, Vector y, const AdaptiveOptions& options, double end) {
  Adaptive a(system, options);
  auto done = a.start(0, y);
  if (done) done = advance(a, end);
  if (done) return "";
  EXPECT_EQ(done.error().code, ExitCode::fault);
  return done.error().message;
}

double time_in(const std::string& message) {
  std::smatch found;
  return std::regex_search(message, found, std::regex("t = ([-0-9.e+]+) s")) ? std::stod(found[1])
                                                                             : -1;
}

// Stability, not accuracy, keeps an explicit method at steps of about 3e-6 s here: a thousand of
// them end near 3 ms.
TEST_P(Formulas, OnAStiffProblemReachTheLimitOfStepsAndSayWhere) {
  Problem stiff(2, [](double t, auto y, auto dy) {
    dy[0] = 1;
    dy[1] = -1e6 * (y[1] - std::cos(t));
  });
  auto options = with(GetParam(), 1e-6, 1e-6);
  options.max_steps = 1000;
  const auto message = failure(stiff, {0, 1}, options, 1);
  EXPECT_THAT(message, AllOf(HasSubstr("1000 steps were not enough at t = "), HasSubstr("h = "),
                             HasSubstr("the error of state `y1`"), HasSubstr("stiff")));
  EXPECT_GT(time_in(message), 1e-3);
  EXPECT_LT(time_in(message), 1e-2);
}

// y' = y^2 from 1 is 1 / (1 - t): there is nothing beyond t = 1.
TEST_P(Formulas, AtABlowUpTheStepVanishesThere) {
  Problem pole(1, [](double, auto y, auto dy) { dy[0] = y[0] * y[0]; });
  const auto message = failure(pole, {1}, with(GetParam(), 1e-8, 1e-10), 2);
  EXPECT_THAT(message, AllOf(HasSubstr("the step vanishes at t = "), HasSubstr("state `y0`")));
  EXPECT_NEAR(time_in(message), 1, 1e-6);
}

TEST_P(Formulas, StopAtTheSmallestStepAllowed) {
  Problem pole(1, [](double, auto y, auto dy) { dy[0] = y[0] * y[0]; });
  auto options = with(GetParam(), 1e-8, 1e-10);
  options.smallest_step = 1e-5;
  const auto message = failure(pole, {1}, options, 2);
  EXPECT_THAT(message, HasSubstr("the step falls below the smallest, 1e-05 s, at t = 0.99"));
}

TEST_P(Formulas, SayWhereAStateOverflows) {
  Problem growth(1, [](double, auto y, auto dy) { dy[0] = y[0]; });
  const auto message = failure(growth, {1e300}, with(GetParam(), 1e-6), 100);
  EXPECT_THAT(message, AllOf(HasSubstr("state `y0`"), HasSubstr("not finite")));
  // The sums of a formula are infinite a little before: a sixth or a twelfth of the largest double.
  const double overflow = std::log(std::numeric_limits<double>::max() / 1e300);
  EXPECT_LT(time_in(message), overflow);
  EXPECT_GT(time_in(message), overflow - std::log(12));
}

TEST_P(Formulas, SayWhichDerivativeIsNoNumberAtTheStart) {
  Problem root(2, [](double, auto y, auto dy) { dy[0] = 1, dy[1] = std::sqrt(y[0] - 3); });
  EXPECT_THAT(failure(root, {0, 7}, with(GetParam(), 1e-6), 1),
              AllOf(HasSubstr("t = 0 s: state `y1` is 7 and its derivative"), HasSubstr("nan")));
}

// The derivative exists from 0 on only; a step that looks beyond is tried again, shorter.
TEST_P(Formulas, ComeBackFromAPlaceWithoutDerivative) {
  Problem root(1, [](double, auto y, auto dy) { dy[0] = -std::sqrt(y[0]); });
  auto options = with(GetParam(), 1e-6, 1e-9);
  options.first_step = 10;  // 0 is reached at t = 2
  Adaptive a(root, options);
  ASSERT_TRUE(a.start(0, Vector{1}));
  ASSERT_TRUE(advance(a, 1.5));
  EXPECT_NEAR(a.state()[0], 0.25 * 0.25, 1e-5);
}

TEST(AdaptiveOptions, ThatMakeNoSenseAreRefused) {
  const auto problem = [](auto change) {
    AdaptiveOptions o;
    change(o);
    const auto good = reference::check(o);
    return good ? std::string() : good.error().message;
  };
  EXPECT_EQ(problem([](AdaptiveOptions&) {}), "");
  EXPECT_THAT(problem([](AdaptiveOptions& o) {
                o.tolerance = {0, 0};
              }),
              HasSubstr("one of them more"));
  EXPECT_THAT(problem([](AdaptiveOptions& o) {
                o.tolerance = {-1e-3, 1};
              }),
              HasSubstr("at least 0"));
  EXPECT_THAT(problem([](AdaptiveOptions& o) {
                o.tolerance = {1e-17, 0};
              }),
              HasSubstr("finer than"));
  EXPECT_THAT(problem([](AdaptiveOptions& o) { o.first_step = -1; }), HasSubstr("a step of -1 s"));
  EXPECT_THAT(problem([](AdaptiveOptions& o) { o.smallest_step = 2, o.largest_step = 1; }),
              HasSubstr("longer than the largest"));
  EXPECT_THAT(problem([](AdaptiveOptions& o) { o.max_steps = 0; }), HasSubstr("at least 1"));
}

}  // namespace
}  // namespace hild::test
