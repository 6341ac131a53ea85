// SPDX-License-Identifier: Apache-2.0
#include "offline/reference/ode45.hpp"

#include <algorithm>
#include <cmath>

namespace hild::reference {

namespace {

constexpr numerics::Coefficients weights = numerics::uniform_coefficients(numerics::ode45);
constexpr numerics::PassWeights error_weights = numerics::error_weights(numerics::ode45);

constexpr double safety = 0.9;
constexpr double largest_growth = 5;
constexpr double smallest_factor = 0.2;
constexpr double exponent = -1.0 / (numerics::ode45.embedded.order + 1);

}  // namespace

Ode45::Ode45(Ode& ode, Tolerance tolerance) : Formula(ode, tolerance) {
  for (Vector& f : later_) f = vector();
  for (Vector* v : {&stage_, &error_, &allowed_}) *v = vector();
}

Trial Ode45::attempt(double end, double /*proposed*/) {
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
    allowed_[i] = tol.relative * std::max(std::abs(y1_[i]), std::abs(result_[i])) + tol.absolute;
  }
  return judge(error_, allowed_);
}

double Ode45::grown(double h, double error) const {
  return h * std::min(safety * std::pow(error, exponent), largest_growth);
}

double Ode45::shrunk(double h, double error) const {
  return h * std::max(safety * std::pow(error, exponent), smallest_factor);
}

void Ode45::within(double theta, std::span<double> y) const {
  const double h = t1_ - t0_;
  const auto weight = numerics::dense_weights(method(), theta);
  for (std::size_t i = 0; i < size(); ++i) {
    double sum = weight[0] * f0_[i];
    for (std::size_t j = 1; j < passes; ++j) sum += weight[j] * later_[j - 1][i];
    y[i] = y0_[i] + h * sum;
  }
}

}  // namespace hild::reference
