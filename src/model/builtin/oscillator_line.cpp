// SPDX-License-Identifier: Apache-2.0
/// Cellier's oscillator with a transmission line of five stages (lecture XXIV, Multi-rate
/// Integration III): twelve states, the first two fast.
#include <algorithm>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::model {
namespace {

struct OscillatorLine {
  static constexpr std::string_view name = "oscillator-line";
  static constexpr std::string_view summary = "Cellier's oscillator with a five-stage line";

  enum { inductance, capacitance, resistance, cubic };

  static constexpr std::array states{State{"i_L", "A"}, State{"u_C", "V", 0.1}, State{"i_1", "A"},
                                     State{"u_1", "V"}, State{"i_2", "A"},      State{"u_2", "V"},
                                     State{"i_3", "A"}, State{"u_3", "V"},      State{"i_4", "A"},
                                     State{"u_4", "V"}, State{"i_5", "A"},      State{"u_5", "V"}};
  static constexpr std::array inputs{Input{"injected_current", "A"}};
  static constexpr std::array outputs{Output{"u_C", "V"}, Output{"u_5", "V"}};
  static constexpr std::array<Feedthrough, 0> feedthrough{};  // outputs follow from the states
  static constexpr std::array parameters{
      Parameter{"inductance", "H", 10e-3, 1e-12}, Parameter{"capacitance", "F", 1e-3, 1e-15},
      Parameter{"resistance", "ohm", 10.0, 0.0}, Parameter{"cubic", "A/V3", 0.04, 0.0}};
  using Methods = CompiledWith<numerics::forward_euler, numerics::rtam2, numerics::rk4>;
  static constexpr std::array<std::string_view, 2> fast{"i_L", "u_C"};
  static constexpr std::array<std::string_view, 10> slow{"i_1", "u_1", "i_2", "u_2", "i_3",
                                                         "u_3", "i_4", "u_4", "i_5", "u_5"};
  static constexpr std::array partitions{Partition{"oscillator", fast}, Partition{"line", slow}};
  using Rates =
      CompiledWithRates<by_rates({{&numerics::forward_euler, 10}, {&numerics::forward_euler, 1}})>;
  using D = Data<OscillatorLine>;

  static void derivatives(double t, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    derivatives_of(0, states.size(), t, x, u, p, dx);
  }
  static void derivatives_of(std::size_t first, std::size_t last, double /*t*/, D::X x, D::U u,
                             D::P p, D::DX dx) noexcept {
    const double l = 1.0 / p[inductance];
    const double c = 1.0 / p[capacitance];
    const auto wanted = [=](std::size_t i) { return first <= i && i < last; };
    if (wanted(0)) dx[0] = l * x[1];
    if (wanted(1)) {
      // The linear term of the resistor's law has a conductance of 1 A/V.
      dx[1] = c * (x[1] - p[cubic] * x[1] * x[1] * x[1] - x[0] - x[2] + u[0]);
    }
    // A current and the voltage after it, as often as there are any wanted; the last is open.
    constexpr std::size_t end = states.size() - 2;
    for (std::size_t i = std::max<std::size_t>(2, first & ~std::size_t{1}); i < std::min(end, last);
         i += 2) {
      if (wanted(i)) dx[i] = l * (x[i - 1] - p[resistance] * x[i] - x[i + 1]);
      if (wanted(i + 1)) dx[i + 1] = c * (x[i] - x[i + 2]);
    }
    if (wanted(end)) dx[end] = l * (x[end - 1] - p[resistance] * x[end] - x[end + 1]);
    if (wanted(end + 1)) dx[end + 1] = c * x[end];
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[1];
    y[1] = x[11];
  }
};

HILD_MODEL(OscillatorLine);

}  // namespace
}  // namespace hild::model
