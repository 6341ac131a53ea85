// SPDX-License-Identifier: Apache-2.0
#include "drivers/comedi_convert.hpp"

#include <algorithm>
#include <cmath>

namespace hild::comedi {

double evaluate(const comedi_polynomial_t& polynomial, double x) noexcept {
  double value = 0;
  double term = 1;
  const unsigned order = std::min(polynomial.order, COMEDI_MAX_NUM_POLYNOMIAL_COEFFICIENTS - 1u);
  for (unsigned i = 0; i <= order; ++i) {
    value += polynomial.coefficients[i] * term;
    term *= x - polynomial.expansion_origin;
  }
  return value;
}

lsampl_t Conversion::to_raw(double volts) const noexcept {
  const double cut = std::clamp(volts, range_.low, range_.high);
  const double counts = std::nearbyint(evaluate(polynomial_, cut));
  return static_cast<lsampl_t>(std::clamp(counts, 0.0, static_cast<double>(maxdata_)));
}

double Conversion::to_volts(lsampl_t raw) const noexcept {
  return evaluate(polynomial_, static_cast<double>(raw));
}

}  // namespace hild::comedi
