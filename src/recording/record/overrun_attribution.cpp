// SPDX-License-Identifier: Apache-2.0
#include "recording/record/overrun_attribution.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "recording/record/words.hpp"

namespace hild::record {
namespace {

using EventKind = rt::ThreadEvent::Kind;

constexpr std::size_t most_events = 4096;  // kept; at ten kilohertz some 0.2 s
constexpr std::chrono::milliseconds until_steal_shows{10};

/// A late wake is the kernel's doing already, and what is carried on began elsewhere.
bool open_to_evidence(io::Cause cause) {
  return cause != io::Cause::none && cause != io::Cause::late_wake && cause != io::Cause::carried;
}

Duration within(const rt::ThreadEvent& e, MonoTime from, MonoTime to) {
  const Duration d = std::min(e.to, to) - std::max(e.from, from);
  return std::max(d, Duration{});
}

}  // namespace

void OverrunAttribution::begin(rt::ThreadEvents evidence) {
  const std::lock_guard lock(mutex_);
  evidence_ = std::move(evidence);
}

void OverrunAttribution::begin(std::unique_ptr<Accounts> accounts) {
  const std::lock_guard lock(mutex_);
  accounts_ = std::move(accounts);
  reckoning_.read(accounts_->thread());
  reckoning_.read(accounts_->steal());
}

void OverrunAttribution::note(const io::FrameHeader& h) {
  const std::lock_guard lock(mutex_);
  if (!accounts_) return;
  reckoning_.note(h);
  late_noted_ = late_noted_ || is_overrun(h);
}

void OverrunAttribution::collect(bool may_wait) {
  const std::lock_guard lock(mutex_);
  if (evidence_) collect_events();
  if (accounts_) read_accounts(may_wait);
}

void OverrunAttribution::collect_events() {
  // The newest matter: a step is judged soon after it ended.
  if (events_.size() > most_events) {
    events_.erase(events_.begin(), events_.end() - most_events / 2);
  }
  const std::size_t before = events_.size();
  evidence_(events_);
  // Sleeps are most of them, and explain nothing.
  const auto slept = [](const rt::ThreadEvent& e) { return e.kind == EventKind::slept; };
  const auto added = events_.begin() + static_cast<std::ptrdiff_t>(before);
  events_.erase(std::remove_if(added, events_.end(), slept), events_.end());
}

void OverrunAttribution::read_accounts(bool may_wait) {
  const bool late = std::exchange(late_noted_, false);
  if (late || reckoning_.account_due()) reckoning_.read(accounts_->thread());
  if (!late && !reckoning_.steal_due()) return;
  if (late && may_wait && reckoning_.steals()) std::this_thread::sleep_for(until_steal_shows);
  reckoning_.read(accounts_->steal());
}

io::Cause OverrunAttribution::cause_of(const io::FrameHeader& late) {
  collect();
  const std::lock_guard lock(mutex_);
  io::Cause found = evidence_ ? by_evidence(late) : late.cause;
  if (accounts_ && found == late.cause) found = by_accounts(late, static_cast<bool>(evidence_));
  if (found != late.cause) corrections_.move(late.cause, found);
  return found;
}

io::Cause OverrunAttribution::by_evidence(const io::FrameHeader& late) {
  if (!open_to_evidence(late.cause)) return late.cause;
  // One that did not sleep before its tick was at work, or held up, since the step before.
  const MonoTime from = late.slept ? late.start : std::min(late.due, late.start);
  Duration preempted{};
  Duration faults{};
  for (const rt::ThreadEvent& e : events_) {
    (e.kind == EventKind::preempted ? preempted : faults) += within(e, from, late.end);
  }
  if (std::max(preempted, faults) < late.lateness / 2) return late.cause;
  return preempted >= faults ? io::Cause::preemption : io::Cause::page_fault;
}

// Where there is evidence, it has told already what it can see: not a host, nor a late wake-up.
io::Cause OverrunAttribution::by_accounts(const io::FrameHeader& late, bool beside_evidence) {
  const bool woken = late.cause == io::Cause::late_wake;
  const Duration held_up = woken ? std::max(late.lateness, woken_late(late)) : late.lateness;
  const auto spent = reckoning_.around(late, accounts_->worth());
  if (!spent) return late.cause;
  const io::Cause found = cause_by_account(late.cause, held_up, *spent);
  return !beside_evidence || woken || found == io::Cause::host ? found : late.cause;
}

}  // namespace hild::record
