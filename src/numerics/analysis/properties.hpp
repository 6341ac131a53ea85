// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is known of a method from its tableau: the row it has in a table of methods. Not real-time.
#pragma once

#include "numerics/analysis/error_coefficient.hpp"
#include "numerics/analysis/stability.hpp"

namespace hild::analysis {

/// Without roots the family of the method has no characteristic polynomial yet, and what follows
/// from it is missing too.
struct Properties {
  const numerics::Method* method = nullptr;
  std::optional<Roots> roots;
  std::optional<ErrorCoefficient> error;
  std::optional<StabilityLimits> limits;
};

[[nodiscard]] Properties properties(const numerics::Method& method);

}  // namespace hild::analysis
