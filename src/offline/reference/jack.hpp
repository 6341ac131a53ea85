// SPDX-License-Identifier: Apache-2.0
/// \file
/// Jack, "Adaptive Time Step Runge-Kutta" (appendix D; after Press et al.): classical fourth-order
/// Runge-Kutta over a step and over its two halves. Their difference is the error of the halves
/// (times 15), is measured against |y| + |h y'| of each state, and taken off the result, which so
/// becomes one of fifth order.
///
/// Two things are added to the paper: the absolute tolerance in the place of its 1e-30, and results
/// within the step, by the polynomial of fifth degree through both ends and the middle with their
/// derivatives.
#pragma once

#include "offline/reference/formula.hpp"

namespace hild::reference {

class Jack final : public Formula {
 public:
  Jack(Ode& ode, Tolerance tolerance);

  Trial attempt(double end, double proposed) override;
  double grown(double h, double error) const override;
  double shrunk(double h, double error) const override;
  int error_power() const override { return 5; }
  void within(double theta, std::span<double> y) const override;

 private:
  void classical(double t, double h, const Vector& y, const Vector& f, Vector& out);

  Vector whole_, middle_, f_middle_, allowed_;
  Vector stage_, f_stage_, f_sum_;
};

}  // namespace hild::reference
