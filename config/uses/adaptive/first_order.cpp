// SPDX-License-Identifier: Apache-2.0
/// A first-order system:  y' = -a y + b u.  The plant is one, and the reference model another.
#include "hild/model/integrated.hpp"

namespace {

namespace model = hild::model;

struct FirstOrder {
  static constexpr std::string_view name = "first-order";
  static constexpr std::string_view summary = "first-order system, y' = -a y + b u";

  static constexpr std::array states{model::State{"y", "V"}};
  static constexpr std::array inputs{model::Input{"u", "V"}};
  static constexpr std::array outputs{model::Output{"y", "V"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};  // y follows from the state
  static constexpr std::array parameters{model::Parameter{"a", "1/s", 5.0},
                                         model::Parameter{"b", "1/s", 5.0}};

  using D = model::Data<FirstOrder>;

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    dx[0] = -p[0] * x[0] + p[1] * u[0];
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[0];
  }
};

HILD_MODEL(FirstOrder);

}  // namespace
