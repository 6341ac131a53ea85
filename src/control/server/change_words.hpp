// SPDX-License-Identifier: Apache-2.0
/// \file
/// A change in a few words, for a line in a list or a mark on an axis of time.
#pragma once

#include <string>

#include "control/server/names.hpp"
#include "exec/changes.hpp"

namespace hild::server {

/// "set inertia 0.02", "override shaft_speed stuck 42"; empty for what is a part of another change.
[[nodiscard]] std::string words_of(const exec::Change& change, const Names& names);
/// Whether it makes something wrong with a signal or a device.
[[nodiscard]] bool is_fault(const exec::Change& change);

}  // namespace hild::server
