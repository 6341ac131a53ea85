// SPDX-License-Identifier: Apache-2.0
/// \file
/// The same two models without hild: right sides, and the loops a person would write around them.
#pragma once

#include <array>
#include <cstddef>

namespace hild::bench {

struct VanDerPol {
  static constexpr std::size_t n = 2;
  static constexpr std::array<double, n> start{2.0, 0.0};
  double mu = 1.0;

  template <class X, class Dx>
  void operator()(const X& x, double u, Dx& dx) const noexcept {
    dx[0] = x[1];
    dx[1] = mu * (1.0 - x[0] * x[0]) * x[1] - x[0] + u;
  }
};

struct Circuit {
  static constexpr std::size_t n = 13;
  static constexpr std::array<double, n> start{0, 0.1};
  double l = 1 / 10e-3, c = 1 / 1e-3, r = 10, cubic = 0.04, g = 1 / 1e3, c_load = 1 / 1e-9;

  template <class X, class Dx>
  void operator()(const X& x, double u, Dx& dx) const noexcept {
    dx[0] = l * x[1];
    dx[1] = c * (x[1] - cubic * x[1] * x[1] * x[1] - x[0] - x[2] + u);
    for (std::size_t i = 2; i < 10; i += 2) {
      dx[i] = l * (x[i - 1] - r * x[i] - x[i + 1]);
      dx[i + 1] = c * (x[i] - x[i + 2]);
    }
    const double load = g * (x[11] - x[12]);
    dx[10] = l * (x[9] - r * x[10] - x[11]);
    dx[11] = c * (x[10] - load);
    dx[12] = c_load * load;
  }
};

/// `steps` of RK-4.
template <class Model>
void runge_kutta_4(const Model& model, std::array<double, Model::n>& state, double u, double h,
                   int steps) noexcept {
  constexpr std::size_t n = Model::n;
  const Model f = model;
  std::array<double, n> x = state;
  std::array<double, n> k1, k2, k3, k4, at;
  for (int step = 0; step < steps; ++step) {
    f(x, u, k1);
    for (std::size_t i = 0; i < n; ++i) at[i] = x[i] + h / 2 * k1[i];
    f(at, u, k2);
    for (std::size_t i = 0; i < n; ++i) at[i] = x[i] + h / 2 * k2[i];
    f(at, u, k3);
    for (std::size_t i = 0; i < n; ++i) at[i] = x[i] + h * k3[i];
    f(at, u, k4);
    for (std::size_t i = 0; i < n; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  state = x;
}

/// A method that is asked pass by pass, so that a sample can be taken before each of them.
class ByPasses {
 public:
  ByPasses() = default;
  ByPasses(const ByPasses&) = delete;
  ByPasses& operator=(const ByPasses&) = delete;
  virtual ~ByPasses() = default;
  virtual void begin(double h) noexcept = 0;
  virtual void pass(int pass, double u) noexcept = 0;
  virtual void finish() noexcept = 0;
};

/// RK-4, and nothing else.
template <class Model>
class RungeKutta4 final : public ByPasses {
 public:
  void begin(double h) noexcept override { h_ = h; }
  void pass(int pass, double u) noexcept override {
    switch (pass) {
      case 0:
        return f_(x_, u, k1_);
      case 1:
        return f_(moved(h_ / 2, k1_), u, k2_);
      case 2:
        return f_(moved(h_ / 2, k2_), u, k3_);
      default:
        return f_(moved(h_, k3_), u, k4_);
    }
  }
  void finish() noexcept override {
    for (std::size_t i = 0; i < n; ++i) {
      x_[i] += h_ / 6 * (k1_[i] + 2 * k2_[i] + 2 * k3_[i] + k4_[i]);
    }
  }

 private:
  static constexpr std::size_t n = Model::n;
  std::array<double, n> moved(double by, const std::array<double, n>& k) const noexcept {
    std::array<double, n> at;
    for (std::size_t i = 0; i < n; ++i) at[i] = x_[i] + by * k[i];
    return at;
  }

  Model f_;
  double h_ = 0;
  std::array<double, n> x_ = Model::start;
  std::array<double, n> k1_, k2_, k3_, k4_;
};

/// `steps` of AB-3, from a history of zeros.
template <class Model>
void adams_bashforth_3(const Model& model, std::array<double, Model::n>& state, double u, double h,
                       int steps) noexcept {
  constexpr std::size_t n = Model::n;
  const Model f = model;
  std::array<double, n> x = state;
  std::array<double, n> now, before{}, first{};
  for (int step = 0; step < steps; ++step) {
    f(x, u, now);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += h / 12 * (23 * now[i] - 16 * before[i] + 5 * first[i]);
    }
    first = before;
    before = now;
  }
  state = x;
}

/// `steps` of RTAM-2, from a history of zeros.
template <class Model>
void rtam_2(const Model& model, std::array<double, Model::n>& state, double u, double h,
            int steps) noexcept {
  constexpr std::size_t n = Model::n;
  const Model f = model;
  std::array<double, n> x = state;
  std::array<double, n> now, before{}, half, at;
  for (int step = 0; step < steps; ++step) {
    f(x, u, now);
    for (std::size_t i = 0; i < n; ++i) at[i] = x[i] + h / 8 * (5 * now[i] - before[i]);
    f(at, u, half);
    for (std::size_t i = 0; i < n; ++i) x[i] += h * half[i];
    before = now;
  }
  state = x;
}

}  // namespace hild::bench
