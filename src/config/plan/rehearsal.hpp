// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures what the parts of a frame cost on this machine, before the run: a plant like the real
/// one is advanced for a while, the devices are read (never written), short sleeps are timed.
#pragma once

#include <functional>

#include "config/plan/assembly.hpp"
#include "config/plan/event_rehearsal.hpp"
#include "config/plan/feasibility.hpp"
#include "hild/rt/clock.hpp"

namespace hild::plan {

/// The middle and the bad end of what was measured.
struct Measured {
  Costs median;
  Costs p99;
  EventCosts events{};  ///< of one change from outside, by class
};

/// The same of one part.
struct Spread {
  Duration median;
  Duration p99;
};

[[nodiscard]] Spread time_each(rt::Clock& clock, int times, const std::function<void(int)>& work);
/// A pass of `plant`, in whole steps of `frame`, so that history, starters and branches of the
/// model take part. The plant is reset afterwards.
[[nodiscard]] Spread time_passes(rt::Clock& clock, model::Stepper& plant, Duration frame);

/// An event of `plant` beside the passes it costs, the longest it has: its functions, as often as
/// the loop evaluates them for one, its action and the restart. 0 for a plant without events. The
/// plant is reset afterwards.
[[nodiscard]] Spread time_actions(rt::Clock& clock, model::Stepper& plant);

/// Call on a thread scheduled like the frame thread, with the clock of the run. The bus is open;
/// without one (nullptr) device calls count as free. Takes about a fifth of a second.
[[nodiscard]] Measured rehearse(model::Stepper& plant, io::Bus* bus, rt::Clock& clock,
                                Duration frame);

}  // namespace hild::plan
