// SPDX-License-Identifier: Apache-2.0
/// \file
/// Time in integer nanoseconds. Simulated time, monotonic time and durations are different types,
/// so that they cannot be mixed by accident; doubles (seconds) appear only inside a step.
/// Real-time safe: everything here is constexpr and throws nothing. Sums that leave 64 bits (292
/// years) are not caught.
#pragma once

#include <compare>
#include <cstdint>

namespace hild {

/// A length of time in nanoseconds; may be negative.
struct Duration {
  std::int64_t ns = 0;  ///< nanoseconds

  /// By length; a negative one is less than none.
  constexpr auto operator<=>(const Duration&) const noexcept = default;
  /// Makes it longer, or shorter, by another.
  ///@{
  constexpr Duration& operator+=(Duration d) noexcept { return ns += d.ns, *this; }
  constexpr Duration& operator-=(Duration d) noexcept { return ns -= d.ns, *this; }
  ///@}
};

/// Sums, differences, multiples and whole parts of lengths of time; a part is rounded towards zero.
/// Precondition of `/`: k is not 0.
///@{
constexpr Duration operator+(Duration a, Duration b) noexcept { return {a.ns + b.ns}; }
constexpr Duration operator-(Duration a, Duration b) noexcept { return {a.ns - b.ns}; }
constexpr Duration operator-(Duration a) noexcept { return {-a.ns}; }
constexpr Duration operator*(Duration a, std::int64_t k) noexcept { return {a.ns * k}; }
constexpr Duration operator/(Duration a, std::int64_t k) noexcept { return {a.ns / k}; }
///@}

/// The part `fraction` (0 ... 1) of a duration, rounded to the nearest nanosecond.
constexpr Duration part(Duration d, double fraction) noexcept {
  const double x = static_cast<double>(d.ns) * fraction;
  return {static_cast<std::int64_t>(x < 0 ? x - 0.5 : x + 0.5)};
}

/// As a double, in seconds: for steps and for people.
constexpr double seconds(Duration d) noexcept { return static_cast<double>(d.ns) * 1e-9; }
/// As a double, in microseconds: for people.
constexpr double microseconds(Duration d) noexcept { return static_cast<double>(d.ns) * 1e-3; }
/// `s` seconds rounded to the nearest nanosecond. Precondition: finite, and less than 292 years.
constexpr Duration from_seconds(double s) noexcept { return part({1'000'000'000}, s); }

/// A point on one of the two time lines; points of different lines do not compare or subtract.
template <class Line>
struct TimePoint {
  std::int64_t ns = 0;  ///< nanoseconds from the origin of its line

  /// The earlier one is less.
  constexpr auto operator<=>(const TimePoint&) const noexcept = default;
  /// Moves it on, or back where `d` is negative.
  constexpr TimePoint& operator+=(Duration d) noexcept { return ns += d.ns, *this; }
};

/// The point that lies `d` after `t`, or before it.
///@{
template <class Line>
constexpr TimePoint<Line> operator+(TimePoint<Line> t, Duration d) noexcept {
  return {t.ns + d.ns};
}
template <class Line>
constexpr TimePoint<Line> operator-(TimePoint<Line> t, Duration d) noexcept {
  return {t.ns - d.ns};
}
///@}

/// How long after `b` the point `a` lies; negative when it is the earlier one.
template <class Line>
constexpr Duration operator-(TimePoint<Line> a, TimePoint<Line> b) noexcept {
  return {a.ns - b.ns};
}

/// Simulated time: 0 at the start of the run; advances with the steps.
using SimTime = TimePoint<struct SimulatedLine>;
/// CLOCK_MONOTONIC, or the virtual clock that stands in for it.
using MonoTime = TimePoint<struct MonotonicLine>;

/// As a double, in seconds from the start of the run: the `t` of a model.
constexpr double seconds(SimTime t) noexcept { return static_cast<double>(t.ns) * 1e-9; }

inline namespace literals {
/// Lengths of time in nanoseconds, microseconds, milliseconds and seconds: `250_us`.
///@{
constexpr Duration operator""_ns(unsigned long long v) { return {static_cast<std::int64_t>(v)}; }
constexpr Duration operator""_us(unsigned long long v) {
  return {static_cast<std::int64_t>(v) * 1'000};
}
constexpr Duration operator""_ms(unsigned long long v) {
  return {static_cast<std::int64_t>(v) * 1'000'000};
}
constexpr Duration operator""_s(unsigned long long v) {
  return {static_cast<std::int64_t>(v) * 1'000'000'000};
}
///@}
}  // namespace literals

}  // namespace hild
