// SPDX-License-Identifier: Apache-2.0
#include "offline/reference/jack.hpp"

#include <cmath>

namespace hild::reference {
namespace {

// The constants of rk_qc.
constexpr double jack_safety = 0.9;
constexpr double grow = -0.20;
constexpr double shrink = -0.25;
constexpr double jack_largest_growth = 4;
constexpr double error_of_largest_growth = 6e-4;
constexpr double correction = 1.0 / 15;

}  // namespace

Jack::Jack(Ode& ode, Tolerance tolerance) : Formula(ode, tolerance) {
  for (Vector* v : {&whole_, &middle_, &f_middle_, &allowed_, &stage_, &f_stage_, &f_sum_}) {
    *v = vector();
  }
}

// rk_4, operation for operation.
void Jack::classical(double t, double h, const Vector& y, const Vector& f, Vector& out) {
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

Trial Jack::attempt(double end, double proposed) {
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
    allowed_[i] = tol.relative * (std::abs(y1_[i]) + std::abs(proposed * f1_[i])) + tol.absolute;
    // Of the error of two halves, a half of it came in the first.
    middle_[i] += 0.5 * correction * error[i];
    result_[i] += correction * error[i];
  }
  return judge(error, allowed_);
}

double Jack::grown(double h, double error) const {
  return error > error_of_largest_growth ? jack_safety * h * std::pow(error, grow)
                                         : jack_largest_growth * h;
}

double Jack::shrunk(double h, double error) const {
  return jack_safety * h * std::pow(error, shrink);
}

// Newton's form with the nodes 0, 0, 1/2, 1/2, 1, 1.
void Jack::within(double theta, std::span<double> y) const {
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

}  // namespace hild::reference
