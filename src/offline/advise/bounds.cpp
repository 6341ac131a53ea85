// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "exec/timetable.hpp"

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
  for (const Complex l : lambda) {
    if (grows(l, accuracy) != of_growing) continue;
    h = std::min(h, end_of(roots, l, accuracy, h * std::abs(l)) / std::abs(l));
  }
  // What rounding hides of a growth is no stability.
  const double fastest = lambda.empty() ? 0 : std::abs(lambda.front());
  return h * fastest < 1e-6 ? 0 : h;
}

// Where the derivatives of pass i belong. A linearly implicit stage may take its inputs before.
double abscissa(const numerics::Method& m, std::size_t i) {
  if (!m.implicit()) return m.formulas[i].at.value();
  double sum = 0;
  for (const auto weight : m.formulas[i].pass) sum += weight.value();
  return sum;
}

// Linear models may leave nothing of the order the method has for others.
Term root_term(const analysis::Characteristic& c, int order) {
  auto e = analysis::root_defect(c, order + 1).convert_to<double>();
  if (e == 0) e = analysis::root_defect(c, ++order + 1).convert_to<double>();
  return {std::abs(e), order};
}

double beyond(double by, int degree, double spacing) {
  double product = 1;
  for (int j = 0; j <= degree; ++j) product *= (by + j * spacing) / (j + 1);
  return product;
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

double Term::at(double omega_h) const noexcept { return coefficient * std::pow(omega_h, power); }

double Term::bound(double omega, double accuracy) const noexcept {
  if (coefficient == 0 || omega == 0) return std::numeric_limits<double>::infinity();
  return std::pow(accuracy / coefficient, 1.0 / power) / omega;
}

double ErrorTerms::at(double h, const Demand& d) const noexcept {
  return std::max(
      {root.at(d.mode * h), root.at(d.input * h), lag.at(d.input * h), beyond.at(d.input * h)});
}

ErrorTerms error_terms(const numerics::Method& m, const analysis::Characteristic& c,
                       exec::Sampling sampling, int degree) {
  ErrorTerms terms{.root = root_term(c, m.order), .lag = {}, .beyond = {}};
  const bool carried = sampling == exec::Sampling::extrapolate && degree > 0;
  double lag = 0;
  double left = 0;
  for (int i = 0; i < m.passes; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double weight = m.formulas[static_cast<std::size_t>(m.passes)].pass[at].value();
    const double node = m.node(i).value();
    const double release = exec::release_of(node, i, m.passes, sampling);
    lag += weight * (abscissa(m, at) - (carried ? node : release));
    if (carried && node > release) left += weight * beyond(node - release, degree, 1.0 / m.passes);
  }
  terms.lag.coefficient = std::abs(lag) < 1e-12 ? 0 : std::abs(lag);
  terms.beyond = {std::abs(left), degree + 1};
  return terms;
}

}  // namespace hild::advise
