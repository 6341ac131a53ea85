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

inline constexpr std::size_t max_steps = 1000;    ///< that a list has as it is written
inline constexpr std::size_t max_taken = 10'000;  ///< of each of the two lists with its repetitions
inline constexpr std::size_t max_depth = 8;       ///< of blocks within blocks

/// The variables that a file sweeps over, without those that are `given`; it is checked no further.
[[nodiscard]] Result<std::vector<Axis>> sweep_of_file(const std::string& file,
                                                      const std::vector<Let>& given);
/// Likewise of a text in memory.
[[nodiscard]] Result<std::vector<Axis>> sweep_of_text(const std::string& text,
                                                      const std::string& name,
                                                      const std::vector<Let>& given);

/// Reads a file. Variables that are `given` have that value in place of the file's; those that it
/// sweeps over must be given, unless they have one value. With the `names` of a run every name,
/// unit and value is checked, and numbers are converted to the units of the run. Without (null)
/// only the form is checked: the result can be shown, not run.
[[nodiscard]] Result<Sequence> parse_file(const std::string& file, const Names* names,
                                          const std::vector<Let>& given = {});

/// Reads a text in memory likewise; `name` stands for the file in messages.
[[nodiscard]] Result<Sequence> parse_text(const std::string& text, const std::string& name,
                                          const Names* names, const std::vector<Let>& given = {});

}  // namespace hild::sequence
