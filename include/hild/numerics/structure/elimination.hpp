// SPDX-License-Identifier: Apache-2.0
/// \file
/// The order in which Newton's method eliminates the variables of a system of equations, found once
/// from their structure. First go the variables that occur linearly everywhere, each by a causal
/// equation where tearing found one, else by a pivot that rows with few elements offer; then the
/// other causal ones. What remains is the core: the torn variables in which something is not
/// linear, solved with pivoting in each iteration. Equations that are linear are satisfied after
/// the first iteration, and stay so: later ones look at the others alone.
///
/// A coefficient may depend on a number that differs from run to run or from step to step. Each of
/// several samples has all coefficients as they may be, and a pivot is to be good in all of them.
#pragma once

#include "hild/numerics/structure/tearing.hpp"

namespace hild::numerics {

/// The coefficients of N equations: [i][j] is that of variable j in equation i, times the usual
/// size of the variable.
template <std::size_t N>
using CoefficientsOf = std::array<std::array<double, N>, N>;

/// What part of the largest coefficient of its equation one must be, at least, for the equation to
/// be solved for its variable.
inline constexpr double least_share = 0.3;

/// What is known of the equations.
template <std::size_t N, std::size_t Samples>
struct TracedSystem {
  Incidence<N> depends{};    ///< of each equation
  Incidence<N> nonlinear{};  ///< those of them with varying coefficients
  std::array<CoefficientsOf<N>, Samples> coefficients{};  ///< as they may be

  /// The variables that each equation may be solved for: by a constant, and never by a small one.
  [[nodiscard]] constexpr Incidence<N> solvable() const noexcept {
    Incidence<N> may{};
    for (std::size_t i = 0; i < N; ++i) {
      may[i] = depends[i] & ~nonlinear[i];
      for (const auto& a : coefficients) {
        double largest = 0;
        for (const double c : a[i]) largest = std::max({largest, c, -c});
        for (std::size_t j = 0; j < N; ++j) {
          if (std::max(a[i][j], -a[i][j]) < least_share * largest) may[i] &= ~only(j);
        }
      }
    }
    return may;
  }
};

/// A place in the order has an equation, which is its row, and the variable that it is solved for.
/// Rows and columns below are by place.
template <std::size_t N>
struct Elimination {
  bool singular = false;                  ///< no order exists: nothing else here is valid
  Tearing<N> tearing{};                   ///< that it goes by
  std::array<std::size_t, N> equation{};  ///< of each place
  std::array<std::size_t, N> variable{};  ///< of each place
  std::size_t core = N;                   ///< the first place of the core, which ends at N
  Incidence<N> lower{};                   ///< of each row the places that are taken off it
  Incidence<N> upper{};                   ///< of each row the later places it has elements at
  Places again = 0;                       ///< rows that are not done with after the first iteration
  Places needed = 0;                      ///< places whose variables those rows need meanwhile
  Places linear_in = 0;                   ///< variables (not places) that occur linearly only

  /// Whether the first iteration gives the solution.
  [[nodiscard]] constexpr bool linear() const noexcept { return again == 0; }
};

namespace detail {

template <std::size_t N, std::size_t Samples>
struct Ordering {
  TracedSystem<N, Samples> left;  // what elimination has left of the equations
  Elimination<N> found{};
  std::size_t placed = 0;
  Places rows = first_places(N);     // not placed yet
  Places columns = first_places(N);  // not placed yet
  Places nonlinear_rows = 0;
  Places reserved = 0;  // rows that a later causal step is to have

  constexpr void place(std::size_t i, std::size_t j) noexcept {
    found.equation[placed] = i;
    found.variable[placed++] = j;
    rows &= ~only(i);
    columns &= ~only(j);
  }
  constexpr void eliminate(std::size_t i, std::size_t j) noexcept {
    place(i, j);
    for_each_place(rows, [&](std::size_t r) {
      if (!contains(left.depends[r], j)) return;
      left.depends[r] |= left.depends[i] & columns;
      if (contains(nonlinear_rows, i)) nonlinear_rows |= only(r);
      for (auto& a : left.coefficients) {
        if (a[i][j] == 0) continue;
        const double times = a[r][j] / a[i][j];
        for (std::size_t c = 0; c < N; ++c) a[r][c] -= times * a[i][c];
      }
    });
  }
  // The part of the largest element of column j that is in row i, in the worst sample.
  [[nodiscard]] constexpr double quality(std::size_t i, std::size_t j) const noexcept {
    double worst = 1;
    for (const auto& a : left.coefficients) {
      double largest = 0;
      for_each_place(rows & ~reserved, [&](std::size_t r) {
        largest = std::max({largest, a[r][j], -a[r][j]});
      });
      const double here = std::max(a[i][j], -a[i][j]);
      worst = std::min(worst, largest > 0 ? here / largest : 0);
    }
    return worst;
  }
  // Elements that a pivot may add; many more where a linear row would cease to be one.
  [[nodiscard]] constexpr std::size_t cost(std::size_t i, std::size_t j) const noexcept {
    std::size_t in_column = 0;
    for_each_place(rows, [&](std::size_t r) { in_column += contains(left.depends[r], j) ? 1 : 0; });
    const std::size_t in_row = count_of(left.depends[i] & columns);
    return (in_row - 1) * (in_column - 1) + (contains(nonlinear_rows, i) ? N * N : 0);
  }
  struct Pivot {
    std::size_t row = unmatched, column = unmatched;
    double quality = -1;
    std::size_t cost = 0;
    [[nodiscard]] constexpr bool better_than(const Pivot& b) const noexcept {
      constexpr double enough = 0.1;
      if (b.row == unmatched) return true;
      if (quality >= enough && b.quality >= enough) return cost < b.cost;
      return quality > b.quality;
    }
  };
  constexpr bool eliminate_best(Places among) noexcept {
    Pivot best{};
    for_each_place(rows & ~reserved, [&](std::size_t i) {
      for_each_place(left.depends[i] & among, [&](std::size_t j) {
        const Pivot p{i, j, quality(i, j), cost(i, j)};
        if (p.better_than(best)) best = p;
      });
    });
    if (best.row == unmatched) return false;
    eliminate(best.row, best.column);
    return true;
  }
  constexpr void causal(const Tearing<N>& t, Places among) noexcept {
    for (std::size_t k = 0; k < t.causal; ++k) {
      if (contains(among, t.variable[k])) eliminate(t.equation[k], t.variable[k]);
    }
  }
  constexpr void order(const Tearing<N>& t, Places linear) noexcept {
    causal(t, linear);
    for (std::size_t k = 0; k < t.causal; ++k) {
      if (!contains(linear, t.variable[k])) reserved |= only(t.equation[k]);
    }
    while (placed < N && (columns & linear) != 0) {
      if (!eliminate_best(columns & linear)) {
        found.singular = true;
        return;
      }
    }
    reserved = 0;
    causal(t, ~linear);
    found.core = placed;
    while (rows != 0) place(lowest(rows), lowest(columns));
  }
};

// Where the elements are, by place, and what later iterations have to do.
template <std::size_t N>
constexpr void find_elements(Elimination<N>& e, const Incidence<N>& depends,
                             const Incidence<N>& nonlinear) noexcept {
  std::array<std::size_t, N> place_of{};
  for (std::size_t k = 0; k < N; ++k) place_of[e.variable[k]] = k;
  for (std::size_t k = 0; k < N; ++k) {
    Places row = 0;
    for_each_place(depends[e.equation[k]], [&](std::size_t j) { row |= only(place_of[j]); });
    if (nonlinear[e.equation[k]] != 0) {
      e.again |= only(k);
      e.needed |= row | only(k);
    }
    for (std::size_t p = 0; p < std::min(k, e.core); ++p) {
      if (!contains(row, p)) continue;
      e.lower[k] |= only(p);
      row |= e.upper[p];
      if (contains(e.again, p)) {
        e.again |= only(k);
        e.needed |= only(k);
      }
    }
    e.upper[k] = k < e.core ? row & ~first_places(k + 1) : row & ~first_places(e.core);
  }
  for (std::size_t k = 0; k < N; ++k) {  // later places are needed by earlier ones
    if (contains(e.needed, k)) e.needed |= e.upper[k];
  }
}

}  // namespace detail

/// The order for these equations.
template <std::size_t N, std::size_t Samples>
[[nodiscard]] constexpr Elimination<N> elimination_of(
    const TracedSystem<N, Samples>& system) noexcept {
  detail::Ordering<N, Samples> ordering{system};
  const auto matching = maximum_matching(system.depends);
  for (const std::size_t j : matching) {
    if (j == unmatched) ordering.found.singular = true;
  }
  if (ordering.found.singular) return ordering.found;
  Places nonlinear = 0;
  for (std::size_t i = 0; i < N; ++i) {
    nonlinear |= system.nonlinear[i];
    if (system.nonlinear[i] != 0) ordering.nonlinear_rows |= only(i);
  }
  const Tearing<N> tearing = tear(system.depends, system.solvable(), matching);
  ordering.order(tearing, ~nonlinear);
  Elimination<N> e = ordering.found;
  e.tearing = tearing;
  e.linear_in = ~nonlinear & first_places(N);
  if (!e.singular) detail::find_elements(e, system.depends, system.nonlinear);
  return e;
}

/// Groups of variables such that no equation has two of one group: what one direction of a dual
/// number finds the coefficients of.
template <std::size_t N>
struct Colours {
  std::size_t count = 0;            ///< how many there are
  std::array<std::size_t, N> of{};  ///< of each variable

  /// Of the variables in `columns` alone, each into the first group that has room for it.
  [[nodiscard]] static constexpr Colours found(const Incidence<N>& equations,
                                               Places columns) noexcept {
    Colours c;
    const Incidence<N> in = transposed(equations);
    std::array<Places, N> taken{};  // equations of each group
    for_each_place(columns, [&](std::size_t j) {
      std::size_t group = 0;
      while ((taken[group] & in[j]) != 0) ++group;
      taken[group] |= in[j];
      c.of[j] = group;
      c.count = std::max(c.count, group + 1);
    });
    return c;
  }
};

}  // namespace hild::numerics
