// SPDX-License-Identifier: Apache-2.0
/// A model with two states of one name.
#include "hild/model/integrated.hpp"

namespace {

namespace model = hild::model;

struct Doubled {
  static constexpr std::string_view name = "doubled", summary = "two states of one name";
  static constexpr std::array states{model::State{"x", "V"}, model::State{"x", "A"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y", "V"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Doubled>;
  static void derivatives(double /*t*/, D::X /*x*/, D::U /*u*/, D::P /*p*/, D::DX dx) noexcept {
    dx[0] = dx[1] = 0;
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[0];
  }
};

HILD_MODEL(Doubled);

}  // namespace
