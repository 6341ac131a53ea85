// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cellier's oscillator with line and load from its equations, as printed: thirteen of the states
/// (Inline Integration), and the law of the resistor, i_R = k u_R^3 - u_R, of which the current is
/// an algebraic variable. Nothing is solved by hand.
#pragma once

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods/stiff.hpp"
#include "support/circuit.hpp"

namespace hild::test {

struct CircuitEquations {
  static constexpr std::string_view name = "circuit-equations",
                                    summary = "oscillator-load, unsolved";
  static constexpr auto states = Circuit<false>::states;
  static constexpr std::array algebraic{model::Algebraic{"i_R", "A"}};
  static constexpr std::array inputs{model::Input{"injected_current", "A"}};
  static constexpr std::array outputs{model::Output{"u_C", "V"}, model::Output{"i_R", "A"}};
  enum { inductance, capacitance, resistance, cubic, load_resistance, load_capacitance };
  static constexpr std::array parameters{model::Parameter{"inductance", "H", 10e-3, 1e-12},
                                         model::Parameter{"capacitance", "F", 1e-3, 1e-15},
                                         model::Parameter{"resistance", "ohm", 10.0, 0.0},
                                         model::Parameter{"cubic", "A/V3", 0.04, 0.0},
                                         model::Parameter{"load_resistance", "ohm", 1e3, 1e-9},
                                         model::Parameter{"load_capacitance", "F", 1e-9, 1e-15}};
  using Inlined = model::CompiledWith<numerics::backward_euler, numerics::backward_euler_1,
                                      numerics::backward_euler_2, numerics::backward_euler_5>;
  static constexpr bool constant_coefficients = true;
  using D = model::Data<CircuitEquations>;

  template <class S>
  static constexpr void residuals(double /*t*/, std::span<const S, 13> x, D::U /*u*/,
                                  std::span<const S, 1> z, D::P p, std::span<S, 1> r) noexcept {
    r[0] = z[0] - (p[cubic] * x[1] * x[1] * x[1] - x[1]);
  }
  template <class S>
  static constexpr void derivatives(double /*t*/, std::span<const S, 13> x, D::U u,
                                    std::span<const S, 1> z, D::P p, std::span<S, 13> dx) noexcept {
    const double l = 1 / p[inductance];
    const double c = 1 / p[capacitance];
    dx[0] = l * x[1];
    dx[1] = c * (u[0] - z[0] - x[0] - x[2]);
    for (std::size_t i = 2; i < 10; i += 2) {
      dx[i] = l * (x[i - 1] - p[resistance] * x[i] - x[i + 1]);
      dx[i + 1] = c * (x[i] - x[i + 2]);
    }
    dx[10] = l * (x[9] - p[resistance] * x[10] - x[11]);
    const S through_load = 1 / p[load_resistance] * (x[11] - x[12]);
    dx[11] = c * (x[10] - through_load);
    dx[12] = 1 / p[load_capacitance] * through_load;
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::Z z, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[1];
    y[1] = z[0];
  }
};

}  // namespace hild::test
