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
  std::size_t i = 0;
  for (; i + 4 <= from.size(); i += 4) std::memcpy(to + i, from.data() + i, 32);
  if (i + 2 <= from.size()) std::memcpy(to + i, from.data() + i, 16), i += 2;
  if (i < from.size()) to[i] = from[i];
}

}  // namespace hild
