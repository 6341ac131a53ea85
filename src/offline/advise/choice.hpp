// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which window to take, and which step in it. Not real-time.
#pragma once

#include <optional>
#include <span>

#include "offline/advise/window.hpp"

namespace hild::advise {

/// The window with the largest upper / lower at the p99 of the costs, open or not. A method that
/// needs no input from the future comes before those that do, as long as its window is open.
/// Null of none, or where no method has a stable step.
[[nodiscard]] const Window* widest(std::span<const Window> windows);

struct Choice {
  const Window* window = nullptr;
  double h = 0;  ///< s
};

/// As little is changed as can be: nothing where the configured method holds the configured `h`,
/// else the method, else the step, else both; each time the widest window of those that are left.
/// Windows that are open at the p99 come first. Nothing where none is open.
[[nodiscard]] std::optional<Choice> choose(std::span<const Window> windows, double h);

}  // namespace hild::advise
