// SPDX-License-Identifier: Apache-2.0
/// \file
/// Volts to raw counts and back by calibration polynomials. Kept apart from the device, so that it
/// is tested without one. Real-time safe.
#pragma once

#include <comedilib.h>

#include "hild/io/options.hpp"

namespace hild::comedi {

/// The value of a calibration polynomial, bit for bit as libcomedi computes it.
[[nodiscard]] double evaluate(const comedi_polynomial_t& polynomial, double x) noexcept;

/// One D/A or A/D channel. libcomedi's comedi_from_physical is not used: it turns a count of -1,
/// which calibration yields near the lower rail, into 2^32 - 1, and so into the upper rail.
class Conversion {
 public:
  Conversion() = default;
  Conversion(io::Interval range, lsampl_t maxdata, const comedi_polynomial_t& polynomial) noexcept
      : range_(range), maxdata_(maxdata), polynomial_(polynomial) {}

  /// The nearest raw count, of the volts cut to the range. The polynomial is one "from physical".
  /// Precondition: not NaN.
  [[nodiscard]] lsampl_t to_raw(double volts) const noexcept;
  /// The polynomial is one "to physical". The rails are values like all others.
  [[nodiscard]] double to_volts(lsampl_t raw) const noexcept;

 private:
  io::Interval range_{0, 0};
  lsampl_t maxdata_ = 0;
  comedi_polynomial_t polynomial_{};
};

}  // namespace hild::comedi
