// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact fractions for tableaux and for what is proven of them while compiling. There an overflow
/// is a compile-time error, and so is the double of a fraction with the denominator zero. At run
/// time nothing is checked. Never allocates or throws.
#pragma once

#include <cstdint>
#include <numeric>
#include <string_view>

namespace hild::numerics {

/// num/den in lowest terms, den > 0. A structural type.
struct Rational {
  std::int64_t num = 0;  ///< numerator, with the sign
  std::int64_t den = 1;  ///< denominator

  /// Zero.
  constexpr Rational() noexcept = default;
  /// A whole number.
  constexpr Rational(std::int64_t whole) noexcept : num(whole) {}  // NOLINT: 1 is a fraction
  /// n/d, reduced to lowest terms; d != 0.
  constexpr Rational(std::int64_t n, std::int64_t d) noexcept {
    const std::int64_t divisor = (d < 0 ? -1 : 1) * std::gcd(n, d);
    num = n / divisor;
    den = d / divisor;
  }

  /// The double nearest to num/den as long as both are below 2^53.
  [[nodiscard]] constexpr double value() const noexcept {
    return static_cast<double>(num) / static_cast<double>(den);
  }
  /// The same number: both are in lowest terms.
  constexpr bool operator==(const Rational&) const noexcept = default;
};

/// Exact arithmetic, reduced to lowest terms. What does not fit 64 bits overflows; the divisor is
/// not zero.
///@{
constexpr Rational operator+(Rational a, Rational b) noexcept {
  const std::int64_t g = std::gcd(a.den, b.den);
  return {a.num * (b.den / g) + b.num * (a.den / g), a.den / g * b.den};
}
constexpr Rational operator-(Rational a) noexcept { return {-a.num, a.den}; }
constexpr Rational operator-(Rational a, Rational b) noexcept { return a + -b; }
constexpr Rational operator*(Rational a, Rational b) noexcept {
  // Crosswise reduction keeps the products small.
  const Rational p(a.num, b.den);
  const Rational q(b.num, a.den);
  return {p.num * q.num, p.den * q.den};
}
constexpr Rational operator/(Rational a, Rational b) noexcept { return a * Rational(b.den, b.num); }

constexpr Rational& operator+=(Rational& a, Rational b) noexcept { return a = a + b; }
constexpr Rational& operator*=(Rational& a, Rational b) noexcept { return a = a * b; }
///@}

/// A number as it is printed, "-0.25", for weights that are not small fractions. At most 16 digits
/// below 9e15, so that value() is the double nearest to them; anything else does not compile.
consteval Rational decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::int64_t num = 0;
  std::int64_t den = 1;
  bool fraction = false;
  for (const char c : text.substr(negative ? 1 : 0)) {
    if (c == '.') {
      den /= fraction ? 0 : 1;
      fraction = true;
      continue;
    }
    num = 10 * num + (c - '0') / (c >= '0' && c <= '9' ? 1 : 0);
    if (fraction) den *= 10;
  }
  return {(negative ? -num : num) / (num < (std::int64_t{1} << 53) ? 1 : 0), den};
}

}  // namespace hild::numerics
