// SPDX-License-Identifier: Apache-2.0
/// \file
/// Howe's example: X' = Y, Y' = wn^2 (U - X) - 2 zeta wn Y with wn = 1/s and zeta = 1/4, driven by
/// a unit step of limited acceleration, 1/T^2 for T = 1.2 s and -1/T^2 for as long again (eq. 26,
/// 27).
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/explicit_step.hpp"

namespace hild::analysis {

inline double limited_step(double t) {
  constexpr double rise = 1.2;
  if (t <= 0) return 0;
  if (t < rise) return t * t / (2 * rise * rise);
  if (t < 2 * rise) return 1 - (2 * rise - t) * (2 * rise - t) / (2 * rise * rise);
  return 1;
}

inline std::array<double, 2> second_order(double t, double x, double y) {
  return {y, limited_step(t) - x - 0.5 * y};
}

/// X at multiples of 0.1 s / 3 up to 12 s, by RK-4 written out; the input's corners fall on steps.
inline const std::vector<double>& exact_response() {
  static const std::vector<double> all = [] {
    std::vector<double> x_at{0};
    std::array<double, 2> x{};
    constexpr int per_sample = 20;
    constexpr double h = 0.1 / 3 / per_sample;
    for (int n = 0; n < 360 * per_sample; ++n) {
      const double t = n * h;
      const auto at = [&](const std::array<double, 2>& k, double a, double dt) {
        return second_order(t + dt, x[0] + a * k[0], x[1] + a * k[1]);
      };
      const auto k1 = second_order(t, x[0], x[1]);
      const auto k2 = at(k1, h / 2, h / 2);
      const auto k3 = at(k2, h / 2, h / 2);
      const auto k4 = at(k3, h, h);
      for (std::size_t s = 0; s < 2; ++s) x[s] += h / 6 * (k1[s] + 2 * k2[s] + 2 * k3[s] + k4[s]);
      if ((n + 1) % per_sample == 0) x_at.push_back(x[0]);
    }
    return x_at;
  }();
  return all;
}

struct PeakErrors {
  double at_steps = 0;  ///< largest |X - exact| at the ends of steps
  /// Largest distance of the error at a pass from the line between the errors at the step's ends.
  double scatter = 0;
};

/// Over 12 s. At rest before t = 0, as Howe has it: the history is of zeros.
inline PeakErrors peak_errors(std::string_view name, Duration h) {
  numerics::ExplicitStep step{numerics::Static<2>{},
                              numerics::Chosen(*numerics::find_method(name))};
  PeakErrors worst;
  const auto miss = [](double t, double x) {
    if (t <= 0) return 0.0;
    const auto i = static_cast<std::size_t>(std::lround(t * 30));
    EXPECT_NEAR(t * 30, static_cast<double>(i), 1e-6);
    return x - exact_response().at(i);
  };
  double before = 0;
  for (SimTime t = SimTime{} - h * 4; t + h <= SimTime{} + 12_s; t += h) {
    std::array<double, numerics::max_passes> at_pass{};
    step.begin(t, h);
    const numerics::Method& active = step.active();
    for (int i = 0; i < active.passes; ++i) {
      const auto x = step.stage(i);
      at_pass[static_cast<std::size_t>(i)] = miss(step.time(i), x[0]);
      const auto dx = second_order(step.time(i), x[0], x[1]);
      std::copy(dx.begin(), dx.end(), step.derivative(i).begin());
    }
    step.finish();
    const double after = miss(seconds(t + h), step.state()[0]);
    worst.at_steps = std::max(worst.at_steps, std::abs(after));
    for (int i = 1; i < active.passes; ++i) {
      const double line = before + active.node(i).value() * (after - before);
      const double off = at_pass[static_cast<std::size_t>(i)] - line;
      worst.scatter = std::max(worst.scatter, std::abs(off));
    }
    before = after;
  }
  return worst;
}

}  // namespace hild::analysis
