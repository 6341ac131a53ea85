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
#include <cmath>

#include "offline/reference/formula.hpp"

namespace hild::reference {
namespace {

// The constants of rk_qc.
constexpr double safety = 0.9;
constexpr double grow = -0.20;
constexpr double shrink = -0.25;
constexpr double largest_growth = 4;
constexpr double error_of_largest_growth = 6e-4;
constexpr double correction = 1.0 / 15;

class Jack final : public Formula {
 public:
  Jack(Ode& ode, Tolerance tolerance) : Formula(ode, tolerance) {
    for (Vector* v : {&whole_, &middle_, &f_middle_, &allowed_, &stage_, &f_stage_, &f_sum_}) {
      *v = vector();
    }
  }

  Trial attempt(double end, double proposed) override {
    end_ = end;
    const double h = end - t1_;
    const double half = 0.5 * h;
    classical(t1_, half, y1_, f1_, middle_);
    evaluate(t1_ + half, middle_, f_middle_);
    classical(t1_ + half, half, middle_, f_middle_, result_);
    classical(t1_, h, y1_, f1_, whole_);

    Vector& error = whole_;
    const Tolerance& tol = tolerance();
    for (std::size_t i = 0; i < size(); ++i) {
      error[i] = result_[i] - whole_[i];
      allowed_[i] = tol.relative * (std::abs(y1_[i]) + std::abs(proposed * f1_[i])) + absolute(i);
      // Of the error of two halves, a half of it came in the first.
      middle_[i] += 0.5 * correction * error[i];
      result_[i] += correction * error[i];
    }
    return judge(error, allowed_);
  }

  [[nodiscard]] double grown(double h, double error) const override {
    return error > error_of_largest_growth ? safety * h * std::pow(error, grow)
                                           : largest_growth * h;
  }

  [[nodiscard]] double shrunk(double h, double error) const override {
    return safety * h * std::pow(error, shrink);
  }

  [[nodiscard]] int error_power() const override { return 5; }

  // Newton's form with the nodes 0, 0, 1/2, 1/2, 1, 1.
  void within(double theta, std::span<double> y) const override {
    const double h = t1_ - t0_;
    for (std::size_t i = 0; i < size(); ++i) {
      const double d0 = h * f0_[i], dm = h * f_middle_[i], d1 = h * f1_[i];
      const double first = 2 * (middle_[i] - y0_[i]), second = 2 * (y1_[i] - middle_[i]);
      const double a2 = 2 * (first - d0), b2 = 2 * (dm - first);
      const double c2 = 2 * (second - dm), e2 = 2 * (d1 - second);
      const double a3 = 2 * (b2 - a2), b3 = c2 - b2, c3 = 2 * (e2 - c2);
      const double a4 = b3 - a3, b4 = c3 - b3;
      const double a5 = b4 - a4;
      const double s = theta, r = theta - 0.5;
      y[i] = y0_[i] + s * (d0 + s * (a2 + r * (a3 + r * (a4 + (s - 1) * a5))));
    }
  }

 private:
  // rk_4, operation for operation.
  void classical(double t, double h, const Vector& y, const Vector& f, Vector& out) {
    const double half = 0.5 * h;
    const std::size_t n = size();
    for (std::size_t i = 0; i < n; ++i) stage_[i] = y[i] + half * f[i];
    evaluate(t + half, stage_, f_stage_);
    for (std::size_t i = 0; i < n; ++i) stage_[i] = y[i] + half * f_stage_[i];
    evaluate(t + half, stage_, f_sum_);
    for (std::size_t i = 0; i < n; ++i) {
      stage_[i] = y[i] + h * f_sum_[i];
      f_sum_[i] = f_stage_[i] + f_sum_[i];
    }
    evaluate(t + h, stage_, f_stage_);
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = y[i] + h / 6 * (f[i] + f_stage_[i] + 2.0 * f_sum_[i]);
    }
  }

  Vector whole_, middle_, f_middle_, allowed_;
  Vector stage_, f_stage_, f_sum_;
};

}  // namespace

std::unique_ptr<Formula> make_jack(Ode& ode, Tolerance tolerance) {
  return std::make_unique<Jack>(ode, tolerance);
}

}  // namespace hild::reference
