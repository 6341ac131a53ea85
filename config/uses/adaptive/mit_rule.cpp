// SPDX-License-Identifier: Apache-2.0
/// The MIT rule for a plant of first order: each gain goes down the gradient of e^2, by the
/// sensitivities of e as the reference model gives them:
///   u = t1 uc - t2 y,  e = y - ym,  f1' = am (uc - f1),  f2' = am (y - f2)
///   t1' = -g f1 e / n,  t2' = g f2 e / n,  n = 1 + w (f1^2 + f2^2)
/// With w above 0 it is the normalized rule.
#include "hild/model/integrated.hpp"

namespace {

namespace model = hild::model;

struct MitRule {
  static constexpr std::string_view name = "mit-rule";
  static constexpr std::string_view summary = "adaptive law by the MIT rule, also normalized";

  enum { t1, t2, f1, f2 };             // the gains that are adapted; filtered uc and y
  enum { command, reference, plant };  // uc, ym, y
  enum { adaptation, normalization, filter };
  static constexpr std::array states{model::State{"feedforward"}, model::State{"feedback"},
                                     model::State{"filtered_command", "V"},
                                     model::State{"filtered_plant", "V"}};
  static constexpr std::array inputs{model::Input{"command", "V"}, model::Input{"reference", "V"},
                                     model::Input{"plant", "V"}};
  static constexpr std::array outputs{model::Output{"control", "V"}, model::Output{"error", "V"},
                                      model::Output{"feedforward"}, model::Output{"feedback"}};
  static constexpr std::array feedthrough{
      model::Feedthrough{"control", "command"}, model::Feedthrough{"control", "plant"},
      model::Feedthrough{"error", "reference"}, model::Feedthrough{"error", "plant"}};
  static constexpr std::array parameters{
      model::Parameter{"adaptation", "1/(V2 s)", 20.0, 0.0},
      model::Parameter{"normalization", "1/V2", 0.0, 0.0},
      model::Parameter{"filter", "1/s", 10.0, 0.0}};  // am of the reference model

  using D = model::Data<MitRule>;

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    const double e = u[plant] - u[reference];
    const double n = 1 + p[normalization] * (x[f1] * x[f1] + x[f2] * x[f2]);
    dx[t1] = -p[adaptation] * x[f1] * e / n;
    dx[t2] = p[adaptation] * x[f2] * e / n;
    dx[f1] = p[filter] * (u[command] - x[f1]);
    dx[f2] = p[filter] * (u[plant] - x[f2]);
  }
  static void outputs_of(double /*t*/, D::X x, D::U u, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[t1] * u[command] - x[t2] * u[plant];
    y[1] = u[plant] - u[reference];
    y[2] = x[t1];
    y[3] = x[t2];
  }
};

HILD_MODEL(MitRule);

}  // namespace
