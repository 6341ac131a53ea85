// SPDX-License-Identifier: Apache-2.0
/// \file
/// A fast and a slow state that drive each other, with an exact solution, an event and rates.
#pragma once

#include <array>
#include <cmath>

#include "exec/fakes.hpp"
#include "hild/numerics/methods/stiff.hpp"

namespace hild::testing {

/// x' = -8x + y + u + cos t, y' = x - y. The slow state jumps when it rises through the level.
struct Partitioned {
  static constexpr std::string_view name = "partitioned";
  static constexpr std::string_view summary = "a fast state and a slow one";
  static constexpr std::array states{model::State{"x", "1", 1.0}, model::State{"y"}};
  static constexpr std::array<std::string_view, 1> fast_state{"x"};
  static constexpr std::array<std::string_view, 1> slow_state{"y"};
  static constexpr std::array partitions{model::Partition{"fast", fast_state},
                                         model::Partition{"slow", slow_state}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"x"}, model::Output{"y"}};
  static constexpr std::array parameters{model::Parameter{"level", "1", 1e9}};
  static constexpr std::array events{model::Event{"level", model::Crossing::rising}};
  static constexpr double jump = 0.25;
  using D = model::Data<Partitioned>;

  static double fast(double t, double x, double y, double u) noexcept {
    return -8 * x + y + u + std::cos(t);
  }
  static double slow(double x, double y) noexcept { return x - y; }

  static void derivatives(double t, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    derivatives_of(0, 2, t, x, u, p, dx);
  }
  static void derivatives_of(std::size_t first, std::size_t last, double t, D::X x, D::U u, D::P,
                             D::DX dx) noexcept {
    if (first == 0) dx[0] = fast(t, x[0], x[1], u[0]);
    if (last == 2) dx[1] = slow(x[0], x[1]);
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept {
    y[0] = x[0];
    y[1] = x[1];
  }
  static void event_functions(double, D::X x, D::U, D::P p, std::span<double, 1> g) noexcept {
    g[0] = x[1] - p[0];
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept { x[1] += jump; }
};

/// The input under which x = sin t + cos t, y = sin t.
inline double driving(double t) { return 8 * std::cos(t) + 6 * std::sin(t); }
inline std::array<double, 2> exact_solution(double t) {
  return {std::sin(t) + std::cos(t), std::sin(t)};
}
/// The same after the slow state jumped: plus the solution without input from (0, jump), by the
/// exponential of a matrix A of two rows, exp(m t) (cosh(s t) I + sinh(s t) / s (A - m I)).
inline std::array<double, 2> after_jump(double t, double jumped) {
  const double m = -4.5;
  const double s = std::sqrt(13.25);
  const double since = t - jumped;
  const double a = Partitioned::jump * std::exp(m * since) * std::cosh(s * since);
  const double b = Partitioned::jump * std::exp(m * since) * std::sinh(s * since) / s;
  const auto smooth = exact_solution(t);
  return {smooth[0] + b, smooth[1] + a + b * (-1 - m)};
}

inline constexpr int fast_steps = 4;  ///< in a frame
inline constexpr model::Multirate held =
    model::by_rates({{&numerics::forward_euler, fast_steps}, {&numerics::forward_euler, 1}});
inline constexpr model::Multirate carried_on = model::by_rates(
    {{&numerics::ab2, fast_steps}, {&numerics::ab2, 1}}, model::Interface::extrapolate);
inline constexpr model::Multirate mixed =
    model::by_rates({{&numerics::backward_euler, fast_steps}, {&numerics::forward_euler, 1}});

inline std::unique_ptr<model::Stepper> partitioned(const model::Multirate& rates) {
  return model::make_multirate_stepper<Partitioned>(rates);
}

}  // namespace hild::testing
