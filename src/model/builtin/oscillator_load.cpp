// SPDX-License-Identifier: Apache-2.0
/// Cellier's oscillator and five-stage line with a load (lecture XXIV, Inline Integration):
/// thirteen states, of which the load's adds a pole near -1/(R_l C_l) = -1e6 1/s. The circuit is a
/// chain: each state acts on its neighbours only.
#include <algorithm>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"
#include "hild/numerics/methods/stiff.hpp"

namespace hild::model {
namespace {

struct OscillatorLoad {
  static constexpr std::string_view name = "oscillator-load";
  static constexpr std::string_view summary = "Cellier's oscillator and line with a load (stiff)";

  static constexpr std::size_t stages = 5;
  enum { inductance, capacitance, resistance, cubic, load_resistance, load_capacitance };
  enum { u_c = 1, u_last = 11, u_load = 12 };

  static constexpr std::array states{State{"i_L", "A"}, State{"u_C", "V", 0.1}, State{"i_1", "A"},
                                     State{"u_1", "V"}, State{"i_2", "A"},      State{"u_2", "V"},
                                     State{"i_3", "A"}, State{"u_3", "V"},      State{"i_4", "A"},
                                     State{"u_4", "V"}, State{"i_5", "A"},      State{"u_5", "V"},
                                     State{"u_l", "V"}};
  static constexpr std::array inputs{Input{"injected_current", "A"}};
  static constexpr std::array outputs{Output{"u_C", "V"}, Output{"u_5", "V"}, Output{"u_l", "V"}};
  static constexpr std::array<Feedthrough, 0> feedthrough{};  // outputs follow from the states
  static constexpr std::array parameters{Parameter{"inductance", "H", 10e-3, 1e-12},
                                         Parameter{"capacitance", "F", 1e-3, 1e-15},
                                         Parameter{"resistance", "ohm", 10.0, 0.0},
                                         Parameter{"cubic", "A/V3", 0.04, 0.0},
                                         Parameter{"load_resistance", "ohm", 1e3, 1e-9},
                                         Parameter{"load_capacitance", "F", 1e-9, 1e-15}};
  static constexpr auto structure = numerics::tridiagonal;
  using Methods = CompiledWith<numerics::forward_euler, numerics::rk4, numerics::libe>;
  using Inlined = CompiledWith<numerics::backward_euler, numerics::backward_euler_1,
                               numerics::backward_euler_2, numerics::backward_euler_5>;
  static constexpr std::array<std::string_view, 2> fast{"i_L", "u_C"};
  static constexpr std::array<std::string_view, 10> slow{"i_1", "u_1", "i_2", "u_2", "i_3",
                                                         "u_3", "i_4", "u_4", "i_5", "u_5"};
  static constexpr std::array<std::string_view, 1> stiff{"u_l"};
  static constexpr std::array partitions{Partition{"oscillator", fast}, Partition{"line", slow},
                                         Partition{"load", stiff}};
  using Rates = CompiledWithRates<by_rates({{&numerics::forward_euler, 10},
                                            {&numerics::forward_euler, 1},
                                            {&numerics::backward_euler, 1}})>;
  using D = Data<OscillatorLoad>;

  static void derivatives(double t, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    derivatives_of(0, u_load + 1, t, x, u, p, dx);
  }
  static void derivatives_of(std::size_t first, std::size_t last, double /*t*/, D::X x, D::U u,
                             D::P p, D::DX dx) noexcept {
    const double l = 1.0 / p[inductance];
    const double c = 1.0 / p[capacitance];
    const double g = 1.0 / p[load_resistance];
    const auto wanted = [=](std::size_t i) { return first <= i && i < last; };
    if (wanted(0)) dx[0] = l * x[u_c];
    if (wanted(u_c)) {
      const double v = x[u_c];
      dx[u_c] = c * (v - p[cubic] * v * v * v - x[0] - x[2] + u[0]);
    }
    // A current and the voltage after it, as often as there are any wanted.
    for (std::size_t i = std::max<std::size_t>(2, first & ~std::size_t{1});
         i < std::min<std::size_t>(u_last - 1, last); i += 2) {
      if (wanted(i)) dx[i] = l * (x[i - 1] - p[resistance] * x[i] - x[i + 1]);
      if (wanted(i + 1)) dx[i + 1] = c * (x[i] - x[i + 2]);
    }
    const double current = g * (x[u_last] - x[u_load]);
    constexpr std::size_t i = u_last - 1;
    if (wanted(i)) dx[i] = l * (x[i - 1] - p[resistance] * x[i] - x[i + 1]);
    if (wanted(u_last)) dx[u_last] = c * (x[i] - current);
    if (wanted(u_load)) dx[u_load] = 1.0 / p[load_capacitance] * current;
  }
  static void jacobian(double /*t*/, D::X x, D::U /*u*/, D::P p, D::J j) noexcept {
    const double l = 1.0 / p[inductance];
    const double c = 1.0 / p[capacitance];
    const double g = 1.0 / p[load_resistance];
    j(0, u_c) = l;
    j(u_c, 0) = -c;
    j(u_c, u_c) = c * (1.0 - 3 * p[cubic] * x[u_c] * x[u_c]);
    j(u_c, 2) = -c;
    for (std::size_t i = 2; i < u_load; i += 2) {
      j(i, i - 1) = l;
      j(i, i) = -l * p[resistance];
      j(i, i + 1) = -l;
      j(i + 1, i) = c;
      if (i + 1 != u_last) j(i + 1, i + 2) = -c;
    }
    j(u_last, u_last) = -c * g;
    j(u_last, u_load) = c * g;
    j(u_load, u_last) = g / p[load_capacitance];
    j(u_load, u_load) = -g / p[load_capacitance];
  }

  /// Backward Euler, torn: given the six voltages u_C, u_1 ... u_5, each current and u_l follow
  /// from one equation (Cellier, Inline Integration IV and V). Newton's method on the six that
  /// remain.
  static void inlined_step(const numerics::Method& method, double /*t*/, double h, D::X x, D::U u,
                           D::P p, D::NewX next) noexcept {
    const double hl = h / p[inductance];
    const double hc = h / p[capacitance];
    const double series = 1.0 / (1.0 + hl * p[resistance]);  // of a current: its share of the rest
    const double hg = h / p[load_resistance];
    const double at_load = hg / p[load_capacitance];
    const double load = 1.0 / (1.0 + at_load);

    // Of the residuals only that of u_C is not linear. So the pivots of the others, and what their
    // elimination from the load up to the oscillator leaves of them, are the same in each
    // iteration.
    constexpr std::size_t last = stages;      // voltage s is state 1 + 2 s
    const double beside = -hc * hl * series;  // of a voltage: d residual / d its neighbour
    std::array<double, stages + 1> pivot{};
    pivot[last] = 1.0 - beside + hg / p[capacitance] * load;
    for (std::size_t s = last; s-- > 1;) {
      pivot[s] = 1.0 - 2 * beside - beside * beside / pivot[s + 1];
    }
    const double linear = 1.0 + hc * hl - beside - beside * beside / pivot[1];

    for (std::size_t s = 0; s <= last; ++s) next[1 + 2 * s] = x[1 + 2 * s];
    for (int k = 0; k < method.iterations; ++k) {
      follow(x, next, hl, series, at_load, load);
      std::array<double, stages + 1> residual{};
      residual[last] = x[u_last] + hc * next[u_last - 1] -
                       hg / p[capacitance] * (next[u_last] - next[u_load]) - next[u_last];
      for (std::size_t s = last; s-- > 1;) {
        const std::size_t i = 1 + 2 * s;
        residual[s] = x[i] + hc * (next[i - 1] - next[i + 1]) - next[i] -
                      beside / pivot[s + 1] * residual[s + 1];
      }
      const double v = next[u_c];
      const double current = v - p[cubic] * v * v * v - next[0] - next[2] + u[0];
      residual[0] = x[u_c] + hc * current - v - beside / pivot[1] * residual[1];
      const double slope = linear - hc * (1.0 - 3 * p[cubic] * v * v);
      double moved = residual[0] / slope;  // zero slope: not finite, which ends a run
      next[u_c] += moved;
      for (std::size_t s = 1; s <= last; ++s) {
        moved = (residual[s] - beside * moved) / pivot[s];
        next[1 + 2 * s] += moved;
      }
    }
    follow(x, next, hl, series, at_load, load);
  }

  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[u_c];
    y[1] = x[u_last];
    y[2] = x[u_load];
  }

 private:
  // What follows from the voltages.
  static void follow(D::X x, D::NewX next, double hl, double series, double at_load,
                     double load) noexcept {
    next[0] = x[0] + hl * next[u_c];
    for (std::size_t i = 2; i < u_load; i += 2) {
      next[i] = series * (x[i] + hl * (next[i - 1] - next[i + 1]));
    }
    next[u_load] = load * (x[u_load] + at_load * next[u_last]);
  }
};

HILD_MODEL(OscillatorLoad);

}  // namespace
}  // namespace hild::model
