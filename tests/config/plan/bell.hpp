// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hild/model/integrated.hpp"

namespace hild::plan {

/// A clock of its own, which strikes between two ticks.
struct Bell {
  static constexpr std::string_view name = "bell", summary = "a time event";
  static constexpr std::array states{model::State{"x", "1", 1.0}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr SimTime strikes{431'000'000};
  using D = model::Data<Bell>;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept { dx[0] = -x[0]; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static SimTime next_time_event(SimTime t, D::P) noexcept {
    return t < strikes ? strikes : model::never;
  }
  static void on_time_event(double, D::NewX x, D::U, D::NewP) noexcept { x[0] = 1; }
};

}  // namespace hild::plan
