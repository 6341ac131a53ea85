// SPDX-License-Identifier: Apache-2.0
/// Models whose steps are not those of the whole: several in one, or one in several.
#include <utility>

#include "model/coupled/stepper.hpp"

namespace hild::coupled {

// A whole one, in one pass.
void CoupledStepper::substep(Member& m, int j, In u) noexcept {
  const SimTime t = step_.t + step_.h * j / m.rate.substeps;
  const Duration h = step_.t + step_.h * (j + 1) / m.rate.substeps - t;
  if (h.ns == 0) return;  // of a cut step of less nanoseconds than it has parts
  if (!m.interpolates) return void(take_held(m, t, h, u));
  const model::Passes& passes = m.stepper->begin(t, h);
  complete_step(*m.stepper, m.elsewhere, passes.count(), [&](int i) noexcept {
    const SimTime node = t + part(h, passes.nodes[static_cast<std::size_t>(i)]);
    return exchange_.inputs(m, node, u);
  });
}

// Steps that are taken elsewhere are under way while this process takes its own: of several in a
// step of the whole, the first is.
void CoupledStepper::ask_ahead(In u) noexcept {
  for (Member& m : exchange_.members()) {
    if (m.elsewhere == nullptr || m.aside || m.interpolates || takes_several(m.pace)) continue;
    const Duration h = step_.h / m.rate.substeps;
    if (h.ns == 0) continue;
    m.elsewhere->ask_step(step_.t, h, exchange_.inputs(m, step_.t, u));
    m.asked = true;
  }
}

void CoupledStepper::slow_passes(In u) noexcept {
  for (Member& m : exchange_.members()) {
    if (m.pace == Pace::slow) slow_passes(m, u);
  }
  if (background_.any()) background_.order(step_.t, step_.t + step_.h, u);
}

// What of its steps lies in this one of the whole: those passes whose nodes do, and ends.
void CoupledStepper::slow_passes(Member& m, In u) noexcept {
  SlowStep& s = m.slow;
  const SimTime until = step_.t + step_.h;
  if (!s.placed) s.end = step_.t;
  s.placed = true;
  while (s.under_way || s.end < until) {
    if (!s.under_way) {
      s.start = s.end;
      s.end = s.end_of_step_from(s.start);
      s.next_pass = 0;
      s.under_way = true;
      if (m.timed) s.event = s.put_off(m.system().next_time_event(s.start));
      m.passes = &m.stepper->begin(s.start, s.end - s.start);
    }
    const Duration h = s.end - s.start;
    for (; s.next_pass < m.passes->count(); ++s.next_pass) {
      const SimTime node =
          s.start + part(h, m.passes->nodes[static_cast<std::size_t>(s.next_pass)]);
      if (node >= until && s.end > until) return;  // in a later one
      m.stepper->pass(s.next_pass, exchange_.inputs(m, node, u));
    }
    if (s.end > until) return;
    end_slow_step(m, u);
    // Another one begins within this step: what it begins with, connect() has not seen.
    if (s.end < until) exchange_.evaluate(m, s.end, u);
  }
}

// A time event that lay in it acts now.
void CoupledStepper::end_slow_step(Member& m, In u) noexcept {
  SlowStep& s = m.slow;
  m.stepper->finish();
  s.under_way = false;
  if (s.event <= s.end) {
    m.system().on_time_event(seconds(s.end), m.stepper->states(), exchange_.inputs(m, s.end, u));
    m.history.interrupt();
    exchange_.interrupt();
    s.event = model::never;
    s.restart = true;
    ++slow_events_;
  }
  if (std::exchange(s.restart, false)) m.stepper->restart(model::Restart::here);
}

}  // namespace hild::coupled
