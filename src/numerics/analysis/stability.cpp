// SPDX-License-Identifier: Apache-2.0
#include "numerics/analysis/stability.hpp"

namespace hild::analysis {
namespace {

constexpr double rounding = 1e-12;  // of a root on the unit circle
constexpr double nearest = 0.1;     // where roots of high order still leave the circle visibly
constexpr double step = 0.005;
constexpr double fine_to = 8;  // of explicit methods of eight passes only the real axis goes beyond
constexpr double far = 1e6;

// Along a direction, from the nearest point outwards.
struct Ray {
  const Roots& roots;
  Complex direction;

  [[nodiscard]] bool stable(double r) const { return roots.radius(direction * r) <= 1 + rounding; }
  // The last stable point towards `outside`.
  [[nodiscard]] double between(double inside, double outside) const {
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (inside + outside);
      (stable(middle) ? inside : outside) = middle;
    }
    return inside;
  }
  // What is stable is followed to its end; what is not, as far as explicit methods may come back.
  [[nodiscard]] AxisStability walk() const {
    AxisStability all;
    double r = nearest;
    bool inside = stable(r);
    if (inside) all.stretches.push_back({0, HUGE_VAL});
    while (r < (inside ? far : fine_to)) {
      const double next = r < fine_to ? r + step : r * 1.1;
      if (stable(next) != inside) {
        if (inside) {
          all.stretches.back().to = between(r, next);
        } else {
          all.stretches.push_back({between(next, r), HUGE_VAL});
        }
        inside = !inside;
      }
      r = next;
    }
    return all;
  }
};

}  // namespace

std::optional<double> AxisStability::end() const {
  if (stretches.empty() || stretches.front().from > 0 || unlimited()) return std::nullopt;
  return stretches.front().to;
}

bool AxisStability::unlimited() const {
  return !stretches.empty() && stretches.front().from == 0 && stretches.front().to == HUGE_VAL;
}

StabilityLimits stability_limits(const Roots& roots) {
  return {Ray{roots, -1.0}.walk(), Ray{roots, Complex(0, 1)}.walk()};
}

}  // namespace hild::analysis
