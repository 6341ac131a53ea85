// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lookup tables for models: values on the crossings of a grid of one to three axes, and what lies
/// between. Made while loading; looking up is real-time safe.
///
///     static inline const auto thrust = *model::Table<2>::make({speeds, angles}, values);
///     ...
///     const double f = thrust.value({x[speed], x[angle]}, near);   // near: a member of the model
///
/// Values are listed with the last axis fastest: value(i, j, k) = values[(i n_1 + j) n_2 + k].
/// Units are those of the points and the values given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "hild/core/result.hpp"

namespace hild::model {

/// What lies between the points.
enum class Between : std::uint8_t {
  linear,    ///< continuous; reproduces a + bx (and products over the axes)
  smooth,    ///< continuous slope; reproduces quadratics; may overshoot its points
  monotone,  ///< continuous slope; rises and falls only where its points do; one axis only
};
/// What lies beyond the first and the last point of an axis.
enum class Outside : std::uint8_t {
  clamp,        ///< the value at the edge, with slope 0
  extrapolate,  ///< straight on with the slope at the edge
};
/// How a table is read, the same along all of its axes.
struct TableOptions {
  Between between = Between::linear;  ///< between its points
  Outside outside = Outside::clamp;   ///< beyond them
};

/// The interval [points[i], points[i+1]) that holds x, among rising points, at least two; the first
/// one below them, the last one above. Looks at interval `near` and its neighbours first, then
/// halves what is left: at most 3 + ceil(log2(points - 1)) comparisons, and the result does not
/// depend on `near`. Real-time safe.
template <class Less = std::less<>>
[[nodiscard]] std::size_t find_interval(std::span<const double> points, double x, std::size_t near,
                                        Less less = {}) noexcept {
  const std::size_t last = points.size() - 2;
  std::size_t low = 0;
  std::size_t high = last;
  if (near > last) near = last;
  if (less(x, points[near])) {
    if (near == 0) return 0;
    if (!less(x, points[near - 1])) return near - 1;
    if (near == 1) return 0;
    high = near - 2;
  } else {
    if (near == last || less(x, points[near + 1])) return near;
    if (near + 1 == last || less(x, points[near + 2])) return near + 1;
    low = near + 2;
  }
  while (low < high) {
    const std::size_t middle = low + (high - low + 1) / 2;
    if (less(x, points[middle])) {
      high = middle - 1;
    } else {
      low = middle;
    }
  }
  return low;
}

/// The points of one axis, and how much each counts at a place between them.
class Axis {
 public:
  Axis() = default;
  /// Error: fewer than two points, not finite, not rising, closer together than 1e-100 or wider
  /// apart than 1e100.
  [[nodiscard]] static Result<Axis> make(std::span<const double> points);

  /// Points `first` ... `first + count - 1` count there, by weight; slopes are d weight / dx.
  struct Bracket {
    std::size_t first = 0;           ///< number of the first point that counts
    std::size_t count = 2;           ///< how many do, at most 4
    std::array<double, 4> weight{};  ///< of each; those beyond `count` are 0
    std::array<double, 4> slope{};   ///< d weight / dx, in 1 per unit of the points
  };
  /// `near` is where the search begins; it becomes where it ended. Real-time safe.
  [[nodiscard]] Bracket place(double x, TableOptions options, std::size_t& near) const noexcept;

  /// The points, rising; valid while the axis lives.
  [[nodiscard]] std::span<const double> points() const noexcept { return points_; }
  /// The interval of x: by one division where the points are equally spaced, else by search.
  [[nodiscard]] std::size_t interval(double x, std::size_t near) const noexcept;
  /// Whether the points are equally spaced, but for a part in a million of their spacing.
  [[nodiscard]] bool uniform() const noexcept { return per_unit_ > 0; }

 private:
  [[nodiscard]] Bracket linear_place(std::size_t i, double x) const noexcept;
  [[nodiscard]] Bracket smooth_place(std::size_t i, double x) const noexcept;

  std::vector<double> points_;
  double per_unit_ = 0;  ///< intervals a unit where equally spaced, else 0
};

namespace detail {
/// Slopes of the monotone cubic through the points (Fritsch and Butland).
[[nodiscard]] std::vector<double> monotone_slopes(std::span<const double> points,
                                                  std::span<const double> values);
[[nodiscard]] Result<void> check_values(std::span<const double> values, std::size_t expected,
                                        TableOptions options, std::size_t axes);
}  // namespace detail

/// A table of N axes, 1 ... 3. Looking up changes nothing in it, so that models and threads may
/// share one.
template <std::size_t N>
class Table {
  static_assert(N >= 1 && N <= 3);

 public:
  /// Where the last search ended, for each axis: the caller's, since a table may be shared. Start
  /// with {}. It changes what a lookup costs, never its result.
  using Near = std::array<std::size_t, N>;
  using Point = std::array<double, N>;  ///< a coordinate along each axis
  /// What a table says at a point.
  struct Sample {
    double value = 0;  ///< in the unit of the values
    Point slope{};     ///< derivative along each axis
  };

  /// Copies points and values. Error: an axis that has fewer than two points or does not rise, a
  /// number of values that is not the product of the points, a value that is not finite or beyond
  /// 1e100, monotone with more than one axis.
  [[nodiscard]] static Result<Table> make(const std::array<std::span<const double>, N>& axes,
                                          std::span<const double> values,
                                          TableOptions options = {}) {
    Table table;
    table.options_ = options;
    std::size_t expected = 1;
    for (std::size_t a = 0; a < N; ++a) {
      auto axis = Axis::make(axes[a]);
      if (!axis) return fail("axis {}: {}", a, axis.error().message);
      table.axes_[a] = std::move(*axis);
      expected *= axes[a].size();
    }
    if (auto good = detail::check_values(values, expected, options, N); !good) {
      return tl::make_unexpected(good.error());
    }
    table.values_.assign(values.begin(), values.end());
    if (options.between == Between::monotone) {
      table.slopes_ = detail::monotone_slopes(axes[0], values);
    }
    return table;
  }

  /// Real-time safe: the search, then at most 4^N products. NaN where a coordinate is NaN.
  [[nodiscard]] double value(const Point& x, Near& near) const noexcept {
    return sample(x, near).value;
  }
  /// The same with its slopes, at the same cost: value() is this one's.
  [[nodiscard]] Sample sample(const Point& x, Near& near) const noexcept;

 private:
  Table() = default;
  [[nodiscard]] Sample monotone_sample(double x, std::size_t& near) const noexcept;

  std::array<Axis, N> axes_;
  std::vector<double> values_;
  std::vector<double> slopes_;  ///< of the monotone cubic, at each point
  TableOptions options_;
};

extern template class Table<1>;
extern template class Table<2>;
extern template class Table<3>;

}  // namespace hild::model
