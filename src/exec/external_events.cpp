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
  // So many freezes at once are not all one's own; those beyond queue with the others.
  rt::SlotRing& ring = is_urgent(transaction) && !urgent_.ring.full() ? urgent_.ring : usual_.ring;
  std::byte* slot = ring.claim();
  if (slot == nullptr) return Refusal::queue_full;
  new (slot) Transaction(transaction);
  ring.publish();
  posted_.take();
  return Refusal::none;
}

bool ExternalEvents::is_urgent(const Transaction& t) noexcept {
  const auto freezes = [](const Change& change) {
    return std::holds_alternative<Freeze>(change) || std::holds_alternative<DeclareOutput>(change);
  };
  return t.when.kind == When::Kind::at_once && t.count > 0 &&
         std::holds_alternative<Freeze>(t.change[t.count - 1]) &&
         std::ranges::all_of(t.changes(), freezes);
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

const Transaction* ExternalEvents::Queue::oldest() noexcept {
  const std::byte* slot = ring.front();
  return slot == nullptr ? nullptr : std::launder(reinterpret_cast<const Transaction*>(slot));
}

void ExternalEvents::Queue::take() noexcept {
  deferrals = 0;
  deferred_in = -1;
  ring.release();
}

void ExternalEvents::take(Queue& line) noexcept {
  line.take();
  ++taken_;
}

// Others leave some for the freezes to come.
bool ExternalEvents::room_for_replies(const Transaction& t, bool urgent) const noexcept {
  if (t.id == 0) return true;
  return !replies_.full(owed_ + replies_to(t) + (urgent ? 0 : capacity_urgent));
}

bool ExternalEvents::serve(Duration slack, const Next& next, const Targets& targets,
                           Statistics& statistics) noexcept {
  const bool urgent = urgent_.oldest() != nullptr;
  Queue& line = urgent ? urgent_ : usual_;
  const Transaction* const t = line.oldest();
  if (t == nullptr || !room_for_replies(*t, urgent)) return false;
  if (t->withdraws != 0) return withdraw(*t, slack, next, statistics);
  const ClassCounts classes = classes_of(*t);
  const std::int64_t frame = frame_of(t->when, next);
  const bool ahead = frame > next.frame;
  const auto together = pending_.changes(ahead ? frame : 0, frame);  // committed in the same step
  const bool full = urgent ? pending_.full() : pending_.full_of_usual();
  if (full && !ahead) return wait(line, *t, classes, Refusal::queue_full, next, statistics);
  const bool must = urgent && line.deferrals >= urgent_patience;
  if (!must && !admission_.fits(classes, ahead ? ClassCounts{} : together, slack)) {
    return wait(line, *t, classes, Refusal::no_slack, next, statistics);
  }
  served_ = classes;
  Refusal bad = t->count == 0 ? Refusal::unknown_target : Refusal::none;
  // No slack to come makes room for one of these: it does not hold up those behind it.
  if (ahead && (full || pending_.full_after(next.frame))) bad = Refusal::queue_full;
  if (!must && !admission_.fits(classes, together, slack)) bad = Refusal::no_slack;
  std::uint32_t at = 0;
  for (; at < t->count && bad == Refusal::none; ++at) bad = check(t->change[at], targets);
  if (bad != Refusal::none) {
    refuse(*t, at > 0 ? at - 1 : 0, bad, next.frame, {next.grid.tick(next.frame).ns}, statistics);
  } else {
    pending_.add(*t, classes, frame);
    owed_ += replies_to(*t);
  }
  take(line);
  return true;
}

bool ExternalEvents::withdraw(const Transaction& t, Duration slack, const Next& next,
                              Statistics& statistics) noexcept {
  if (!admission_.fits({}, {}, slack)) {
    return wait(usual_, t, {}, Refusal::no_slack, next, statistics);
  }
  served_ = {};
  const SimTime time{next.grid.tick(next.frame).ns};
  if (pending_.bring(t.withdraws)) refused(0, Refusal::withdrawn, next.frame, time, statistics);
  take(usual_);
  return true;
}

// True is never returned: whether it waits on or has waited too long, this slack serves no more.
bool ExternalEvents::wait(Queue& line, const Transaction& t, const ClassCounts& classes,
                          Refusal why, const Next& next, Statistics& statistics) noexcept {
  const std::int64_t now = statistics.frames.get();
  if (std::exchange(line.deferred_in, now) == now) return false;
  if (++line.deferrals < admission_.settings().max_deferrals || &line == &urgent_) {
    count(statistics, t, &EventCounts::deferred, statistics.events_deferred);
    admission_.waited(classes);
    show_costs(statistics);
    return false;
  }
  refuse(t, 0, why, next.frame, {next.grid.tick(next.frame).ns}, statistics);
  take(line);
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
  const Transaction& front = pending_.front();
  count(statistics, front, &EventCounts::served, statistics.events_served);
  show_costs(statistics);
  if (front.id != 0) {
    --owed_;
    reply({front.id, Reply::Kind::accepted, Refusal::none, 0, frame, t});
  }
  pending_.pop();
}

void ExternalEvents::refused(std::uint32_t change, Refusal why, std::int64_t frame, SimTime t,
                             Statistics& statistics) noexcept {
  owed_ -= replies_to(pending_.front());
  refuse(pending_.front(), change, why, frame, t, statistics);
  pending_.pop();
}

void ExternalEvents::released(std::uint64_t id, std::uint32_t change, std::int64_t frame,
                              SimTime t) noexcept {
  --owed_;
  reply({id, Reply::Kind::released, Refusal::none, change, frame, t});
}

void ExternalEvents::end_run(std::int64_t frame, SimTime t, Statistics& statistics) noexcept {
  while (pending_.size() > 0) refused(0, Refusal::run_ended, frame, t, statistics);
  for (Queue* line : {&urgent_, &usual_}) {
    for (std::size_t i = 0; i < line->ring.slots(); ++i) {
      const Transaction* const left = line->oldest();
      if (left == nullptr || (left->id != 0 && replies_.full(owed_ + 1))) break;
      refuse(*left, 0, Refusal::run_ended, frame, t, statistics);
      take(*line);
    }
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
