// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact fractions for tableaux and for what is proven of them while compiling. An overflow or a
/// zero denominator is a compile-time error, because all arithmetic here is consteval-friendly.
#pragma once

#include <cstdint>
#include <numeric>
#include <string_view>

namespace hild::numerics {

/// num/den in lowest terms, den > 0. A structural type.
struct Rational {
  std::int64_t num = 0;
  std::int64_t den = 1;

  constexpr Rational() noexcept = default;
  constexpr Rational(std::int64_t whole) noexcept : num(whole) {}  // NOLINT: 1 is a fraction
  constexpr Rational(std::int64_t n, std::int64_t d) noexcept {
    const std::int64_t divisor = (d < 0 ? -1 : 1) * std::gcd(n, d);
    num = n / divisor;
    den = d / divisor;
  }

  [[nodiscard]] constexpr double value() const noexcept {
    return static_cast<double>(num) / static_cast<double>(den);
  }
  constexpr bool operator==(const Rational&) const noexcept = default;
};

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
