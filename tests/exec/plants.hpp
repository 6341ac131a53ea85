// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models with closed-form solutions that several tests of the loop run.
#pragma once

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::testing {

/// Harmonic oscillator, x'' = -x, autonomous.
struct Oscillator {
  static constexpr std::string_view name = "oscillator";
  static constexpr std::string_view summary = "harmonic oscillator";
  static constexpr std::array states{model::State{"x", "1", 1.0}, model::State{"v"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Oscillator>;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept {
    dx[0] = x[1];
    dx[1] = -x[0];
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

inline std::unique_ptr<model::Stepper> oscillator(
    const numerics::Method& method = numerics::ode45) {
  return model::make_stepper<Oscillator>(method);
}

inline constexpr double gravity = 10.0;

/// A ball dropped from 1 m that loses half its speed at each bounce.
struct Ball {
  static constexpr std::string_view name = "ball";
  static constexpr std::string_view summary = "bouncing ball";
  static constexpr std::array states{model::State{"height", "m", 1.0},
                                     model::State{"speed", "m/s"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"height", "m"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"floor", model::Crossing::falling}};
  using D = model::Data<Ball>;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept {
    dx[0] = x[1];
    dx[1] = -gravity;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 1> g) noexcept {
    g[0] = x[0];
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept { x[1] *= -0.5; }
};

}  // namespace hild::testing
