// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models whose place a real part may take, by one word: `part: simulated` or `part: real`. What is
/// `of` such a model among devices, inputs and outputs is there only where it is real; the model,
/// its signals and its connections only where it is simulated.
#pragma once

#include "config/node.hpp"

namespace hild::config {

/// The document with one of both left, and without either key. Throws ConfigError: a word that is
/// neither, an `of` that names no such model or belongs to nothing that was connected, a connection
/// that has no signal in its place, no model left.
[[nodiscard]] Node choose_parts(Node document);

}  // namespace hild::config
