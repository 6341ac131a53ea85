// SPDX-License-Identifier: Apache-2.0
/// A mass on a spring and a damper:  m x'' = F - c x' - k x
#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::model {
namespace {

struct SpringMassDamper {
  static constexpr std::string_view name = "spring-mass-damper";
  static constexpr std::string_view summary = "mass on a spring and a damper, pushed by a force";

  // Nothing is faster than light.
  static constexpr std::array states{
      State{"position", "m"},
      State{.name = "velocity", .unit = "m/s", .low = -299'792'458, .high = 299'792'458}};
  static constexpr std::array inputs{Input{"force", "N"}};
  static constexpr std::array outputs{Output{"position", "m"}, Output{"velocity", "m/s"}};
  static constexpr std::array<Feedthrough, 0> feedthrough{};  // outputs follow from the states
  static constexpr std::array parameters{Parameter{"mass", "kg", 1.0, 1e-9},
                                         Parameter{"damping", "N s/m", 0.5, 0.0},
                                         Parameter{"stiffness", "N/m", 100.0, 0.0}};
  using Methods = CompiledWith<numerics::rtam2>;
  using D = Data<SpringMassDamper>;

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    dx[0] = x[1];
    dx[1] = (u[0] - p[1] * x[1] - p[2] * x[0]) / p[0];
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[0];
    y[1] = x[1];
  }
};

HILD_MODEL(SpringMassDamper);

}  // namespace
}  // namespace hild::model
