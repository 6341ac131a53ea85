// SPDX-License-Identifier: Apache-2.0
#include "numerics/analysis/error_coefficient.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hild::analysis {
namespace {

Exact power_over_factorial(std::size_t base, int power) {
  Exact out = 1;
  for (int i = 1; i <= power; ++i) out *= Exact(base) / i;
  return out;
}

}  // namespace

// Put z = e^mu into the polynomial. What is left at the first power that does not vanish, divided
// by the derivative in z at mu = 0, z = 1, is how far the root lies beside e^mu.
Exact root_defect(const Characteristic& c, int power) {
  Exact left = 0;
  Exact slope = 0;
  for (std::size_t k = 0; k < c.a.size(); ++k) {
    const std::size_t exponent = c.degree() - k;
    slope += c.a[k][0] * exponent;
    for (std::size_t j = 0; j < c.a[k].size() && static_cast<int>(j) <= power; ++j) {
      left += c.a[k][j] * power_over_factorial(exponent, power - static_cast<int>(j));
    }
  }
  return left / slope;
}

// e^(mu (1 - e_I mu^k)) = e^mu (1 - e_I mu^(k+1) ...): the defect of the root is e_I itself.
ErrorCoefficient error_coefficient(const Characteristic& c, int order, int passes) {
  ErrorCoefficient e;
  e.exact = root_defect(c, order + 1);
  e.value = e.exact.convert_to<double>();
  e.normalised = e.value * std::pow(passes, order);
  return e;
}

std::string to_string(const Exact& value) {
  constexpr int longest = 100'000;
  if (denominator(value) > longest) return fmt::format("{:.8f}", value.convert_to<double>());
  return value.str();
}

}  // namespace hild::analysis
