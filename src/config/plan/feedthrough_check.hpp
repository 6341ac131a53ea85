// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether outputs that are said not to depend on an input at once do not. The order in which
/// several models are evaluated rests on it.
#pragma once

#include "hild/core/result.hpp"
#include "hild/model/system.hpp"

namespace hild::plan {

/// Moves one input after the other at some states, and looks at the outputs. The error names input
/// and output. A system that says nothing of its feedthrough has nothing wrong with it.
[[nodiscard]] Result<void> check_feedthrough(model::System& system);

}  // namespace hild::plan
