// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which states may be moved together for a Jacobian by differences: those that share no derivative
/// (Curtis, Powell and Reid 1974), so that it takes an evaluation a colour and not one a state.
#pragma once

#include <cstddef>
#include <vector>

namespace hild::fmi {

struct Colouring {
  std::vector<std::vector<std::size_t>> states{};  ///< of each colour
  std::vector<std::vector<std::size_t>> rows{};    ///< of each state: the derivatives it may move
};

/// `rows` of each of the states; the first colour that is free, state by state. Load time.
[[nodiscard]] Colouring coloured(std::vector<std::vector<std::size_t>> rows);

/// Every state may move every derivative: a colour each.
[[nodiscard]] Colouring uncoloured(std::size_t states);

}  // namespace hild::fmi
