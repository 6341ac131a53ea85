// SPDX-License-Identifier: Apache-2.0
/// \file
/// The Jacobian of an FMU: J(i, k) at j[i * nx + k]. Real-time safe after construction, as far as
/// the FMU is.
#pragma once

#include "foreign/fmi/model_exchange.hpp"

namespace hild::fmi {

class FmuJacobian {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  explicit FmuJacobian(std::size_t states) : moved_(states), column_(states) {}

  /// In the way the layout says, dx being the derivatives at x.
  void at(ModelExchange& fmu, double t, In x, In u, In dx, Out j) noexcept;
  /// By directional derivatives; and by differences, with steps scaled by the nominal values, in as
  /// many evaluations as the layout has colours.
  void by_directions(ModelExchange& fmu, double t, In x, In u, Out j) noexcept;
  void by_differences(ModelExchange& fmu, double t, In x, In u, In dx, Out j) noexcept;

 private:
  std::vector<double> moved_;   // a state beside x
  std::vector<double> column_;  // derivatives there, or along one state
};

}  // namespace hild::fmi
