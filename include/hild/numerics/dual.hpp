// SPDX-License-Identifier: Apache-2.0
/// \file
/// Dual numbers: a value with its derivatives in N directions, carried through arithmetic and the
/// elementary functions (forward-mode automatic differentiation, exact to rounding). A model whose
/// derivatives are a template over their scalar gets its Jacobian from them.
///
///   using std::sin; dx[1] = -sin(x[0]);      found for double and for Dual<N>
///
/// Comparisons look at the value. Real-time safe.
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstddef>

namespace hild::numerics {

/// A value with its derivatives in N directions. Seeded with d[k] = 1, the state x_k, what is
/// computed from it carries the derivative by x_k in d[k]. Trivially copyable memory of N + 1
/// doubles.
template <std::size_t N>
struct Dual {
  double value = 0;           ///< what a double would be
  std::array<double, N> d{};  ///< derivatives of the value, one a direction

  /// Zero, a constant.
  constexpr Dual() noexcept = default;
  /// A constant: all its derivatives are zero.
  constexpr Dual(double v) noexcept : value(v) {}  // NOLINT: a constant is a dual number

  /// f(*this) where f and its derivative at the value are known.
  [[nodiscard]] constexpr Dual through(double f, double slope) const noexcept {
    Dual r(f);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = slope * d[i];
    return r;
  }
  /// Arithmetic in place, by the rules of sum, product and quotient.
  ///@{
  constexpr Dual& operator+=(const Dual& b) noexcept { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) noexcept { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) noexcept { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) noexcept { return *this = *this / b; }
  ///@}

  /// Arithmetic by the rules of sum, product and quotient; a double on either side is a constant.
  /// A division by zero gives what IEEE 754 says, in the derivatives too.
  ///@{
  friend constexpr Dual operator-(const Dual& a) noexcept { return a.through(-a.value, -1); }
  friend constexpr Dual operator+(const Dual& a, const Dual& b) noexcept {
    Dual r(a.value + b.value);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = a.d[i] + b.d[i];
    return r;
  }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) noexcept {
    Dual r(a.value - b.value);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = a.d[i] - b.d[i];
    return r;
  }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) noexcept {
    return join(a.value * b.value, a, b.value, b, a.value);
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) noexcept {
    return join(a.value / b.value, a, 1 / b.value, b, -(a.value / b.value) / b.value);
  }
  // A constant costs nothing where it has no part in the derivatives.
  friend constexpr Dual operator+(const Dual& a, double b) noexcept { return a.with(a.value + b); }
  friend constexpr Dual operator+(double a, const Dual& b) noexcept { return b.with(a + b.value); }
  friend constexpr Dual operator-(const Dual& a, double b) noexcept { return a.with(a.value - b); }
  friend constexpr Dual operator-(double a, const Dual& b) noexcept {
    return b.through(a - b.value, -1);
  }
  friend constexpr Dual operator*(const Dual& a, double b) noexcept {
    return a.through(a.value * b, b);
  }
  friend constexpr Dual operator*(double a, const Dual& b) noexcept {
    return b.through(a * b.value, a);
  }
  friend constexpr Dual operator/(const Dual& a, double b) noexcept {
    return a.through(a.value / b, 1 / b);
  }
  ///@}
  /// Comparison of the values alone: branches of a model go where those of doubles do.
  ///@{
  friend constexpr bool operator==(const Dual& a, const Dual& b) noexcept {
    return a.value == b.value;
  }
  friend constexpr auto operator<=>(const Dual& a, const Dual& b) noexcept {
    return a.value <=> b.value;
  }
  ///@}

 private:
  [[nodiscard]] constexpr Dual with(double v) const noexcept {
    Dual r(*this);
    r.value = v;
    return r;
  }
  static constexpr Dual join(double v, const Dual& a, double fa, const Dual& b,
                             double fb) noexcept {
    Dual r(v);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = fa * a.d[i] + fb * b.d[i];
    return r;
  }
};

/// An elementary function with its derivative by the chain rule; angles in radians.
///@{
template <std::size_t N>
Dual<N> sin(const Dual<N>& a) noexcept {
  return a.through(std::sin(a.value), std::cos(a.value));
}
template <std::size_t N>
Dual<N> cos(const Dual<N>& a) noexcept {
  return a.through(std::cos(a.value), -std::sin(a.value));
}
template <std::size_t N>
Dual<N> tan(const Dual<N>& a) noexcept {
  const double t = std::tan(a.value);
  return a.through(t, 1 + t * t);
}
template <std::size_t N>
Dual<N> atan(const Dual<N>& a) noexcept {
  return a.through(std::atan(a.value), 1 / (1 + a.value * a.value));
}
template <std::size_t N>
Dual<N> tanh(const Dual<N>& a) noexcept {
  const double t = std::tanh(a.value);
  return a.through(t, 1 - t * t);
}
template <std::size_t N>
Dual<N> exp(const Dual<N>& a) noexcept {
  const double e = std::exp(a.value);
  return a.through(e, e);
}
template <std::size_t N>
Dual<N> log(const Dual<N>& a) noexcept {
  return a.through(std::log(a.value), 1 / a.value);
}
///@}
/// The square root. At zero its slope is infinite: derivatives there are infinite, or NaN in
/// directions in which `a` does not move.
template <std::size_t N>
Dual<N> sqrt(const Dual<N>& a) noexcept {
  const double r = std::sqrt(a.value);
  return a.through(r, 0.5 / r);
}
/// A constant power. At zero the slope is infinite for powers below one, and NaN for the power 0.
template <std::size_t N>
Dual<N> pow(const Dual<N>& a, double power) noexcept {
  return a.through(std::pow(a.value, power), power * std::pow(a.value, power - 1));
}
/// The absolute value; at zero with the slope of positive values.
template <std::size_t N>
Dual<N> abs(const Dual<N>& a) noexcept {
  return a.value < 0 ? -a : a;
}

}  // namespace hild::numerics
