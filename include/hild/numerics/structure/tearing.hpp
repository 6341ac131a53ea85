// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tearing (Elmqvist and Otter; Cellier, Inline Integration V): variables are torn until the others
/// follow one by one, each from one equation, and as many equations remain as there are torn
/// variables. An equation may only be solved for a variable by which it is divided without harm:
/// the caller says which. Without that, one variable would often do on paper, and errors in it
/// would be multiplied by thousands from equation to equation.
///
/// Which set of torn variables is the smallest is not looked for, since that takes exponential
/// time: the variable is torn from which most others follow at once, of several the one that
/// occurs in most equations, of these the first.
#pragma once

#include <limits>

#include "hild/numerics/structure/blocks.hpp"

namespace hild::numerics {

/// What follows from what.
template <std::size_t N>
struct Tearing {
  std::size_t causal = 0;                 ///< equations that are solved for one variable each
  std::array<std::size_t, N> equation{};  ///< those, in order
  std::array<std::size_t, N> variable{};  ///< what each of them is solved for
  Places residuals = 0;                   ///< the other equations
  Places torn = 0;                        ///< the other variables
};

namespace detail {

template <std::size_t N>
struct Tear {
  const Incidence<N>& equations;
  const Incidence<N>& solvable;
  Tearing<N> found{};
  Places unknown;   // variables neither torn nor followed yet, of all blocks
  Places open = 0;  // equations of the block, not yet used

  // The variable that equation i can be solved for as the only unknown one; else `unmatched`.
  [[nodiscard]] constexpr std::size_t follows_from(std::size_t i, Places left) const noexcept {
    const Places wanted = equations[i] & left;
    if (count_of(wanted) != 1 || (wanted & solvable[i]) == 0) return unmatched;
    return lowest(wanted);
  }
  constexpr bool follow_one() noexcept {
    for (Places rest = open; rest != 0; rest &= rest - 1) {
      const std::size_t i = lowest(rest);
      const std::size_t j = follows_from(i, unknown);
      if (j == unmatched) continue;
      found.equation[found.causal] = i;
      found.variable[found.causal++] = j;
      unknown &= ~only(j);
      open &= ~only(i);
      return true;
    }
    return false;
  }
  [[nodiscard]] constexpr std::size_t gain(std::size_t j) const noexcept {
    std::size_t following = 0;
    std::size_t in = 0;
    for_each_place(open, [&](std::size_t i) {
      if (!contains(equations[i], j)) return;
      ++in;
      if (follows_from(i, unknown & ~only(j)) != unmatched) ++following;
    });
    return following * (most_places + 1) + in;
  }
  constexpr void block(Places block_equations, Places block_variables) noexcept {
    open = block_equations;
    while ((unknown & block_variables) != 0) {
      if (follow_one()) continue;
      std::size_t best = unmatched;
      for_each_place(unknown & block_variables, [&](std::size_t j) {
        if (best == unmatched || gain(j) > gain(best)) best = j;
      });
      unknown &= ~only(best);
      found.torn |= only(best);
    }
    found.residuals |= open;
  }
};

}  // namespace detail

/// The tearing of all blocks, one after the other. `solvable` has for each equation the variables
/// of `equations` that it may be solved for; `variable_of` is a matching without `unmatched`.
template <std::size_t N>
[[nodiscard]] constexpr Tearing<N> tear(const Incidence<N>& equations, const Incidence<N>& solvable,
                                        const std::array<std::size_t, N>& variable_of) noexcept {
  detail::Tear<N> tearing{equations, solvable, {}, first_places(N)};
  const Blocks<N> blocks = blocks_of(equations, variable_of);
  for (std::size_t b = 0; b < blocks.count; ++b) {
    Places variables = 0;
    for_each_place(blocks.equations[b], [&](std::size_t i) { variables |= only(variable_of[i]); });
    tearing.block(blocks.equations[b], variables);
  }
  return tearing.found;
}

/// By how much an error in a torn variable is multiplied, at most, on its way to what follows from
/// it: the largest derivative, by a torn variable, of a causal variable or of a residual, where
/// a[i][j] is the coefficient of variable j in equation i. Infinite where a coefficient to be
/// divided by is zero.
template <std::size_t N>
[[nodiscard]] constexpr double amplification(
    const Tearing<N>& tearing, const std::array<std::array<double, N>, N>& a) noexcept {
  std::array<std::array<double, N>, N> slope{};  // of a variable, by a torn one
  double largest = 1;
  const auto sum = [&](std::size_t i, std::size_t t) {
    double all = 0;
    for (std::size_t j = 0; j < N; ++j) all += a[i][j] * slope[j][t];
    return all;
  };
  const auto note = [&](double v) { largest = std::max({largest, v, -v}); };
  for_each_place(tearing.torn, [&](std::size_t t) {
    slope[t][t] = 1;
    for (std::size_t k = 0; k < tearing.causal; ++k) {
      const std::size_t i = tearing.equation[k];
      const std::size_t j = tearing.variable[k];
      if (a[i][j] == 0) return note(std::numeric_limits<double>::infinity());
      slope[j][t] = -sum(i, t) / a[i][j];
      note(slope[j][t]);
    }
    for_each_place(tearing.residuals, [&](std::size_t i) { note(sum(i, t)); });
  });
  return largest;
}

}  // namespace hild::numerics
