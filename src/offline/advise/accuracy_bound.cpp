// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/accuracy_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exec/timetable.hpp"

namespace hild::advise {
namespace {

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
