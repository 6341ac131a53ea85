// SPDX-License-Identifier: Apache-2.0
/// \file
/// Converts volts to raw counts and back by calibration polynomials. Kept apart from the device, so
/// that it can be tested without one. Real-time safe.
#pragma once

#include <comedilib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "hild/io/options.hpp"
#include "hild/io/pair.hpp"

namespace hild::comedi {

/// The value of a calibration polynomial, bit for bit as libcomedi computes it; nearly all are
/// straight lines.
[[nodiscard]] inline double evaluate(const comedi_polynomial_t& p, double x) noexcept {
  if (p.order == 1) return p.coefficients[0] + p.coefficients[1] * (x - p.expansion_origin);
  double value = 0;
  double term = 1;
  const unsigned order = std::min(p.order, COMEDI_MAX_NUM_POLYNOMIAL_COEFFICIENTS - 1u);
  for (unsigned i = 0; i <= order; ++i) {
    value += p.coefficients[i] * term;
    term *= x - p.expansion_origin;
  }
  return value;
}

/// A conversion whose polynomial is a straight line, of one value or of two at once.
class StraightLine {
 public:
  /// `rails`, in counts: what the ends of the range are converted to.
  StraightLine(const comedi_polynomial_t& line, io::Interval rails) noexcept
      : begin_(twice(line.coefficients[0])),
        slope_(twice(line.coefficients[1])),
        origin_(twice(line.expansion_origin)),
        low_(twice(rails.low)),
        high_(twice(rails.high)) {}

  /// The counts of volts, which are finite, each as the end of the word of its value: added to 2^52
  /// they are rounded, as lrint() does. A straight line keeps the order of what it converts, so
  /// that cutting afterwards is enough.
  template <class Number>
  [[nodiscard]] Number to_counts(Number volts) const noexcept {
    const auto low = as<Number>(low_);
    const auto high = as<Number>(high_);
    const Number counts = at(volts);
    const Number least = counts < low ? low : counts;
    return (high < least ? high : least) + 0x1p52;
  }
  /// The volts of raw counts.
  template <class Number>
  [[nodiscard]] Number to_volts(Number raw) const noexcept {
    return at(raw);
  }
  /// Whether both are the same.
  [[nodiscard]] bool operator==(const StraightLine& other) const noexcept {
    return origin_[0] == other.origin_[0] && begin_[0] == other.begin_[0] &&
           slope_[0] == other.slope_[0] && low_[0] == other.low_[0] && high_[0] == other.high_[0];
  }

 private:
  static io::Pair twice(double value) noexcept { return io::Pair{value, value}; }
  template <class Number>
  static Number as(io::Pair both) noexcept {
    if constexpr (std::is_same_v<Number, io::Pair>) {
      return both;
    } else {
      return both[0];
    }
  }
  template <class Number>
  [[nodiscard]] Number at(Number x) const noexcept {
    return as<Number>(begin_) + as<Number>(slope_) * (x - as<Number>(origin_));
  }

  io::Pair begin_, slope_, origin_, low_, high_;  // each twice
};

/// The conversion of one D/A or A/D channel. libcomedi's comedi_from_physical is not used: it turns
/// a count of -1, which calibration yields near the lower rail, into 2^32 - 1, and so into the
/// upper rail.
class Conversion {
 public:
  Conversion() = default;
  Conversion(io::Interval range, lsampl_t maxdata, const comedi_polynomial_t& polynomial) noexcept
      : range_(range), maxdata_(maxdata), polynomial_(polynomial) {}

  /// The nearest raw count to the volts, cut to the range. The polynomial is one "from physical".
  /// Precondition: not NaN.
  [[nodiscard]] lsampl_t to_raw(double volts) const noexcept {
    const double cut = std::clamp(volts, range_.low, range_.high);
    return static_cast<lsampl_t>(std::lrint(cut_to_counts(evaluate(polynomial_, cut))));
  }
  /// The volts of a raw count. The polynomial is one "to physical". The rails are values like all
  /// others.
  [[nodiscard]] double to_volts(lsampl_t raw) const noexcept {
    return evaluate(polynomial_, static_cast<double>(raw));
  }
  /// The same conversion, where it is one.
  [[nodiscard]] std::optional<StraightLine> straight() const noexcept {
    if (polynomial_.order != 1) return {};
    const double a = cut_to_counts(evaluate(polynomial_, range_.low));
    const double b = cut_to_counts(evaluate(polynomial_, range_.high));
    return StraightLine(polynomial_, {std::min(a, b), std::max(a, b)});
  }

 private:
  [[nodiscard]] double cut_to_counts(double counts) const noexcept {
    return std::clamp(counts, 0.0, static_cast<double>(maxdata_));
  }

  io::Interval range_{0, 0};
  lsampl_t maxdata_ = 0;
  comedi_polynomial_t polynomial_{};
};

}  // namespace hild::comedi
