// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "offline/advise/modes.hpp"

namespace hild::advise {
namespace {

constexpr double root_rounding = 1e-13;  // of a root on the unit circle
constexpr double step = 0.02;            // of |lambda| h
constexpr double fine_to = 10;           // no explicit method of eight passes reaches far beyond
constexpr double far = 1e6;              // what is stable so far is stable throughout

// Where stability along the direction of a mode ends, in |lambda| h, seen from 0; `enough` if it
// does not end before.
double end_of(const analysis::Roots& roots, Complex lambda, double accuracy, double enough) {
  const Complex direction = lambda / std::abs(lambda);
  const double growth = std::max(0.0, direction.real() + accuracy);
  const auto stable = [&](double r) {
    return std::log(roots.radius(direction * r)) <= growth * r + root_rounding;
  };
  double inside = 0;
  while (inside < std::min(enough, far)) {
    double outside = inside < fine_to ? inside + step : inside * 1.1;
    if (stable(outside)) {
      inside = outside;
      continue;
    }
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (inside + outside);
      (stable(middle) ? inside : outside) = middle;
    }
    return std::min(inside, enough);
  }
  return enough;
}

double bound(const analysis::Roots& roots, std::span<const Complex> lambda, double accuracy,
             bool of_growing) {
  double h = unbounded;
  // The first are the fastest as a rule, and bound how far the others need to be looked at.
  for (const Complex l : leading_of(lambda)) {
    if (grows(l, accuracy) != of_growing) continue;
    h = std::min(h, end_of(roots, l, accuracy, h * std::abs(l)) / std::abs(l));
  }
  // What rounding hides of a growth is no stability.
  const double fastest = lambda.empty() ? 0 : std::abs(lambda.front());
  return h * fastest < 1e-6 ? 0 : h;
}

}  // namespace

bool grows(Complex lambda, double accuracy) { return lambda.real() > accuracy * std::abs(lambda); }

double stability_bound(const analysis::Roots& roots, std::span<const Complex> lambda,
                       double accuracy) {
  return bound(roots, lambda, accuracy, false);
}

double growth_bound(const analysis::Roots& roots, std::span<const Complex> lambda,
                    double accuracy) {
  return bound(roots, lambda, accuracy, true);
}

double growth_error(const analysis::Roots& roots, std::span<const Complex> lambda, double h) {
  double worst = 0;
  for (const Complex l : lambda) {
    if (l.real() <= 0) continue;
    if (!std::isfinite(h)) return unbounded;
    const double growth = std::log(roots.radius(l * h));
    worst = std::max(worst, std::abs(growth - l.real() * h) / (std::abs(l) * h));
  }
  return worst;
}

}  // namespace hild::advise
