// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact fractions for tableaux and for what is proven of them while compiling. An overflow or a
/// zero denominator is a compile-time error, because all arithmetic here is consteval-friendly.
#pragma once

#include <cstdint>
#include <numeric>

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

}  // namespace hild::numerics
