// SPDX-License-Identifier: Apache-2.0
/// Van der Pol's oscillator, driven:  x'' = mu (1 - x^2) x' - x + u
#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::model {
namespace {

struct VanDerPol {
  static constexpr std::string_view name = "van-der-pol";
  static constexpr std::string_view summary = "Van der Pol's oscillator with a driving input";

  static constexpr std::array states{State{"x", "1", 2.0}, State{"v", "1/s", 0.0}};
  static constexpr std::array inputs{Input{"drive", "1/s2"}};
  static constexpr std::array outputs{Output{"x"}, Output{"v", "1/s"}};
  static constexpr std::array<Feedthrough, 0> feedthrough{};  // outputs follow from the states
  static constexpr std::array parameters{Parameter{"mu", "1/s", 1.0, 0.0}};
  using Methods = CompiledWith<numerics::ab2, numerics::rtam2, numerics::rk4>;
  using D = Data<VanDerPol>;

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    dx[0] = x[1];
    dx[1] = p[0] * (1.0 - x[0] * x[0]) * x[1] - x[0] + u[0];
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[0];
    y[1] = x[1];
  }
};

HILD_MODEL(VanDerPol);

}  // namespace
}  // namespace hild::model
