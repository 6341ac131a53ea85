// SPDX-License-Identifier: Apache-2.0
/// \file
/// The other side of a Link: answers requests with a system, and a stepper of it.
#pragma once

#include "foreign/remote/shared.hpp"

namespace hild::remote {

/// Answers the request at hand. Without a stepper only a System is asked for.
void answer(model::System& system, model::Stepper* stepper, Shared& shared) noexcept;

}  // namespace hild::remote
