// SPDX-License-Identifier: Apache-2.0
#include "numerics/analysis/stability.hpp"

namespace hild::analysis {
namespace {

constexpr double rounding = 1e-12;  // of a root on the unit circle
constexpr double nearest = 0.1;     // where roots of high order still leave the circle visibly
constexpr double step = 0.005;
constexpr double fine_to = 50;  // no explicit method of eight passes reaches so far
constexpr double far = 1e6;

// From the nearest point along a direction to where stability ends.
struct Ray {
  const Roots& roots;
  Complex direction;

  [[nodiscard]] bool stable(double r) const { return roots.radius(direction * r) <= 1 + rounding; }
  [[nodiscard]] double between(double inside, double outside) const {
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (inside + outside);
      (stable(middle) ? inside : outside) = middle;
    }
    return inside;
  }
  // 0: unstable at once; infinite: stable throughout.
  [[nodiscard]] double end() const {
    if (!stable(nearest)) return 0;
    double r = nearest;
    while (r < far) {
      const double next = r < fine_to ? r + step : r * 1.1;
      if (!stable(next)) return between(r, next);
      r = next;
    }
    return HUGE_VAL;
  }
};

}  // namespace

StabilityLimits stability_limits(const Roots& roots) {
  StabilityLimits limits;
  const double left = Ray{roots, -1.0}.end();
  const double up = Ray{roots, Complex(0, 1)}.end();
  limits.real_unlimited = left == HUGE_VAL;
  limits.imaginary_unlimited = up == HUGE_VAL;
  if (left > 0 && !limits.real_unlimited) limits.real = -left;
  if (up > 0 && !limits.imaginary_unlimited) limits.imaginary = up;
  return limits;
}

}  // namespace hild::analysis
