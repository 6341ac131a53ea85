// SPDX-License-Identifier: Apache-2.0
#include "model/coupled/background.hpp"

#include <algorithm>
#include <utility>

namespace hild::coupled {

Background::Background(Exchange& exchange) noexcept
    : exchange_(&exchange),
      any_(std::ranges::find(exchange.members(), Pace::background, &Member::pace) !=
           exchange.members().end()) {
  if (any_) next_order_ = SimTime{};
}

void Background::run_by(BackgroundRunner* runner) noexcept {
  runner_ = runner;
  for (Member& m : exchange_->members()) {
    if (m.pace != Pace::background) continue;
    abandon(m);
    m.background->take_elsewhere(runner != nullptr);
  }
}

void Background::abandon(Member& m) noexcept {
  if (m.background->runs()) static_cast<void>(m.background->end());
  m.slow.abandon();
  next_order_ = SimTime{};  // another one begins at once
}

void Background::run(std::size_t member) noexcept {
  exchange_->members()[member].background->run_next();
}

void Background::take_over_due(SimTime t) noexcept {
  auto& members = exchange_->members();
  next_due_ = model::never;
  for (std::size_t k = 0; k < members.size(); ++k) {
    Member& m = members[k];
    if (m.pace != Pace::background || !m.background->runs()) continue;
    if (m.slow.end <= t && ended(k)) {
      take_over(k);
      continue;
    }
    m.slow.late = m.slow.end <= t;
    next_due_ = std::min(next_due_, m.slow.end);
  }
}

void Background::take_over(std::size_t member) noexcept {
  Member& m = exchange_->members()[member];
  const bool acted = m.background->acted();
  events_ += acted ? 1 : 0;
  const bool stands = m.background->end();
  if (acted || !stands) {
    m.history.interrupt();
    exchange_->interrupt();
  }
  if (stands) {
    exchange_->give_outputs(m, m.slow.end, m.background->outputs());
  } else {
    m.slow.under_way = false;  // its outputs are found with those of the others
  }
  next_order_ = SimTime{};  // the next one begins at once
}

void Background::order_due(SimTime t, SimTime until, In u) noexcept {
  next_order_ = model::never;
  for (std::size_t k = 0; k < exchange_->members().size(); ++k) {
    if (exchange_->members()[k].pace == Pace::background) order(k, t, until, u);
  }
}

void Background::order(std::size_t member, SimTime t, SimTime until, In u) noexcept {
  Member& m = exchange_->members()[member];
  if (!m.background->runs()) begin(m, t, u);
  const SlowStep& s = m.slow;
  const int count = give(m, t, until, u);
  // The next one begins within this step of the whole, or is late already.
  if (t <= s.end && s.end < until) {
    m.background->note_next(s.end, exchange_->inputs(m, s.end, u));
  }
  const SimTime next = next_order(m);
  if (next >= until) next_order_ = std::min(next_order_, next);
  next_due_ = std::min(next_due_, s.end);
  if (count == 0) return;
  if (runner_ == nullptr) {
    for (int k = 0; k < count; ++k) m.background->run_next();
    return;
  }
  runner_->add(*this, member, count, next);
}

// What has its inputs at the end of the step has those of the frame before.
SimTime Background::next_order(const Member& m) noexcept {
  const SlowStep& s = m.slow;
  const auto& nodes = m.background->passes().nodes;
  const auto next = static_cast<std::size_t>(s.next_pass);
  if (next > nodes.size()) return s.end;
  const SimTime node = next < nodes.size() ? s.start + part(s.end - s.start, nodes[next]) : s.end;
  return std::min(node, s.end - 1_ns);
}

// From where the one before ended, which may be before t. Outputs that nobody has found are.
void Background::begin(Member& m, SimTime t, In u) noexcept {
  SlowStep& s = m.slow;
  if (!s.under_way) m.background->start_with(exchange_->evaluate(m, t, u));
  if (!std::exchange(s.placed, true)) s.end = t;
  s.start = s.end;
  s.end = s.end_of_step_from(s.start);
  if (std::exchange(s.late, false) || s.end <= t) s.end = s.end_of_step_within_reach(t);
  s.next_pass = 0;
  s.under_way = true;
  if (std::exchange(s.restart, false)) m.stepper->restart(model::Restart::here);
  m.background->begin(s.start, s.end);
}

// The inputs of those passes whose nodes lie before `until`, and at the end of the step those for
// its end. Returns how many there were.
int Background::give(Member& m, SimTime t, SimTime until, In u) noexcept {
  SlowStep& s = m.slow;
  BackgroundStep& b = *m.background;
  const int passes = b.passes().count();
  const Duration h = s.end - s.start;
  int given = 0;
  for (; s.next_pass < passes; ++s.next_pass, ++given) {
    const SimTime node = s.start + part(h, b.passes().nodes[static_cast<std::size_t>(s.next_pass)]);
    if (node >= until && s.end > until) return given;
    b.give(node < t ? b.since_next(t, exchange_->inputs(m, t, u), node)
                    : exchange_->inputs(m, node, u));
  }
  if (s.next_pass > passes || (s.end > until && b.asks_at_end())) return given;
  ++s.next_pass;  // the end, which is given as one
  b.give(exchange_->inputs(m, s.end <= until ? s.end : t, u));
  return given + 1;
}

}  // namespace hild::coupled
