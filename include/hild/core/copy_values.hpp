// SPDX-License-Identifier: Apache-2.0
/// \file
/// Copies rows of numbers of which most are short, as those of a frame are. Real-time safe.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace hild {

/// Copies values to where there is room for them: a few at a time, since they are mostly few.
inline void copy_values(std::span<const double> from, double* to) noexcept {
  const double* values = from.data();
  std::size_t left = from.size();
  while (left >= 4) [[unlikely]] {
      std::memcpy(to, values, 32);
      left -= 4, values += 4, to += 4;
    }
  const std::size_t pair = left & 2U;
  if (pair != 0) std::memcpy(to, values, 16);
  if ((left & 1U) != 0) to[pair] = values[pair];
}

}  // namespace hild
