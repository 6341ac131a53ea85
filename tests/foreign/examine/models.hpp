// SPDX-License-Identifier: Apache-2.0
/// \file
/// x' = -x, of which one function does something else besides.
#pragma once

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::testing {

inline void nothing() noexcept {}

template <void (*InDerivatives)(), void (*InOutputs)() = nothing, void (*InAction)() = nothing>
struct Decay {
  static constexpr std::string_view name = "decay", summary = "x' = -x";
  static constexpr std::array states{model::State{"level", "V", 1.0}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"shown", "V"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"half"}};
  using D = model::Data<Decay>;
  static void derivatives(double /*t*/, typename D::X x, typename D::U /*u*/, typename D::P /*p*/,
                          typename D::DX dx) noexcept {
    InDerivatives();
    dx[0] = -x[0];
  }
  static void outputs_of(double /*t*/, typename D::X x, typename D::U /*u*/, typename D::P /*p*/,
                         typename D::Y y) noexcept {
    InOutputs();
    y[0] = x[0];
  }
  static void event_functions(double /*t*/, typename D::X x, typename D::U /*u*/,
                              typename D::P /*p*/, std::span<double, 1> g) noexcept {
    g[0] = x[0] - 0.5;
  }
  static void on_event(std::size_t /*index*/, double /*t*/, typename D::NewX /*x*/,
                       typename D::U /*u*/, typename D::NewP /*p*/) noexcept {
    InAction();
  }
};

template <void (*InDerivatives)(), void (*InOutputs)() = nothing, void (*InAction)() = nothing>
std::unique_ptr<model::Stepper> decay() {
  return model::make_stepper<Decay<InDerivatives, InOutputs, InAction>>(numerics::rk4);
}

}  // namespace hild::testing
