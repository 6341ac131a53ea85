// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cellier's oscillator with line and load once more, from Kirchhoff's laws by branches and nodes
/// instead of by rows, as a model without structure: what the built-in one is compared with.
#pragma once

#include "hild/model/integrated.hpp"

namespace hild::test {

template <bool WithJacobian>
struct Circuit {
  static constexpr std::string_view name = "circuit", summary = "oscillator, line and load";
  static constexpr std::array states{
      model::State{"i_L", "A"}, model::State{"u_C", "V", 0.1}, model::State{"i_1", "A"},
      model::State{"u_1", "V"}, model::State{"i_2", "A"},      model::State{"u_2", "V"},
      model::State{"i_3", "A"}, model::State{"u_3", "V"},      model::State{"i_4", "A"},
      model::State{"u_4", "V"}, model::State{"i_5", "A"},      model::State{"u_5", "V"},
      model::State{"u_l", "V"}};
  static constexpr std::array inputs{model::Input{"injected_current", "A"}};
  static constexpr std::array outputs{model::Output{"u_C", "V"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Circuit>;
  static constexpr double l = 10e-3, c = 1e-3, r = 10, k = 0.04, r_load = 1e3, c_load = 1e-9;

  static void derivatives(double /*t*/, typename D::X x, typename D::U u, typename D::P /*p*/,
                          typename D::DX dx) noexcept {
    // Currents into the nodes C, 1 ... 5 (at odd places) and that of the load.
    const double v = x[1];
    const double through_load = (x[11] - x[12]) / r_load;
    for (double& d : dx) d = 0;
    dx[1] = u[0] - (k * v * v * v - v) - x[0];
    for (std::size_t branch = 2; branch < 12; branch += 2) {
      dx[branch - 1] -= x[branch];
      dx[branch + 1] += x[branch];
      dx[branch] = (x[branch - 1] - x[branch + 1] - r * x[branch]) / l;
    }
    dx[11] -= through_load;
    for (std::size_t node = 1; node < 12; node += 2) dx[node] /= c;
    dx[0] = v / l;
    dx[12] = through_load / c_load;
  }
  static void jacobian(double /*t*/, typename D::X x, typename D::U /*u*/, typename D::P /*p*/,
                       typename D::J j) noexcept requires(WithJacobian) {
    j(1, 1) = (1 - 3 * k * x[1] * x[1]) / c;
    j(1, 0) = -1 / c;
    j(0, 1) = 1 / l;
    for (std::size_t branch = 2; branch < 12; branch += 2) {
      j(branch - 1, branch) = -1 / c;
      j(branch + 1, branch) = 1 / c;
      j(branch, branch - 1) = 1 / l;
      j(branch, branch + 1) = -1 / l;
      j(branch, branch) = -r / l;
    }
    j(11, 11) = -1 / (r_load * c);
    j(11, 12) = 1 / (r_load * c);
    j(12, 11) = 1 / (r_load * c_load);
    j(12, 12) = -1 / (r_load * c_load);
  }
  static void outputs_of(double /*t*/, typename D::X x, typename D::U /*u*/, typename D::P /*p*/,
                         typename D::Y y) noexcept {
    y[0] = x[1];
  }
};

}  // namespace hild::test
