// SPDX-License-Identifier: Apache-2.0
/// \file
/// The other end: answers requests with a plant of its own, in its own process.
#pragma once

#include "remote/shared.hpp"

namespace hild::remote {

/// Does what the request says, and fills in the reply. Real-time safe, as far as the model is.
void answer(model::Plant& plant, Shared& shared) noexcept;

}  // namespace hild::remote
