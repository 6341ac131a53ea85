// SPDX-License-Identifier: Apache-2.0
/// Dense elimination by recursion over columns (Toledo 1997): nearly all of its work are products
/// of tiles, which are Eigen's. Its own decomposition would do, but for large matrices asks the
/// heap for what it packs; of a tile that fits into the 128 KiB for which it takes the stack. Tiles
/// also fix the order of all sums, whatever caches there are.
#include <Eigen/Core>
#include <algorithm>
#include <cstdint>

#include "hild/numerics/linear_system.hpp"

namespace hild::numerics::detail {
namespace {

constexpr std::size_t few = 4;     // columns that are eliminated one by one
constexpr std::size_t tile = 128;  // rows and columns of a product, and what is summed over at once

using Tile = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

// Which columns, or rows.
struct Range {
  std::size_t begin;
  std::size_t end;
};

class Elimination {
 public:
  Elimination(double* m, std::size_t n) noexcept : m_(m), n_(n), exchanged_(m + n * n) {}

  // The factors of these columns, from the row of the first on; false where there are none.
  bool factorise(Range c) noexcept {
    if (c.end - c.begin <= few) return eliminate_each(c);
    const std::size_t middle = c.begin + (c.end - c.begin) / 2 / few * few;
    const Range left{c.begin, std::max(middle, c.begin + few)};
    const Range right{left.end, c.end};
    if (!factorise(left)) return false;
    exchange(left, right);
    substitute(left, right);
    take_product({left.end, n_}, left, right);
    if (!factorise(right)) return false;
    exchange(right, left);
    return true;
  }
  void substitute(std::span<double> b) noexcept {
    exchange_in(b.data(), {0, n_});
    for (std::size_t k = 0; k < n_; ++k) subtract_multiple(column(k), k + 1, n_, b.data(), b[k]);
    for (std::size_t k = n_; k-- > 0;) {
      b[k] /= column(k)[k];
      subtract_multiple(column(k), 0, k, b.data(), b[k]);
    }
  }

 private:
  [[nodiscard]] double* column(std::size_t k) const noexcept { return m_ + k * n_; }
  [[nodiscard]] Tile part(Range rows, Range columns) const noexcept {
    return {column(columns.begin) + rows.begin, static_cast<Eigen::Index>(rows.end - rows.begin),
            static_cast<Eigen::Index>(columns.end - columns.begin),
            Eigen::OuterStride<>(static_cast<Eigen::Index>(n_))};
  }

  bool eliminate_each(Range c) noexcept {
    for (std::size_t k = c.begin; k < c.end; ++k) {
      double* const pivots = column(k);
      const std::size_t p = largest(pivots, k);
      if (!usable(pivots[p]) || !std::isfinite(1 / pivots[p])) return false;
      exchanged_[k] = static_cast<double>(p);
      for (std::size_t j = c.begin; p != k && j < c.end; ++j) std::swap(column(j)[k], column(j)[p]);
      const double inverse = 1 / pivots[k];
      for (std::size_t i = k + 1; i < n_; ++i) pivots[i] *= inverse;
      const Range below{k + 1, n_};
      const Range right{k + 1, c.end};
      part(below, right).noalias() -= part(below, {k, k + 1}) * part({k, k + 1}, right);
    }
    return true;
  }
  // The first of the rows from k on that has the largest value; k where one is not a number.
  [[nodiscard]] std::size_t largest(const double* column, std::size_t k) const noexcept {
    const double* const end = column + n_;
    const Eigen::Map<const Eigen::VectorXd> rows(column + k, static_cast<Eigen::Index>(n_ - k));
    const double most = rows.cwiseAbs().maxCoeff();
    const double* const found =
        std::find_if(column + k, end, [=](double v) { return std::abs(v) == most; });
    return found == end ? k : static_cast<std::size_t>(found - column);
  }
  void exchange_in(double* values, Range pivots) const noexcept {
    for (std::size_t k = pivots.begin; k < pivots.end; ++k) {
      const auto p = static_cast<std::size_t>(static_cast<std::int64_t>(exchanged_[k]));
      std::swap(values[k], values[p]);
    }
  }
  void exchange(Range pivots, Range columns) noexcept {
    for (std::size_t j = columns.begin; j < columns.end; ++j) exchange_in(column(j), pivots);
  }
  // What the lower factor of `left` makes of its rows in the columns on the right.
  void substitute(Range left, Range right) noexcept {
    if (left.end - left.begin > few) {
      const std::size_t middle =
          left.begin + std::max((left.end - left.begin) / 2 / few * few, few);
      substitute({left.begin, middle}, right);
      take_product({middle, left.end}, {left.begin, middle}, right);
      return substitute({middle, left.end}, right);
    }
    for (std::size_t j = right.begin; j < right.end; ++j) {
      for (std::size_t k = left.begin; k < left.end; ++k) {
        subtract_multiple(column(k), k + 1, left.end, column(j), column(j)[k]);
      }
    }
  }
  // M(rows, right) -= M(rows, left) M(left, right), of which many may be zero.
  void take_product(Range rows, Range left, Range right) noexcept {
    for (std::size_t k = left.begin; k < left.end; k += tile) {
      const Range depth{k, std::min(k + tile, left.end)};
      for (std::size_t j = right.begin; j < right.end; j += tile) {
        const Range columns{j, std::min(j + tile, right.end)};
        const Tile b = part(depth, columns);
        if ((b.array() == 0).all()) continue;
        for (std::size_t i = rows.begin; i < rows.end; i += tile) {
          const Range some{i, std::min(i + tile, rows.end)};
          const Tile a = part(some, depth);
          if ((a.array() == 0).all()) continue;
          part(some, columns).noalias() -= a * b;
        }
      }
    }
  }

  double* m_;
  std::size_t n_;
  double* exchanged_;  // the row that each pivot came from
};

}  // namespace

void solve_dense_by_tiles(double* m, std::size_t n, std::span<double> b) noexcept {
  Elimination elimination(m, n);
  if (!elimination.factorise({0, n})) return fill_with_nan(b);
  elimination.substitute(b);
}

}  // namespace hild::numerics::detail
