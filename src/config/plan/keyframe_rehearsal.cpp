// SPDX-License-Identifier: Apache-2.0
#include "config/plan/keyframe_rehearsal.hpp"

#include <algorithm>
#include <vector>

#include "config/plan/rounds.hpp"
#include "core/archive_problem.hpp"
#include "exec/frame_loop.hpp"

namespace hild::plan {

KeyframeCost rehearse_keyframe(const Assembly& assembly, rt::Clock& clock) {
  exec::ExternalEvents events;
  rt::SlotRing none(assembly.layout(assembly.bus->counts().size()).bytes(), 1);
  exec::FrameLoop loop(assembly.config.settings,
                       assembly.parts(clock, *assembly.bus, events, none));
  KeyframeCost cost;
  cost.problem = words_for(loop.why_no_keyframes());
  if (!cost.problem.empty()) return cost;
  std::vector<std::byte> state(loop.most_state_bytes());
  cost.bytes = state.size();
  std::vector<Duration> took;
  Rounds rounds(clock, 100);
  while (!rounds.enough(took.size())) {
    const MonoTime before = clock.now();
    const Archive saved = loop.save(state);
    took.push_back(clock.now() - before);
    if (!saved.good()) cost.problem = words_for(saved.problem());
  }
  std::ranges::sort(took);
  cost.time = took[took.size() * 9 / 10];
  return cost;
}

}  // namespace hild::plan
