// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "config/sections.hpp"

namespace hild::config {
namespace {

// clamped: {then: safe-stop, after: 1 s}
void read_clamped(YamlOptions& safety, exec::Clamping& clamping) {
  YamlOptions& section = safety.map("clamped");
  clamping.stop = section.choice("then", {"continue", "safe-stop"}, 0) == 1;
  clamping.after = section.duration("after", 1_s);
  if (section.has("after") && !clamping.stop) {
    section.reject("after", "found a time, expected `then: safe-stop` beside it");
  }
}

}  // namespace

Patience read_patience(YamlOptions& section, std::string_view key, const Grid& grid) {
  // A frame that takes its time is an overrun, which has its own limits; a hang is many of them.
  constexpr int fewest_frames = 4;
  constexpr int busy_machine = 5;
  const Duration shortest = std::max(Duration(20_ms), grid.period() * fewest_frames);
  if (!section.has(key)) {
    const Duration usual = std::max(Duration(1_s), shortest * 2);
    const Duration patient = usual * busy_machine;
    return {usual, patient};
  }
  const Duration asked = section.duration(key);
  if (asked < shortest || asked > 3600_s) {
    section.mismatch(key, fmt::format("at least 20 ms and {} frames ({:g} s), at most 1 h",
                                      fewest_frames, seconds(shortest)));
  }
  return {asked, asked};
}

void read_safety(YamlOptions& root, Config& config) {
  YamlOptions& section = root.map("safety");
  const Patience patience = read_patience(section, "within", config.settings.grid);
  Safety& read = config.safety;
  read.within = patience.urgent;
  read.within_ordinary = patience.ordinary;
  read_clamped(section, config.settings.clamping);
  read.guard = section.boolean("guard", read.guard);
  read.ramp_in = section.duration("ramp_in", 1_s);
}

}  // namespace hild::config
