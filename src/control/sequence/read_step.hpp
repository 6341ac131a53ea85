// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads one step: a keyword with its subject, and the keys that belong to it.
#pragma once

#include <string>

#include "config/node.hpp"
#include "control/sequence/names.hpp"
#include "control/sequence/sequence.hpp"

namespace hild::sequence {

/// `node` is a step, `path` its place in the file ("steps[3]"), `timeout` that of a condition
/// without one; `names` may be null. Throws config::ConfigError; parse.hpp is the boundary.
[[nodiscard]] Step read_step(const config::Node& node, std::string path, const Names* names,
                             Duration timeout);

}  // namespace hild::sequence
