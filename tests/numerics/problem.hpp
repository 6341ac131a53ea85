// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the kernel is tried on: nonlinear, time-dependent and driven by an input,
///   x0' = -x0^2 + cos t + u(t),  x1' = x0 x1 sin t,  u = sin(3 t) / 2,  x(0) = (1/2, 1).
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/explicit_step.hpp"

namespace hild::numerics {

inline double input(double t) { return std::sin(3 * t) / 2; }

template <class X, class Dx>
void derivatives(double t, X x, double u, Dx dx) {
  dx[0] = -x[0] * x[0] + std::cos(t) + u;
  dx[1] = x[0] * x[1] * std::sin(t);
}

template <class Step>
void start(Step& step) {
  step.state()[0] = 0.5;
  step.state()[1] = 1.0;
}

/// A step with the input sampled at each node.
template <class Step>
void advance(Step& step, SimTime t, Duration h) {
  step.begin(t, h);
  for (int i = 0; i < step.active().passes; ++i) {
    derivatives(step.time(i), step.stage(i), input(step.time(i)), step.derivative(i));
  }
  step.finish();
}

/// By RK-4, written out, with steps so small that its error is far below what is measured.
inline std::array<double, 2> reference(double end = 2.0) {
  std::array<double, 2> x{0.5, 1.0};
  const int n = 20'000;
  const double h = end / n;
  const auto f = [](double t, const std::array<double, 2>& at) {
    std::array<double, 2> dx{};
    derivatives(t, std::span(at), input(t), std::span(dx));
    return dx;
  };
  for (int i = 0; i < n; ++i) {
    const double t = i * h;
    const auto at = [&](const std::array<double, 2>& k, double a) {
      return std::array{x[0] + a * h * k[0], x[1] + a * h * k[1]};
    };
    const auto k1 = f(t, x);
    const auto k2 = f(t + h / 2, at(k1, 0.5));
    const auto k3 = f(t + h / 2, at(k2, 0.5));
    const auto k4 = f(t + h, at(k3, 1));
    for (std::size_t s = 0; s < 2; ++s) x[s] += h / 6 * (k1[s] + 2 * k2[s] + 2 * k3[s] + k4[s]);
  }
  return x;
}

/// The methods this kernel steps.
inline std::vector<const Method*> explicit_methods() {
  std::vector<const Method*> all(catalogue().begin(), catalogue().end());
  std::erase_if(all, [](const Method* m) { return m->family != Family::explicit_passes; });
  return all;
}

template <class X>
double distance(X x, const std::array<double, 2>& y) {
  return std::hypot(x[0] - y[0], x[1] - y[1]);
}

}  // namespace hild::numerics
