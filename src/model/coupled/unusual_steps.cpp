// SPDX-License-Identifier: Apache-2.0
/// Steps of which members take their parts beside one another, where somebody runs them so. Within
/// a step a member reads what was connected at its start, and writes what is its own; slow members,
/// which may exchange values within a doubled step, come before the others as ever.
#include <algorithm>

#include "model/coupled/stepper.hpp"

namespace hild::coupled {

void CoupledStepper::share_work(TaskRunner& runner) {
  const std::size_t members = exchange_.members().size();
  shared_.runner = &runner;
  has_.unusual = true;
  shared_.members.reserve(members);
  shared_.passes.resize(members);
  shared_.slots.resize(schedule_.slots.size());
  schedule_.listed = false;
}

// Where one does not return, nothing is touched any more: as if all had been set aside.
void CoupledStepper::run_shared() noexcept {
  if (shared_.stuck || shared_.runner->run(*this, shared_.members)) return;
  shared_.stuck = true;
  for (Slot& slot : schedule_.slots) slot.member = run_before;
  for (Member& m : exchange_.members()) m.aside = true;
}

// Whether some are a starter's.
bool CoupledStepper::take_unusual_steps(In u) noexcept {
  if (has_.slow) slow_passes(u);
  if (shared_.runner != nullptr) return share_steps(u);
  return has_.elsewhere ? take_steps_elsewhere(u) : take_steps(u);
}

bool CoupledStepper::share_steps(In u) noexcept {
  const auto& members = exchange_.members();
  shared_.whole = true;
  shared_.u = u;
  shared_.members.clear();
  if (has_.elsewhere && !shared_.stuck) ask_ahead(u);
  for (const bool asked : {false, true}) {  // who runs several waits for none before its own work
    for (std::size_t k = 0; k < members.size(); ++k) {
      const Member& m = members[k];
      if (m.aside || takes_several(m.pace) || m.asked != asked) continue;
      shared_.members.push_back(static_cast<std::uint16_t>(k));  // within what is reserved
    }
  }
  run_shared();
  return std::ranges::any_of(
      members, [this](const Member& m) { return takes_part(m) && m.passes->starting; });
}

// The first of several passes of one node stands for all of them where they are of several members.
void CoupledStepper::list_shared(std::size_t slots) noexcept {
  const std::span all(schedule_.slots.data(), slots);
  std::ranges::copy(all, shared_.slots.begin());
  for (auto first = all.begin(); first != all.end();) {
    const auto other = [&](const Slot& s) {
      return s.node != first->node || s.member == slow_ones || first->member == slow_ones;
    };
    const auto end = std::find_if(first + 1, all.end(), other);
    const bool several = first->member != (end - 1)->member;
    for (auto slot = first; several && slot != end; ++slot) {
      slot->member = slot == first ? shared : run_before;
    }
    first = end;
  }
}

void CoupledStepper::take_unusual_pass(const Slot& slot, In u) noexcept {
  if (slot.member == slow_ones) return slow_passes(u);
  if (slot.member == shared) share_passes(slot, u);
}

// Those of a member follow one another in the list.
void CoupledStepper::share_passes(const Slot& first, In u) noexcept {
  shared_.whole = false;
  shared_.u = u;
  shared_.members.clear();
  const auto begin = static_cast<std::size_t>(&first - schedule_.slots.data());
  const std::size_t count = schedule_.passes.nodes.size();
  for (std::size_t i = begin;
       i < count && (i == begin || schedule_.slots[i].member == run_before);) {
    const Slot& own = shared_.slots[i];
    std::size_t end = i + 1;
    while (end < count && schedule_.slots[end].member == run_before &&
           shared_.slots[end].member == own.member) {
      ++end;
    }
    shared_.passes[own.member] = std::span(shared_.slots).subspan(i, end - i);
    shared_.members.push_back(static_cast<std::uint16_t>(own.member));
    i = end;
  }
  run_shared();
}

}  // namespace hild::coupled
