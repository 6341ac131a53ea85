// SPDX-License-Identifier: Apache-2.0
/// A ship at her helm, as she answers the rudder by Nomoto's equation of first order (K. Nomoto, T.
/// Taguchi, K. Honda, S. Hirano, On the Steering Qualities of Ships, Int. Shipbuilding Progress 4,
/// 1957), with the wind as a bias of the rudder (T. I. Fossen, Guidance and Control of Ocean
/// Vehicles, Wiley 1994, section 6.2), for which the numbers are those of a Mariner of 161 m at 15
/// kn:
///   T r' + r = K (delta - b)     psi' = r      T and 1/K in proportion to 1 / speed
/// The steering gear follows its order at a limited rate, the engine with a lag; the water moves.
#include <algorithm>
#include <cmath>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace {

namespace model = hild::model;
using model::Input;
using model::Output;
using model::Parameter;
using model::State;

struct Ship {
  static constexpr std::string_view name = "ship", summary = "a ship at her helm (Nomoto)";

  enum { heading, yaw_rate, rudder, speed, north, east };
  enum { wind_bias, current_north, current_east };
  enum { rudder_order, speed_order, gear_rate, rudder_limit, gain, lag, usual_speed, engine_lag };

  static constexpr std::array states{State{"heading", "rad"}, State{"yaw_rate", "rad/s"},
                                     State{"rudder", "rad"},  State{"speed", "m/s", 7.7},
                                     State{"north", "m"},     State{"east", "m"}};
  static constexpr std::array inputs{Input{"wind_bias", "rad"}, Input{"current_north", "m/s"},
                                     Input{"current_east", "m/s"}};
  static constexpr std::array outputs{Output{"heading", "rad"}, Output{"yaw_rate", "rad/s"},
                                      Output{"rudder", "rad"},  Output{"speed", "m/s"},
                                      Output{"north", "m"},     Output{"east", "m"}};
  static constexpr std::array parameters{
      Parameter{"rudder_order", "rad", 0.0, -0.6109, 0.6109},  // 35 deg, as far as rudders go
      Parameter{"speed_order", "m/s", 7.7, 0.0, 9.0},
      Parameter{"gear_rate", "rad/s", 0.0405, 0.0, 0.2},  // 65 deg in 28 s, as SOLAS asks at least
      Parameter{"rudder_limit", "rad", 0.6109, 0.01, 0.6109},
      Parameter{"gain", "1/s", 0.185, 0.0},
      Parameter{"lag", "s", 107.3, 1.0},
      Parameter{"usual_speed", "m/s", 7.7, 0.1},  // at which gain and lag are these
      Parameter{"engine_lag", "s", 60.0, 1.0}};
  using Methods = model::CompiledWith<hild::numerics::rtam2, hild::numerics::rk4>;
  using D = model::Data<Ship>;
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    const double pace = std::max(x[speed], 0.1) / p[usual_speed];
    const double order = std::clamp(p[rudder_order], -p[rudder_limit], p[rudder_limit]);
    dx[heading] = x[yaw_rate];
    dx[yaw_rate] = (p[gain] * pace * (x[rudder] - u[wind_bias]) - x[yaw_rate]) * pace / p[lag];
    dx[rudder] = std::clamp(order - x[rudder], -p[gear_rate], p[gear_rate]);  // within a second
    dx[speed] = (p[speed_order] - x[speed]) / p[engine_lag];
    dx[north] = x[speed] * std::cos(x[heading]) + u[current_north];
    dx[east] = x[speed] * std::sin(x[heading]) + u[current_east];
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    std::copy(x.begin(), x.end(), y.begin());
  }
};

HILD_MODEL(Ship);

}  // namespace
