// SPDX-License-Identifier: Apache-2.0
/// \file
/// A number that knows which of N variables it was computed from, which of them it depends on other
/// than linearly, and its derivatives. Equations written for any scalar are evaluated with it once,
/// by the compiler, to learn their structure.
///
/// What a branch depends on is not seen: both of its sides must use the same variables.
#pragma once

#include <cmath>
#include <compare>

#include "hild/numerics/structure/incidence.hpp"

namespace hild::numerics {

/// At most most_places variables.
template <std::size_t N>
struct Traced {
  static_assert(N <= most_places);

  double value = 0;           ///< what a double would be
  std::array<double, N> d{};  ///< its derivatives
  Places depends = 0;         ///< the variables it was computed from
  /// Those of them by which its derivative is not a constant, or appears in that of another one.
  Places nonlinear = 0;

  /// Zero, a constant.
  constexpr Traced() noexcept = default;
  /// A constant.
  constexpr Traced(double v) noexcept : value(v) {}  // NOLINT: a constant is a traced number
  /// Variable `place`.
  [[nodiscard]] static constexpr Traced variable(std::size_t place, double v) noexcept {
    Traced t(v);
    t.d[place] = 1;
    t.depends = only(place);
    return t;
  }

  /// f(*this), which is not linear, where f and its derivative at the value are known.
  [[nodiscard]] constexpr Traced through(double f, double slope) const noexcept {
    Traced r(f);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = slope * d[i];
    r.depends = r.nonlinear = depends;
    return r;
  }
  /// Arithmetic in place.
  ///@{
  constexpr Traced& operator+=(const Traced& b) noexcept { return *this = *this + b; }
  constexpr Traced& operator-=(const Traced& b) noexcept { return *this = *this - b; }
  constexpr Traced& operator*=(const Traced& b) noexcept { return *this = *this * b; }
  constexpr Traced& operator/=(const Traced& b) noexcept { return *this = *this / b; }
  ///@}

  /// Arithmetic: sums are linear, products and quotients by what is constant too.
  ///@{
  friend constexpr Traced operator-(const Traced& a) noexcept { return 0.0 - a; }
  friend constexpr Traced operator+(const Traced& a, const Traced& b) noexcept {
    return join(a.value + b.value, a, 1, b, 1);
  }
  friend constexpr Traced operator-(const Traced& a, const Traced& b) noexcept {
    return join(a.value - b.value, a, 1, b, -1);
  }
  friend constexpr Traced operator*(const Traced& a, const Traced& b) noexcept {
    Traced r = join(a.value * b.value, a, b.value, b, a.value);
    if (a.depends != 0 && b.depends != 0) r.nonlinear = r.depends;
    return r;
  }
  friend constexpr Traced operator/(const Traced& a, const Traced& b) noexcept {
    Traced r = join(a.value / b.value, a, 1 / b.value, b, -(a.value / b.value) / b.value);
    if (b.depends != 0) r.nonlinear = r.depends;
    return r;
  }
  ///@}
  /// Comparison of the values alone.
  ///@{
  friend constexpr bool operator==(const Traced& a, const Traced& b) noexcept {
    return a.value == b.value;
  }
  friend constexpr auto operator<=>(const Traced& a, const Traced& b) noexcept {
    return a.value <=> b.value;
  }
  ///@}

 private:
  static constexpr Traced join(double v, const Traced& a, double fa, const Traced& b,
                               double fb) noexcept {
    Traced r(v);
    for (std::size_t i = 0; i < N; ++i) {
      // A factor that is not finite (of what is zero at the start) must not reach what is not
      // there.
      r.d[i] =
          (contains(a.depends, i) ? fa * a.d[i] : 0) + (contains(b.depends, i) ? fb * b.d[i] : 0);
    }
    r.depends = a.depends | b.depends;
    r.nonlinear = a.nonlinear | b.nonlinear;
    return r;
  }
};

/// An elementary function. That its derivative is known matters less than what it depends on.
///@{
template <std::size_t N>
constexpr Traced<N> sin(const Traced<N>& a) noexcept {
  return a.through(std::sin(a.value), std::cos(a.value));
}
template <std::size_t N>
constexpr Traced<N> cos(const Traced<N>& a) noexcept {
  return a.through(std::cos(a.value), -std::sin(a.value));
}
template <std::size_t N>
constexpr Traced<N> tan(const Traced<N>& a) noexcept {
  const double t = std::tan(a.value);
  return a.through(t, 1 + t * t);
}
template <std::size_t N>
constexpr Traced<N> atan(const Traced<N>& a) noexcept {
  return a.through(std::atan(a.value), 1 / (1 + a.value * a.value));
}
template <std::size_t N>
constexpr Traced<N> tanh(const Traced<N>& a) noexcept {
  const double t = std::tanh(a.value);
  return a.through(t, 1 - t * t);
}
template <std::size_t N>
constexpr Traced<N> exp(const Traced<N>& a) noexcept {
  const double e = std::exp(a.value);
  return a.through(e, e);
}
template <std::size_t N>
constexpr Traced<N> log(const Traced<N>& a) noexcept {
  return a.through(std::log(a.value), 1 / a.value);
}
template <std::size_t N>
constexpr Traced<N> sqrt(const Traced<N>& a) noexcept {
  const double r = std::sqrt(a.value);
  return a.through(r, 0.5 / r);
}
template <std::size_t N>
constexpr Traced<N> pow(const Traced<N>& a, double power) noexcept {
  return a.through(std::pow(a.value, power), power * std::pow(a.value, power - 1));
}
template <std::size_t N>
constexpr Traced<N> abs(const Traced<N>& a) noexcept {
  return a.value < 0 ? a.through(-a.value, -1) : a.through(a.value, 1);
}
///@}

}  // namespace hild::numerics
