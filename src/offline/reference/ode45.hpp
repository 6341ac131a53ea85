// SPDX-License-Identifier: Apache-2.0
/// \file
/// Huang's fourth-order formula of five passes, whose error is estimated by the third-order result
/// of the same passes (ODE45 with ODE35, the `ode-45` of the catalogue). The error of each state is
/// measured, per step, against absolute + relative * max(|y| at the start, |y| at the end). Within
/// a step: Huang's continuous formula, of third order.
#pragma once

#include <array>

#include "hild/numerics/coefficients.hpp"
#include "hild/numerics/methods/continuous.hpp"
#include "offline/reference/formula.hpp"

namespace hild::reference {

class Ode45 final : public Formula {
 public:
  Ode45(Ode& ode, Tolerance tolerance);

  Trial attempt(double end, double proposed) override;
  double grown(double h, double error) const override;
  double shrunk(double h, double error) const override;
  int error_power() const override { return method().embedded.order + 1; }
  void within(double theta, std::span<double> y) const override;

 private:
  static constexpr const numerics::Method& method() { return numerics::ode45; }
  static constexpr std::size_t passes = 5;
  static_assert(passes == static_cast<std::size_t>(numerics::ode45.passes));

  [[nodiscard]] const Vector& pass(std::size_t j) const { return j == 0 ? f1_ : later_[j - 1]; }

  std::array<Vector, passes - 1> later_;  ///< F_1 ... of the step tried
  Vector stage_, error_, allowed_;
};

}  // namespace hild::reference
