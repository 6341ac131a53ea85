// SPDX-License-Identifier: Apache-2.0
#include "hild/model/table.hpp"

#include <algorithm>
#include <cmath>

namespace hild::model {
namespace {

// Within these, squares of distances, slopes and what is made of them are doubles.
constexpr double closest = 1e-100;
constexpr double widest = 1e100;
constexpr double largest_value = 1e100;

// The cubic with given values and slopes at the ends of an interval, as weights of those four.
struct Hermite {
  std::array<double, 2> value, slope;      // at x
  std::array<double, 2> d_value, d_slope;  // their derivatives
};

Hermite hermite(double h, double s) noexcept {
  const double r = 1 - s;
  return {{r * r * (1 + 2 * s), s * s * (1 + 2 * r)},
          {h * s * r * r, -h * s * s * r},
          {-6 * s * r / h, 6 * s * r / h},
          {r * (r - 2 * s), s * (s - 2 * r)}};
}

// The slope at a point as weights of the values at points p0 < p1 < p2, by the parabola through
// them.
std::array<double, 3> parabola_slope(double p0, double p1, double p2, double at) noexcept {
  return {((at - p1) + (at - p2)) / ((p0 - p1) * (p0 - p2)),
          ((at - p0) + (at - p2)) / ((p1 - p0) * (p1 - p2)),
          ((at - p0) + (at - p1)) / ((p2 - p0) * (p2 - p1))};
}

// Where x lies beyond the edge: straight on with the slope there, or not at all.
void leave(Axis::Bracket& p, double beyond, Outside outside) noexcept {
  for (std::size_t k = 0; k < p.count; ++k) {
    if (outside == Outside::extrapolate) {
      p.weight[k] += beyond * p.slope[k];
    } else {
      p.slope[k] = 0;
    }
  }
}

// One end of a monotone cubic: the parabola's slope, without leaving the direction of the points.
double end_slope(double h0, double h1, double d0, double d1) {
  const double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (slope * d0 <= 0) return 0;
  if (d0 * d1 <= 0 && std::abs(slope) > 3 * std::abs(d0)) return 3 * d0;
  return slope;
}

}  // namespace

Result<Axis> Axis::make(std::span<const double> points) {
  if (points.size() < 2) return fail("found {} points, expected at least 2", points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points[i])) return fail("point {} is {}", i, points[i]);
    if (i == 0) continue;
    if (!(points[i] > points[i - 1])) {
      return fail("point {} ({}) follows {}; points must rise", i, points[i], points[i - 1]);
    }
    if (!(points[i] - points[i - 1] >= closest)) {
      return fail("point {} ({}) follows {}; points must be {} apart", i, points[i], points[i - 1],
                  closest);
    }
  }
  if (!(points.back() - points.front() <= widest)) {
    return fail("found points from {} to {}, expected a width of at most {}", points.front(),
                points.back(), widest);
  }
  Axis axis;
  axis.points_.assign(points.begin(), points.end());
  const auto intervals = static_cast<double>(points.size() - 1);
  const double spacing = (points.back() - points.front()) / intervals;
  bool even = std::isfinite(spacing);
  for (std::size_t i = 1; i < points.size() && even; ++i) {
    even = std::abs(points[i] - points[i - 1] - spacing) <= 1e-6 * spacing;
  }
  if (even) axis.per_unit_ = 1 / spacing;
  return axis;
}

std::size_t Axis::interval(double x, std::size_t near) const noexcept {
  if (uniform()) {
    // One beside it at most, by rounding, and then a neighbour is looked at first.
    const double guess = (x - points_.front()) * per_unit_;
    const auto last = static_cast<double>(points_.size() - 2);
    near = guess > 0 ? static_cast<std::size_t>(std::min(guess, last)) : 0;
  }
  return find_interval(points_, x, near);
}

Axis::Bracket Axis::linear_place(std::size_t i, double x) const noexcept {
  const double h = points_[i + 1] - points_[i];
  const double s = (x - points_[i]) / h;
  return {i, 2, {1 - s, s}, {-1 / h, 1 / h}};
}

// A cubic between two points, whose slopes at them are those of parabolas through three.
Axis::Bracket Axis::smooth_place(std::size_t i, double x) const noexcept {
  const std::size_t n = points_.size();
  if (n == 2) return linear_place(i, x);
  const double h = points_[i + 1] - points_[i];
  const Hermite c = hermite(h, (x - points_[i]) / h);
  Bracket p;
  p.first = i == 0 ? 0 : i - 1;
  p.count = std::min(n, i + 3) - p.first;
  for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
    const std::size_t point = i + end;
    p.weight[point - p.first] += c.value[end];
    p.slope[point - p.first] += c.d_value[end];
    const std::size_t left = std::min(point == 0 ? 0 : point - 1, n - 3);
    const auto w =
        parabola_slope(points_[left], points_[left + 1], points_[left + 2], points_[point]);
    for (std::size_t k = 0; k < 3; ++k) {
      p.weight[left + k - p.first] += c.slope[end] * w[k];
      p.slope[left + k - p.first] += c.d_slope[end] * w[k];
    }
  }
  return p;
}

Axis::Bracket Axis::place(double x, TableOptions options, std::size_t& near) const noexcept {
  const double inside = std::clamp(x, points_.front(), points_.back());
  near = interval(inside, near);
  Bracket p =
      options.between == Between::linear ? linear_place(near, inside) : smooth_place(near, inside);
  if (x != inside) leave(p, x - inside, options.outside);
  return p;
}

namespace detail {

std::vector<double> monotone_slopes(std::span<const double> points,
                                    std::span<const double> values) {
  const std::size_t n = points.size();
  std::vector<double> h(n - 1);
  std::vector<double> d(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = points[i + 1] - points[i];
    d[i] = (values[i + 1] - values[i]) / h[i];
  }
  if (n == 2) return {d[0], d[0]};
  std::vector<double> slope(n, 0.0);
  slope[0] = end_slope(h[0], h[1], d[0], d[1]);
  slope[n - 1] = end_slope(h[n - 2], h[n - 3], d[n - 2], d[n - 3]);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (d[i - 1] * d[i] <= 0) continue;
    const double w0 = 2 * h[i] + h[i - 1];
    const double w1 = h[i] + 2 * h[i - 1];
    slope[i] = (w0 + w1) / (w0 / d[i - 1] + w1 / d[i]);
  }
  return slope;
}

Result<void> check_values(std::span<const double> values, std::size_t expected,
                          TableOptions options, std::size_t axes) {
  if (values.size() != expected) {
    return fail("found {} values, expected {}: one for each crossing of the axes", values.size(),
                expected);
  }
  const auto bad =
      std::ranges::find_if_not(values, [](double v) { return std::abs(v) <= largest_value; });
  if (bad != values.end()) {
    return fail("value {} is {}, expected at most {} on either side of 0", bad - values.begin(),
                *bad, largest_value);
  }
  if (options.between == Between::monotone && axes != 1) {
    return fail("a monotone table has one axis, found {}; use smooth or linear", axes);
  }
  return {};
}

}  // namespace detail

template <std::size_t N>
auto Table<N>::monotone_sample(double x, std::size_t& near) const noexcept -> Sample {
  const auto points = axes_[0].points();
  const double inside = std::clamp(x, points.front(), points.back());
  const std::size_t i = near = axes_[0].interval(inside, near);
  const double h = points[i + 1] - points[i];
  const Hermite c = hermite(h, (inside - points[i]) / h);
  Sample s;
  for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
    s.value += c.value[end] * values_[i + end] + c.slope[end] * slopes_[i + end];
    s.slope[0] += c.d_value[end] * values_[i + end] + c.d_slope[end] * slopes_[i + end];
  }
  if (x == inside) return s;
  if (options_.outside == Outside::extrapolate) {
    s.value += (x - inside) * s.slope[0];
  } else {
    s.slope[0] = 0;
  }
  return s;
}

template <std::size_t N>
auto Table<N>::sample(const Point& x, Near& near) const noexcept -> Sample {
  if (options_.between == Between::monotone) return monotone_sample(x[0], near[0]);
  // Axes that a table has not are a single point that counts whole.
  std::array<Axis::Bracket, 3> place;
  std::array<std::size_t, 3> size{1, 1, 1};
  for (std::size_t a = 0; a < 3 - N; ++a) place[a] = {0, 1, {1}, {0}};
  for (std::size_t a = 0; a < N; ++a) {
    place[3 - N + a] = axes_[a].place(x[a], options_, near[a]);
    size[3 - N + a] = axes_[a].points().size();
  }
  const auto& [p, q, r] = place;
  Sample s;
  std::array<double, 3> slope{};
  for (std::size_t i = 0; i < p.count; ++i) {
    for (std::size_t j = 0; j < q.count; ++j) {
      const std::size_t row = ((p.first + i) * size[1] + q.first + j) * size[2] + r.first;
      double along = 0;
      double along_slope = 0;
      for (std::size_t k = 0; k < r.count; ++k) {
        along += r.weight[k] * values_[row + k];
        along_slope += r.slope[k] * values_[row + k];
      }
      s.value += p.weight[i] * q.weight[j] * along;
      slope[0] += p.slope[i] * q.weight[j] * along;
      slope[1] += p.weight[i] * q.slope[j] * along;
      slope[2] += p.weight[i] * q.weight[j] * along_slope;
    }
  }
  std::copy_n(slope.begin() + (3 - N), N, s.slope.begin());
  return s;
}

template class Table<1>;
template class Table<2>;
template class Table<3>;

}  // namespace hild::model
