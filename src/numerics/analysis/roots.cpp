// SPDX-License-Identifier: Apache-2.0
#include "numerics/analysis/roots.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

namespace hild::analysis {
namespace {

Complex evaluate(const std::vector<double>& p, Complex mu) {
  Complex sum = 0;
  for (std::size_t j = p.size(); j > 0; --j) sum = sum * mu + p[j - 1];
  return sum;
}

}  // namespace

Roots::Roots(const Characteristic& c) {
  for (const Polynomial& p : c.a) {
    auto& doubles = a_.emplace_back();
    for (const Exact& coefficient : p) doubles.push_back(coefficient.convert_to<double>());
  }
}

std::vector<Complex> Roots::at(Complex mu) const {
  const std::size_t n = a_.size() - 1;
  const Complex leading = evaluate(a_[0], mu);
  if (leading == 0.0) return {std::numeric_limits<double>::infinity()};
  if (n == 1) return {-evaluate(a_[1], mu) / leading};
  // The companion matrix.
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(size, size);
  for (Eigen::Index k = 0; k < size; ++k) {
    companion(0, k) = -evaluate(a_[static_cast<std::size_t>(k) + 1], mu) / leading;
    if (k > 0) companion(k, k - 1) = 1;
  }
  const Eigen::VectorXcd values = companion.eigenvalues();
  return {values.begin(), values.end()};
}

double Roots::radius(Complex mu) const {
  double largest = 0;
  for (const Complex z : at(mu)) largest = std::max(largest, std::abs(z));
  return largest;
}

Complex Roots::principal(Complex mu) const {
  const Complex wanted = std::exp(mu);
  const auto all = at(mu);
  return *std::ranges::min_element(all, {}, [&](Complex z) { return std::abs(z - wanted); });
}

Complex Roots::root_error(Complex mu) const { return std::log(principal(mu)) / mu - 1.0; }

}  // namespace hild::analysis
