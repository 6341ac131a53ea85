// SPDX-License-Identifier: Apache-2.0
/// \file
/// What makes a method be of its order, checked with fractions while compiling: a misprinted
/// coefficient does not compile.
#pragma once

#include "hild/numerics/method.hpp"
#include "hild/numerics/quadrature.hpp"

namespace hild::numerics::order_conditions {

using Row = std::array<Rational, max_passes>;

/// Row sums: every formula carries the state exactly as far as its node says.
constexpr bool consistent(const Method& m) noexcept {
  for (int i = 1; i <= m.passes; ++i) {
    const Formula& f = m.formulas[static_cast<std::size_t>(i)];
    Rational sum = 0;
    for (const Rational w : f.pass) sum += w;
    for (const Rational w : f.history) sum += w;
    if (sum != f.at) return false;
  }
  return m.formulas[0].at == 0 && m.formulas[static_cast<std::size_t>(m.passes)].at == 1;
}

/// No pass uses a derivative that is not there yet.
constexpr bool is_explicit(const Method& m) noexcept {
  for (int i = 0; i <= m.passes; ++i) {
    for (int j = i; j < static_cast<int>(max_passes); ++j) {
      const auto& f = m.formulas[static_cast<std::size_t>(i)];
      if (f.pass[static_cast<std::size_t>(j)] != 0) return false;
    }
  }
  return true;
}

constexpr Rational weighted(const Method& m, const Row& values) noexcept {
  const Formula& last = m.formulas[static_cast<std::size_t>(m.passes)];
  Rational sum = 0;
  for (std::size_t i = 0; i < max_passes; ++i) sum += last.pass[i] * values[i];
  return sum;
}

/// (A v)_i: a stage's weighted sum of the values of the stages before it.
constexpr Row through(const Method& m, const Row& values) noexcept {
  Row out{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.passes); ++i) {
    for (std::size_t j = 0; j < i; ++j) out[i] += m.formulas[i].pass[j] * values[j];
  }
  return out;
}

constexpr Row times(const Row& a, const Row& b) noexcept {
  Row out{};
  for (std::size_t i = 0; i < max_passes; ++i) out[i] = a[i] * b[i];
  return out;
}

constexpr Row nodes(const Method& m) noexcept {
  Row c{};
  for (int i = 0; i < m.passes; ++i) c[static_cast<std::size_t>(i)] = m.node(i);
  return c;
}

/// The rooted trees up to order four (Butcher): the conditions of a Runge-Kutta method.
constexpr bool runge_kutta(const Method& m) noexcept {
  const Row c = nodes(m);
  const Row c2 = times(c, c);
  const Row ac = through(m, c);
  Row one{};
  for (int i = 0; i < m.passes; ++i) one[static_cast<std::size_t>(i)] = 1;
  if (weighted(m, one) != 1) return false;
  if (m.order >= 2 && weighted(m, c) != Rational(1, 2)) return false;
  if (m.order >= 3 && (weighted(m, c2) != Rational(1, 3) || weighted(m, ac) != Rational(1, 6))) {
    return false;
  }
  return m.order < 4 || (weighted(m, times(c2, c)) == Rational(1, 4) &&
                         weighted(m, times(c, ac)) == Rational(1, 8) &&
                         weighted(m, through(m, c2)) == Rational(1, 12) &&
                         weighted(m, through(m, ac)) == Rational(1, 24));
}

/// Nodes of the derivatives a formula uses, on a uniform grid.
struct Support {
  std::array<Rational, max_nodes> node{};
  std::array<Rational, max_nodes> weight{};
  std::size_t count = 0;
};

constexpr Support support(const Method& m, const Formula& f) noexcept {
  Support s;
  for (int j = 0; j < m.passes; ++j) {
    const Rational w = f.pass[static_cast<std::size_t>(j)];
    if (w == 0) continue;
    s.node[s.count] = m.node(j);
    s.weight[s.count++] = w;
  }
  for (std::size_t k = 0; k < max_history; ++k) {
    if (f.history[k] == 0) continue;
    s.node[s.count] = Rational(-1 - static_cast<std::int64_t>(k));
    s.weight[s.count++] = f.history[k];
  }
  return s;
}

/// A formula integrates polynomials of the derivative exactly up to degree - 1.
constexpr bool integrates(const Method& m, const Formula& f, int degree) noexcept {
  const Support s = support(m, f);
  Rational target = f.at;
  for (int q = 0; q < degree; ++q) {
    Rational sum = 0;
    for (std::size_t i = 0; i < s.count; ++i) {
      Rational term = s.weight[i];
      for (int k = 0; k < q; ++k) term *= s.node[i];
      sum += term;
    }
    if (sum != target / Rational(q + 1)) return false;
    target *= f.at;
  }
  return true;
}

/// Formulas with history must be the interpolatory ones, or their weights could not be renewed.
constexpr bool interpolatory(const Method& m) noexcept {
  for (int i = 1; i <= m.passes; ++i) {
    const Formula& f = m.formulas[static_cast<std::size_t>(i)];
    if (f.history == std::array<Rational, max_history>{}) continue;
    const Support s = support(m, f);
    if (interpolatory_weights(s.node, s.count, f.at) != s.weight) return false;
  }
  return true;
}

/// Sufficient for an Adams or predictor-corrector method: the last formula integrates to the
/// order, every estimate before it to one less.
constexpr bool multistep(const Method& m) noexcept {
  for (int i = 1; i < m.passes; ++i) {
    if (!integrates(m, m.formulas[static_cast<std::size_t>(i)], m.order - 1)) return false;
  }
  return integrates(m, m.formulas[static_cast<std::size_t>(m.passes)], m.order);
}

/// A method that needs history names a starter of its order that needs none.
constexpr bool startable(const Method& m) noexcept {
  if (m.history == 0) return true;
  // One order less suffices: a few starting steps add their local error only once. A starter that
  // is missing does not compile either.
  return m.starter->history == 0 && m.starter->order >= m.order - 1;
}

constexpr bool hold(const Method& m) noexcept {
  return consistent(m) && is_explicit(m) && interpolatory(m) && startable(m) &&
         (m.history == 0 ? runge_kutta(m) : multistep(m));
}

}  // namespace hild::numerics::order_conditions
