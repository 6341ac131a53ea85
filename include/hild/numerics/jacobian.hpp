// SPDX-License-Identifier: Apache-2.0
/// \file
/// The matrix of partial derivatives J(i, j) = d x_i' / d x_j as implicit methods need it: how a
/// model says where it is not zero, and the view through which it writes what is not.
///
/// Units: those of the derivative of state i over those of state j. Ownership: a view of memory of
/// the kernel, valid for the call. Real-time safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace hild::numerics {

/// Where a Jacobian may differ from zero: everywhere, or at most `lower` places below and `upper`
/// above its diagonal. The narrower the band, the cheaper a step: n (lower + 1)(lower + upper + 1)
/// operations instead of n^3 / 3.
struct Structure {
  bool dense = true;      ///< everywhere: `lower` and `upper` do not matter
  std::size_t lower = 0;  ///< diagonals below the main one
  std::size_t upper = 0;  ///< diagonals above it

  /// Columns that no row shares, one of each kind: what differences can find in one evaluation.
  [[nodiscard]] constexpr std::size_t colours(std::size_t n) const noexcept {
    return dense ? n : std::min(n, lower + upper + 1);
  }
  /// Whether element (i, j), both from zero, may differ from zero.
  [[nodiscard]] constexpr bool inside(std::size_t i, std::size_t j) const noexcept {
    return dense || (i <= j + lower && j <= i + upper);
  }
  /// Numbers to keep for n states.
  [[nodiscard]] constexpr std::size_t room(std::size_t n) const noexcept {
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

/// `j(row, column) = value`. All elements are zero when a model gets it. What is written outside
/// of the declared structure is lost; the check at load tells (plan/jacobian_check.hpp).
class Jacobian {
 public:
  /// A view of room(n) numbers at `values`, which it does not own.
  constexpr Jacobian(double* values, std::size_t n, const Structure& s) noexcept
      : values_(values), n_(n), structure_(s) {}

  /// Where element (i, j) of n states is kept: by columns; of a band, each column's part of it.
  [[nodiscard]] static constexpr std::size_t place(std::size_t i, std::size_t j, std::size_t n,
                                                   const Structure& s) noexcept {
    return s.dense ? j * n + i : j * (s.lower + s.upper) + i + s.upper;
  }
  /// Element (i, j) = d x_i' / d x_j, for writing; outside of the structure a place that nobody
  /// reads.
  [[nodiscard]] constexpr double& operator()(std::size_t i, std::size_t j) noexcept {
    return structure_.inside(i, j) ? values_[place(i, j, n_, structure_)] : lost_;
  }
  /// Element (i, j); zero outside of the structure.
  [[nodiscard]] constexpr double operator()(std::size_t i, std::size_t j) const noexcept {
    return structure_.inside(i, j) ? values_[place(i, j, n_, structure_)] : 0.0;
  }
  /// All that is kept, as place() says.
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

}  // namespace hild::numerics
