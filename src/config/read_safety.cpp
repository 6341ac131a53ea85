// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "config/sections.hpp"

namespace hild::config {

Safety read_safety(YamlOptions& root, const Grid& grid) {
  // A frame that takes its time is an overrun, which has its own limits; a hang is many of them.
  constexpr int fewest_frames = 4;
  const Duration shortest = std::max(Duration(20_ms), grid.period() * fewest_frames);
  Safety read{.within = std::max(Duration(1_s), shortest * 2), .ramp_in = 1_s};
  YamlOptions* section = root.child("safety");
  if (section == nullptr) return read;
  read.guard = section->boolean("guard", read.guard);
  read.ramp_in = section->duration("ramp_in", read.ramp_in);
  if (!section->has("within")) return read;
  read.within = section->duration("within");
  if (read.within < shortest || read.within > 3600_s) {
    section->mismatch("within", fmt::format("at least 20 ms and {} frames ({:g} s), at most 1 h",
                                            fewest_frames, seconds(shortest)));
  }
  return read;
}

}  // namespace hild::config
