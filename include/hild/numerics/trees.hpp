// SPDX-License-Identifier: Apache-2.0
/// \file
/// The rooted trees up to order five: what the Taylor expansion of a Runge-Kutta step is made of
/// (Butcher). A method of order p satisfies sum_i b_i phi_i = 1 / density for every tree of at most
/// p vertices; the trees of p + 1 tell its error (Bernstein, table 1). For loading and compiling.
#pragma once

#include <string_view>
#include <type_traits>

#include "hild/numerics/method.hpp"

namespace hild::numerics {

/// A value a pass.
template <class Scalar>
using Row = std::array<Scalar, max_passes>;

/// A fraction of a tableau as a fraction or as a double.
template <class Scalar>
constexpr Scalar as(Rational r) noexcept {
  if constexpr (std::is_same_v<Scalar, Rational>) {
    return r;
  } else {
    return r.value();
  }
}

/// A row of a tableau in the scalar of a check.
template <class Scalar>
constexpr Row<Scalar> row_of(const std::array<Rational, max_passes>& weights) noexcept {
  Row<Scalar> out{};
  for (std::size_t i = 0; i < max_passes; ++i) out[i] = as<Scalar>(weights[i]);
  return out;
}

/// The products pass by pass, a_i b_i.
template <class Scalar>
constexpr Row<Scalar> times(const Row<Scalar>& a, const Row<Scalar>& b) noexcept {
  Row<Scalar> out{};
  for (std::size_t i = 0; i < max_passes; ++i) out[i] = a[i] * b[i];
  return out;
}

/// sum_i a_i b_i over all passes; those that a method has not are zero.
template <class Scalar>
constexpr Scalar dot(const Row<Scalar>& a, const Row<Scalar>& b) noexcept {
  Scalar sum(0);
  for (std::size_t i = 0; i < max_passes; ++i) sum += a[i] * b[i];
  return sum;
}

/// (A v)_i: a pass's weighted sum of the values of the passes before it.
template <class Scalar>
constexpr Row<Scalar> through(const Method& m, const Row<Scalar>& values) noexcept {
  Row<Scalar> out{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.passes); ++i) {
    for (std::size_t j = 0; j < i; ++j) out[i] += as<Scalar>(m.formulas[i].pass[j]) * values[j];
  }
  return out;
}

/// A rooted tree: the condition b . phi = 1 / density of a method with the weights b.
template <class Scalar>
struct Tree {
  std::string_view name;  ///< phi: c are the nodes, A the weights of the passes
  int order;              ///< vertices
  int density;            ///< gamma: the product of the sizes of all subtrees
  int symmetry;           ///< sigma: how many permutations leave it as it is
  Row<Scalar> phi;        ///< its elementary weight at each pass

  /// What b . phi should be.
  [[nodiscard]] constexpr Scalar target() const noexcept { return Scalar(1) / Scalar(density); }
};

inline constexpr std::size_t tree_count = 17;  ///< up to order five

/// By order; those of order five as Bernstein numbers them.
template <class Scalar>
constexpr std::array<Tree<Scalar>, tree_count> trees(const Method& m) noexcept {
  Row<Scalar> one{};
  Row<Scalar> c{};
  for (int i = 0; i < m.passes; ++i) {
    one[static_cast<std::size_t>(i)] = Scalar(1);
    c[static_cast<std::size_t>(i)] = as<Scalar>(m.node(i));
  }
  const auto c2 = times(c, c);
  const auto c3 = times(c2, c);
  const auto ac = through(m, c);
  const auto ac2 = through(m, c2);
  const auto aac = through(m, ac);
  const auto cac = times(c, ac);
  return {{{"1", 1, 1, 1, one},
           {"c", 2, 2, 1, c},
           {"c^2", 3, 3, 2, c2},
           {"A c", 3, 6, 1, ac},
           {"c^3", 4, 4, 6, c3},
           {"c A c", 4, 8, 1, cac},
           {"A c^2", 4, 12, 2, ac2},
           {"A A c", 4, 24, 1, aac},
           {"A A A c", 5, 120, 1, through(m, aac)},
           {"A A c^2", 5, 60, 2, through(m, ac2)},
           {"A (c A c)", 5, 40, 1, through(m, cac)},
           {"A c^3", 5, 20, 6, through(m, c3)},
           {"c A A c", 5, 30, 1, times(c, aac)},
           {"c A c^2", 5, 15, 2, times(c, ac2)},
           {"(A c)^2", 5, 20, 2, times(ac, ac)},
           {"c^2 A c", 5, 10, 2, times(c2, ac)},
           {"c^4", 5, 5, 24, times(c2, c2)}}};
}

}  // namespace hild::numerics
