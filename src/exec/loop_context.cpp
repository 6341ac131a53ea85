// SPDX-License-Identifier: Apache-2.0
#include "exec/loop_context.hpp"

#include "exec/aligned_clock.hpp"
#include "exec/following_clock.hpp"
#include "exec/recorded_clock.hpp"

namespace hild::exec {

LoopContext::LoopContext(const Settings& wanted, const Parts& parts, const io::FrameLayout& layout)
    : settings(wanted),
      plant(parts.plant),
      statistics(std::make_unique<Statistics>()),
      record(layout, parts.records),
      meter(parts.clock, *statistics, part(wanted.grid.period(), wanted.budget.utilisation),
            record.header()),
      devices(parts.sampler, meter, end, record),
      interlocks(parts.interlocks, end),
      alarms(parts.alarms),
      watches_results(interlocks.any() || alarms.any()),
      workers(parts.workers),
      background(*this, parts.background) {
  if (parts.replay != nullptr) {
    clock = std::make_unique<RecordedClock>(settings, parts.clock, meter, *statistics, step,
                                            *parts.replay);
  } else if (settings.follow) {
    clock = std::make_unique<FollowingClock>(settings, parts.clock, parts.sampler, meter,
                                             *statistics, step);
  } else if (settings.align) {
    clock =
        std::make_unique<AlignedClock>(settings, parts.clock, *parts.tai, meter, *statistics, step);
  } else {
    clock = std::make_unique<LiveClock>(settings, parts.clock, meter, *statistics, step);
  }
}

}  // namespace hild::exec
