// SPDX-License-Identifier: Apache-2.0
#include "exec/external_events.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace hild::exec {
namespace {

bool has_table(const Change& change) noexcept {
  const auto* stimulus = std::get_if<Stimulus>(&change);
  return stimulus != nullptr && stimulus->shape == Shape::playback;
}

std::size_t tables_in(const Transaction& t) noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(t.changes(), has_table));
}

// Replies that a transaction will need: the verdict, and a release of every table.
std::size_t replies_to(const Transaction& t) noexcept { return t.id == 0 ? 0 : 1 + tables_in(t); }

void count(Statistics& s, const Transaction& t, rt::Counter EventCounts::*which,
           rt::Counter& total) noexcept {
  for (const Change& change : t.changes()) {
    (s.events_by_class[static_cast<std::size_t>(class_of(change))].*which).add();
  }
  total.add(std::max<std::int64_t>(t.count, 1));
}

// The first frame that starts at or after what was asked for, but no earlier than the next.
std::int64_t frame_of(const When& when, const ExternalEvents::Next& next) noexcept {
  if (when.kind == When::Kind::frame) return std::max(when.frame, next.frame);
  if (when.kind == When::Kind::at_once || when.time.ns <= 0) return next.frame;
  const Duration far{std::min(when.time.ns, INT64_MAX / 2)};
  return std::max(next.grid.frames_in(far), next.frame);
}

}  // namespace

// ---- the other side ----------------------------------------------------------------------------

Refusal ExternalEvents::submit(const Transaction& transaction) noexcept {
  if (transaction.count > max_changes) return Refusal::out_of_limits;
  for (const Change& change : transaction.changes()) {
    if (!has_table(change)) continue;
    if (transaction.id == 0) return Refusal::no_id;
    const Refusal bad = check_table(std::get_if<Stimulus>(&change)->table);
    if (bad != Refusal::none) return bad;
  }
  std::byte* slot = ring_.claim();
  if (slot == nullptr) return Refusal::queue_full;
  new (slot) Transaction(transaction);
  ring_.publish();
  return Refusal::none;
}

std::optional<Reply> ExternalEvents::next_reply() noexcept {
  const std::byte* slot = replies_.front();
  if (slot == nullptr) return std::nullopt;
  Reply r;
  std::memcpy(&r, slot, sizeof r);
  replies_.release();
  return r;
}

// ---- the loop's side ---------------------------------------------------------------------------

const Transaction* ExternalEvents::oldest() noexcept {
  const std::byte* slot = ring_.front();
  return slot == nullptr ? nullptr : std::launder(reinterpret_cast<const Transaction*>(slot));
}

void ExternalEvents::take() noexcept {
  deferrals_ = 0;
  deferred_in_ = -1;
  ring_.release();
}

bool ExternalEvents::serve(Duration slack, const Next& next, const Targets& targets,
                           Statistics& statistics) noexcept {
  const Transaction* const t = oldest();
  if (t == nullptr || (t->id != 0 && replies_.full(owed_ + replies_to(*t)))) return false;
  if (t->withdraws != 0) return withdraw(*t, slack, next, statistics);
  const ClassCounts classes = classes_of(*t);
  const std::int64_t frame = frame_of(t->when, next);
  const bool ahead = frame > next.frame;
  const auto together = agenda_.changes(ahead ? frame : 0, frame);  // committed in the same step
  if (agenda_.full() && !ahead) return wait(*t, classes, Refusal::queue_full, next, statistics);
  if (!admission_.fits(classes, ahead ? ClassCounts{} : together, slack)) {
    return wait(*t, classes, Refusal::no_slack, next, statistics);
  }
  served_ = classes;
  Refusal bad = t->count == 0 ? Refusal::unknown_target : Refusal::none;
  // No slack to come makes room for one of these: it does not hold up those behind it.
  if (ahead && (agenda_.full() || agenda_.full_after(next.frame))) bad = Refusal::queue_full;
  if (!admission_.fits(classes, together, slack)) bad = Refusal::no_slack;
  std::uint32_t at = 0;
  for (; at < t->count && bad == Refusal::none; ++at) bad = check(t->change[at], targets);
  if (bad != Refusal::none) {
    refuse(*t, at > 0 ? at - 1 : 0, bad, next.frame, {next.grid.tick(next.frame).ns}, statistics);
  } else {
    agenda_.add(*t, classes, frame);
    owed_ += replies_to(*t);
  }
  take();
  return true;
}

bool ExternalEvents::withdraw(const Transaction& t, Duration slack, const Next& next,
                              Statistics& statistics) noexcept {
  if (!admission_.fits({}, {}, slack)) return wait(t, {}, Refusal::no_slack, next, statistics);
  served_ = {};
  const SimTime time{next.grid.tick(next.frame).ns};
  if (agenda_.bring(t.withdraws)) refused(0, Refusal::withdrawn, next.frame, time, statistics);
  take();
  return true;
}

// True is never returned: whether it waits on or has waited too long, this slack serves no more.
bool ExternalEvents::wait(const Transaction& t, const ClassCounts& classes, Refusal why,
                          const Next& next, Statistics& statistics) noexcept {
  const std::int64_t now = statistics.frames.get();
  if (std::exchange(deferred_in_, now) == now) return false;
  if (++deferrals_ < admission_.settings().max_deferrals) {
    count(statistics, t, &EventCounts::deferred, statistics.events_deferred);
    admission_.waited(classes);
    show_costs(statistics);
    return false;
  }
  refuse(t, 0, why, next.frame, {next.grid.tick(next.frame).ns}, statistics);
  take();
  return false;
}

void ExternalEvents::learn(Duration took) noexcept { admission_.prepared(served_, took); }

void ExternalEvents::show_costs(Statistics& statistics) const noexcept {
  for (std::size_t c = 0; c < event_classes; ++c) {
    const Admission::Cost cost = admission_.cost(static_cast<EventClass>(c));
    statistics.events_by_class[c].prepare_ns.set(cost.prepare.ns);
    statistics.events_by_class[c].commit_ns.set(cost.commit.ns);
  }
}

void ExternalEvents::accepted(std::int64_t frame, SimTime t, Statistics& statistics) noexcept {
  const Transaction& front = agenda_.front();
  count(statistics, front, &EventCounts::served, statistics.events_served);
  show_costs(statistics);
  if (front.id != 0) {
    --owed_;
    reply({front.id, Reply::Kind::accepted, Refusal::none, 0, frame, t});
  }
  agenda_.pop();
}

void ExternalEvents::refused(std::uint32_t change, Refusal why, std::int64_t frame, SimTime t,
                             Statistics& statistics) noexcept {
  owed_ -= replies_to(agenda_.front());
  refuse(agenda_.front(), change, why, frame, t, statistics);
  agenda_.pop();
}

void ExternalEvents::released(std::uint64_t id, std::uint32_t change, std::int64_t frame,
                              SimTime t) noexcept {
  --owed_;
  reply({id, Reply::Kind::released, Refusal::none, change, frame, t});
}

void ExternalEvents::end_run(std::int64_t frame, SimTime t, Statistics& statistics) noexcept {
  while (agenda_.size() > 0) refused(0, Refusal::run_ended, frame, t, statistics);
  for (std::size_t i = 0; i < capacity; ++i) {
    const Transaction* const left = oldest();
    if (left == nullptr || (left->id != 0 && replies_.full(owed_ + 1))) return;
    refuse(*left, 0, Refusal::run_ended, frame, t, statistics);
    take();
  }
}

void ExternalEvents::refuse(const Transaction& t, std::uint32_t change, Refusal why,
                            std::int64_t frame, SimTime at, Statistics& statistics) noexcept {
  count(statistics, t, &EventCounts::refused, statistics.events_refused);
  if (t.id != 0) reply({t.id, Reply::Kind::refused, why, change, frame, at});
}

// There is room: nothing is taken whose replies have none.
void ExternalEvents::reply(const Reply& r) noexcept {
  std::byte* const slot = replies_.claim();
  if (slot == nullptr) return;
  std::memcpy(slot, &r, sizeof r);
  replies_.publish();
}

}  // namespace hild::exec
