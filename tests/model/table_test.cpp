// SPDX-License-Identifier: Apache-2.0
#include "hild/model/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace hild::test {
namespace {

using model::Between;
using model::find_interval;
using model::Outside;
using model::Table;
using ::testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const std::vector<double> uneven{-2, -1.5, 0.25, 1, 4};
const std::vector<double> even{0, 0.5, 1, 1.5, 2, 2.5};
const std::vector<double> few{1, 3, 10};

/// f on all crossings of the axes, the last fastest.
std::vector<double> on_grid(const std::vector<std::vector<double>>& axes,
                            const std::function<double(const std::vector<double>&)>& f) {
  std::vector<double> values;
  std::vector<std::size_t> at(axes.size(), 0);
  for (;;) {
    std::vector<double> x;
    for (std::size_t a = 0; a < axes.size(); ++a) x.push_back(axes[a][at[a]]);
    values.push_back(f(x));
    std::size_t a = axes.size();
    while (a > 0 && ++at[a - 1] == axes[a - 1].size()) at[--a] = 0;
    if (a == 0) return values;
  }
}

/// Places all over a range and beyond, none of them round.
std::vector<double> places(double from, double to) {
  std::vector<double> x;
  for (int i = 0; i <= 60; ++i) x.push_back(from + (to - from) * (i + 0.123) / 60.3);
  return x;
}

// ---- the search --------------------------------------------------------------------------------

struct CountingLess {
  int* count;
  bool operator()(double a, double b) const { return ++*count, a < b; }
};

TEST(Search, FindsTheIntervalWhereverItBeginsWithinItsBound) {
  for (const std::size_t n : {2U, 3U, 4U, 5U, 8U, 17U, 130U}) {
    std::vector<double> points;
    for (std::size_t i = 0; i < n; ++i) points.push_back(static_cast<double>(i * i));
    const int bound = 3 + static_cast<int>(std::ceil(std::log2(static_cast<double>(n - 1))));
    for (std::size_t i = 0; i < n; ++i) {
      for (const double x : {points[i] - 0.5, points[i], points[i] + 0.5}) {
        const auto above = std::upper_bound(points.begin(), points.end(), x) - points.begin();
        const auto expected = static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(above - 1, 0, static_cast<std::ptrdiff_t>(n) - 2));
        for (std::size_t near = 0; near <= n; ++near) {
          int count = 0;
          EXPECT_EQ(find_interval(points, x, near, CountingLess{&count}), expected)
              << x << " of " << n << " from " << near;
          EXPECT_LE(count, bound) << x << " of " << n << " from " << near;
        }
      }
    }
  }
}

TEST(Search, LooksAtTheIntervalItWasInAndItsNeighboursFirst) {
  std::vector<double> points(1000);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = std::sqrt(static_cast<double>(i));
  const double x = 0.5 * (points[500] + points[501]);
  for (const auto& [near, most] : {std::pair{500, 2}, {499, 3}, {501, 2}}) {
    int count = 0;
    EXPECT_EQ(find_interval(points, x, static_cast<std::size_t>(near), CountingLess{&count}), 500U);
    EXPECT_LE(count, most) << near;
  }
}

TEST(Search, OnEvenPointsNeedsNoneButItsCheck) {
  const auto axis = model::Axis::make(even);
  ASSERT_TRUE(axis);
  EXPECT_TRUE(axis->uniform());
  EXPECT_FALSE(model::Axis::make(uneven)->uniform());
  for (std::size_t i = 0; i + 1 < even.size(); ++i) {
    EXPECT_EQ(axis->interval(even[i], 0), i);
    EXPECT_EQ(axis->interval(std::nextafter(even[i + 1], 0), 0), i);
  }
}

// ---- what is reproduced ------------------------------------------------------------------------

TEST(Linear, ReproducesProductsOfStraightLines) {
  const auto f = [](double x, double y, double z) { return 2 - x + 3 * y * z - 0.5 * x * y * z; };
  const auto table = Table<3>::make(
      {uneven, even, few},
      on_grid({uneven, even, few}, [&](const auto& p) { return f(p[0], p[1], p[2]); }));
  ASSERT_TRUE(table);
  Table<3>::Near near{};
  for (const double x : places(-2, 4)) {
    for (const double y : places(0, 2.5)) {
      const double z = 1 + 9 * std::abs(std::sin(31 * x + 17 * y));
      const auto s = table->sample({x, y, z}, near);
      EXPECT_NEAR(s.value, f(x, y, z), 1e-12);
      EXPECT_NEAR(s.slope[0], -1 - 0.5 * y * z, 1e-11);
      EXPECT_NEAR(s.slope[1], 3 * z - 0.5 * x * z, 1e-11);
      EXPECT_NEAR(s.slope[2], 3 * y - 0.5 * x * y, 1e-11);
    }
  }
}

TEST(Smooth, ReproducesProductsOfQuadraticsWithTheirSlopes) {
  const auto px = [](double x) { return 1 - x + 0.3 * x * x; };
  const auto py = [](double y) { return 2 + y * y; };
  const auto pz = [](double z) { return 3 * z - 0.1 * z * z; };
  const auto table = Table<3>::make(
      {uneven, even, few},
      on_grid({uneven, even, few}, [&](const auto& p) { return px(p[0]) * py(p[1]) * pz(p[2]); }),
      {.between = Between::smooth});
  ASSERT_TRUE(table);
  Table<3>::Near near{};
  for (const double x : places(-2, 4)) {
    for (const double y : places(0, 2.5)) {
      const double z = 1 + 9 * std::abs(std::sin(31 * x + 17 * y));
      const auto s = table->sample({x, y, z}, near);
      EXPECT_NEAR(s.value, px(x) * py(y) * pz(z), 1e-10);
      EXPECT_NEAR(s.slope[0], (-1 + 0.6 * x) * py(y) * pz(z), 1e-9);
      EXPECT_NEAR(s.slope[1], px(x) * 2 * y * pz(z), 1e-9);
      EXPECT_NEAR(s.slope[2], px(x) * py(y) * (3 - 0.2 * z), 1e-9);
    }
  }
}

/// Values without any pattern.
double noise(double a, double b) { return std::sin(37 * a + 91 * b * b + 0.3); }

TEST(Smooth, GoesThroughItsPointsAndHasNoKink) {
  const auto values = on_grid({uneven, even}, [](const auto& p) { return noise(p[0], p[1]); });
  const auto table = Table<2>::make({uneven, even}, values, {.between = Between::smooth});
  ASSERT_TRUE(table);
  Table<2>::Near near{};
  for (std::size_t i = 1; i + 1 < uneven.size(); ++i) {
    for (const double y : places(0.01, 2.49)) {
      const double x = uneven[i];
      const auto before = table->sample({std::nextafter(x, -10), y}, near);
      const auto after = table->sample({x, y}, near);
      EXPECT_NEAR(before.value, after.value, 1e-12);
      EXPECT_NEAR(before.slope[0], after.slope[0], 1e-10);
      EXPECT_NEAR(before.slope[1], after.slope[1], 1e-10);
    }
    EXPECT_NEAR(table->value({uneven[i], even[3]}, near), noise(uneven[i], even[3]), 1e-15);
  }
}

TEST(Slope, IsTheDerivativeOfTheValue) {
  const auto values = on_grid({uneven}, [](const auto& p) { return noise(p[0], 0); });
  for (const auto between : {Between::linear, Between::smooth, Between::monotone}) {
    const auto table = Table<1>::make({uneven}, values, {.between = between});
    ASSERT_TRUE(table);
    Table<1>::Near near{};
    for (const double x : places(-1.99, 3.99)) {
      const double d = 1e-6;
      const double difference =
          (table->value({x + d}, near) - table->value({x - d}, near)) / (2 * d);
      EXPECT_NEAR(table->sample({x}, near).slope[0], difference, 1e-7) << x;
    }
  }
}

// ---- monotone ----------------------------------------------------------------------------------

TEST(Monotone, RisesWhereItsPointsRiseAndStaysBetweenThem) {
  const std::vector<double> points{0, 1, 2, 2.1, 3, 5, 6};
  const std::vector<double> values{0, 0, 0.1, 5, 5.001, 5.001, 9};
  const auto table = Table<1>::make({points}, values, {.between = Between::monotone});
  const auto smooth = Table<1>::make({points}, values, {.between = Between::smooth});
  ASSERT_TRUE(table && smooth);
  Table<1>::Near near{};
  double before = 0;
  bool smooth_overshoots = false;
  for (int i = 0; i <= 6000; ++i) {
    const double x = i * 1e-3;
    const auto s = table->sample({x}, near);
    EXPECT_GE(s.value, before - 1e-14) << x;
    EXPECT_GE(s.slope[0], -1e-12) << x;
    before = std::max(before, s.value);
    smooth_overshoots = smooth_overshoots || smooth->value({x}, near) < -1e-3;
  }
  EXPECT_TRUE(smooth_overshoots) << "these points do not tell the two apart";
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(table->value({points[i]}, near), values[i], 1e-14);
  }
}

TEST(Monotone, HasNoKinkAndIsFlatAtAPeak) {
  const std::vector<double> values{1, 4, 2, 3, 3.5};
  const auto table = Table<1>::make({uneven}, values, {.between = Between::monotone});
  ASSERT_TRUE(table);
  Table<1>::Near near{};
  for (std::size_t i = 1; i + 1 < uneven.size(); ++i) {
    const double before = table->sample({std::nextafter(uneven[i], -10)}, near).slope[0];
    const double after = table->sample({uneven[i]}, near).slope[0];
    EXPECT_NEAR(before, after, 1e-12);
    if (i <= 2) {
      EXPECT_NEAR(after, 0, 1e-12) << "a peak and a valley";
    }
  }
}

// Fritsch and Butland: a harmonic mean of 1 and 1/2, weighted by 2 h1 + h0 = 5 and h1 + 2 h0 = 4.
TEST(Monotone, HasTheSlopesOfFritschAndButland) {
  const std::vector<double> points{0, 1, 3};
  const std::vector<double> values{0, 1, 2};
  const auto table = Table<1>::make({points}, values, {.between = Between::monotone});
  Table<1>::Near near{};
  EXPECT_DOUBLE_EQ(table->sample({1}, near).slope[0], 9.0 / (5 / 1.0 + 4 / 0.5));
}

TEST(Monotone, ReproducesAStraightLine) {
  const auto values = on_grid({uneven}, [](const auto& p) { return 3 - 2 * p[0]; });
  const auto table = Table<1>::make({uneven}, values, {.between = Between::monotone});
  Table<1>::Near near{};
  for (const double x : places(-2, 4)) EXPECT_NEAR(table->value({x}, near), 3 - 2 * x, 1e-13);
}

// ---- outside, two points, NaN ------------------------------------------------------------------

TEST(Outside, HoldsTheEdgeOrGoesStraightOn) {
  const auto square = [](double x) { return x * x; };
  const auto values = on_grid({even}, [&](const auto& p) { return square(p[0]); });
  for (const auto between : {Between::linear, Between::smooth, Between::monotone}) {
    const auto held = Table<1>::make({even}, values, {between, Outside::clamp});
    const auto on = Table<1>::make({even}, values, {between, Outside::extrapolate});
    ASSERT_TRUE(held && on);
    Table<1>::Near near{};
    EXPECT_EQ(held->value({3.5}, near), square(2.5));
    EXPECT_EQ(held->sample({3.5}, near).slope[0], 0);
    EXPECT_EQ(held->value({-1}, near), 0);
    const double slope = on->sample({2.5}, near).slope[0];
    if (between == Between::linear) {
      EXPECT_NEAR(slope, (2.5 * 2.5 - 4) / 0.5, 1e-13);
    } else {
      EXPECT_NEAR(slope, 5, 1e-12);
    }
    EXPECT_NEAR(on->value({3.5}, near), 6.25 + slope, 1e-12);
    EXPECT_NEAR(on->sample({3.5}, near).slope[0], slope, 1e-12);
  }
}

// Outside along one axis only, the table is still what it is along the other.
TEST(Outside, IsAMatterOfEachAxis) {
  const auto f = [](double x, double y) { return x * x * y; };
  const auto values = on_grid({even, few}, [&](const auto& p) { return f(p[0], p[1]); });
  const auto table = Table<2>::make({even, few}, values, {Between::smooth, Outside::extrapolate});
  Table<2>::Near near{};
  for (const double y : places(1, 10)) {
    const auto s = table->sample({4.0, y}, near);
    EXPECT_NEAR(s.value, (6.25 + 5 * 1.5) * y, 1e-11);
    EXPECT_NEAR(s.slope[0], 5 * y, 1e-11);
    EXPECT_NEAR(s.slope[1], 6.25 + 5 * 1.5, 1e-11);
  }
}

TEST(Table, OfTwoPointsIsALine) {
  const std::vector<double> points{1, 3};
  const std::vector<double> values{10, 20};
  for (const auto between : {Between::linear, Between::smooth, Between::monotone}) {
    const auto table = Table<1>::make({points}, values, {.between = between});
    ASSERT_TRUE(table);
    Table<1>::Near near{};
    EXPECT_NEAR(table->value({1.5}, near), 12.5, 1e-13);
  }
}

TEST(Table, OfNothingKnownIsNothing) {
  const auto values = on_grid({even, few}, [](const auto& p) { return p[0] + p[1]; });
  for (const auto outside : {Outside::clamp, Outside::extrapolate}) {
    const auto table = Table<2>::make({even, few}, values, {Between::smooth, outside});
    Table<2>::Near near{};
    EXPECT_TRUE(std::isnan(table->value({nan, 2}, near)));
    EXPECT_TRUE(std::isnan(table->value({1, nan}, near)));
  }
}

// At the limits of what is accepted nothing overflows: neither a value nor a slope.
TEST(Table, OfTheLargestNumbersIsFinite) {
  for (const auto between : {Between::linear, Between::smooth, Between::monotone}) {
    for (const double far : {1e-100, 0.5e100}) {
      const std::vector<double> axis{-far, 0, far};
      const std::vector<double> values{-1e100, 1e100, -1e100};
      const auto table = Table<1>::make({axis}, values, {between, Outside::extrapolate});
      ASSERT_TRUE(table) << table.error().message;
      Table<1>::Near near{};
      for (const double x : {-far, -far / 3, 0.0, far / 7, far}) {
        const auto s = table->sample({x}, near);
        EXPECT_TRUE(std::isfinite(s.value) && std::isfinite(s.slope[0])) << far << " " << x;
      }
    }
  }
}

// ---- refused -----------------------------------------------------------------------------------

template <std::size_t N>
std::string problem(const std::array<std::vector<double>, N>& axes,
                    const std::vector<double>& values, model::TableOptions options = {}) {
  std::array<std::span<const double>, N> views;
  std::ranges::copy(axes, views.begin());
  const auto table = Table<N>::make(views, values, options);
  return table ? "" : table.error().message;
}

TEST(Table, RefusesWhatIsNone) {
  EXPECT_EQ(problem<1>({{{1}}}, {5}), "axis 0: found 1 points, expected at least 2");
  EXPECT_THAT(problem<2>({{{1, 2}, {1, 3, 3}}}, {1, 2, 3, 4, 5, 6}),
              HasSubstr("axis 1: point 2 (3) follows 3; points must rise"));
  EXPECT_THAT(problem<1>({{{1, nan}}}, {1, 2}), HasSubstr("axis 0: point 1 is nan"));
  EXPECT_THAT(problem<1>({{{0, 5e-324}}}, {1, 2}),
              HasSubstr("axis 0: point 1 (5e-324) follows 0; points must be 1e-100 apart"));
  EXPECT_THAT(problem<1>({{{-1e308, 1e308}}}, {1, 2}),
              HasSubstr("axis 0: found points from -1e+308 to 1e+308, expected a width of"));
  EXPECT_THAT(problem<1>({{{0, 1.1e100}}}, {1, 2}),
              HasSubstr("expected a width of at most 1e+100"));
  EXPECT_EQ(problem<1>({{{0, 1e100}}}, {1, 2}), "");
  EXPECT_THAT(problem<1>({{{0, 1}}}, {1, 1e308}), HasSubstr("value 1 is 1e+308, expected at most"));
  EXPECT_THAT(problem<2>({{{1, 2}, {1, 2, 3}}}, {1, 2, 3, 4, 5}),
              HasSubstr("found 5 values, expected 6"));
  EXPECT_THAT(problem<1>({{{1, 2}}}, {1, nan}), HasSubstr("value 1 is nan"));
  EXPECT_THAT(problem<2>({{{1, 2}, {1, 2}}}, {1, 2, 3, 4}, {.between = Between::monotone}),
              HasSubstr("a monotone table has one axis, found 2"));
}

}  // namespace
}  // namespace hild::test
