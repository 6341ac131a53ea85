// SPDX-License-Identifier: Apache-2.0
#include "drivers/comedi_convert.hpp"

namespace hild::comedi {

double evaluate_any(const comedi_polynomial_t& polynomial, double x) noexcept {
  double value = 0;
  double term = 1;
  const unsigned order = std::min(polynomial.order, COMEDI_MAX_NUM_POLYNOMIAL_COEFFICIENTS - 1u);
  for (unsigned i = 0; i <= order; ++i) {
    value += polynomial.coefficients[i] * term;
    term *= x - polynomial.expansion_origin;
  }
  return value;
}

}  // namespace hild::comedi
