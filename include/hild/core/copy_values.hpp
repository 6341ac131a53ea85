// SPDX-License-Identifier: Apache-2.0
/// \file
/// Copies rows of numbers of which most are short, as those of a frame are. Real-time safe.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace hild {

/// Copies `n` values to where there is room for them: a few at a time, since they are mostly few.
template <class Value>
inline void copy_few(const Value* from, std::size_t n, void* to) noexcept {
  auto* place = static_cast<char*>(to);
  if (n >= 4) {
    for (; n >= 16; n -= 16) {
      std::memcpy(place, from, 16 * sizeof(Value));
      from += 16, place += 16 * sizeof(Value);
    }
    if ((n & 8U) != 0) {
      std::memcpy(place, from, 8 * sizeof(Value));
      from += 8, place += 8 * sizeof(Value);
    }
    if ((n & 4U) != 0) {
      std::memcpy(place, from, 4 * sizeof(Value));
      from += 4, place += 4 * sizeof(Value);
    }
  }
  if ((n & 2U) != 0) {
    std::memcpy(place, from, 2 * sizeof(Value));
    from += 2, place += 2 * sizeof(Value);
  }
  if ((n & 1U) != 0) std::memcpy(place, from, sizeof(Value));
}
/// The same of numbers.
inline void copy_values(std::span<const double> from, double* to) noexcept {
  copy_few(from.data(), from.size(), to);
}

}  // namespace hild
