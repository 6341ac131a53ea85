// SPDX-License-Identifier: Apache-2.0
/// \file
/// Huang's fourth-order formula of five passes, whose error is estimated by the third-order result
/// of the same passes (ODE45 with ODE35, the `ode-45` of the catalogue). The error of each state is
/// measured, per step, against absolute + relative * max(|y| at the start, |y| at the end). Within
/// a step: Huang's continuous formula, of third order.
#include <algorithm>
#include <array>
#include <cmath>

#include "hild/numerics/coefficients.hpp"
#include "hild/numerics/methods/continuous.hpp"
#include "offline/reference/formula.hpp"

namespace hild::reference {
namespace {

constexpr std::size_t passes = 5;
static_assert(passes == static_cast<std::size_t>(numerics::ode45.passes));
constexpr numerics::Coefficients weights = numerics::uniform_coefficients(numerics::ode45);
constexpr numerics::PassWeights error_weights = numerics::error_weights(numerics::ode45);

constexpr double pair_safety = 0.9;
constexpr double pair_largest_growth = 5;
constexpr double smallest_factor = 0.2;
constexpr double exponent = -1.0 / (numerics::ode45.embedded.order + 1);

class Ode45 final : public Formula {
 public:
  Ode45(Ode& ode, Tolerance tolerance) : Formula(ode, tolerance) {
    for (Vector& f : later_) f = vector();
    for (Vector* v : {&stage_, &error_, &allowed_}) *v = vector();
  }

  Trial attempt(double end, double /*proposed*/) override {
    end_ = end;
    const double h = end - t1_;
    for (std::size_t p = 1; p < passes; ++p) {
      for (std::size_t i = 0; i < size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < p; ++j) sum += weights.pass[p][j] * pass(j)[i];
        stage_[i] = y1_[i] + h * sum;
      }
      evaluate(t1_ + weights.node[p] * h, stage_, later_[p - 1]);
    }
    const Tolerance& tol = tolerance();
    for (std::size_t i = 0; i < size(); ++i) {
      double sum = 0;
      double difference = 0;
      for (std::size_t j = 0; j < passes; ++j) {
        sum += weights.pass[passes][j] * pass(j)[i];
        difference += error_weights[j] * pass(j)[i];
      }
      result_[i] = y1_[i] + h * sum;
      error_[i] = h * difference;
      allowed_[i] = tol.relative * std::max(std::abs(y1_[i]), std::abs(result_[i])) + absolute(i);
    }
    return judge(error_, allowed_);
  }

  [[nodiscard]] double grown(double h, double error) const override {
    return h * std::min(pair_safety * std::pow(error, exponent), pair_largest_growth);
  }

  [[nodiscard]] double shrunk(double h, double error) const override {
    return h * std::max(pair_safety * std::pow(error, exponent), smallest_factor);
  }

  void within(double theta, std::span<double> y) const override {
    const double h = t1_ - t0_;
    const auto weight = numerics::dense_weights(numerics::ode45, theta);
    for (std::size_t i = 0; i < size(); ++i) {
      double sum = weight[0] * f0_[i];
      for (std::size_t j = 1; j < passes; ++j) sum += weight[j] * later_[j - 1][i];
      y[i] = y0_[i] + h * sum;
    }
  }

  [[nodiscard]] int error_power() const override { return numerics::ode45.embedded.order + 1; }

 private:
  [[nodiscard]] const Vector& pass(std::size_t j) const { return j == 0 ? f1_ : later_[j - 1]; }

  std::array<Vector, passes - 1> later_;  // F_1 ... of the step tried
  Vector stage_, error_, allowed_;
};

}  // namespace

std::unique_ptr<Formula> make_ode45(Ode& ode, Tolerance tolerance) {
  return std::make_unique<Ode45>(ode, tolerance);
}

}  // namespace hild::reference
