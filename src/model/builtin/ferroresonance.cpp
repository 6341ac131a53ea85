// SPDX-License-Identifier: Apache-2.0
/// A capacitor and a coil with an iron core in series at a source: flux' = u - R i - u_C,
/// u_C' = i / C. The current is an algebraic variable: flux = L i + flux_s tanh(i / i_s), which
/// cannot be solved for it. Beyond flux_s the iron is saturated, and L alone is left: the circuit
/// may jump to a second, much larger oscillation.
#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"
#include "hild/numerics/methods/stiff.hpp"

namespace hild::model {
namespace {

struct Ferroresonance {
  static constexpr std::string_view name = "ferroresonance";
  static constexpr std::string_view summary = "capacitor and saturating coil at a source";

  static constexpr std::array states{
      State{.name = "flux", .unit = "Wb"},
      State{.name = "capacitor_voltage", .unit = "V", .nominal = 100}};
  static constexpr std::array algebraic{Algebraic{.name = "current", .unit = "A", .nominal = 0.5}};
  static constexpr std::array inputs{Input{"source_voltage", "V"}};
  static constexpr std::array outputs{Output{"current", "A"}, Output{"flux", "Wb"},
                                      Output{"capacitor_voltage", "V"}};
  static constexpr std::array<Feedthrough, 0> feedthrough{};  // the current follows from the flux
  enum { saturated_inductance, saturation_flux, saturation_current, resistance, capacitance };
  static constexpr std::array parameters{
      Parameter{"saturated_inductance", "H", 0.1, 1e-9},
      Parameter{"saturation_flux", "Wb", 1.0, 0.0}, Parameter{"saturation_current", "A", 0.5, 1e-9},
      Parameter{"resistance", "ohm", 10.0, 0.0}, Parameter{"capacitance", "F", 1e-4, 1e-15}};
  using Methods = CompiledWith<numerics::ab2, numerics::rtam2, numerics::rk4>;
  using Inlined = CompiledWith<numerics::backward_euler>;
  static constexpr int algebraic_iterations = 5;  // the knee of the curve is sharp
  static constexpr bool constant_coefficients = true;
  using D = Data<Ferroresonance>;

  template <class S>
  static constexpr void residuals(double /*t*/, std::span<const S, 2> x, D::U /*u*/,
                                  std::span<const S, 1> z, D::P p, std::span<S, 1> r) noexcept {
    using std::tanh;
    r[0] = p[saturated_inductance] * z[0] +
           p[saturation_flux] * tanh(z[0] / p[saturation_current]) - x[0];
  }
  template <class S>
  static constexpr void derivatives(double /*t*/, std::span<const S, 2> x, D::U u,
                                    std::span<const S, 1> z, D::P p, std::span<S, 2> dx) noexcept {
    dx[0] = u[0] - p[resistance] * z[0] - x[1];
    dx[1] = z[0] / p[capacitance];
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::Z z, D::P /*p*/, D::Y y) noexcept {
    y[0] = z[0];
    y[1] = x[0];
    y[2] = x[1];
  }
};

HILD_MODEL(Ferroresonance);

}  // namespace
}  // namespace hild::model
