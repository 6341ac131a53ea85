// SPDX-License-Identifier: Apache-2.0
#include "recording/record/account.hpp"

#include <algorithm>

#include "recording/record/flight_recorder.hpp"

namespace hild::record {
namespace {

// A tick of the steal account is coarse: one may be the last straw of what was taken long before.
// It counts where such chance is small.
constexpr double rare = 0.02;
// So many times what is usual may come by chance.
constexpr double usual_share = 3;

bool is_work(io::Cause cause) {
  return cause == io::Cause::pass || cause == io::Cause::state_event ||
         cause == io::Cause::external_event;
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
  return std::max(h.phases[static_cast<std::size_t>(io::Phase::wake)], Duration{});
}

}  // namespace hild::record
