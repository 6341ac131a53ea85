// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which variables occur in which equations, as sets of at most 64. All of this folder is for the
/// compiler: what it finds of the equations of a model becomes straight code. That is why the
/// textbook algorithms are written out here, and not taken from Boost.Graph, with which the tests
/// compare them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hild::numerics {

/// A set of numbers from 0 to 63, a bit for each.
using Places = std::uint64_t;

/// The most equations that one analysis takes.
inline constexpr std::size_t most_places = 64;

/// The set of `place` alone, which is below most_places.
[[nodiscard]] constexpr Places only(std::size_t place) noexcept { return Places{1} << place; }
/// Whether `place` is one of `places`.
[[nodiscard]] constexpr bool contains(Places places, std::size_t place) noexcept {
  return (places >> place & 1) != 0;
}
/// The set of 0 ... n - 1.
[[nodiscard]] constexpr Places first_places(std::size_t n) noexcept {
  return n >= most_places ? ~Places{0} : only(n) - 1;
}
/// How many places are in the set.
[[nodiscard]] constexpr std::size_t count_of(Places places) noexcept {
  return static_cast<std::size_t>(std::popcount(places));
}
/// The lowest place of a set that is not empty.
[[nodiscard]] constexpr std::size_t lowest(Places places) noexcept {
  return static_cast<std::size_t>(std::countr_zero(places));
}
/// Calls `use(place)` for each place, from the lowest.
template <class Use>
constexpr void for_each_place(Places places, Use&& use) {
  for (; places != 0; places &= places - 1) use(lowest(places));
}

/// Calls use(place) for each place, as a constant of the compiler; from the lowest, or to it.
///@{
template <Places places, class Use>
[[gnu::always_inline]] constexpr void each_place(Use&& use) noexcept {
  if constexpr (places != 0) {
    use(std::integral_constant<std::size_t, lowest(places)>{});
    each_place<(places & (places - 1))>(use);
  }
}
template <Places places, class Use>
[[gnu::always_inline]] constexpr void each_place_down(Use&& use) noexcept {
  if constexpr (places != 0) {
    constexpr std::size_t highest =
        most_places - 1 - static_cast<std::size_t>(std::countl_zero(places));
    use(std::integral_constant<std::size_t, highest>{});
    each_place_down<(places & ~only(highest))>(use);
  }
}
///@}

/// For each of N equations the variables that occur in it, which are N too.
template <std::size_t N>
using Incidence = std::array<Places, N>;

/// For each variable the equations that it occurs in.
template <std::size_t N>
[[nodiscard]] constexpr Incidence<N> transposed(const Incidence<N>& equations) noexcept {
  Incidence<N> columns{};
  for (std::size_t i = 0; i < N; ++i) {
    for_each_place(equations[i], [&](std::size_t j) { columns[j] |= only(i); });
  }
  return columns;
}

}  // namespace hild::numerics
