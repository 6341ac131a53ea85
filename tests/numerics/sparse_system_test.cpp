// SPDX-License-Identifier: Apache-2.0
/// Patterns and sparse elimination, against Eigen and by hand.
#include "hild/numerics/sparse_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <cmath>
#include <random>

#include "hild/numerics/jacobian.hpp"
#include "support/plate.hpp"

namespace hild::numerics {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

TEST(Pattern, KeepsPlacesByColumnsAndRows) {
  const Pattern p(3, {{2, 0}, {0, 0}, {1, 2}, {2, 0}, {0, 1}});
  EXPECT_EQ(p.size(), 3U);
  EXPECT_EQ(p.entries(), 4U);
  EXPECT_EQ(p.find(0, 0), 0U);
  EXPECT_EQ(p.find(2, 0), 1U);
  EXPECT_EQ(p.find(0, 1), 2U);
  EXPECT_EQ(p.find(1, 2), 3U);
  EXPECT_EQ(p.find(1, 1), p.entries());
  EXPECT_EQ(p.find(1, 0), p.entries()) << "between two of its column";
  EXPECT_FALSE(p.outside());
  EXPECT_EQ(p.places(), (std::vector<Place>{{0, 0}, {2, 0}, {0, 1}, {1, 2}}));
}

TEST(Pattern, TellsAPlaceThatIsNoneOfTheMatrix) {
  const Pattern p(3, {{0, 0}, {3, 1}});
  EXPECT_EQ(p.outside(), (Place{3, 1}));
  EXPECT_EQ(p.entries(), 1U);
  EXPECT_EQ(Pattern(3, {{1, 3}}).outside(), (Place{1, 3}));
}

TEST(Pattern, ColoursColumnsThatShareNoRowAlike) {
  const auto colours = [](std::size_t n, std::vector<Place> places) {
    return Pattern(n, std::move(places)).colours();
  };
  EXPECT_EQ(Pattern().colours(), 0U);
  EXPECT_EQ(colours(3, {{0, 0}, {1, 1}, {2, 2}}), 1U);
  EXPECT_EQ(colours(3, {{0, 0}, {2, 0}, {1, 1}, {2, 1}, {2, 2}}), 3U);
  EXPECT_EQ(colours(3, {{0, 0}, {1, 0}}), 1U);
  const Pattern blocks(4, {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 2}, {3, 2}, {2, 3}, {3, 3}});
  ASSERT_EQ(blocks.colours(), 2U);
  EXPECT_EQ(std::vector(blocks.of_colour(0).begin(), blocks.of_colour(0).end()),
            (std::vector<Pattern::Index>{0, 2}));
  EXPECT_EQ(blocks.colour_of(3), 1U);
  EXPECT_EQ((Structure{.dense = false, .pattern = &blocks}).colours(4), 2U);
}

// No row twice in a colour, no column in two; a star of five cannot do with less than five.
TEST(Pattern, ColoursAPlate) {
  const Pattern p(400, hild::test::places_of_plate(20));
  EXPECT_GE(p.colours(), 5U);
  EXPECT_LE(p.colours(), 10U);
  std::size_t columns = 0;
  for (std::size_t c = 0; c < p.colours(); ++c) {
    std::vector<bool> seen(400);
    for (const auto k : p.of_colour(c)) {
      ++columns;
      EXPECT_EQ(p.colour_of(k), c);
      for (const auto row : p.rows(k)) {
        EXPECT_FALSE(seen[row]);
        seen[row] = true;
      }
    }
  }
  EXPECT_EQ(columns, 400U);
}

/// A pattern, and an element for each of its places.
struct Elements {
  explicit Elements(Pattern p) : pattern(std::move(p)) {}
  /// `each` places a row, anywhere.
  Elements(std::size_t n, std::size_t each, std::mt19937& random) {
    std::uniform_real_distribution<double> value(-1, 1);
    std::vector<Place> places;
    for (std::size_t i = 0; i < n * each; ++i) places.push_back({random() % n, random() % n});
    pattern = Pattern(n, places);
    for (std::size_t e = 0; e < pattern.entries(); ++e) values.push_back(value(random));
  }
  Pattern pattern;
  std::vector<double> values;
};

// (I - h A J) of interleaved stages.
Sparse as_eigen(const Elements& j, const Eigen::MatrixXd& a) {
  const auto stages = a.rows();
  const auto n = static_cast<Eigen::Index>(j.pattern.size()) * stages;
  std::vector<Eigen::Triplet<double>> all;
  const auto places = j.pattern.places();
  for (std::size_t e = 0; e < places.size(); ++e) {
    for (Eigen::Index p = 0; p < stages; ++p) {
      for (Eigen::Index q = 0; q < stages; ++q) {
        all.emplace_back(static_cast<Eigen::Index>(places[e].row) * stages + p,
                         static_cast<Eigen::Index>(places[e].column) * stages + q,
                         -a(p, q) * j.values[e]);
      }
    }
  }
  for (Eigen::Index k = 0; k < n; ++k) all.emplace_back(k, k, 1.0);
  Sparse m(n, n);
  m.setFromTriplets(all.begin(), all.end());
  return m;
}

void set(SparseSystem& system, const Elements& j, const Eigen::MatrixXd& a) {
  for (Eigen::Index p = 0; p < a.rows(); ++p) {
    for (Eigen::Index q = 0; q < a.rows(); ++q) {
      system.set_block(static_cast<std::size_t>(p), static_cast<std::size_t>(q), -a(p, q),
                       j.values);
    }
  }
}

// Matrices as far from the identity as steps of interest make them; the same system twice, so that
// nothing of the first solution is left.
TEST(SparseSystem, SolvesAsEigenDoes) {
  std::mt19937 random(3);
  for (const std::size_t n : {1U, 2U, 7U, 40U, 300U}) {
    for (const Eigen::Index stages : {1, 2}) {
      const Elements first(n, 3, random);
      SparseSystem system(first.pattern, static_cast<std::size_t>(stages));
      for (const double h : {0.01, 0.2}) {
        Elements j = first;
        for (double& v : j.values) v *= 1 + h;
        const Eigen::MatrixXd a = h * Eigen::MatrixXd::Random(stages, stages);
        const Sparse m = as_eigen(j, a);
        Eigen::SparseLU<Sparse> reference(m);
        ASSERT_EQ(reference.info(), Eigen::Success);
        Vector b = Vector::Random(m.rows());
        const Vector exact = reference.solve(b);
        set(system, j, a);
        ASSERT_EQ(system.size(), static_cast<std::size_t>(b.size()));
        system.solve(std::span(b.data(), system.size()));
        EXPECT_LT((b - exact).norm(), 1e-12 * exact.norm()) << n << ", " << stages << ", " << h;
      }
    }
  }
}

// A plate of pieces as stiff as one likes: the residual is a few roundings, and the factors have
// the n log n of a good order, where the order of rows takes n^1.5 for each: 2 * 50 * 2500.
TEST(SparseSystem, SolvesAPlate) {
  constexpr std::size_t width = 50;
  Elements j(Pattern(width * width, hild::test::places_of_plate(width)));
  for (const Place& p : j.pattern.places()) j.values.push_back(p.row == p.column ? -4 : 1);
  SparseSystem system(j.pattern, 1);
  EXPECT_LT(system.factor_entries(), 100'000U);
  for (const double h : {1e-3, 1.0, 1e6}) {
    const Eigen::MatrixXd a = Eigen::MatrixXd::Constant(1, 1, h);
    const Sparse m = as_eigen(j, a);
    const Vector b = Vector::Random(m.rows());
    Vector x = b;
    set(system, j, a);
    system.solve(std::span(x.data(), system.size()));
    const Vector left = b - m * x;
    EXPECT_LT(left.lpNorm<Eigen::Infinity>(),
              1e-13 * (8 * h * x.lpNorm<Eigen::Infinity>() + b.lpNorm<Eigen::Infinity>()));
  }
}

void expect_nan(SparseSystem& system, std::vector<double> b) {
  system.solve(b);
  for (const double v : b) EXPECT_TRUE(std::isnan(v));
}

TEST(SparseSystem, MakesEveryElementNaNWhereTheMatrixIsSingular) {
  const Pattern diagonal(4, {{0, 0}, {1, 1}, {2, 2}, {3, 3}});
  SparseSystem system(diagonal, 1);
  for (const double spoilt : {-1.0, std::nan(""), static_cast<double>(INFINITY)}) {
    for (std::size_t at = 0; at < 4; ++at) {
      std::vector<double> j(4, 1.0);
      j[at] = spoilt;
      system.set_block(0, 0, 1, j);
      expect_nan(system, {1, 1, 1, 1});
    }
  }
  // What was there before is gone.
  system.set_block(0, 0, 1, std::vector<double>(4, 1.0));
  std::vector<double> b{2, 4, 6, 8};
  system.solve(b);
  EXPECT_EQ(b, (std::vector<double>{1, 2, 3, 4}));
}

// Without an exchange of rows a small pivot makes the solution of {{1e-20, 1}, {1, 1}} x = {1, 2}
// 0 and 1 instead of 1 and 1: what is left of b tells. One a little larger is mended.
TEST(SparseSystem, DoesNotLetASmallPivotSpoilTheSolution) {
  const Pattern full(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const auto solved = [&](double pivot) {
    SparseSystem system(full, 1);
    system.set_block(0, 0, 1, std::vector{pivot - 1, 1.0, 1.0, 0.0});
    std::vector b{1.0, 2.0};
    system.solve(b);
    return b;
  };
  const auto x = solved(0x1p-53);
  const bool found = std::abs(x[0] - 1) < 1e-9 && std::abs(x[1] - 1) < 1e-9;
  EXPECT_TRUE(found || (std::isnan(x[0]) && std::isnan(x[1]))) << x[0] << " " << x[1];
  for (const double small : {0x1p-20, 0x1p-30}) {
    const auto mended = solved(small);
    EXPECT_NEAR(mended[0], 1 / (1 - small), 2e-12) << small;
    EXPECT_NEAR(mended[1], (1 - 2 * small) / (1 - small), 2e-12) << small;
  }
}

// Of a chain each column but the last has one element below its diagonal, 4 multiplications, and
// every column one more: n + 4 (n - 1) against n^3 / 48.
TEST(SparsePays, WhereFactorsAreASixteenthOfTheWork) {
  const auto chain = [](std::size_t n) {
    std::vector<Place> all;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      all.push_back({i, i + 1});
      all.push_back({i + 1, i});
    }
    return Pattern(n, all);
  };
  EXPECT_FALSE(sparse_pays(chain(15)));
  EXPECT_TRUE(sparse_pays(chain(16)));
  EXPECT_FALSE(sparse_pays(Pattern(0, {})));
}

// A hub on which all depend and which depends on all fills nothing when it comes last; where all
// depend on all there is nothing to save. Few entries may fill all the same: of a cyclic pattern of
// multiples 8 places a row are a dense matrix, almost.
TEST(SparsePays, SeesWhatIsFilled) {
  constexpr std::size_t n = 200;
  std::vector<Place> hub;
  std::vector<Place> full;
  std::vector<Place> scattered;
  for (std::size_t i = 0; i < n; ++i) {
    hub.push_back({0, i});
    hub.push_back({i, 0});
    for (std::size_t k = 0; k < n; ++k) full.push_back({i, k});
    for (const std::size_t by : {3U, 7U, 19U, 31U, 53U, 71U, 83U, 97U}) {
      scattered.push_back({i, (i * by + by) % n});
    }
  }
  EXPECT_TRUE(sparse_pays(Pattern(n, hub)));
  EXPECT_FALSE(sparse_pays(Pattern(n, full)));
  const Pattern few(n, scattered);
  EXPECT_LE(few.entries(), 8 * n);
  EXPECT_FALSE(sparse_pays(few));
}

}  // namespace
}  // namespace hild::numerics
