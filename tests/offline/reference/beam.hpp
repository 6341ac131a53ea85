// SPDX-License-Identifier: Apache-2.0
/// \file
/// The flexible beam of Jack's rk_derivs: nine modes driven by the sine of the first.
///   v' = K q + B sin q_0,   q' = v,   y = (v, q)
/// The numbers are the paper's; a colon between operands in its text stands for a minus.
#pragma once

#include <array>
#include <cmath>

#include "offline/reference/formula.hpp"

namespace hild::test {

class Beam final : public reference::Ode {
 public:
  static constexpr std::size_t modes = 9;
  static constexpr std::array<double, modes> drive{-1.98,
                                                   0.4518711099417621,
                                                   0.2391077163121257,
                                                   0.1565327441783348,
                                                   0.1132900827837232,
                                                   0.08708677938043836,
                                                   0.06972522601510263,
                                                   0.05749689432606649,
                                                   0.04848968962573384};
  static constexpr std::array<std::array<double, modes>, modes> stiffness{{
      {0, 1301.388796632275, 12114.79095981437, 21956.32625008109, 98362.70683351491,
       97439.65571318488, 347900.987724956, 238202.7335655744, 801693.6156953528},
      {0, -567, -2526.692502066684, -6413.784140427552, -21658.36710096124, -25879.95640442619,
       -77647.37449279918, -61576.69785710338, -179773.6313506934},
      {0, 80.95999011857648, -6153, 1152.059529711898, -28547.7815504883, -844.8565432071885,
       -79710.68283721448, -6405.409017057381, -166082.56743252},
      {0, -1505.844972100382, 2845.779506567576, -32545.8, 15052.16883833024, -97290.99000636904,
       30080.11914662241, -202940.3646111788, 47064.70563768353},
      {0, 715.2849542065636, -17362.53077751052, 21572.14379134085, -137474.04, 85442.65322814713,
       -352585.2977708019, 193176.6647342691, -681263.6263703158},
      {0, -3699.738414305221, 10389.2522589453, -90553.41881423206, 86691.57005283963, -439369.71,
       268845.6025815515, -996037.4711388333, 558082.2528116575},
      {0, 1703.971893631381, -38124.26660496784, 56810.92040959832, -336143.1918442992,
       280716.0947769071, -1213711.25, 742264.3579599134, -2527433.065839176},
      {0, -7252.400991789842, 22008.50451151402, -184746.3711841028, 203949.6229385724,
       -988390.0815842206, 740549.9706407816, -2917929.13, 1731034.860764493},
      {0, 3155.196941555313, -69565.55370655796, 109906.4461477124, -637801.8289136468,
       590957.0489621608, -2507721.622589704, 1748481.586261928, -6398541.27},
  }};

  /// Linear: q_0 in the place of its sine.
  explicit Beam(bool linear = false) : linear_(linear) {}

  [[nodiscard]] std::size_t size() const override { return 2 * modes; }
  void derivatives(double /*t*/, std::span<const double> y, std::span<double> dy) override {
    const double first = linear_ ? y[modes] : std::sin(y[modes]);
    for (std::size_t i = 0; i < modes; ++i) {
      dy[modes + i] = y[i];
      double sum = drive[i] * first;
      for (std::size_t j = modes; j-- > 0;) sum += stiffness[i][j] * y[modes + j];
      dy[i] = sum;
    }
  }

 private:
  bool linear_;
};

}  // namespace hild::test
