// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether the structure that a model declares for its Jacobian fits its states. Not real-time.
#pragma once

#include "hild/core/result.hpp"
#include "hild/model/description.hpp"

namespace hild::model {

/// Room is reserved, and elements are numbered, by a structure: one that does not fit must not get
/// further. Error: what it has, and how many states there are.
[[nodiscard]] Result<void> check_structure(const Description& model);

}  // namespace hild::model
