// SPDX-License-Identifier: Apache-2.0
#include "record/inquest.hpp"

#include <algorithm>

namespace hild::record {
namespace {

using Kind = rt::ThreadEvent::Kind;

constexpr std::size_t most_events = 4096;  // kept; at ten kilohertz some 0.2 s

/// A late wake is the kernel's doing already, and what is carried on began elsewhere.
bool open_to_evidence(io::Cause cause) {
  return cause != io::Cause::none && cause != io::Cause::late_wake && cause != io::Cause::carried;
}

Duration within(const rt::ThreadEvent& e, MonoTime from, MonoTime to) {
  const Duration d = std::min(e.to, to) - std::max(e.from, from);
  return std::max(d, Duration{});
}

}  // namespace

void Inquest::begin(std::unique_ptr<Evidence> evidence) {
  const std::lock_guard lock(mutex_);
  evidence_ = std::move(evidence);
}

bool Inquest::holds() const {
  const std::lock_guard lock(mutex_);
  return evidence_ != nullptr;
}

void Inquest::collect() {
  const std::lock_guard lock(mutex_);
  if (!evidence_) return;
  // The newest matter: a step is judged soon after it ended.
  if (events_.size() > most_events) {
    events_.erase(events_.begin(), events_.end() - most_events / 2);
  }
  const std::size_t before = events_.size();
  evidence_->collect(events_);
  // Sleeps are most of them, and explain nothing.
  const auto slept = [](const rt::ThreadEvent& e) { return e.kind == Kind::slept; };
  events_.erase(
      std::remove_if(events_.begin() + static_cast<std::ptrdiff_t>(before), events_.end(), slept),
      events_.end());
}

io::Cause Inquest::cause_of(const io::FrameHeader& late) {
  if (!open_to_evidence(late.cause)) return late.cause;
  collect();
  // One that did not sleep before its tick was at work, or held up, since the step before.
  const MonoTime from = late.slept ? late.start : std::min(late.due, late.start);
  Duration preempted{};
  Duration faults{};
  for (const rt::ThreadEvent& e : events_) {
    (e.kind == Kind::preempted ? preempted : faults) += within(e, from, late.end);
  }
  if (std::max(preempted, faults) < late.lateness / 2) return late.cause;
  const io::Cause found = preempted >= faults ? io::Cause::preemption : io::Cause::page_fault;
  corrections_.move(late.cause, found);
  return found;
}

}  // namespace hild::record
