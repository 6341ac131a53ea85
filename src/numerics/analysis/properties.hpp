// SPDX-License-Identifier: Apache-2.0
/// \file
/// The properties of a method that follow from its tableau: its row in a table of methods. Not
/// real-time.
#pragma once

#include "numerics/analysis/error_coefficient.hpp"
#include "numerics/analysis/stability.hpp"

namespace hild::analysis {

/// The properties. Where `roots` is absent, the family of the method has no characteristic
/// polynomial yet, and what follows from it is absent too.
struct Properties {
  const numerics::Method* method = nullptr;
  std::optional<Roots> roots;
  std::optional<ErrorCoefficient> error;
  std::optional<StabilityLimits> limits;
};

[[nodiscard]] Properties properties(const numerics::Method& method);

}  // namespace hild::analysis
