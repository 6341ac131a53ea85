// SPDX-License-Identifier: Apache-2.0
/// \file
/// Converts volts to raw counts and back by calibration polynomials. Kept apart from the device, so
/// that it can be tested without one. Real-time safe.
#pragma once

#include <comedilib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "hild/io/options.hpp"

namespace hild::comedi {

/// The value of a calibration polynomial, bit for bit as libcomedi computes it; nearly all are
/// straight lines.
[[nodiscard]] inline bool is_straight(const comedi_polynomial_t& p) noexcept {
  return p.order == 1;
}
template <class Number>
[[nodiscard]] Number evaluate_straight(const comedi_polynomial_t& p, Number x) noexcept {
  return p.coefficients[0] + p.coefficients[1] * (x - p.expansion_origin);
}
[[nodiscard]] inline double evaluate(const comedi_polynomial_t& p, double x) noexcept {
  if (is_straight(p)) return evaluate_straight(p, x);
  double value = 0;
  double term = 1;
  const unsigned order = std::min(p.order, COMEDI_MAX_NUM_POLYNOMIAL_COEFFICIENTS - 1u);
  for (unsigned i = 0; i <= order; ++i) {
    value += p.coefficients[i] * term;
    term *= x - p.expansion_origin;
  }
  return value;
}

/// The conversion of one D/A or A/D channel. libcomedi's comedi_from_physical is not used: it turns
/// a count of -1, which calibration yields near the lower rail, into 2^32 - 1, and so into the
/// upper rail.
class Conversion {
 public:
  Conversion() = default;
  Conversion(io::Interval range, lsampl_t maxdata, const comedi_polynomial_t& polynomial) noexcept
      : range_(range), maxdata_(maxdata), polynomial_(polynomial) {
    const double a = cut_to_counts(evaluate(polynomial, range.low));
    const double b = cut_to_counts(evaluate(polynomial, range.high));
    rails_ = {std::min(a, b), std::max(a, b)};
  }

  /// The nearest raw count to the volts, cut to the range. The polynomial is one "from physical".
  /// Precondition: not NaN.
  [[nodiscard]] lsampl_t to_raw(double volts) const noexcept {
    const double cut = std::clamp(volts, range_.low, range_.high);
    return static_cast<lsampl_t>(std::lrint(cut_to_counts(evaluate(polynomial_, cut))));
  }
  /// The same where the polynomial is a straight line. That keeps the order of what it converts, so
  /// that cutting afterwards is enough. Precondition: finite.
  [[nodiscard]] lsampl_t straight_to_raw(double volts) const noexcept {
    const double counts = evaluate_straight(polynomial_, volts);
    const double cut = std::min(std::max(counts, rails_.low), rails_.high);
    // Added to 2^52 it is rounded, as lrint() does, and is the end of what the sum is.
    return static_cast<lsampl_t>(std::bit_cast<std::uint64_t>(cut + 0x1p52));
  }
  /// The volts of a raw count. The polynomial is one "to physical". The rails are values like all
  /// others.
  [[nodiscard]] double to_volts(lsampl_t raw) const noexcept {
    return evaluate(polynomial_, static_cast<double>(raw));
  }
  /// The same where the polynomial is a straight line, of one raw count or of two at once.
  [[nodiscard]] bool straight() const noexcept { return is_straight(polynomial_); }
  template <class Number>
  [[nodiscard]] Number straight_to_volts(Number raw) const noexcept {
    return evaluate_straight(polynomial_, raw);
  }
  /// Whether both are, and the same one.
  [[nodiscard]] bool same_line(const Conversion& other) const noexcept {
    const comedi_polynomial_t& a = polynomial_;
    const comedi_polynomial_t& b = other.polynomial_;
    return straight() && other.straight() && a.expansion_origin == b.expansion_origin &&
           a.coefficients[0] == b.coefficients[0] && a.coefficients[1] == b.coefficients[1] &&
           rails_.low == other.rails_.low && rails_.high == other.rails_.high;
  }

 private:
  [[nodiscard]] double cut_to_counts(double counts) const noexcept {
    return std::clamp(counts, 0.0, static_cast<double>(maxdata_));
  }

  io::Interval range_{0, 0};
  io::Interval rails_{0, 0};  // in counts: what the ends of the range are converted to
  lsampl_t maxdata_ = 0;
  comedi_polynomial_t polynomial_{};
};

}  // namespace hild::comedi
