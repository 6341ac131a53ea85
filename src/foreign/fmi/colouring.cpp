// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/colouring.hpp"

#include <algorithm>
#include <numeric>

namespace hild::fmi {

Colouring coloured(std::vector<std::vector<std::size_t>> rows) {
  const std::size_t n = rows.size();
  Colouring c;
  std::vector<std::vector<bool>> taken;  // of each colour: rows that a state of it moves
  for (std::size_t k = 0; k < n; ++k) {
    const auto is_free = [&](const std::vector<bool>& t) {
      return std::ranges::none_of(rows[k], [&](std::size_t row) { return t[row]; });
    };
    const auto at = static_cast<std::size_t>(std::ranges::find_if(taken, is_free) - taken.begin());
    if (at == taken.size()) {
      taken.emplace_back(n, false);
      c.states.emplace_back();
    }
    for (const std::size_t row : rows[k]) taken[at][row] = true;
    c.states[at].push_back(k);
  }
  c.rows = std::move(rows);
  return c;
}

Colouring uncoloured(std::size_t states) {
  std::vector<std::size_t> all(states);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return coloured(std::vector(states, all));
}

}  // namespace hild::fmi
