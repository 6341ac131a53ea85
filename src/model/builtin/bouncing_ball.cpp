// SPDX-License-Identifier: Apache-2.0
/// A ball that falls through air onto a floor and bounces:
///   m h'' = F - m g - d v |v|       at the floor: v becomes -restitution v
/// Below the rest speed it stays on the floor, so that its bounces end.
#include <cmath>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::model {
namespace {

struct BouncingBall {
  static constexpr std::string_view name = "bouncing-ball";
  static constexpr std::string_view summary = "ball that bounces on a floor, with or without drag";

  enum { height, velocity };
  enum { mass, gravity, drag, restitution, rest_speed };

  // Nothing is faster than light.
  static constexpr std::array states{
      State{"height", "m", 1.0},
      State{.name = "velocity", .unit = "m/s", .low = -299'792'458, .high = 299'792'458}};
  static constexpr std::array inputs{Input{"force", "N"}};
  static constexpr std::array outputs{Output{"height", "m"}, Output{"velocity", "m/s"}};
  static constexpr std::array<Feedthrough, 0> feedthrough{};  // outputs follow from the states
  static constexpr std::array parameters{
      Parameter{"mass", "kg", 1.0, 1e-9}, Parameter{"gravity", "m/s2", 9.80665, 0.0},
      Parameter{"drag", "kg/m", 0.0, 0.0}, Parameter{"restitution", "1", 0.8, 0.0, 1.0},
      Parameter{"rest_speed", "m/s", 1e-3, 0.0}};
  static constexpr std::array events{Event{"impact", Crossing::falling}};
  using Methods = CompiledWith<numerics::rtam2>;
  using D = Data<BouncingBall>;

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    const double v = x[velocity];
    const double force = u[0] - p[mass] * p[gravity] - p[drag] * v * std::abs(v);
    // Exactly what the last impact leaves behind.
    const bool rests = x[height] == 0 && v == 0 && force <= 0;
    dx[height] = v;
    dx[velocity] = rests ? 0 : force / p[mass];
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[height];
    y[1] = x[velocity];
  }
  static void event_functions(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/,
                              std::span<double, 1> g) noexcept {
    g[0] = x[height];
  }
  static void on_event(std::size_t /*index*/, double /*t*/, D::NewX x, D::U /*u*/,
                       D::NewP p) noexcept {
    const double rebound = -p[restitution] * x[velocity];
    x[height] = 0;
    x[velocity] = rebound < p[rest_speed] ? 0 : rebound;
  }
};

HILD_MODEL(BouncingBall);

}  // namespace
}  // namespace hild::model
