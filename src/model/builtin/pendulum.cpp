// SPDX-License-Identifier: Apache-2.0
/// A driven pendulum with friction:  m l^2 a'' = T - b a' - m g l sin a
#include <cmath>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::model {
namespace {

struct Pendulum {
  static constexpr std::string_view name = "pendulum";
  static constexpr std::string_view summary = "pendulum driven by a torque at its pivot";

  enum { angle, rate };
  enum { mass, length, gravity, friction };

  static constexpr std::array states{State{"angle", "rad", 0.5}, State{"rate", "rad/s"}};
  static constexpr std::array inputs{Input{"torque", "N m"}};
  static constexpr std::array outputs{Output{"angle", "rad"}, Output{"rate", "rad/s"}};
  static constexpr std::array<Feedthrough, 0> feedthrough{};  // outputs follow from the states
  static constexpr std::array parameters{
      Parameter{"mass", "kg", 1.0, 1e-9}, Parameter{"length", "m", 1.0, 1e-9},
      Parameter{"gravity", "m/s2", 9.80665, 0.0}, Parameter{"friction", "N m s/rad", 0.0, 0.0}};
  using Methods = CompiledWith<numerics::rtam2>;
  using D = Data<Pendulum>;

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    const double moment = p[mass] * p[gravity] * p[length] * std::sin(x[angle]);
    dx[angle] = x[rate];
    dx[rate] = (u[0] - p[friction] * x[rate] - moment) / (p[mass] * p[length] * p[length]);
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[angle];
    y[1] = x[rate];
  }
};

HILD_MODEL(Pendulum);

}  // namespace
}  // namespace hild::model
