// SPDX-License-Identifier: Apache-2.0
/// \file
/// The grid of ticks: t_n = floor(n * 1e9 / rate) ns, computed from n and never accumulated, so
/// that no rate drifts (3 kHz has frames of 333 333 and 333 334 ns, and exactly 3000 a second).
#pragma once

#include <numeric>

#include "hild/core/time.hpp"

namespace hild {

/// When frames start. The frame is a fraction of whole nanoseconds in lowest terms, so that every
/// rate is exact. Real-time safe.
class Grid {
 public:
  /// A frame of num/den nanoseconds. Precondition: valid(num, den).
  constexpr Grid(std::int64_t num, std::int64_t den) noexcept
      : num_(num / std::gcd(num, den)), den_(den / std::gcd(num, den)) {}

  /// Frames of `period`. Precondition: 1 ns ... 1000 s.
  static constexpr Grid of_period(Duration period) noexcept { return {period.ns, 1}; }
  /// `hertz` frames a second. Precondition: 1 ... 1e9.
  static constexpr Grid of_rate_hz(std::int64_t hertz) noexcept { return {1'000'000'000, hertz}; }

  /// Frames from 1 ns to 1000 s whose fraction keeps tick() within 64 bits.
  static constexpr bool valid(std::int64_t num, std::int64_t den) noexcept {
    return num > 0 && den > 0 && num / den >= 1 && num / den <= 1'000'000'000'000 &&
           num <= INT64_MAX / den;
  }

  /// Start of frame n as an offset from the start of the run, rounded towards that: negative for
  /// the frames there would have been before it.
  [[nodiscard]] constexpr Duration tick(std::int64_t n) const noexcept {
    if (den_ == 1) return {n * num_};  // a whole number of nanoseconds: no division
    // n num/den, split so that no product exceeds 64 bits.
    return {(n / den_) * num_ + ((n % den_) * num_) / den_};
  }

  /// The frame in nanoseconds, a fraction in lowest terms.
  ///@{
  [[nodiscard]] constexpr std::int64_t numerator() const noexcept { return num_; }
  [[nodiscard]] constexpr std::int64_t denominator() const noexcept { return den_; }
  ///@}
  /// The frame rounded down to nanoseconds; use tick() differences for the exact one.
  [[nodiscard]] constexpr Duration period() const noexcept { return {num_ / den_}; }
  /// Frames a second, rounded to a double.
  [[nodiscard]] constexpr double rate_hz() const noexcept {
    return 1e9 * static_cast<double>(den_) / static_cast<double>(num_);
  }
  /// Frames that start before `d`, that is the number needed to cover a duration.
  [[nodiscard]] constexpr std::int64_t frames_in(Duration d) const noexcept {
    std::int64_t n = (d.ns / num_) * den_ + ((d.ns % num_) * den_) / num_;
    while (tick(n) < d) ++n;
    return n;
  }

 private:
  std::int64_t num_;
  std::int64_t den_;
};

}  // namespace hild
