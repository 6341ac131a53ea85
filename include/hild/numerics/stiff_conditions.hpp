// SPDX-License-Identifier: Apache-2.0
/// \file
/// What makes an implicit method be of its order and L-stable, checked with fractions while
/// compiling, as order_conditions.hpp does for the explicit ones.
#pragma once

#include "hild/numerics/order_conditions.hpp"

namespace hild::numerics::stiff_conditions {

using Fractions = Row<Rational>;  ///< a value a stage

/// Where stage i lies: the sum of its row. Only in the linearly implicit family it may differ from
/// `at`, the instant of its inputs.
constexpr Fractions abscissae(const Method& m) noexcept {
  Fractions c{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.passes); ++i) {
    for (const Rational w : m.formulas[i].pass) c[i] += w;
  }
  return c;
}

/// The last stage is the new state, at the end of the step: what is stiff has died away there.
constexpr bool stiffly_accurate(const Method& m) noexcept {
  const auto s = static_cast<std::size_t>(m.passes);
  return m.formulas[s].pass == m.formulas[s - 1].pass && m.formulas[s].at == 1 &&
         abscissae(m)[s - 1] == 1;
}

/// B(order) and C(s) (Butcher): every stage integrates polynomials of degree s - 1, the last one
/// those of degree order - 1. With order <= s + 1 that is an order of the method.
constexpr bool collocation(const Method& m) noexcept {
  for (int i = 0; i < m.passes; ++i) {
    if (!order_conditions::integrates<Rational>(m, m.formulas[static_cast<std::size_t>(i)],
                                                m.passes)) {
      return false;
    }
  }
  return m.order <= m.passes + 1 && order_conditions::integrates<Rational>(
                                        m, m.formulas[static_cast<std::size_t>(m.passes)], m.order);
}

/// Newton's method from X_n squares the error of a stage, which is O(h), and adds an order by the
/// factor h before f: after k iterations the step is right up to h^(2^(k+1) - 1).
constexpr bool iterated_enough(const Method& m) noexcept {
  return m.iterations >= 1 && m.order < (1 << (m.iterations + 1)) - 1;
}

/// Z = h A (F(c) + J Z) leaves out the curvature of f, so that the order is at most two. It takes
/// b 1 = 1 and, for the second, b c = 1/2 of the inputs and b A 1 = 1/2 of the states.
constexpr bool linearised(const Method& m) noexcept {
  const Fractions sums = abscissae(m);
  if (m.order > 2 || sums[static_cast<std::size_t>(m.passes) - 1] != 1) return false;
  if (m.order == 1) return true;
  Fractions nodes{};
  for (int i = 0; i < m.passes; ++i) nodes[static_cast<std::size_t>(i)] = m.node(i);
  const Fractions& weights = m.formulas[static_cast<std::size_t>(m.passes)].pass;
  return dot(weights, nodes) == Rational(1, 2) && dot(weights, sums) == Rational(1, 2);
}

/// Of an implicit method: no history, at most max_stages stages, stiffly accurate, and of its order
/// by the conditions of its family.
constexpr bool hold(const Method& m) noexcept {
  if (m.history != 0 || m.passes > static_cast<int>(max_stages) || !stiffly_accurate(m)) {
    return false;
  }
  if (m.family == Family::linearly_implicit) return m.iterations == 1 && linearised(m);
  return collocation(m) && iterated_enough(m);
}

}  // namespace hild::numerics::stiff_conditions
