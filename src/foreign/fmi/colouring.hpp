// SPDX-License-Identifier: Apache-2.0
/// \file
/// Groups the states that may be moved together for a Jacobian by differences: those that share no
/// derivative (Curtis, Powell and Reid 1974), so that it takes one evaluation for each group
/// (colour) and not one for each state.
#pragma once

#include <cstddef>
#include <vector>

namespace hild::fmi {

struct Colouring {
  std::vector<std::vector<std::size_t>> states{};  ///< of each colour
  /// For each state, the derivatives it may change.
  std::vector<std::vector<std::size_t>> rows{};
};

/// Colours the states, given the `rows` of each: each state gets the first colour that is free,
/// state by state. Load time.
[[nodiscard]] Colouring coloured(std::vector<std::vector<std::size_t>> rows);

/// The colouring where every state may change every derivative: a colour for each state.
[[nodiscard]] Colouring uncoloured(std::size_t states);

}  // namespace hild::fmi
