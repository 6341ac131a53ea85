// SPDX-License-Identifier: Apache-2.0
/// \file
/// Values that lie side by side in two places, so that they are taken over together.
#pragma once

#include <cstddef>
#include <vector>

namespace hild::io {

/// `count` values from `from` on in one place, from `to` on in the other.
struct Stretch {
  std::size_t from, to, count;
};

/// Adds one more value to the last of them where it goes on so. At load time.
inline void append(std::vector<Stretch>& stretches, std::size_t from, std::size_t to) {
  if (!stretches.empty() && stretches.back().from + stretches.back().count == from &&
      stretches.back().to + stretches.back().count == to) {
    ++stretches.back().count;
  } else {
    stretches.push_back({from, to, 1});
  }
}

}  // namespace hild::io
