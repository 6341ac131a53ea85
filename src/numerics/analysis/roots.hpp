// SPDX-License-Identifier: Apache-2.0
/// \file
/// The roots of a characteristic polynomial at a given mu = lambda h. Not real-time.
#pragma once

#include <complex>
#include <vector>

#include "numerics/analysis/characteristic.hpp"

namespace hild::analysis {

using Complex = std::complex<double>;

class Roots {
 public:
  explicit Roots(const Characteristic& c);

  /// All roots z. A root is infinite where the leading coefficient vanishes: a pole of R(mu).
  [[nodiscard]] std::vector<Complex> at(Complex mu) const;
  /// The largest modulus: the method is stable where it is at most 1.
  [[nodiscard]] double radius(Complex mu) const;
  /// The root that approximates e^mu: the nearest to it.
  [[nodiscard]] Complex principal(Complex mu) const;
  /// The error of the principal root, (lambda* - lambda) / lambda with lambda* h = ln z (Howe eq.
  /// 25, 15).
  [[nodiscard]] Complex root_error(Complex mu) const;

 private:
  std::vector<std::vector<double>> a_;  // as in Characteristic
};

}  // namespace hild::analysis
