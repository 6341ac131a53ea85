// SPDX-License-Identifier: Apache-2.0
/// \file
/// Systems to integrate, and the run of an adaptive formula over one of them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "offline/reference/adaptive.hpp"

namespace hild::test {

using Vector = std::vector<double>;

class Problem final : public reference::Ode {
 public:
  using F = std::function<void(double t, std::span<const double> y, std::span<double> dy)>;
  Problem(std::size_t size, F f) : size_(size), f_(std::move(f)) {}
  [[nodiscard]] std::size_t size() const override { return size_; }
  void derivatives(double t, std::span<const double> y, std::span<double> dy) override {
    ++calls;
    f_(t, y, dy);
  }
  [[nodiscard]] std::string state_name(std::size_t i) const override {
    return "y" + std::to_string(i);
  }
  std::int64_t calls = 0;

 private:
  std::size_t size_;
  F f_;
};

/// y'' = -y from (1, 0): the cosine.
inline Problem oscillator() {
  return {2, [](double, auto y, auto dy) { dy[0] = y[1], dy[1] = -y[0]; }};
}

inline reference::AdaptiveOptions with(reference::FormulaKind kind, double relative,
                                       double absolute = 0) {
  return {.formula = kind, .tolerance = {relative, absolute}};
}

inline Vector state_of(const reference::Adaptive& a) {
  return {a.state().begin(), a.state().end()};
}

inline constexpr reference::FormulaKind both_formulas[]{reference::FormulaKind::jack,
                                                        reference::FormulaKind::ode45};

/// Classical Runge-Kutta with a fixed step, the plainest there is.
inline Vector fixed_rk4(reference::Ode& s, double t, Vector y, double h, std::int64_t steps) {
  const std::size_t n = y.size();
  Vector a(n), b(n), c(n), d(n), z(n);
  for (std::int64_t k = 0; k < steps; ++k) {
    const double now = t + static_cast<double>(k) * h;
    s.derivatives(now, y, a);
    for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + h / 2 * a[i];
    s.derivatives(now + h / 2, z, b);
    for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + h / 2 * b[i];
    s.derivatives(now + h / 2, z, c);
    for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + h * c[i];
    s.derivatives(now + h, z, d);
    for (std::size_t i = 0; i < n; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return y;
}

/// Makes steps until `end`.
inline Result<void> advance(reference::Adaptive& a, double end) {
  while (a.time() < end) {
    if (auto stepped = a.step(end); !stepped) return stepped;
  }
  return {};
}

}  // namespace hild::test
