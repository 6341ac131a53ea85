// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/modes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <numeric>

#include "config/plan/model_checks.hpp"

namespace hild::advise {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double rounded_part = 1e-13;  // of the largest eigenvalue

double without_rounding(double part, double largest) {
  return std::abs(part) <= rounded_part * largest ? 0.0 : part;
}

// Column i of V with row i of its inverse; the column alone where V has no inverse.
std::vector<double> shares(const Eigen::MatrixXcd& v, const Eigen::MatrixXcd& w, Eigen::Index i) {
  Eigen::VectorXd of_state = v.col(i).cwiseProduct(w.row(i).transpose()).cwiseAbs();
  if (!of_state.allFinite() || !(of_state.sum() > 0)) of_state = v.col(i).cwiseAbs2();
  of_state /= of_state.sum();
  return {of_state.begin(), of_state.end()};
}

constexpr double alike = 1e-3;

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
  const Eigen::MatrixXcd v = solver.eigenvectors();
  const Eigen::MatrixXcd w = v.inverse();

  std::vector<Eigen::Index> order(n);
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::stable_sort(order, std::greater(), [&](auto i) { return std::abs(values[i]); });
  const double largest = std::abs(values[order.front()]);
  for (const auto i : order) {
    s.lambda.emplace_back(without_rounding(values[i].real(), largest),
                          without_rounding(values[i].imag(), largest));
    s.share.push_back(shares(v, w, i));
  }
  return s;
}

std::vector<double> jacobian_of(model::System& system, double t, std::span<const double> x,
                                std::span<const double> u) {
  std::vector<double> j(x.size() * x.size());
  return system.jacobian(t, x, u, j) ? j : plan::differences_of(system, t, x, u).values;
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
