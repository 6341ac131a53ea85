// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/modes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "config/plan/model_checks.hpp"
#include "offline/advise/krylov.hpp"

namespace hild::advise {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double without_rounding(double part, double largest) {
  return std::abs(part) <= rounded_part * largest ? 0.0 : part;
}

// Of real columns of eigenvectors P and the rows of its inverse Q, where a pair of modes has one
// for the real and one for the imaginary part: v = p_i + j p_i+1 and w = (q_i - j q_i+1) / 2.
class Shares {
 public:
  explicit Shares(const Eigen::EigenSolver<Eigen::MatrixXd>& solver)
      : values_(solver.eigenvalues()), p_(solver.pseudoEigenvectors()), q_(p_.inverse()) {}

  // |v_k w_k| for each state k, 1 in sum; of v alone where P has no inverse.
  [[nodiscard]] std::vector<double> of(Eigen::Index i) const {
    const Eigen::Index first = values_[i].imag() < 0 ? i - 1 : i;
    const bool pair = values_[i].imag() != 0;
    Eigen::ArrayXcd v = p_.col(first).cast<Complex>();
    Eigen::ArrayXcd w = q_.row(first).transpose().cast<Complex>();
    if (pair) {
      v += Complex(0, 1) * p_.col(first + 1).array().cast<Complex>();
      w -= Complex(0, 1) * q_.row(first + 1).transpose().array().cast<Complex>();
    }
    Eigen::ArrayXd share = (v * w).abs();
    if (!share.allFinite() || !(share.sum() > 0)) share = v.abs2();
    share /= share.sum();
    return {share.begin(), share.end()};
  }

 private:
  Eigen::VectorXcd values_;
  Eigen::MatrixXd p_;
  Eigen::MatrixXd q_;
};

bool known(const std::vector<Complex>& modes, Complex lambda) {
  return std::ranges::any_of(
      modes, [&](Complex m) { return std::abs(m - lambda) <= alike * std::abs(lambda); });
}

}  // namespace

Spectrum spectrum(std::span<const double> jacobian, std::size_t n) {
  Spectrum s;
  if (n == 0) return s;
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(
      Eigen::MatrixXd(Eigen::Map<const RowMajor>(jacobian.data(), size, size)));
  const auto& values = solver.eigenvalues();
  const Shares shares(solver);

  std::vector<Eigen::Index> order(n);
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::stable_sort(order, std::greater(), [&](auto i) { return std::abs(values[i]); });
  const double largest = std::abs(values[order.front()]);
  for (const auto i : order) {
    s.lambda.emplace_back(without_rounding(values[i].real(), largest),
                          without_rounding(values[i].imag(), largest));
    s.share.push_back(shares.of(i));
  }
  return s;
}

Spectrum spectrum(const SparseMatrix& jacobian) {
  const auto n = static_cast<std::size_t>(jacobian.rows());
  if (n > most_of_all_modes) {
    if (Spectrum edges = edges_of_spectrum(jacobian); !edges.lambda.empty()) return edges;
  }
  const RowMajor rows(jacobian);
  return spectrum(std::span(rows.data(), n * n), n);
}

bool finite(const SparseMatrix& jacobian) {
  return std::all_of(jacobian.valuePtr(), jacobian.valuePtr() + jacobian.nonZeros(),
                     [](double v) { return std::isfinite(v); });
}

SparseMatrix jacobian_of(model::System& system, double t, std::span<const double> x,
                         std::span<const double> u) {
  const std::size_t n = x.size();
  const numerics::Structure& structure = system.description().structure;
  std::vector<double> values(structure.room(n));
  const numerics::Jacobian j(values.data(), n, structure);
  if (!system.jacobian(t, x, u, j)) {
    const auto rows = plan::differences_of(system, t, x, u);
    const auto size = static_cast<Eigen::Index>(n);
    return Eigen::Map<const RowMajor>(rows.data(), size, size).sparseView();
  }
  SparseMatrix all(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  for (std::size_t k = 0; k < n; ++k) {
    all.startVec(static_cast<Eigen::Index>(k));
    const double* from = j.column(k).data();
    structure.each_row(k, n, [&](std::size_t i) {
      const double value = *from++;
      if (value == 0) return;
      all.insertBack(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = value;
    });
  }
  all.finalize();
  return all;
}

std::vector<double> input_jacobian_of(model::System& system, double t, std::span<const double> x,
                                      std::span<const double> u) {
  std::vector<double> all(x.size() * u.size());
  std::vector<double> moved(u.begin(), u.end());
  std::vector<double> above(x.size());
  std::vector<double> below(x.size());
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double by = 1e-6 * std::max(1.0, std::abs(u[k]));
    moved[k] = u[k] + by;
    system.derivatives(t, x, moved, above);
    moved[k] = u[k] - by;
    system.derivatives(t, x, moved, below);
    moved[k] = u[k];
    for (std::size_t i = 0; i < x.size(); ++i) {
      all[i * u.size() + k] = (above[i] - below[i]) / (2 * by);
    }
  }
  return all;
}

std::vector<Complex> leading_of(std::span<const Complex> lambda) {
  constexpr double alike_direction = 1e-5;  // rad
  std::vector<Complex> all;
  std::unordered_set<std::int64_t> seen;
  for (const Complex l : lambda) {
    if (seen.insert(std::llround(std::arg(l) / alike_direction)).second) all.push_back(l);
  }
  return all;
}

Modes modes_of(std::span<const Spectrum> points) {
  Modes m;
  double least_real = 0;
  double most_real = 0;
  for (const Spectrum& point : points) {
    for (const Complex lambda : point.lambda) {
      const double size = std::abs(lambda);
      if (size == 0 || lambda.imag() < 0) continue;
      m.fastest = std::max(m.fastest, size);
      m.slowest = m.slowest > 0 ? std::min(m.slowest, size) : size;
      m.grows = m.grows || lambda.real() > 0;
      if (lambda.imag() > 0) {
        const double damping = -lambda.real() / size;
        m.least_damping = std::min(m.least_damping.value_or(damping), damping);
      }
      if (lambda.real() < 0) {
        most_real = std::max(most_real, -lambda.real());
        least_real = least_real > 0 ? std::min(least_real, -lambda.real()) : -lambda.real();
      }
      if (!known(m.distinct, lambda)) m.distinct.push_back(lambda);
    }
  }
  if (least_real > 0) m.stiffness = most_real / least_real;
  std::ranges::stable_sort(m.distinct, std::greater(), [](Complex z) { return std::abs(z); });
  return m;
}

}  // namespace hild::advise
