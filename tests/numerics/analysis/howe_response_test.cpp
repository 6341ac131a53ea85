// SPDX-License-Identifier: Apache-2.0
/// \file
/// Howe's figures 7 to 10: errors of the step response, each pass given the same time.
#include "numerics/analysis/response.hpp"

namespace hild::analysis {
namespace {

double peak(const char* name, int passes) {
  return peak_errors(name, Duration(100_ms) * passes).at_steps;
}

TEST(HoweFigure6, TheResponseIsTheAnalyticOne) {
  // From t = 2 T on the input is 1: X - 1 decays as e^(-t/4), turning by sqrt(15)/4 rad/s.
  const double w = std::sqrt(15.0) / 4;
  const auto& x = exact_response();
  const auto at = [&](double t) { return x[static_cast<std::size_t>(std::lround(t * 30))] - 1; };
  // Three samples d apart obey X(t + d) = 2 e^(-d/4) cos(w d) X(t) - e^(-d/2) X(t - d).
  for (const double d : {0.5, 1.0}) {
    for (double t = 4; t < 10; t += 0.5) {
      EXPECT_NEAR(at(t + d),
                  2 * std::exp(-d / 4) * std::cos(w * d) * at(t) - std::exp(-d / 2) * at(t - d),
                  1e-9);
    }
  }
}

TEST(HoweFigure7, Rtam2IsTheMostAccurateOfSecondOrder) {
  const double best = peak("rtam-2", 2);
  EXPECT_LT(best, peak("ab-2", 1));
  EXPECT_LT(best, peak("am-2", 2));
  EXPECT_LT(best, peak("rtrk-2", 2));
}

TEST(HoweFigure8, Rtam3IsTheMostAccurateOfThirdOrder) {
  const double best = peak("rtam-3", 2);
  EXPECT_LT(best, peak("ab-3", 1));
  EXPECT_LT(best, peak("am-3", 2));
}

TEST(HoweFigure9, TheThreePassMethodsAndTheirRank) {
  EXPECT_LT(peak("p-3/pc-3/c-3", 3), peak("p-2/pc-3/c-3", 3));
  EXPECT_LT(peak("p-2/pc-3/c-3", 3), peak("ab-3", 1));
  EXPECT_LT(peak("ab-3", 1), peak("rk-3", 3));
}

// One third and two thirds through each step: RK-3, whose estimates are of lower order, scatters.
TEST(HoweFigure10, TheStatesOfThePassesAreOutputsToo) {
  const auto pc = peak_errors("p-3/pc-3/c-3", 300_ms);
  const auto rk = peak_errors("rk-3", 300_ms);
  EXPECT_GT(rk.scatter, 4 * pc.scatter) << rk.scatter << " " << pc.scatter;
  EXPECT_LT(pc.at_steps + pc.scatter, rk.at_steps);
}

}  // namespace
}  // namespace hild::analysis
