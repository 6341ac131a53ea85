// SPDX-License-Identifier: Apache-2.0
/// \file
/// The choice of signals of a log.
#pragma once

#include "recording/framelog/reader.hpp"

namespace hild::convert {

/// One stream, and the signals chosen of it.
struct Chosen {
  framelog::LogPart part{};
  std::vector<std::size_t> columns;  ///< their places in its rows
  std::vector<framelog::SignalName> names;
};

/// What is chosen where nothing is asked for.
enum class Unasked {
  signals,  ///< inputs, states and outputs
  all,      ///< timing and counts too
};

/// Chooses signals by words: `inputs`, `outputs`, `states`, `timing`, `counts`, or names as
/// `outputs.speed`, or `speed` for all inputs, states and outputs of that name. No words: what
/// `unasked` says. The result is in the order inputs, states, outputs, timing, counts; streams
/// without a chosen signal are left out. Error: a word that names nothing in this log.
[[nodiscard]] Result<std::vector<Chosen>> choose(const framelog::LogHead& head,
                                                 const std::vector<std::string>& words,
                                                 Unasked unasked = Unasked::signals);

/// The prefix of a name: "input", "state", "output", "timing", "count".
[[nodiscard]] std::string_view kind_of(framelog::LogPart part) noexcept;

}  // namespace hild::convert
