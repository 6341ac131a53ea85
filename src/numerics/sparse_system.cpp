// SPDX-License-Identifier: Apache-2.0
#include "hild/numerics/sparse_system.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "hild/numerics/linear_system.hpp"

namespace hild::numerics {
namespace {

using Index = Pattern::Index;
using detail::Columns;

// Of a backward error: beyond the first a solution is refined, beyond the second it is none.
constexpr double some_roundings = 0x1p-40;
constexpr double too_wrong = 0x1p-30;
// What rounding may leave of the largest unknown in the equations of others is not held against
// these, nor what underflows.
constexpr double part_of_largest = 0x1p-16;
constexpr double nothing = 1e-280;

// Where the matrix of all stages may differ from zero: its diagonal does.
Pattern of_all_stages(const Pattern& pattern, std::size_t stages) {
  std::vector<Place> places;
  places.reserve(pattern.entries() * stages * stages + pattern.size() * stages);
  for (const Place& place : pattern.places()) {
    for (std::size_t q = 0; q < stages; ++q) {
      for (std::size_t p = 0; p < stages; ++p) {
        places.push_back({place.row * stages + p, place.column * stages + q});
      }
    }
  }
  const std::size_t size = pattern.size() * stages;
  for (std::size_t k = 0; k < size; ++k) places.push_back({k, k});
  return {size, std::move(places)};
}

// The unknown that comes first, second ...
std::vector<Index> order_of(const Pattern& pattern) {
  const auto size = static_cast<Eigen::Index>(pattern.size());
  Eigen::SparseMatrix<double> matrix(size, size);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(pattern.entries());
  for (const Place& p : pattern.places()) {
    entries.emplace_back(static_cast<int>(p.row), static_cast<int>(p.column), 1.0);
  }
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::AMDOrdering<int>::PermutationType found;
  Eigen::AMDOrdering<int>()(matrix, found);
  return {found.indices().begin(), found.indices().end()};
}

// How many elements each column of the lower factor has, at most: those of a matrix that has the
// transposed places too. By its elimination tree (Liu 1990), which takes no more time than they are
// many.
std::vector<std::size_t> columns_below(const Pattern& pattern) {
  constexpr Index none = std::numeric_limits<Index>::max();
  const std::size_t n = pattern.size();
  const std::vector<Index> order = order_of(pattern);
  std::vector<Index> place(n);
  for (std::size_t k = 0; k < n; ++k) place[order[k]] = static_cast<Index>(k);
  std::vector<std::vector<Index>> before(n);  // of each place those it shares an element with
  for (const Place& p : pattern.places()) {
    const auto [first, last] = std::minmax(place[p.row], place[p.column]);
    before[last].push_back(first);
  }
  std::vector<std::size_t> below(n);
  std::vector<Index> parent(n, none);
  std::vector<Index> seen(n, none);
  for (Index row = 0; row < n; ++row) {
    seen[row] = row;
    for (const Index first : before[row]) {
      for (Index k = first; seen[k] != row; k = parent[k]) {
        if (parent[k] == none) parent[k] = row;
        ++below[k];
        seen[k] = row;
      }
    }
  }
  return below;
}

Columns empty(std::size_t size) {
  Columns c;
  c.start.reserve(size + 1);
  c.start.push_back(0);
  return c;
}

void end_column(Columns& c) {
  c.start.push_back(static_cast<Index>(c.row.size()));
  c.value.resize(c.row.size());
}

std::span<const Index> rows_of(const Columns& c, std::size_t column) noexcept {
  return std::span(c.row).subspan(c.start[column], c.start[column + 1] - c.start[column]);
}

// Where the factors of a matrix may differ from zero, column by column: what is above the diagonal
// brings in what is below the diagonal of its own column.
class Fill {
 public:
  explicit Fill(std::size_t size) : lower(empty(size)), upper(empty(size)), seen_(size, none) {}

  void add(Index column, std::span<const Index> rows) {
    const std::size_t begin = lower.row.size();
    seen_[column] = column;
    for (const Index row : rows) meet(row, column);
    while (!above_.empty()) {
      const Index k = above_.top();
      above_.pop();
      upper.row.push_back(k);
      for (std::size_t e = lower.start[k]; e < lower.start[k + 1]; ++e) meet(lower.row[e], column);
    }
    std::sort(lower.row.begin() + static_cast<std::ptrdiff_t>(begin), lower.row.end());
    end_column(lower);
    end_column(upper);
  }

  Columns lower;
  Columns upper;

 private:
  static constexpr Index none = std::numeric_limits<Index>::max();

  void meet(Index row, Index column) {
    if (seen_[row] == column) return;
    seen_[row] = column;
    if (row < column) {
      above_.push(row);
    } else {
      lower.row.push_back(row);
    }
  }

  std::vector<Index> seen_;  // the last column that had each row
  std::priority_queue<Index, std::vector<Index>, std::greater<>> above_;  // the smallest first
};

// b -= column * times
inline void take_off(const Columns& c, std::size_t column, double times, double* b) noexcept {
  const Index* const row = c.row.data();
  const double* const value = c.value.data();
  for (std::size_t e = c.start[column]; e < c.start[column + 1]; ++e) {
    b[row[e]] -= value[e] * times;
  }
}

}  // namespace

SparseSystem::SparseSystem(const Pattern& pattern, std::size_t stages) : stages_(stages) {
  const Pattern all = of_all_stages(pattern, stages);
  order_ = order_of(all);
  std::vector<Index> place(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) place[order_[k]] = static_cast<Index>(k);

  matrix_ = empty(all.size());
  std::vector<Index> kept(all.entries());  // where an entry of `all` is
  Fill fill(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::size_t entry = all.first(order_[k]);
    for (const Index row : all.rows(order_[k])) {
      kept[entry++] = static_cast<Index>(matrix_.row.size());
      matrix_.row.push_back(place[row]);
    }
    end_column(matrix_);
    fill.add(static_cast<Index>(k), rows_of(matrix_, k));
  }
  lower_ = std::move(fill.lower);
  upper_ = std::move(fill.upper);

  for (std::size_t q = 0; q < stages; ++q) {
    for (std::size_t p = 0; p < stages; ++p) {
      for (const Place& e : pattern.places()) {
        block_.push_back(kept[all.find(e.row * stages + p, e.column * stages + q)]);
      }
    }
  }
  for (std::size_t k = 0; k < all.size(); ++k) diagonal_.push_back(kept[all.find(k, k)]);
  for (auto* v : {&inverse_, &column_, &right_, &left_, &size_}) v->resize(all.size());
}

std::size_t SparseSystem::work() const noexcept {
  std::size_t sum = lower_.row.size();
  for (const Index k : upper_.row) sum += lower_.start[k + 1] - lower_.start[k];
  return sum;
}

void SparseSystem::set_block(std::size_t p, std::size_t q, double factor,
                             std::span<const double> jacobian) noexcept {
  const bool ones = p == q;
  if (ones) {
    for (std::size_t k = p; k < size(); k += stages_) matrix_.value[diagonal_[k]] = 0;
  }
  const Index* const to = block_.data() + (q * stages_ + p) * jacobian.size();
  for (std::size_t e = 0; e < jacobian.size(); ++e) matrix_.value[to[e]] = factor * jacobian[e];
  if (ones) {
    for (std::size_t k = p; k < size(); k += stages_) matrix_.value[diagonal_[k]] += 1;
  }
}

// Column by column: what is left of each above gives what is to be taken off below.
bool SparseSystem::factorise() noexcept {
  double* const x = column_.data();
  bool good = true;
  for (std::size_t k = 0; k < size(); ++k) {
    for (std::size_t e = matrix_.start[k]; e < matrix_.start[k + 1]; ++e) {
      x[matrix_.row[e]] = matrix_.value[e];
    }
    for (std::size_t e = upper_.start[k]; e < upper_.start[k + 1]; ++e) {
      const Index row = upper_.row[e];
      const double u = x[row];
      x[row] = 0;
      upper_.value[e] = u;
      take_off(lower_, row, u, x);
    }
    const double inverse = 1 / x[k];
    good = good && detail::usable(x[k]) && std::isfinite(inverse);
    x[k] = 0;
    inverse_[k] = inverse;
    for (std::size_t e = lower_.start[k]; e < lower_.start[k + 1]; ++e) {
      lower_.value[e] = x[lower_.row[e]] * inverse;
      x[lower_.row[e]] = 0;
    }
  }
  return good;
}

void SparseSystem::substitute(std::span<double> x) const noexcept {
  for (std::size_t k = 0; k < size(); ++k) take_off(lower_, k, x[k], x.data());
  for (std::size_t k = size(); k-- > 0;) {
    x[k] *= inverse_[k];
    take_off(upper_, k, x[k], x.data());
  }
}

// Leaves right_ - M x in left_, and returns how large it is beside what it is made of, at most: the
// backward error of x (Oettli and Prager 1964). Not a number where x is not finite.
double SparseSystem::residual_of(std::span<const double> x) noexcept {
  double largest = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    left_[k] = right_[k];
    size_[k] = std::abs(right_[k]) + nothing;
    largest = std::max(largest, std::abs(x[k]));
  }
  const double least = part_of_largest * largest;
  for (std::size_t k = 0; k < size(); ++k) {
    for (std::size_t e = matrix_.start[k]; e < matrix_.start[k + 1]; ++e) {
      const double v = matrix_.value[e];
      left_[matrix_.row[e]] -= v * x[k];
      size_[matrix_.row[e]] += std::abs(v) * (std::abs(x[k]) + least);
    }
  }
  double error = 0;
  double zero = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    error = std::max(error, std::abs(left_[k]) / size_[k]);
    zero += 0 * left_[k];  // of what is not finite no zero
  }
  return error + zero;
}

void SparseSystem::solve(std::span<double> b) noexcept {
  if (!factorise()) return detail::fill_with_nan(b);
  std::span<double> x(column_);
  for (std::size_t k = 0; k < size(); ++k) right_[k] = x[k] = b[order_[k]];
  substitute(x);
  double error = residual_of(x);
  if (!(error <= some_roundings)) {
    substitute(left_);
    for (std::size_t k = 0; k < size(); ++k) x[k] += left_[k];
    error = residual_of(x);
  }
  const bool good = error <= too_wrong;
  for (std::size_t k = 0; k < size(); ++k) {
    b[order_[k]] = x[k];
    x[k] = 0;
  }
  if (!good) detail::fill_with_nan(b);
}

bool sparse_pays(const Pattern& pattern) {
  constexpr double worth = 16;
  const auto n = static_cast<double>(pattern.size());
  double work = n;
  for (const std::size_t below : columns_below(of_all_stages(pattern, 1))) {
    work += static_cast<double>(below * (below + 3));
  }
  return work < n * n * n / 3 / worth;
}

}  // namespace hild::numerics
