// SPDX-License-Identifier: Apache-2.0
/// \file
/// The matrix of partial derivatives J(i, j) = d x_i' / d x_j as implicit methods need it: how a
/// model says where it is not zero, and the view through which it writes what is not.
///
/// Units: those of the derivative of state i over those of state j. Ownership: a view of memory of
/// the kernel, valid for the call. Real-time safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "hild/numerics/pattern.hpp"

namespace hild::numerics {

/// Where a Jacobian may differ from zero: everywhere; at most `lower` places below and `upper`
/// above its diagonal; or at the places of a pattern. The less it is, the cheaper a step: of a band
/// n (lower + 1)(lower + upper + 1) operations instead of n^3 / 3, of a pattern what its factors
/// take (sparse_system.hpp).
struct Structure {
  bool dense = true;      ///< everywhere: `lower` and `upper` do not matter
  std::size_t lower = 0;  ///< diagonals below the main one
  std::size_t upper = 0;  ///< diagonals above it
  /// Where it is neither dense nor a band; outlives whoever has the structure. Null: it is.
  const Pattern* pattern = nullptr;

  /// Columns that no row shares, one of each kind: what differences can find in one evaluation.
  [[nodiscard]] constexpr std::size_t colours(std::size_t n) const noexcept {
    if (pattern != nullptr) return pattern->colours();
    return dense ? n : std::min(n, lower + upper + 1);
  }
  /// The colour of column k of n, below colours(n).
  [[nodiscard]] constexpr std::size_t colour_of(std::size_t k, std::size_t n) const noexcept {
    return pattern != nullptr ? pattern->colour_of(k) : k % colours(n);
  }
  /// Calls `use(k)` for each of the n columns of a colour, ascending.
  template <class Use>
  constexpr void each_of_colour(std::size_t colour, std::size_t n, Use&& use) const noexcept {
    if (pattern != nullptr) {
      for (const std::size_t k : pattern->of_colour(colour)) use(k);
    } else {
      for (std::size_t k = colour; k < n; k += colours(n)) use(k);
    }
  }
  /// Calls `use(i)` for each row of column k of n that may differ from zero, ascending.
  template <class Use>
  constexpr void each_row(std::size_t k, std::size_t n, Use&& use) const noexcept {
    if (pattern != nullptr) {
      for (const std::size_t i : pattern->rows(k)) use(i);
    } else {
      const std::size_t top = dense || k < upper ? 0 : k - upper;
      const std::size_t end = dense ? n : std::min(n, k + lower + 1);
      for (std::size_t i = top; i < end; ++i) use(i);
    }
  }
  /// Whether element (i, j), both from zero, may differ from zero.
  [[nodiscard]] constexpr bool inside(std::size_t i, std::size_t j) const noexcept {
    if (pattern != nullptr) return pattern->find(i, j) < pattern->entries();
    return dense || (i <= j + lower && j <= i + upper);
  }
  /// Numbers to keep for n states.
  [[nodiscard]] constexpr std::size_t room(std::size_t n) const noexcept {
    if (pattern != nullptr) return pattern->entries();
    return n * (dense ? n : lower + upper + 1);
  }
  /// All members alike, of dense ones `lower` and `upper` too.
  constexpr bool operator==(const Structure&) const noexcept = default;
};

/// Every derivative may depend on every state: what a model has that declares nothing.
inline constexpr Structure dense{};
/// Each derivative depends on its own state and the two beside it: chains, ladders, rods in slices.
inline constexpr Structure tridiagonal{false, 1, 1};
/// The derivative of state i depends on the states i - lower ... i + upper alone.
[[nodiscard]] constexpr Structure banded(std::size_t lower, std::size_t upper) noexcept {
  return {false, lower, upper};
}
/// The derivatives depend on the states as the pattern says, which has as many rows as there are
/// states and outlives the structure. For a constant of the compiler it is an object with static
/// storage; its places may be found when the program starts.
[[nodiscard]] constexpr Structure sparse(const Pattern& pattern) noexcept {
  return {false, 0, 0, &pattern};
}

/// `j(row, column) = value`. All elements are zero when a model gets it. What is written outside
/// of the declared structure is lost; the check at load tells (plan/jacobian_check.hpp).
class Jacobian {
 public:
  /// A view of room(n) numbers at `values`, which it does not own.
  constexpr Jacobian(double* values, std::size_t n, const Structure& s) noexcept
      : values_(values), n_(n), structure_(s) {}

  /// Where element (i, j) of n states is kept: by columns; of a band, each column's part of it. It
  /// is inside the structure.
  [[nodiscard]] static constexpr std::size_t place(std::size_t i, std::size_t j, std::size_t n,
                                                   const Structure& s) noexcept {
    if (s.pattern != nullptr) return s.pattern->find(i, j);
    return s.dense ? j * n + i : j * (s.lower + s.upper) + i + s.upper;
  }
  /// Element (i, j) = d x_i' / d x_j, for writing; outside of the structure a place that nobody
  /// reads.
  [[nodiscard]] constexpr double& operator()(std::size_t i, std::size_t j) noexcept {
    if (structure_.pattern != nullptr) {
      const std::size_t at = structure_.pattern->find(i, j);
      return at < structure_.pattern->entries() ? values_[at] : lost_;
    }
    return structure_.inside(i, j) ? values_[place(i, j, n_, structure_)] : lost_;
  }
  /// Element (i, j); zero outside of the structure.
  [[nodiscard]] constexpr double operator()(std::size_t i, std::size_t j) const noexcept {
    return structure_.inside(i, j) ? values_[place(i, j, n_, structure_)] : 0.0;
  }
  /// What is kept of column k, as the structure's each_row() goes through it.
  [[nodiscard]] constexpr std::span<double> column(std::size_t k) const noexcept {
    const Structure& s = structure_;
    if (s.pattern != nullptr) return {values_ + s.pattern->first(k), s.pattern->rows(k).size()};
    if (s.dense) return {values_ + k * n_, n_};
    const std::size_t top = k < s.upper ? 0 : k - s.upper;
    return {values_ + place(top, k, n_, s), std::min(n_, k + s.lower + 1) - top};
  }
  /// All that is kept, column by column.
  [[nodiscard]] constexpr std::span<double> values() const noexcept {
    return {values_, structure_.room(n_)};
  }
  /// Where it may differ from zero, as the model has declared.
  [[nodiscard]] constexpr const Structure& structure() const noexcept { return structure_; }

 private:
  double* values_;
  std::size_t n_;
  Structure structure_;
  double lost_ = 0;
};

/// Memory for the elements of a Jacobian of N states: inside of whoever has it, and of a pattern,
/// of which only the program knows how many there are, on the heap.
template <std::size_t N, Structure S>
struct ElementsOf {
  using Type = std::array<double, S.room(N)>;  ///< all there are
};
/// Those of a pattern.
template <std::size_t N, Structure S>
requires(S.pattern != nullptr) struct ElementsOf<N, S> {
  using Type = std::vector<double>;  ///< to be given the size S.room(N)
};

}  // namespace hild::numerics
