// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checks that a model's Jacobian is that of its derivatives. An implicit method relies on it: a
/// small error is enough to lose stability (Cellier, Linearly Implicit Methods VI), and nothing
/// would show it during the run.
#pragma once

#include <vector>

#include "hild/core/result.hpp"
#include "hild/model/system.hpp"

namespace hild::plan {

/// Compares the Jacobian of a system with central differences of its derivatives, one state at a
/// time, at `initial` and at some states around it. The error names the states and both numbers. A
/// system without a Jacobian passes.
[[nodiscard]] Result<void> check_jacobian(model::System& system,
                                          const std::vector<double>& initial);

}  // namespace hild::plan
