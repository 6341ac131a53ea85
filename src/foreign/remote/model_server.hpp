// SPDX-License-Identifier: Apache-2.0
/// \file
/// The other end of a Link: answers requests with a system, and a stepper of it.
#pragma once

#include "foreign/remote/shared.hpp"

namespace hild::remote {

/// Answers the present request. Without a stepper only functions of System may be requested.
void answer(model::System& system, model::Stepper* stepper, Shared& shared) noexcept;

}  // namespace hild::remote
