// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/modes.hpp"

#include <algorithm>

namespace hild::advise {
namespace {

constexpr double alike = 1e-3;

bool known(const std::vector<Complex>& modes, Complex lambda) {
  return std::ranges::any_of(
      modes, [&](Complex m) { return std::abs(m - lambda) <= alike * std::abs(lambda); });
}

}  // namespace

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
