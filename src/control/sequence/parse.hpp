// SPDX-License-Identifier: Apache-2.0
/// \file
/// A file of YAML into a sequence. Errors name file, line and key, what was found and what was
/// expected; nothing is thrown.
#pragma once

#include <string>

#include "control/sequence/names.hpp"
#include "control/sequence/sequence.hpp"
#include "hild/core/result.hpp"

namespace hild::sequence {

inline constexpr std::size_t max_steps = 1000;  ///< of either list

/// With the names of a run every name, unit and value is checked, and numbers are in the units of
/// the run. Without (null) only the form is: the result can be shown, not run.
[[nodiscard]] Result<Sequence> parse_file(const std::string& file, const Names* names);

/// The same of a text in memory; `name` stands for the file.
[[nodiscard]] Result<Sequence> parse_text(const std::string& text, const std::string& name,
                                          const Names* names);

}  // namespace hild::sequence
