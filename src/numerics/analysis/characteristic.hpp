// SPDX-License-Identifier: Apache-2.0
/// \file
/// The characteristic polynomial of a method, which describes what it makes of x' = lambda x, from
/// its tableau alone. It is a polynomial in z, the factor of the state from step to step, and in mu
/// = lambda h,
///
///   sum_k A_k(mu) z^(K-k) = 0,
///
/// whose principal root approximates e^mu. A multistep method with K - 1 earlier derivatives has K
/// - 1 extraneous roots (Howe, stability boundaries); a one-step method has z = R(mu) alone, so
/// that A_0 z + A_1 is the denominator and the negative numerator of its stability function. Not
/// real-time.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <vector>

#include "hild/numerics/method.hpp"

namespace hild::analysis {

using Exact = boost::multiprecision::cpp_rational;
/// Coefficients by rising powers.
using Polynomial = std::vector<Exact>;

struct Characteristic {
  std::vector<Polynomial> a;  ///< a[k]: the polynomial in mu that multiplies z^(K-k); K + 1 of them

  [[nodiscard]] std::size_t degree() const noexcept { return a.size() - 1; }
};

[[nodiscard]] Exact exact(numerics::Rational r);

/// That of a one-step method with the stability function numerator / denominator.
[[nodiscard]] Characteristic one_step(const Polynomial& numerator, Polynomial denominator);

/// That of a method; nothing where its family is not covered.
[[nodiscard]] std::optional<Characteristic> characteristic(const numerics::Method& method);

}  // namespace hild::analysis
