// SPDX-License-Identifier: Apache-2.0
/// \file
/// Converts times to numbers for people and programs. They are divided, so that 12 345 ns read
/// 12.345 us, where a product with 1e-3 would read 12.345000000000001.
#pragma once

#include "hild/core/time.hpp"

namespace hild {

[[nodiscard]] constexpr double in_us(Duration d) noexcept {
  return static_cast<double>(d.ns) / 1e3;
}
[[nodiscard]] constexpr double in_seconds(Duration d) noexcept {
  return static_cast<double>(d.ns) / 1e9;
}
[[nodiscard]] constexpr double in_seconds(SimTime t) noexcept {
  return static_cast<double>(t.ns) / 1e9;
}

}  // namespace hild
