// SPDX-License-Identifier: Apache-2.0
#include "exec/timetable.hpp"

#include <algorithm>

namespace hild::exec {

void Timetable::build(const model::Passes& passes, const Settings& settings, Duration h) noexcept {
  h_ = passes.starting || passes.once ? Duration{} : h;
  count_ = 0;
  for (int i = 0; i < passes.count(); ++i) {
    const double node = passes.nodes[static_cast<std::size_t>(i)];
    const Duration release = part(h, release_of(node, i, passes.count(), settings.sampling));
    insert({i, part(h, node), std::max(release - settings.lag, Duration{})});
  }
}

// Stable: passes keep their order where releases are equal.
void Timetable::insert(const Slot& slot) noexcept {
  if (count_ == slots_.size()) return;  // the loader has refused such a plan
  std::size_t at = count_++;
  for (; at > 0 && slots_[at - 1].release > slot.release; --at) slots_[at] = slots_[at - 1];
  slots_[at] = slot;
}

}  // namespace hild::exec
