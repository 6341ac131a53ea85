// SPDX-License-Identifier: Apache-2.0
#include "exec/frame_times.hpp"

#include <algorithm>

#include "exec/usual_times.hpp"

namespace hild::exec {

void FrameTimes::add(const io::FrameView& record) noexcept {
  const io::FrameHeader& h = record.header();
  Duration work{};
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    const auto phase = static_cast<io::Phase>(p);
    const bool of_frame_before = phase >= io::Phase::record;
    if (of_frame_before && !open_) continue;
    statistics_->phases[p].add(h.phases[p]);
    if (is_work(phase)) (of_frame_before ? work_ : work) += h.phases[p];
  }
  if (open_) statistics_->work.add(work_);
  work_ = work;
  open_ = true;
  if (h.frozen) return;
  if (h.error_ppb > 0) statistics_->local_error.add(Duration{h.error_ppb});
  statistics_->margin.add(-h.lateness);
  if (h.lateness.ns > 0) statistics_->lateness.add(h.lateness);
  auto& costs = statistics_->passes;
  const std::size_t passes = std::min(record.passes(), costs.size());
  for (std::size_t i = 0; i < passes; ++i) costs[i].add(record.cost(i));
}

}  // namespace hild::exec
