// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checks that outputs declared not to depend on an input directly do not. The order in which
/// several models are evaluated relies on it.
#pragma once

#include "hild/core/result.hpp"
#include "hild/model/system.hpp"

namespace hild::plan {

/// Moves one input after the other at some states, and looks at the outputs. The error names input
/// and output. A system that declares nothing about its feedthrough passes.
[[nodiscard]] Result<void> check_feedthrough(model::System& system);

}  // namespace hild::plan
