// SPDX-License-Identifier: Apache-2.0
/// The adaptive law of Parks (1966) for a plant of first order, found from a Lyapunov function:
///   u = t1 uc - t2 y,  e = y - ym,  t1' = -g uc e,  t2' = g y e
#include "hild/model/integrated.hpp"

namespace {

namespace model = hild::model;

struct Lyapunov {
  static constexpr std::string_view name = "lyapunov";
  static constexpr std::string_view summary = "adaptive law by Lyapunov's second method";

  enum { t1, t2 };                     // the gains that are adapted
  enum { command, reference, plant };  // uc, ym, y
  static constexpr std::array states{model::State{"feedforward"}, model::State{"feedback"}};
  static constexpr std::array inputs{model::Input{"command", "V"}, model::Input{"reference", "V"},
                                     model::Input{"plant", "V"}};
  static constexpr std::array outputs{model::Output{"control", "V"}, model::Output{"error", "V"},
                                      model::Output{"feedforward"}, model::Output{"feedback"}};
  static constexpr std::array feedthrough{
      model::Feedthrough{"control", "command"}, model::Feedthrough{"control", "plant"},
      model::Feedthrough{"error", "reference"}, model::Feedthrough{"error", "plant"}};
  static constexpr std::array parameters{model::Parameter{"adaptation", "1/(V2 s)", 20.0, 0.0}};

  using D = model::Data<Lyapunov>;

  static void derivatives(double /*t*/, D::X /*x*/, D::U u, D::P p, D::DX dx) noexcept {
    const double e = u[plant] - u[reference];
    dx[t1] = -p[0] * u[command] * e;
    dx[t2] = p[0] * u[plant] * e;
  }
  static void outputs_of(double /*t*/, D::X x, D::U u, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[t1] * u[command] - x[t2] * u[plant];
    y[1] = u[plant] - u[reference];
    y[2] = x[t1];
    y[3] = x[t2];
  }
};

HILD_MODEL(Lyapunov);

}  // namespace
