// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <numeric>

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
  const std::size_t n = x.size();
  std::vector<double> j(n * n);
  if (system.jacobian(t, x, u, j)) return j;
  std::vector<double> moved(x.begin(), x.end());
  std::vector<double> above(n);
  std::vector<double> below(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double by = 0x1p-17 * std::max(std::abs(x[k]), 1e-3);
    moved[k] = x[k] + by;
    system.derivatives(t, moved, u, above);
    moved[k] = x[k] - by;
    system.derivatives(t, moved, u, below);
    moved[k] = x[k];
    for (std::size_t i = 0; i < n; ++i) j[i * n + k] = (above[i] - below[i]) / (2 * by);
  }
  return j;
}

}  // namespace hild::advise
