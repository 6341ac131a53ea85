// SPDX-License-Identifier: Apache-2.0
/// \file
/// The blocks of a system of equations: those that must be solved at once, in an order in which
/// each needs only what blocks before it determine (Tarjan's strongly connected components of the
/// equations, each of which needs those that determine its other variables).
#pragma once

#include <algorithm>

#include "hild/numerics/structure/matching.hpp"

namespace hild::numerics {

/// The equations, block after block.
template <std::size_t N>
struct Blocks {
  std::size_t count = 0;              ///< how many there are
  std::array<Places, N> equations{};  ///< of each of the `count` blocks
};

namespace detail {

template <std::size_t N>
struct BlockSearch {
  const Incidence<N>& equations;
  const std::array<std::size_t, N>& variable_of;
  Blocks<N> found{};
  std::array<std::size_t, N> equation_of{};
  std::array<std::size_t, N> number{};  // in the order of the search, from 1
  std::array<std::size_t, N> reached{};
  std::array<std::size_t, N> open{};  // equations that are in no block yet
  std::size_t open_count = 0;
  Places is_open = 0;
  std::size_t numbered = 0;

  constexpr void visit(std::size_t i) noexcept {
    number[i] = reached[i] = ++numbered;
    open[open_count++] = i;
    is_open |= only(i);
    for_each_place(equations[i], [&](std::size_t j) {
      const std::size_t needed = equation_of[j];
      if (number[needed] == 0) {
        visit(needed);
        reached[i] = std::min(reached[i], reached[needed]);
      } else if (contains(is_open, needed)) {
        reached[i] = std::min(reached[i], number[needed]);
      }
    });
    if (reached[i] == number[i]) close(i);
  }
  constexpr void close(std::size_t first) noexcept {
    Places& block = found.equations[found.count++];
    while (!contains(block, first)) block |= only(open[--open_count]);
    is_open &= ~block;
  }
};

}  // namespace detail

/// The blocks, for a matching without `unmatched`. Which matching it is does not matter.
template <std::size_t N>
[[nodiscard]] constexpr Blocks<N> blocks_of(
    const Incidence<N>& equations, const std::array<std::size_t, N>& variable_of) noexcept {
  detail::BlockSearch<N> search{equations, variable_of};
  for (std::size_t i = 0; i < N; ++i) search.equation_of[variable_of[i]] = i;
  for (std::size_t i = 0; i < N; ++i) {
    if (search.number[i] == 0) search.visit(i);
  }
  return search.found;
}

}  // namespace hild::numerics
