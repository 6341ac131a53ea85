// SPDX-License-Identifier: Apache-2.0
/// \file
/// The truncation coefficients of a Runge-Kutta method: the factors of the first terms of its error
/// in one step, one for each rooted tree (Bernstein, table 1). Not real-time.
#pragma once

#include <string_view>
#include <vector>

#include "numerics/analysis/characteristic.hpp"

namespace hild::analysis {

struct TruncationCoefficient {
  std::string_view tree;
  double value = 0;
  std::optional<numerics::Rational> exact;  ///< nothing where the weights are rounded
};

struct Truncation {
  std::vector<TruncationCoefficient> coefficients;  ///< Bernstein's T_1, T_2, ...
  double sum = 0;                                   ///< sum of the absolute values
  double root_of_squares = 0;
};

/// The coefficients of a method; empty for methods with history and for those that do not consist
/// of explicit passes.
[[nodiscard]] Truncation truncation(const numerics::Method& method);

}  // namespace hild::analysis
