// SPDX-License-Identifier: Apache-2.0
#include "control/server/overrun_history.hpp"

#include <algorithm>

#include "recording/record/words.hpp"

namespace hild::server {

void OverrunHistory::frame(const io::FrameView& record) {
  const io::FrameHeader& h = record.header();
  const bool late = record::is_overrun(h);
  if (late || open_) keep(h, late);  // as nearly none are: no lock
  flight_.note(h);
}

void OverrunHistory::keep(const io::FrameHeader& h, bool late) {
  const std::scoped_lock lock(mutex_);
  if (open_ && overruns_.back().header.step + 1 == h.step) overruns_.back().next_span = h.span;
  open_ = late;
  if (!late) return;
  ++seen_;
  if (overruns_.size() == kept) overruns_.pop_front();
  overruns_.push_back({h, 0, flight_.utilisation(), flight_.steps()});
}

std::int64_t OverrunHistory::seen() const {
  const std::scoped_lock lock(mutex_);
  return seen_;
}

std::vector<OverrunHistory::Overrun> OverrunHistory::newest(std::size_t last,
                                                            std::int64_t since_step) const {
  const std::scoped_lock lock(mutex_);
  const auto first = std::ranges::find_if(
      overruns_, [&](const Overrun& o) { return o.header.step >= since_step; });
  const auto found = static_cast<std::size_t>(overruns_.end() - first);
  const auto skipped = static_cast<std::ptrdiff_t>(found - std::min(found, last));
  return {first + skipped, overruns_.end()};
}

}  // namespace hild::server
