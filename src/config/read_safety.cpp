// SPDX-License-Identifier: Apache-2.0
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
  YamlOptions* section = root.child("safety");
  const Patience patience = read_patience(section, "within", grid);
  Safety read{.within = patience.urgent, .within_ordinary = patience.ordinary, .ramp_in = 1_s};
  if (section == nullptr) return read;
  read_clamped(*section, clamping);
  read.guard = section->boolean("guard", read.guard);
  read.ramp_in = section->duration("ramp_in", read.ramp_in);
  return read;
}

}  // namespace hild::config
