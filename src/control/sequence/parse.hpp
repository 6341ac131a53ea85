// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads a sequence from a YAML file. Errors name file, line and key, what was found and what was
/// expected; nothing is thrown.
#pragma once

#include <string>

#include "control/sequence/names.hpp"
#include "control/sequence/sequence.hpp"
#include "hild/core/result.hpp"

namespace hild::sequence {

inline constexpr std::size_t max_steps = 1000;  ///< in each of the two lists

/// Reads a file. With the `names` of a run every name, unit and value is checked, and numbers are
/// converted to the units of the run. Without (null) only the form is checked: the result can be
/// shown, not run.
[[nodiscard]] Result<Sequence> parse_file(const std::string& file, const Names* names);

/// Reads a text in memory likewise; `name` stands for the file in messages.
[[nodiscard]] Result<Sequence> parse_text(const std::string& text, const std::string& name,
                                          const Names* names);

}  // namespace hild::sequence
