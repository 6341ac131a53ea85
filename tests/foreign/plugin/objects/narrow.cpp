// SPDX-License-Identifier: Apache-2.0
/// A model that declares a narrower structure than its Jacobian has.
#include "hild/model/integrated.hpp"

namespace {

namespace model = hild::model;

struct Narrow {
  static constexpr std::string_view name = "narrow";
  static constexpr std::string_view summary = "an oscillator said to be two states by themselves";
  static constexpr std::array states{model::State{"x", "m", 1.0}, model::State{"v", "m/s"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x", "m"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr auto structure = hild::numerics::banded(0, 0);
  using D = model::Data<Narrow>;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept {
    dx[0] = x[1];
    dx[1] = -x[0];
  }
  static void jacobian(double, D::X, D::U, D::P, D::J j) noexcept {
    j(0, 1) = 1;
    j(1, 0) = -1;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

HILD_MODEL(Narrow);

}  // namespace
