// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which variable each equation may determine: a maximum matching of equations and variables, by
/// augmenting paths. Where an equation is left without one, the equations are structurally
/// singular: no values of their coefficients make them solvable. At most N^3 operations.
#pragma once

#include "hild/numerics/structure/incidence.hpp"

namespace hild::numerics {

/// Stands for the variable of an equation that has none.
inline constexpr std::size_t unmatched = most_places;

namespace detail {

/// The search for an augmenting path: each variable is tried once.
template <std::size_t N>
struct Augmentation {
  const Incidence<N>& equations;
  std::array<std::size_t, N>& variable_of;
  std::array<std::size_t, N>& equation_of;
  Places tried = 0;

  constexpr bool from(std::size_t equation) noexcept {
    for (Places left = equations[equation]; left != 0; left &= left - 1) {
      const std::size_t j = lowest(left);
      if (contains(tried, j)) continue;
      tried |= only(j);
      if (equation_of[j] != unmatched && !from(equation_of[j])) continue;
      equation_of[j] = equation;
      variable_of[equation] = j;
      return true;
    }
    return false;
  }
};

}  // namespace detail

/// For each equation a variable of its own that occurs in it, or `unmatched`, of which there are as
/// few as can be. An equation keeps the variable of its own number where nothing speaks against it.
template <std::size_t N>
[[nodiscard]] constexpr std::array<std::size_t, N> maximum_matching(
    const Incidence<N>& equations) noexcept {
  std::array<std::size_t, N> variable_of{};
  std::array<std::size_t, N> equation_of{};
  for (std::size_t i = 0; i < N; ++i) {
    variable_of[i] = equation_of[i] = contains(equations[i], i) ? i : unmatched;
  }
  for (std::size_t i = 0; i < N; ++i) {
    if (variable_of[i] == unmatched) {
      detail::Augmentation<N>{equations, variable_of, equation_of}.from(i);
    }
  }
  return variable_of;
}

}  // namespace hild::numerics
