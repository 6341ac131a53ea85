// SPDX-License-Identifier: Apache-2.0
/// \file
/// What makes a method be of its order, checked while compiling: a misprinted coefficient does not
/// compile. With fractions the conditions hold exactly; methods whose coefficients are rounded are
/// checked with doubles. For loading and compiling.
#pragma once

#include "hild/numerics/quadrature.hpp"
#include "hild/numerics/trees.hpp"

namespace hild::numerics::order_conditions {

/// What a condition is about when it is about none of the formulas.
///@{
inline constexpr int embedded_result = -1;
inline constexpr int dense_result = -2;
///@}

/// A condition and by how much the weights miss it.
template <class Scalar>
struct Condition {
  std::string_view name{};  ///< "row sum", the phi of a tree or a power of t; lives for the program
  int formula = 0;          ///< the formula it is about, or one of the above
  Scalar residual{};        ///< what the weights give less what they should
  double tolerance = 0;     ///< of a residual in doubles

  /// Exactly in fractions, within the tolerance in doubles.
  [[nodiscard]] constexpr bool holds() const noexcept {
    if constexpr (std::is_same_v<Scalar, Rational>) {
      return residual == 0;
    } else {
      return residual <= tolerance && residual >= -tolerance;
    }
  }
};

inline constexpr double rounding = 1e-14;  ///< of weights that are rounded decimals

/// A list of conditions in memory of its own, so that it can be made while compiling.
template <class Scalar>
struct Conditions {
  static constexpr std::size_t most = 96;      ///< room of the list
  std::array<Condition<Scalar>, most> list{};  ///< the first `count`
  std::size_t count = 0;                       ///< how many there are

  /// Appends one. There must be room; while compiling the compiler sees to it.
  constexpr void add(std::string_view name, int formula, Scalar residual,
                     double tolerance = rounding) noexcept {
    list[count++] = {name, formula, residual, tolerance};
  }
};

/// Row sums: every formula carries the state exactly as far as its node says.
template <class Scalar>
constexpr void row_sums(const Method& m, Conditions<Scalar>& out) noexcept {
  for (int i = 1; i <= m.passes; ++i) {
    const Formula& f = m.formulas[static_cast<std::size_t>(i)];
    Scalar sum(0);
    for (const Rational w : f.pass) sum += as<Scalar>(w);
    for (const Rational w : f.history) sum += as<Scalar>(w);
    out.add("row sum", i, sum - as<Scalar>(f.at));
  }
}

/// The rooted trees up to the order, for a result with these weights of the passes.
template <class Scalar>
constexpr void runge_kutta(const Method& m, const Row<Scalar>& weights, int order, int formula,
                           Conditions<Scalar>& out) noexcept {
  for (const Tree<Scalar>& tree : trees<Scalar>(m)) {
    if (tree.order <= order) out.add(tree.name, formula, dot(weights, tree.phi) - tree.target());
  }
}

/// The same within the step, for every power of theta: sum_i c_i(theta) phi_i = theta^(q-1) /
/// density for a tree of q vertices (Huang eq. 14); at the end the weights are those of the step.
template <class Scalar>
constexpr void dense(const Method& m, Conditions<Scalar>& out) noexcept {
  if (m.dense.order == 0) return;
  constexpr double tolerance = 10 * rounding;  // weights of some fifty steps cancel
  const Formula& last = m.formulas[static_cast<std::size_t>(m.passes)];
  for (std::size_t power = 0; power < dense_terms; ++power) {
    Row<Scalar> weights{};
    for (std::size_t i = 0; i < max_passes; ++i) weights[i] = as<Scalar>(m.dense.pass[i][power]);
    for (const Tree<Scalar>& tree : trees<Scalar>(m)) {
      if (tree.order > m.dense.order) break;
      const bool has = tree.order == static_cast<int>(power) + 1;
      out.add(tree.name, dense_result, dot(weights, tree.phi) - (has ? tree.target() : Scalar(0)),
              tolerance);
    }
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.passes); ++i) {
    Scalar sum(0);
    for (const Rational w : m.dense.pass[i]) sum += as<Scalar>(w);
    out.add("theta = 1", dense_result, sum - as<Scalar>(last.pass[i]), tolerance);
  }
}

/// Nodes of the derivatives a formula uses, on a uniform grid.
struct Support {
  std::array<Rational, max_nodes> node{};    ///< in steps after t_n, negative before it
  std::array<Rational, max_nodes> weight{};  ///< of the derivative there
  std::size_t count = 0;                     ///< how many derivatives are used
};

/// What formula f of m uses: at most max_nodes weights that are not zero.
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

/// By how much a formula misses the integral of the derivative t^degree.
template <class Scalar>
constexpr Scalar moment(const Method& m, const Formula& f, int degree) noexcept {
  const Support s = support(m, f);
  Scalar sum(0);
  for (std::size_t i = 0; i < s.count; ++i) {
    auto term = as<Scalar>(s.weight[i]);
    for (int k = 0; k < degree; ++k) term *= as<Scalar>(s.node[i]);
    sum += term;
  }
  auto target = as<Scalar>(f.at);
  for (int k = 0; k < degree; ++k) target *= as<Scalar>(f.at);
  return sum - target / Scalar(degree + 1);
}

/// Whether a formula integrates polynomials of the derivative exactly up to order - 1.
template <class Scalar>
constexpr bool integrates(const Method& m, const Formula& f, int order) noexcept {
  for (int degree = 0; degree < order; ++degree) {
    if (!Condition<Scalar>{{}, 0, moment<Scalar>(m, f, degree), rounding}.holds()) return false;
  }
  return true;
}

/// Sufficient for an Adams or predictor-corrector method: the last formula integrates to the
/// order, every estimate before it to one less.
template <class Scalar>
constexpr void multistep(const Method& m, Conditions<Scalar>& out) noexcept {
  constexpr std::array<std::string_view, 5> names{"1", "t", "t^2", "t^3", "t^4"};
  for (int i = 1; i <= m.passes; ++i) {
    const Formula& f = m.formulas[static_cast<std::size_t>(i)];
    for (int q = 0; q < (i == m.passes ? m.order : m.order - 1); ++q) {
      out.add(names[static_cast<std::size_t>(q)], i, moment<Scalar>(m, f, q));
    }
  }
}

/// All conditions of an explicit method.
template <class Scalar>
constexpr Conditions<Scalar> of(const Method& m) noexcept {
  Conditions<Scalar> out;
  row_sums(m, out);
  if (m.history > 0) {
    multistep(m, out);
    return out;
  }
  const auto& last = m.formulas[static_cast<std::size_t>(m.passes)];
  runge_kutta(m, row_of<Scalar>(last.pass), m.order, m.passes, out);
  runge_kutta(m, row_of<Scalar>(m.embedded.pass), m.embedded.order, embedded_result, out);
  dense(m, out);
  return out;
}

/// Whether all conditions of an explicit method hold, and its step leads from 0 to 1.
template <class Scalar>
constexpr bool satisfied(const Method& m) noexcept {
  const Conditions<Scalar> all = of<Scalar>(m);
  for (std::size_t i = 0; i < all.count; ++i) {
    if (!all.list[i].holds()) return false;
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

/// A method that needs history names a starter of its order that needs none.
constexpr bool startable(const Method& m) noexcept {
  if (m.history == 0) return true;
  // One order less suffices: a few starting steps add their local error only once. A starter that
  // is missing does not compile either.
  return m.starter->history == 0 && m.starter->order >= m.order - 1;
}

/// What completes a step early works from what the method has after pass 0.
constexpr bool completable(const Method& m) noexcept {
  return m.anytime == nullptr ||
         (m.anytime->passes == 1 && m.anytime->order == m.order && m.anytime->history == m.history);
}

/// Of an explicit method; those of the other families are in stiff_conditions.hpp.
constexpr bool hold(const Method& m) noexcept {
  return is_explicit(m) && interpolatory(m) && startable(m) && completable(m) &&
         (m.rounded ? satisfied<double>(m) : satisfied<Rational>(m));
}

}  // namespace hild::numerics::order_conditions
