// SPDX-License-Identifier: Apache-2.0
/// \file
/// Chooses a window and a step in it. Not real-time.
#pragma once

#include <optional>
#include <span>

#include "offline/advise/window.hpp"

namespace hild::advise {

/// The window with the largest upper / lower at the p99 of the costs, open or not. An open window
/// of a method that needs no input from the future comes before those of methods that do. Null if
/// there are none, or where no method has a stable step.
[[nodiscard]] const Window* widest(std::span<const Window> windows);

struct Choice {
  const Window* window = nullptr;
  double h = 0;  ///< s
};

/// Chooses so that as little as possible is changed: nothing where the configured method allows the
/// configured `h`, else the method, else the step, else both; each time the widest of the remaining
/// windows. Windows that are open at the p99 come first. Nothing where none is open.
[[nodiscard]] std::optional<Choice> choose(std::span<const Window> windows, double h);

}  // namespace hild::advise
