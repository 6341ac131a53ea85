// SPDX-License-Identifier: Apache-2.0
#include "recording/record/reckoning.hpp"

#include <algorithm>

#include "recording/record/flight_recorder.hpp"
#include "recording/record/words.hpp"

namespace hild::record {
namespace {

constexpr std::size_t most_steps = 4096;  // kept; at ten kilohertz some 0.4 s
constexpr std::size_t most_accounts = 64;
constexpr std::size_t most_steals = 256;
constexpr Duration apart{5'000'000};
constexpr Duration steals_apart{50'000'000};  // it is the dearer one

// A sliding mean, which a single long one moves no more than one of twice the usual length would.
Duration slid(Duration usual, Duration now) {
  return usual + (std::min(now, usual * 2 + Duration{1000}) - usual) / 8;
}

template <class Readings>
auto last_until(const Readings& readings, MonoTime at) {
  auto after = std::ranges::upper_bound(readings, at, {}, [](const auto& r) { return r.at; });
  return after == readings.begin() ? readings.end() : after - 1;
}
template <class Readings>
auto first_from(const Readings& readings, MonoTime at) {
  return std::ranges::lower_bound(readings, at, {}, [](const auto& r) { return r.at; });
}

Duration beyond(Duration d, Duration usual) { return std::max(d - usual, Duration{}); }

// ---- the rule ----------------------------------------------------------------------------------

// A tick of the steal account is coarse: one may be the last straw of what was taken long before.
// It counts where such chance is small.
constexpr double rare = 0.02;
// So many times what is usual may come by chance.
constexpr double usual_share = 3;

bool is_work(io::Cause cause) {
  return cause == io::Cause::pass || cause == io::Cause::worker ||
         cause == io::Cause::state_event || cause == io::Cause::external_event;
}

// A tick less than they say was taken for certain; up to a tick more may have been. What is usual
// at such a time was taken from anybody.
bool surely_host(Duration needed, const Spent& s) {
  const double taken = static_cast<double>(s.steal_ticks - 1) - usual_share * s.usual_steal_ticks;
  const Duration certain = from_seconds(taken * seconds(s.steal_tick));
  return certain - s.late_beside >= needed;
}
bool likely_host(Duration needed, const Spent& s) {
  return s.steal_ticks > 0 && s.usual_steal_ticks <= rare &&
         s.steal_tick * (s.steal_ticks + 1) - s.late_beside >= needed;
}

// A delay without being taken off the CPU is that of a wake-up, which work does not have. Where a
// host takes CPUs away, a late wake-up may be its doing, unseen.
bool by_others(io::Cause found, Duration needed, const Spent& s) {
  if (s.run_delay < needed) return false;
  if (is_work(found)) return s.taken > 0;
  return found != io::Cause::late_wake || !s.steals;
}

}  // namespace

io::Cause cause_by_account(io::Cause found, Duration held_up, const Spent& s) {
  if (found == io::Cause::none || found == io::Cause::carried || held_up.ns <= 0) return found;
  const Duration needed = std::max(held_up / 2, Duration{1});
  if (surely_host(needed, s)) return io::Cause::host;
  const bool others = by_others(found, needed, s);
  const bool faults = found != io::Cause::late_wake && s.faults >= needed;
  if (likely_host(needed, s)) return others || faults ? found : io::Cause::host;
  if (others && (!faults || s.run_delay >= s.faults)) return io::Cause::preemption;
  return faults ? io::Cause::page_fault : found;
}

Duration woken_late(const io::FrameHeader& h) noexcept {
  return std::max(time_of(h, io::Phase::wake), Duration{});
}

void Reckoning::note(const io::FrameHeader& h) {
  const Duration work = work_of(h.phases);
  const Duration woken = woken_late(h);
  const bool late = is_overrun(h);
  if (!begun_) usual_work_ = work;
  Step s{.step = h.step,
         .from = std::min(h.due, {h.start.ns - woken.ns}),
         .to = h.end,
         .woken = woken,
         .extra = beyond(work, usual_work_),
         .held_up = late || h.late_wake};
  // One that did not sleep was at work, or held up, since the step before.
  if (!h.slept && begun_) {
    s.from = std::min(s.from, last_end_);
    s.extra += beyond(h.start - last_end_, {});
  }
  if (!late && !h.frozen) {
    usual_work_ = slid(usual_work_, work);
    usual_woken_ = slid(usual_woken_, woken);
  }
  begun_ = true;
  last_end_ = h.end;
  steps_.push_back(s);
  if (steps_.size() <= most_steps) return;
  steps_.pop_front();
  forgot_ = true;
}

void Reckoning::read(const Account& account) {
  if (!accounts_.empty()) {
    if (account.at <= accounts_.back().at) return;
    learn(accounts_.back(), account);
  }
  accounts_.push_back(account);
  if (accounts_.size() > most_accounts) accounts_.pop_front();
}

void Reckoning::read(const StealAccount& account) {
  if (!steals_.empty() && account.at <= steals_.back().at) return;
  steals_.push_back(account);
  if (steals_.size() > most_steals) steals_.pop_front();
}

bool Reckoning::account_due() const {
  return accounts_.empty() || last_end_ - accounts_.back().at >= apart;
}
bool Reckoning::steal_due() const {
  return steals_.empty() || last_end_ - steals_.back().at >= steals_apart;
}

// What a wake-up costs that nothing disturbs.
void Reckoning::learn(const Account& before, const Account& after) {
  std::int64_t n = 0;
  for (auto s = steps_.rbegin(); s != steps_.rend() && s->to > before.at; ++s) {
    if (s->held_up) return;
    ++n;
  }
  if (n == 0) return;
  const double each =
      static_cast<double>((after.run_delay - before.run_delay).ns) / static_cast<double>(n);
  usual_delay_ns_ = learnt_ ? usual_delay_ns_ + (each - usual_delay_ns_) / 8 : each;
  learnt_ = true;
}

bool Reckoning::beside(const Step& s, const Step& late, MonoTime from, MonoTime to) {
  return s.step != late.step && s.to > from && s.from < to;
}

std::optional<Spent> Reckoning::around(const io::FrameHeader& h, const Worth& worth) const {
  const auto late = std::find_if(steps_.rbegin(), steps_.rend(),
                                 [&h](const Step& s) { return s.step == h.step && s.to == h.end; });
  if (late == steps_.rend()) return {};
  const auto before = last_until(accounts_, late->from);
  const auto after = first_from(accounts_, late->to);
  if (before == accounts_.end() || after == accounts_.end()) return {};
  if (forgot_ && steps_.front().from > before->at) return {};

  Spent spent{
      .taken = after->taken - before->taken, .steal_tick = worth.steal_tick, .steals = steals()};
  spent.run_delay = after->run_delay - before->run_delay;
  spent.faults = worth.minor_fault * (after->minor_faults - before->minor_faults) +
                 worth.major_fault * (after->major_faults - before->major_faults);
  double usual = usual_delay_ns_;
  for (const Step& s : steps_) {
    if (!beside(s, *late, before->at, after->at)) continue;
    usual += usual_delay_ns_;
    spent.run_delay -= beyond(s.woken, usual_woken_ * 2) + s.extra;
    spent.faults -= s.extra;
  }
  spent.run_delay -= Duration{static_cast<std::int64_t>(usual)};
  add_steal(*late, spent);
  return spent;
}

// The kernel brings the account of a CPU up to date some ticks later: the newest reading counts.
void Reckoning::add_steal(const Step& late, Spent& spent) const {
  const auto before = last_until(steals_, late.from);
  if (before == steals_.end() || steals_.back().at < late.to) return;
  const StealAccount& after = steals_.back();
  if (before->cpu < 0 || before->cpu != after.cpu) return;
  spent.steal_ticks = after.ticks - before->ticks;
  for (const Step& s : steps_) {
    if (s.held_up && beside(s, late, before->at, after.at)) spent.late_beside += s.woken + s.extra;
  }
  // Before that, as far as is known; half a tick more, since nothing seen is not never.
  const StealAccount& first = steals_.front();
  const double known = seconds(before->at - first.at);
  const double window = seconds(after.at - before->at);
  const bool same = first.cpu == before->cpu;
  spent.usual_steal_ticks =
      known > 0 && same ? (static_cast<double>(before->ticks - first.ticks) + 0.5) * window / known
                        : 1;  // nothing is known: not rare
}

}  // namespace hild::record
