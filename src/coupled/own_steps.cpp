// SPDX-License-Identifier: Apache-2.0
/// Models whose steps are not those of the whole: several in one, or one in several.
#include <utility>

#include "coupled/plant.hpp"

namespace hild::coupled {

// A whole one, in one pass.
void CoupledPlant::substep(Member& m, int j, In u) noexcept {
  const SimTime t = t_ + h_ * j / m.rate.substeps;
  const Duration h = t_ + h_ * (j + 1) / m.rate.substeps - t;
  if (h.ns == 0) return;  // of a cut step of less nanoseconds than it has parts
  m.plant->begin(t, h);
  for (int i = 0; i < m.plant->passes(); ++i) {
    give(m, t + part(h, m.plant->node(i)), u);
    m.plant->pass(i, inputs_of(m));
  }
  m.plant->finish();
}

// What of its steps lies in this one of the whole: those passes whose nodes do, and ends.
void CoupledPlant::slow_passes(Member& m, In u) noexcept {
  SlowStep& s = m.slow;
  const SimTime until = t_ + h_;
  if (!s.placed) s.end = t_;
  s.placed = true;
  while (s.under_way || s.end < until) {
    if (!s.under_way) {
      s.start = s.end;
      s.end = s.end_of_step_from(s.start);
      s.next_pass = 0;
      s.under_way = true;
      if (m.timed) s.event = s.put_off(m.plant->next_time_event(s.start));
      m.plant->begin(s.start, s.end - s.start);
    }
    const Duration h = s.end - s.start;
    for (; s.next_pass < m.plant->passes(); ++s.next_pass) {
      const SimTime node = s.start + part(h, m.plant->node(s.next_pass));
      if (node >= until && s.end > until) return;  // in a later one
      give(m, node, u);
      m.plant->pass(s.next_pass, inputs_of(m));
    }
    if (s.end > until) return;
    m.plant->finish();
    if (std::exchange(s.restart, false)) m.plant->restart();
    s.under_way = false;
    // Another one begins within this step: what it begins with, connect() has not seen.
    if (s.end < until) {
      give(m, s.end, u);
      evaluate(m, s.end);
    }
  }
}

}  // namespace hild::coupled
