// SPDX-License-Identifier: Apache-2.0
/// \file
/// Time in integer nanoseconds. Simulated time, monotonic time and durations are different types,
/// so that they cannot be mixed by accident; doubles (seconds) appear only inside a step.
/// Real-time safe: everything here is constexpr and noexcept.
#pragma once

#include <compare>
#include <cstdint>

namespace hild {

/// A length of time in nanoseconds; may be negative.
struct Duration {
  std::int64_t ns = 0;

  constexpr auto operator<=>(const Duration&) const noexcept = default;
  constexpr Duration& operator+=(Duration d) noexcept { return ns += d.ns, *this; }
  constexpr Duration& operator-=(Duration d) noexcept { return ns -= d.ns, *this; }
};

constexpr Duration operator+(Duration a, Duration b) noexcept { return {a.ns + b.ns}; }
constexpr Duration operator-(Duration a, Duration b) noexcept { return {a.ns - b.ns}; }
constexpr Duration operator-(Duration a) noexcept { return {-a.ns}; }
constexpr Duration operator*(Duration a, std::int64_t k) noexcept { return {a.ns * k}; }
constexpr Duration operator/(Duration a, std::int64_t k) noexcept { return {a.ns / k}; }

/// The part `fraction` (0 ... 1) of a duration, rounded to the nearest nanosecond.
constexpr Duration part(Duration d, double fraction) noexcept {
  const double x = static_cast<double>(d.ns) * fraction;
  return {static_cast<std::int64_t>(x < 0 ? x - 0.5 : x + 0.5)};
}

constexpr double seconds(Duration d) noexcept { return static_cast<double>(d.ns) * 1e-9; }
constexpr double microseconds(Duration d) noexcept { return static_cast<double>(d.ns) * 1e-3; }
constexpr Duration from_seconds(double s) noexcept { return part({1'000'000'000}, s); }

/// A point on one of the two time lines; points of different lines do not compare or subtract.
template <class Line>
struct TimePoint {
  std::int64_t ns = 0;

  constexpr auto operator<=>(const TimePoint&) const noexcept = default;
  constexpr TimePoint& operator+=(Duration d) noexcept { return ns += d.ns, *this; }
};

template <class Line>
constexpr TimePoint<Line> operator+(TimePoint<Line> t, Duration d) noexcept {
  return {t.ns + d.ns};
}
template <class Line>
constexpr TimePoint<Line> operator-(TimePoint<Line> t, Duration d) noexcept {
  return {t.ns - d.ns};
}
template <class Line>
constexpr Duration operator-(TimePoint<Line> a, TimePoint<Line> b) noexcept {
  return {a.ns - b.ns};
}

/// Simulated time: 0 at the start of the run; advances with the steps.
using SimTime = TimePoint<struct SimulatedLine>;
/// CLOCK_MONOTONIC, or the virtual clock that stands in for it.
using MonoTime = TimePoint<struct MonotonicLine>;

constexpr double seconds(SimTime t) noexcept { return static_cast<double>(t.ns) * 1e-9; }

inline namespace literals {
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
}  // namespace literals

}  // namespace hild
