// SPDX-License-Identifier: Apache-2.0
/// \file
/// Systems of linear equations of a size known when loading: M d = b by Gaussian elimination with
/// partial pivoting, matrix and right side at once, for each matrix of an implicit step is used
/// once. Three codes of one shape: dense, banded, and tridiagonal (a band of 1 and 1).
///
/// Written here rather than taken from Eigen, which tests and benchmarks compare it with: the order
/// of all operations is fixed, so that sizes known to the compiler or not give the same bits; no
/// size makes it call the heap; and what is zero costs next to nothing. Of large dense matrices the
/// products are Eigen's.
///
/// A singular matrix, or one with an element that is not finite, makes every element of the
/// solution NaN: the frame loop then ends the run with the name of a state.
/// Real-time safe after construction: at most n^3/3 + n^2 multiplications dense,
/// n (lower + 1)(lower + upper + 2) banded.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "hild/numerics/jacobian.hpp"

namespace hild::numerics {

namespace detail {

inline void fill_with_nan(std::span<double> b) noexcept {
  for (double& v : b) v = std::numeric_limits<double>::quiet_NaN();
}

/// A pivot one can divide by.
inline bool usable(double pivot) noexcept { return pivot != 0 && std::isfinite(pivot); }

/// Takes multiples of one column off others, in the rows begin ... end.
[[gnu::always_inline]] inline void subtract_multiple(const double* __restrict column,
                                                     std::size_t begin, std::size_t end,
                                                     double* __restrict from,
                                                     double times) noexcept {
  for (std::size_t i = begin; i < end; ++i) from[i] -= column[i] * times;
}
[[gnu::always_inline]] inline void subtract_multiple(const double* __restrict column,
                                                     std::size_t begin, std::size_t end,
                                                     double* __restrict from, double times,
                                                     double* __restrict from_next,
                                                     double times_next) noexcept {
  for (std::size_t i = begin; i < end; ++i) {
    const double c = column[i];
    from[i] -= c * times;
    from_next[i] -= c * times_next;
  }
}

/// Takes row k, with its pivot, off those below it.
[[gnu::always_inline]] inline void eliminate(double* m, std::size_t n, std::size_t k,
                                             std::span<double> b) noexcept {
  double* const column = m + k * n;
  std::size_t end = n;  // rows from this one on are zero already
  while (column[end - 1] == 0) --end;
  const double inverse = 1 / column[k];
  for (std::size_t i = k + 1; i < end; ++i) column[i] *= inverse;
  subtract_multiple(column, k + 1, end, b.data(), b[k]);
  if (end == k + 1) return;
  // Columns in pairs: what is taken off them is read once.
  for (std::size_t j = k + 1; j < n; j += 2) {
    double* const right = m + j * n;
    const bool alone = j + 1 == n || right[n + k] == 0;
    if (!alone) {
      subtract_multiple(column, k + 1, end, right, right[k], right + n, right[n + k]);
    } else if (right[k] != 0) {
      subtract_multiple(column, k + 1, end, right, right[k]);
    }
  }
}

/// Rows from which on matrices do not fit into the nearest cache, and products of tiles pay.
inline constexpr std::size_t large = 96;

/// solve_dense() of a large matrix, after which there is room for n more numbers.
void solve_dense_by_tiles(double* m, std::size_t n, std::span<double> b) noexcept;

/// M(i, j) at m[j * n + i]. `n` may be a constant of the compiler.
inline void solve_dense(double* m, std::size_t n, std::span<double> b) noexcept {
  if (n >= large) return solve_dense_by_tiles(m, n, b);
  for (std::size_t k = 0; k < n; ++k) {
    double* const column = m + k * n;
    std::size_t p = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(column[i]) > std::abs(column[p])) p = i;
    }
    // Its inverse is multiplied by.
    if (!usable(column[p]) || !std::isfinite(1 / column[p])) return fill_with_nan(b);
    if (p != k) {
      for (std::size_t j = k; j < n; ++j) std::swap(m[j * n + k], m[j * n + p]);
      std::swap(b[k], b[p]);
    }
    eliminate(m, n, k, b);
  }
  for (std::size_t k = n; k-- > 0;) {
    b[k] /= m[k * n + k];
    subtract_multiple(m + k * n, 0, k, b.data(), b[k]);
  }
}

/// M(i, j) at m[j * (2 l + u) + i + l + u]: as many rows above the band as exchanges may fill.
inline void solve_banded(double* m, std::size_t n, std::size_t l, std::size_t u,
                         std::span<double> b) noexcept {
  const auto at = [=](std::size_t i, std::size_t j) -> double& {
    return m[j * (2 * l + u) + i + l + u];
  };
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t low = std::min(n - 1, k + l);
    const std::size_t right = std::min(n - 1, k + l + u);
    std::size_t p = k;
    for (std::size_t i = k + 1; i <= low; ++i) {
      if (std::abs(at(i, k)) > std::abs(at(p, k))) p = i;
    }
    if (!usable(at(p, k))) return fill_with_nan(b);
    if (p != k) {
      for (std::size_t j = k; j <= right; ++j) std::swap(at(k, j), at(p, j));
      std::swap(b[k], b[p]);
    }
    for (std::size_t i = k + 1; i <= low; ++i) {
      const double factor = at(i, k) / at(k, k);
      if (factor == 0) continue;
      b[i] -= factor * b[k];
      for (std::size_t j = k + 1; j <= right; ++j) at(i, j) -= factor * at(k, j);
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    const std::size_t right = std::min(n - 1, k + l + u);
    for (std::size_t j = k + 1; j <= right; ++j) b[k] -= at(k, j) * b[j];
    b[k] /= at(k, k);
  }
}

/// The same with a band of 1 and 1. A column is {second above, above, diagonal, below}.
inline void solve_tridiagonal(double* m, std::size_t n, std::span<double> b) noexcept {
  double pivot = m[2];  // row k: its elements at k, k + 1 and k + 2
  double next = n > 1 ? m[5] : 0;
  double ones = 0;  // pivot times its inverse: not finite where a pivot is not one to divide by
  for (std::size_t k = 0; k + 1 < n; ++k) {
    double* const column = m + 4 * k;
    const double below = column[3];
    const double diagonal = column[6];
    const double far = k + 2 < n ? column[9] : 0;
    if (std::abs(below) > std::abs(pivot)) {
      const double factor = pivot / below;
      column[2] = 1 / below;
      ones += below * column[2];
      column[5] = diagonal;
      if (k + 2 < n) column[8] = far;
      pivot = next - factor * diagonal;
      next = -(factor * far);
      const double upper = b[k];
      b[k] = b[k + 1];
      b[k + 1] = upper - factor * b[k];
    } else {
      const double inverse = 1 / pivot;
      ones += pivot * inverse;
      const double factor = below * inverse;
      column[2] = inverse;
      column[5] = next;
      if (k + 2 < n) column[8] = 0;
      pivot = diagonal - below * next * inverse;  // the next division waits for little
      next = far;
      b[k + 1] -= factor * b[k];
    }
  }
  if (!usable(pivot) || !std::isfinite(ones)) return fill_with_nan(b);
  b[n - 1] /= pivot;
  if (n > 1) b[n - 2] = (b[n - 2] - m[4 * n - 3] * b[n - 1]) * m[4 * (n - 2) + 2];
  for (std::size_t k = n - 1; k-- > 1;) {
    const double* const column = m + 4 * (k - 1);
    b[k - 1] = (b[k - 1] - column[5] * b[k] - column[8] * b[k + 1]) * column[2];
  }
}

}  // namespace detail

/// A matrix in memory of its own and its solution. `Memory` is an array or a vector of doubles of
/// at least room() elements. Sizes and structures are not kept: every call of one system names the
/// same. Real-time safe.
template <class Memory>
class LinearSystem {
 public:
  /// Numbers to keep for a matrix of n rows, be it dense or with the band of a structure.
  [[nodiscard]] static constexpr std::size_t room(std::size_t n, const Structure& s) noexcept {
    if (s.dense) return n * n + (n >= detail::large ? n : 0);
    return n * (2 * s.lower + s.upper + 1);
  }

  /// Room for a system by reserve(), where the memory is a vector.
  LinearSystem() = default;
  /// All zero, in place: it may be larger than a stack. Allocates where the memory is a vector;
  /// at(), after clear() for a band, gives every element its value.
  LinearSystem(std::size_t n, const Structure& s) { reserve(n, s); }
  /// What a system of n rows needs, where the memory is a vector: then it allocates.
  void reserve([[maybe_unused]] std::size_t n, [[maybe_unused]] const Structure& s) {
    if constexpr (requires { values_.resize(n); }) values_.resize(room(n, s));
  }

  /// M(i, j), inside the structure.
  [[nodiscard]] double& at(std::size_t i, std::size_t j, std::size_t n,
                           const Structure& s) noexcept {
    if (s.dense) return values_[j * n + i];
    return values_[j * (2 * s.lower + s.upper) + i + s.lower + s.upper];
  }
  /// Makes all elements zero, those outside of the band that exchanges of rows may fill included.
  void clear(std::size_t n, const Structure& s) noexcept {
    std::fill_n(values_.data(), room(n, s), 0.0);
  }
  /// b becomes the solution; the matrix is used up.
  void solve(std::size_t n, const Structure& s, std::span<double> b) noexcept {
    if (s.dense) return detail::solve_dense(values_.data(), n, b);
    if (s == tridiagonal) return detail::solve_tridiagonal(values_.data(), n, b);
    detail::solve_banded(values_.data(), n, s.lower, s.upper, b);
  }

 private:
  Memory values_{};
};

}  // namespace hild::numerics
