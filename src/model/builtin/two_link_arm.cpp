// SPDX-License-Identifier: Apache-2.0
/// An arm of two rigid links that moves in a vertical plane, driven at both joints, with stops at
/// the elbow:   M(q) q'' + C(q, q') + G(q) + friction = torque
/// The shoulder's angle is against the horizontal, the elbow's against the first link. At a stop
/// the elbow's speed turns around, by an impulse that acts on the elbow alone; a slow elbow stays.
#include <cmath>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::model {
namespace {

struct TwoLinkArm {
  static constexpr std::string_view name = "two-link-arm";
  static constexpr std::string_view summary = "arm of two links with stops at the elbow";

  enum { shoulder, elbow, shoulder_rate, elbow_rate };
  enum {
    mass_1,
    mass_2,
    length_1,
    length_2,
    centre_1,
    centre_2,
    inertia_1,
    inertia_2,
    gravity,
    friction_1,
    friction_2,
    stop_low,
    stop_high,
    restitution,
    rest_rate
  };

  static constexpr std::array states{State{"shoulder", "rad"}, State{"elbow", "rad"},
                                     State{"shoulder_rate", "rad/s"}, State{"elbow_rate", "rad/s"}};
  static constexpr std::array inputs{Input{"shoulder_torque", "N m"}, Input{"elbow_torque", "N m"}};
  static constexpr std::array outputs{Output{"shoulder", "rad"}, Output{"elbow", "rad"},
                                      Output{"tip_x", "m"}, Output{"tip_y", "m"}};
  static constexpr std::array<Feedthrough, 0> feedthrough{};  // outputs follow from the states
  // Centres of mass are measured from the joint of the link, inertias are about the centre.
  static constexpr std::array parameters{Parameter{"mass_1", "kg", 1.0, 1e-9},
                                         Parameter{"mass_2", "kg", 1.0, 1e-9},
                                         Parameter{"length_1", "m", 1.0, 1e-9},
                                         Parameter{"length_2", "m", 1.0, 1e-9},
                                         Parameter{"centre_1", "m", 0.5, 0.0},
                                         Parameter{"centre_2", "m", 0.5, 0.0},
                                         Parameter{"inertia_1", "kg m2", 1.0 / 12, 1e-12},
                                         Parameter{"inertia_2", "kg m2", 1.0 / 12, 1e-12},
                                         Parameter{"gravity", "m/s2", 9.80665, 0.0},
                                         Parameter{"friction_1", "N m s/rad", 0.0, 0.0},
                                         Parameter{"friction_2", "N m s/rad", 0.0, 0.0},
                                         Parameter{"stop_low", "rad", -2.6, -unlimited, 0.0},
                                         Parameter{"stop_high", "rad", 2.6, 0.0, unlimited},
                                         Parameter{"restitution", "1", 0.5, 0.0, 1.0},
                                         Parameter{"rest_rate", "rad/s", 1e-3, 0.0}};
  static constexpr std::array events{Event{"stop_low", Crossing::falling},
                                     Event{"stop_high", Crossing::falling}};
  using Methods = CompiledWith<numerics::rtam2, numerics::rk4>;
  using D = Data<TwoLinkArm>;

  struct Inertia {
    double shoulder, both, elbow;  ///< m11, m12 = m21, m22
  };
  static Inertia inertia_of(double angle, D::P p) noexcept {
    const double coupling = p[mass_2] * p[length_1] * p[centre_2] * std::cos(angle);
    const double elbow_only = p[inertia_2] + p[mass_2] * p[centre_2] * p[centre_2];
    return {p[inertia_1] + p[mass_1] * p[centre_1] * p[centre_1] +
                p[mass_2] * p[length_1] * p[length_1] + elbow_only + 2 * coupling,
            elbow_only + coupling, elbow_only};
  }

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    const double w1 = x[shoulder_rate];
    const double w2 = x[elbow_rate];
    const Inertia m = inertia_of(x[elbow], p);
    const double bend = p[mass_2] * p[length_1] * p[centre_2] * std::sin(x[elbow]);
    const double weight_2 = p[mass_2] * p[gravity] * p[centre_2] * std::cos(x[shoulder] + x[elbow]);
    const double weight_1 =
        (p[mass_1] * p[centre_1] + p[mass_2] * p[length_1]) * p[gravity] * std::cos(x[shoulder]);
    const double moment_1 =
        u[0] + bend * w2 * (2 * w1 + w2) - weight_1 - weight_2 - p[friction_1] * w1;
    const double moment_2 = u[1] - bend * w1 * w1 - weight_2 - p[friction_2] * w2;

    const double determinant = m.shoulder * m.elbow - m.both * m.both;
    const double elbow_acceleration = (m.shoulder * moment_2 - m.both * moment_1) / determinant;
    dx[shoulder] = w1;
    dx[elbow] = w2;
    if (held(x, p, elbow_acceleration)) {
      dx[shoulder_rate] = moment_1 / m.shoulder;
      dx[elbow_rate] = 0;
    } else {
      dx[shoulder_rate] = (m.elbow * moment_1 - m.both * moment_2) / determinant;
      dx[elbow_rate] = elbow_acceleration;
    }
  }
  // Exactly what the last impact leaves behind, pressed against the stop.
  static bool held(D::X x, D::P p, double acceleration) noexcept {
    if (x[elbow_rate] != 0) return false;
    return (x[elbow] == p[stop_high] && acceleration > 0) ||
           (x[elbow] == p[stop_low] && acceleration < 0);
  }

  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P p, D::Y y) noexcept {
    const double both = x[shoulder] + x[elbow];
    y[0] = x[shoulder];
    y[1] = x[elbow];
    y[2] = p[length_1] * std::cos(x[shoulder]) + p[length_2] * std::cos(both);
    y[3] = p[length_1] * std::sin(x[shoulder]) + p[length_2] * std::sin(both);
  }

  static void event_functions(double /*t*/, D::X x, D::U /*u*/, D::P p,
                              std::span<double, 2> g) noexcept {
    g[0] = x[elbow] - p[stop_low];
    g[1] = p[stop_high] - x[elbow];
  }
  static void on_event(std::size_t index, double /*t*/, D::NewX x, D::U /*u*/, D::NewP p) noexcept {
    const double before = x[elbow_rate];
    const double rebound = -p[restitution] * before;
    const double after = std::abs(rebound) < p[rest_rate] ? 0.0 : rebound;
    x[elbow] = index == 0 ? p[stop_low] : p[stop_high];
    x[elbow_rate] = after;
    // No impulse on the shoulder: m11 dw1 + m12 dw2 = 0.
    const Inertia m = inertia_of(x[elbow], p);
    x[shoulder_rate] -= m.both / m.shoulder * (after - before);
  }
};

HILD_MODEL(TwoLinkArm);

}  // namespace
}  // namespace hild::model
