// SPDX-License-Identifier: Apache-2.0
/// \file
/// The name of a node, which one program of a machine has at a time: a second one would be heard in
/// place of the first.
#pragma once

#include "drivers/dds/task.hpp"
#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"

namespace hild::dds {

/// Takes the name for as long as this descriptor is open, here or in a forked copy. Error: another
/// program has it.
[[nodiscard]] Result<Descriptor> claim_name(const GatewayTask& task);

}  // namespace hild::dds
