// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a model's Jacobian is that of its derivatives. An implicit method believes it: little is
/// enough for its stability to be lost (Cellier, Linearly Implicit Methods VI), and nothing would
/// tell during the run.
#pragma once

#include <vector>

#include "hild/core/result.hpp"
#include "hild/model/system.hpp"

namespace hild::plan {

/// Compares the Jacobian of a system with central differences of its derivatives, one state at a
/// time, at `initial` and at some states around it. The error names the states and both numbers.
/// A system without a Jacobian has nothing wrong with it.
[[nodiscard]] Result<void> check_jacobian(model::System& system,
                                          const std::vector<double>& initial);

}  // namespace hild::plan
