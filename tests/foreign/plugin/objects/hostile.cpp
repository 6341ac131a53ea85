// SPDX-License-Identifier: Apache-2.0
/// A model whose shared object means harm as soon as it is loaded; it tells what came of that.
#include "support/hostile.h"

#include "hild/model/integrated.hpp"

namespace {

namespace model = hild::model;

struct Hostile {
  static constexpr std::string_view name = "hostile",
                                    summary = "tries the doors while it is loaded";
  static constexpr std::array states{model::State{"x", "1", 1}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{
      model::Output{"file"},    model::Output{"shm"},    model::Output{"device"},
      model::Output{"process"}, model::Output{"signal"}, model::Output{"everybody"},
      model::Output{"trace"},   model::Output{"memory"}, model::Output{"vm"},
      model::Output{"limits"},  model::Output{"socket"}, model::Output{"shared"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Hostile>;
  static void derivatives(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::DX dx) noexcept {
    dx[0] = -x[0];
  }
  static void outputs_of(double /*t*/, D::X /*x*/, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    for (std::size_t i = 0; i < hostile_tries; ++i) y[i] = hostile_found[i];
    y[hostile_tries] = hostile_shared;
  }
};

HILD_MODEL(Hostile);

}  // namespace
