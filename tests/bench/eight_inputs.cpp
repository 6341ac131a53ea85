// SPDX-License-Identifier: Apache-2.0
/// The plant of peers/bare_loop: a DC motor with the same constants that takes two of eight inputs
/// and gives two outputs, so that hild drives the same converters and steps the same equations.
#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::model {
namespace {

struct EightInputs {
  static constexpr std::string_view name = "eight-inputs";
  static constexpr std::string_view summary = "a DC motor with six inputs that it ignores";

  enum { current, speed };
  enum { voltage, load };
  enum { resistance, inductance, back_emf, torque, friction, inertia };

  static constexpr std::array states{State{"current", "A"}, State{"speed", "rad/s"}};
  static constexpr std::array inputs{
      Input{"voltage", "V"}, Input{"load", "N m"},  Input{"spare_2", "V"}, Input{"spare_3", "V"},
      Input{"spare_4", "V"}, Input{"spare_5", "V"}, Input{"spare_6", "V"}, Input{"spare_7", "V"}};
  static constexpr std::array outputs{Output{"speed", "rad/s"}, Output{"current", "A"}};
  static constexpr std::array parameters{
      Parameter{"resistance", "ohm", 2.0},      Parameter{"inductance", "H", 0.5, 1e-9},
      Parameter{"back_emf", "V s/rad", 0.1},    Parameter{"torque", "N m/A", 0.1},
      Parameter{"friction", "N m s/rad", 0.02}, Parameter{"inertia", "kg m2", 0.02, 1e-12}};
  using Methods = CompiledWith<numerics::rtam2>;
  using D = Data<EightInputs>;

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    dx[current] =
        (u[voltage] - p[resistance] * x[current] - p[back_emf] * x[speed]) / p[inductance];
    dx[speed] = (p[torque] * x[current] - p[friction] * x[speed] - u[load]) / p[inertia];
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[speed];
    y[1] = x[current];
  }
};

HILD_MODEL(EightInputs);

}  // namespace
}  // namespace hild::model
