// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "config/sections.hpp"

namespace hild::config {
namespace {

// clamped: {then: safe-stop, after: 1 s}
void read_clamped(YamlOptions& safety, exec::Clamping& clamping) {
  clamping.after = 1_s;
  YamlOptions* section = safety.child("clamped");
  if (section == nullptr) return;
  clamping.stop = section->choice("then", {"continue", "safe-stop"}, 0) == 1;
  if (!section->has("after")) return;
  clamping.after = section->duration("after");
  if (!clamping.stop)
    section->reject("after", "found a time, expected `then: safe-stop` beside it");
}

}  // namespace

Safety read_safety(YamlOptions& root, const Grid& grid, exec::Clamping& clamping) {
  // A frame that takes its time is an overrun, which has its own limits; a hang is many of them.
  constexpr int fewest_frames = 4;
  const Duration shortest = std::max(Duration(20_ms), grid.period() * fewest_frames);
  const Duration within = std::max(Duration(1_s), shortest * 2);
  Safety read{.within = within, .within_ordinary = within * busy_machine, .ramp_in = 1_s};
  YamlOptions* section = root.child("safety");
  if (section == nullptr) return read;
  read_clamped(*section, clamping);
  read.guard = section->boolean("guard", read.guard);
  read.ramp_in = section->duration("ramp_in", read.ramp_in);
  if (!section->has("within")) return read;
  read.within = read.within_ordinary = section->duration("within");
  if (read.within < shortest || read.within > 3600_s) {
    section->mismatch("within", fmt::format("at least 20 ms and {} frames ({:g} s), at most 1 h",
                                            fewest_frames, seconds(shortest)));
  }
  return read;
}

}  // namespace hild::config
