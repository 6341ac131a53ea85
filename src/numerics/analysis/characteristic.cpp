// SPDX-License-Identifier: Apache-2.0
#include "numerics/analysis/characteristic.hpp"

#include <algorithm>

namespace hild::analysis {
namespace {

using numerics::Family;
using numerics::Formula;
using numerics::Method;
using numerics::Rational;

// A state as the sum of polynomials in mu times X_n, X_{n-1}, ...
using Combination = std::vector<Polynomial>;

// to += weight mu p
void add_times_mu(Polynomial& to, Rational weight, const Polynomial& p) {
  if (to.size() < p.size() + 1) to.resize(p.size() + 1);
  for (std::size_t j = 0; j < p.size(); ++j) to[j + 1] += exact(weight) * p[j];
}

// X_n + h sum of weights times F, each F being lambda times a state known already.
Combination carried(const Formula& f, const std::vector<Combination>& states, std::size_t depth) {
  Combination out(depth + 1);
  out[0] = {1};
  for (std::size_t j = 0; j < states.size(); ++j) {
    for (std::size_t k = 0; k <= depth; ++k) add_times_mu(out[k], f.pass[j], states[j][k]);
  }
  for (std::size_t m = 0; m < depth; ++m) add_times_mu(out[m + 1], f.history[m], {1});
  return out;
}

Characteristic of_passes(const Method& m) {
  const auto depth = static_cast<std::size_t>(m.history);
  const auto passes = static_cast<std::size_t>(m.passes);
  Combination now(depth + 1);
  now[0] = {1};
  std::vector<Combination> states{now};
  for (std::size_t i = 1; i <= passes; ++i) {
    states.push_back(carried(m.formulas[i], states, depth));
  }
  Characteristic c{{{1}}};
  for (Polynomial& p : states.back()) {
    for (Exact& coefficient : p) coefficient = -coefficient;
    while (p.size() > 1 && p.back() == 0) p.pop_back();
    c.a.push_back(std::move(p));
  }
  return c;
}

// The last stage is the new state: X = X_n + mu A X, whose last row is solved for by Cramer's rule.
// Newton's iterations and the linearised system are exact for a linear model, and so alike.
Characteristic of_stages(const Method& m) {
  const auto linear = [&](std::size_t i, std::size_t j, int one) {
    return Polynomial{one, Exact(-exact(m.formulas[i].pass[j]))};
  };
  if (m.passes == 1) return one_step({1}, linear(0, 0, 1));
  static_assert(numerics::max_stages == 2);
  const Polynomial p = linear(0, 0, 1);
  const Polynomial q = linear(1, 1, 1);
  const Exact cross = exact(m.formulas[0].pass[1]) * exact(m.formulas[1].pass[0]);
  return one_step({1, p[1] + exact(m.formulas[1].pass[0])}, {1, p[1] + q[1], p[1] * q[1] - cross});
}

}  // namespace

Exact exact(Rational r) { return Exact(r.num, r.den); }

Characteristic one_step(const Polynomial& numerator, Polynomial denominator) {
  Polynomial negative(numerator.size());
  std::ranges::transform(numerator, negative.begin(), [](const Exact& c) { return Exact(-c); });
  return {{std::move(denominator), std::move(negative)}};
}

std::optional<Characteristic> characteristic(const Method& method) {
  switch (method.family) {
    case Family::explicit_passes:
      return of_passes(method);
    case Family::linearly_implicit:
    case Family::newton:
      return of_stages(method);
    case Family::multirate:
      break;  // its partitions have theirs
  }
  return std::nullopt;
}

}  // namespace hild::analysis
