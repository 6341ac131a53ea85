// SPDX-License-Identifier: Apache-2.0
/// \file
/// Howe's error coefficient e_I: the root that approximates e^mu is wrong by the fraction (lambda*
/// - lambda) / lambda = -e_I mu^k (eq. 15). Not real-time.
#pragma once

#include <string>

#include "numerics/analysis/characteristic.hpp"

namespace hild::analysis {

struct ErrorCoefficient {
  Exact exact;
  double value = 0;
  double normalised = 0;  ///< e_I N^k for N passes: as if each had one pass (Howe, table 1)
};

/// The coefficient of mu^power in the expansion of the root, less that of e^mu, negated: zero up to
/// the order, e_I at order + 1.
[[nodiscard]] Exact root_defect(const Characteristic& c, int power);

[[nodiscard]] ErrorCoefficient error_coefficient(const Characteristic& c, int order, int passes);

/// "59/2880"; a decimal where the fraction would be long.
[[nodiscard]] std::string to_string(const Exact& value);

}  // namespace hild::analysis
