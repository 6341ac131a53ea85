// SPDX-License-Identifier: Apache-2.0
/// Dense, banded and tridiagonal elimination against Eigen and against each other.
#include "hild/numerics/linear_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <vector>

namespace hild::numerics {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Random elements inside a structure, some of them zero, the diagonal small: pivots are needed.
Matrix random_matrix(std::size_t n, const Structure& s, std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1);
  Matrix m = Matrix::Zero(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!s.inside(i, j) || random() % 5 == 0) continue;
      m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          value(random) * (i == j ? 1e-3 : 1);
    }
  }
  return m;
}

Vector solve(const Matrix& m, Vector b, const Structure& s) {
  const auto n = static_cast<std::size_t>(m.rows());
  LinearSystem<std::vector<double>> system(n, s);
  system.clear(n, s);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!s.inside(i, j)) continue;
      system.at(i, j, n, s) = m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
  }
  system.solve(n, s, std::span(b.data(), n));
  return b;
}

constexpr Structure structures[] = {dense,        tridiagonal,  banded(0, 0), banded(1, 0),
                                    banded(0, 1), banded(2, 1), banded(1, 3), banded(3, 3)};

// What an exact solver does too: the residual is some roundings of what it is made of.
TEST(LinearSystem, SolvesAsEigenDoes) {
  std::mt19937 random(1);
  int compared = 0;
  for (const Structure& s : structures) {
    for (std::size_t n = 1; n <= 40; ++n) {
      const Matrix m = random_matrix(n, s, random);
      const Vector b = Vector::Random(m.rows());
      const Eigen::FullPivLU<Matrix> reference(m);
      if (!reference.isInvertible() || reference.rcond() < 1e-8) continue;
      const Vector x = solve(m, b, s);
      const Vector exact = reference.solve(b);
      EXPECT_LT((x - exact).norm(), 1e-14 / reference.rcond() * exact.norm()) << n;
      ++compared;
    }
  }
  EXPECT_GT(compared, 60);
}

// Beyond what is eliminated column by column; of tiles that end anywhere, with parts that are zero.
TEST(LinearSystem, SolvesLargeOnesAsEigenDoes) {
  std::mt19937 random(4);
  for (const std::size_t n : {95U, 96U, 97U, 131U, 200U, 300U}) {
    for (const Structure& zero_beyond : {dense, banded(20, 40)}) {
      const Matrix m = random_matrix(n, zero_beyond, random);
      const Vector b = Vector::Random(m.rows());
      const Eigen::PartialPivLU<Matrix> reference(m);
      const Vector exact = reference.solve(b);
      const Vector x = solve(m, b, dense);
      EXPECT_LT((x - exact).norm(), 1e-13 / reference.rcond() * exact.norm()) << n;
      EXPECT_LT((m * x - b).norm(), 1e-12 * (m.norm() * x.norm() + b.norm())) << n;
    }
  }
}

TEST(LinearSystem, GivesTheSameWhateverStructureHoldsTheMatrix) {
  std::mt19937 random(2);
  for (std::size_t n = 2; n <= 30; ++n) {
    Matrix m = random_matrix(n, tridiagonal, random);
    m.diagonal().array() += 0.7;  // exchanges of rows are still frequent
    const Vector b = Vector::Random(m.rows());
    const Vector x = solve(m, b, dense);
    const double tolerance = 1e-14 / Eigen::FullPivLU<Matrix>(m).rcond() * x.norm();
    for (const Structure& s : {tridiagonal, banded(2, 1), banded(1, 3)}) {
      EXPECT_LT((solve(m, b, s) - x).norm(), tolerance) << n << " " << s.upper;
    }
  }
}

// By hand: without an exchange of rows the small pivot would leave x_0 = 0.
TEST(LinearSystem, ExchangesRowsBeforeItDividesByLittle) {
  Matrix m(2, 2);
  m << 1e-20, 1, 1, 1;
  Vector b(2);
  b << 1, 2;
  for (const Structure& s : {dense, tridiagonal, banded(1, 2)}) {
    const Vector x = solve(m, b, s);
    EXPECT_EQ(x[0], 1);
    EXPECT_EQ(x[1], 1);
  }
}

TEST(LinearSystem, MakesEveryElementNaNWhereTheMatrixIsSingular) {
  Matrix m = Matrix::Identity(5, 5);
  for (const double spoilt : {0.0, std::nan(""), static_cast<double>(INFINITY)}) {
    for (Eigen::Index at = 0; at < 5; ++at) {
      Matrix wrong = m;
      wrong(at, at) = spoilt;
      for (const Structure& s : structures) {
        const Vector x = solve(wrong, Vector::Ones(5), s);
        for (const double v : x) EXPECT_TRUE(std::isnan(v)) << spoilt << " at " << at;
      }
    }
  }
  Matrix large = Matrix::Identity(150, 150);
  large(140, 140) = 0;
  for (const double v : solve(large, Vector::Ones(150), dense)) EXPECT_TRUE(std::isnan(v));
}

}  // namespace
}  // namespace hild::numerics
