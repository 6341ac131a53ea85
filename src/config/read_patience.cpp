// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "config/sections.hpp"

namespace hild::config {

Patience read_patience(YamlOptions* section, std::string_view key, const Grid& grid) {
  // A frame that takes its time is an overrun, which has its own limits; a hang is many of them.
  constexpr int fewest_frames = 4;
  constexpr int busy_machine = 5;
  const Duration shortest = std::max(Duration(20_ms), grid.period() * fewest_frames);
  if (section == nullptr || !section->has(key)) {
    const Duration usual = std::max(Duration(1_s), shortest * 2);
    const Duration patient = usual * busy_machine;
    return {usual, patient};
  }
  const Duration asked = section->duration(key);
  if (asked < shortest || asked > 3600_s) {
    section->mismatch(key, fmt::format("at least 20 ms and {} frames ({:g} s), at most 1 h",
                                       fewest_frames, seconds(shortest)));
  }
  return {asked, asked};
}

}  // namespace hild::config
