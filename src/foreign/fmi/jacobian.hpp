// SPDX-License-Identifier: Apache-2.0
/// \file
/// The Jacobian of an FMU. Real-time safe after construction, as far as the FMU is.
#pragma once

#include "foreign/fmi/model_exchange.hpp"
#include "hild/numerics/jacobian.hpp"

namespace hild::fmi {

class FmuJacobian {
 public:
  using In = std::span<const double>;

  explicit FmuJacobian(const Layout& layout);

  /// In the way the layout says, dx being the derivatives at x; j is of its description's
  /// structure, and zero.
  void at(ModelExchange& fmu, double t, In x, In u, In dx, numerics::Jacobian j) noexcept;
  /// By directional derivatives; and by differences, with steps scaled by the nominal values.
  /// Either way in as many evaluations as the layout's dependencies have colours.
  void by_directions(ModelExchange& fmu, double t, In x, In u, numerics::Jacobian j) noexcept;
  void by_differences(ModelExchange& fmu, double t, In x, In u, In dx,
                      numerics::Jacobian j) noexcept;

 private:
  template <class Value>
  void put(std::size_t colour, numerics::Jacobian j, Value&& value) const noexcept;

  numerics::Structure dependencies_;
  std::vector<double> moved_;             // a state beside x
  std::vector<double> column_;            // derivatives there, or along the states of a colour
  std::vector<ValueReference> coloured_;  // those states
  std::vector<double> ones_;              // what they are moved by
};

}  // namespace hild::fmi
