// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checks that what a model says of itself is so: its Jacobian, on which an implicit method relies
/// (a small error is enough to lose stability, Cellier, Linearly Implicit Methods VI, and nothing
/// would show it during the run), and its feedthrough, on which the order relies in which several
/// models are evaluated.
#pragma once

#include <span>
#include <vector>

#include "hild/core/result.hpp"
#include "hild/model/system.hpp"

namespace hild::plan {

/// The Jacobian by central differences of the derivatives, J(i, k) at [i * n + k].
[[nodiscard]] std::vector<double> differences_of(model::System& system, double t,
                                                 std::span<const double> x,
                                                 std::span<const double> u);

/// Compares the Jacobian of a system with differences of its derivatives, at `initial` and at some
/// states around it. The error names the states and both numbers. A system without a Jacobian
/// passes.
[[nodiscard]] Result<void> check_jacobian(model::System& system,
                                          const std::vector<double>& initial);

/// Checks that outputs declared not to depend on an input directly do not: moves one input after
/// the other at some states, and looks at the outputs. The error names input and output. A system
/// that declares nothing about its feedthrough passes.
[[nodiscard]] Result<void> check_feedthrough(model::System& system);

}  // namespace hild::plan
