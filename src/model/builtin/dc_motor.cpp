// SPDX-License-Identifier: Apache-2.0
/// A direct-current motor with a load: the plant of the demonstration.
///   L di/dt = v - R i - k w          J dw/dt = k i - b w - T
#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::model {
namespace {

struct DcMotor {
  static constexpr std::string_view name = "dc-motor";
  static constexpr std::string_view summary = "direct-current motor with inertia, friction, load";

  enum { current, speed };
  enum { voltage, load };
  enum { resistance, inductance, constant, inertia, friction };

  // No shaft is known to turn faster than some 1e5 rad/s, and no winding to carry 1e6 A.
  static constexpr std::array states{
      State{.name = "current", .unit = "A", .low = -1e6, .high = 1e6},
      State{.name = "speed", .unit = "rad/s", .low = -1e6, .high = 1e6}};
  static constexpr std::array inputs{Input{"armature_voltage", "V"}, Input{"load_torque", "N m"}};
  static constexpr std::array outputs{Output{"shaft_speed", "rad/s"}, Output{"current", "A"},
                                      Output{"torque", "N m"}};
  static constexpr std::array<Feedthrough, 0> feedthrough{};  // outputs follow from the states
  static constexpr std::array parameters{
      Parameter{"resistance", "ohm", 1.0, 1e-6},     Parameter{"inductance", "H", 0.01, 1e-9},
      Parameter{"constant", "N m/A", 0.05, 0.0},     Parameter{"inertia", "kg m2", 1e-4, 1e-12},
      Parameter{"friction", "N m s/rad", 1e-5, 0.0},
  };
  using Methods = CompiledWith<numerics::forward_euler, numerics::ab2, numerics::rtam2,
                               numerics::rtrk2, numerics::rk4>;
  using D = Data<DcMotor>;

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    dx[current] =
        (u[voltage] - p[resistance] * x[current] - p[constant] * x[speed]) / p[inductance];
    dx[speed] = (p[constant] * x[current] - p[friction] * x[speed] - u[load]) / p[inertia];
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P p, D::Y y) noexcept {
    y[0] = x[speed];
    y[1] = x[current];
    y[2] = p[constant] * x[current];
  }
};

HILD_MODEL(DcMotor);

}  // namespace
}  // namespace hild::model
