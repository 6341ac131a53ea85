// SPDX-License-Identifier: Apache-2.0
/// \file
/// What became of samples: counted by the gateway in the page, and by the thread that exchanges.
#pragma once

#include <array>

#include "drivers/dds/page.hpp"
#include "hild/io/device.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::dds {

/// What the gateway cannot count, or would not.
struct OwnCounts {
  rt::Counter unreadable{};
  rt::Counter gateway_lost{};
};

/// All of them in words; they live as long as what they count.
[[nodiscard]] inline std::array<io::DeviceCounter, 15> counters_of(const GatewayCounts& gateway,
                                                                   const OwnCounts& own) noexcept {
  return {
      {{"received", "Samples of the run and the plan that are taken.", &gateway.received},
       {"lost", "Sequence numbers that were missing when a later one came.", &gateway.lost, true},
       {"reordered", "Samples that came after a newer one, and were not taken.", &gateway.reordered,
        true},
       {"early", "Samples that came before the plan of their run, and were not taken.",
        &gateway.early},
       {"wrong_run", "Samples and plans of an earlier run, or of a plan that is not known here.",
        &gateway.wrong_run, true},
       {"wrong_length", "Samples with another number of values than their plan says.",
        &gateway.wrong_length, true},
       {"not_finite", "Samples with a value that is not a number, which were not taken.",
        &gateway.not_finite, true},
       {"future", "Samples made later than they came, by the clocks of both machines.",
        &gateway.future, true},
       {"unmatched", "Plans that lack a signal or have another unit, and what is of another TAI.",
        &gateway.unmatched, true},
       {"nodes_gone", "Nodes of the system that were there, and ended or fell silent.",
        &gateway.nodes_gone},
       {"sent", "Samples handed to the network.", &gateway.sent},
       {"skipped", "Writes of outputs that a later one replaced before they were sent.",
        &gateway.skipped, true},
       {"unsent", "Samples that the network did not take.", &gateway.unsent, true},
       {"unreadable", "Images of the gateway that no gateway should write, which were not taken.",
        &own.unreadable, true},
       {"gateway_lost", "1 once the gateway has ended: nothing is sent or received any more.",
        &own.gateway_lost, true}}};
}

}  // namespace hild::dds
