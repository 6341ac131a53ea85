// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which signals of a log are wanted.
#pragma once

#include "recording/framelog/reader.hpp"

namespace hild::convert {

/// One stream, and which of its signals.
struct Chosen {
  framelog::LogPart part{};
  std::vector<std::size_t> columns;  ///< places in its rows
  std::vector<framelog::SignalName> names;
};

/// By words: `inputs`, `outputs`, `states`, `timing`, `counts`, or names as `outputs.speed`, or
/// `speed` for all inputs, states and outputs that are called so. No words: all of those. In the
/// order of the streams inputs, states, outputs, timing, counts; those without a signal are left
/// out. Error: a word that names nothing in this log.
[[nodiscard]] Result<std::vector<Chosen>> choose(const framelog::LogHead& head,
                                                 const std::vector<std::string>& words);

/// "input", "state", "output", "timing", "count": what comes before a name.
[[nodiscard]] std::string_view kind_of(framelog::LogPart part) noexcept;

}  // namespace hild::convert
