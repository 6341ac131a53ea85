// SPDX-License-Identifier: Apache-2.0
#include "exec/crossing.hpp"

#include <algorithm>
#include <array>

namespace hild::exec {

double regula_falsi(double g0, double g1) noexcept {
  const double difference = g0 - g1;
  return difference == 0 ? 1.0 : std::clamp(g0 / difference, 0.0, 1.0);
}

double cubic_root(double g0, double g_third, double g_two_thirds, double g1) noexcept {
  // Newton's form on the nodes 0, 1/3, 2/3, 1.
  const double d1 = 3 * (g_third - g0);
  const double d2 = 4.5 * (g_two_thirds - 2 * g_third + g0);
  const double d3 = 4.5 * (g1 - 3 * g_two_thirds + 3 * g_third - g0);
  const auto g = [&](double s) {
    return g0 + s * (d1 + (s - 1.0 / 3) * (d2 + (s - 2.0 / 3) * d3));
  };

  // The first third in which the sign changes.
  const std::array<double, 4> value{g0, g_third, g_two_thirds, g1};
  const bool below = g0 < 0;
  std::size_t end = 1;
  while (end < 3 && (value[end] < 0) == below && value[end] != 0) ++end;
  double low = static_cast<double>(end - 1) / 3;
  double high = static_cast<double>(end) / 3;

  // Halving the bracket of a scalar polynomial, always as often as a double can tell apart.
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    ((g(middle) < 0) == below ? low : high) = middle;
  }
  return high;
}

void hermite(double theta, double h, std::span<const double> x0, std::span<const double> f0,
             std::span<const double> x1, std::span<const double> f1, std::span<double> x) noexcept {
  const double s = theta;
  const double r = 1 - s;
  const double a = r * r * (1 + 2 * s);
  const double b = s * s * (1 + 2 * r);
  const double c = h * s * r * r;
  const double d = -h * s * s * r;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = a * x0[i] + b * x1[i] + c * f0[i] + d * f1[i];
}

}  // namespace hild::exec
