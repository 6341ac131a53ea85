// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures what the parts of a frame cost on this machine, before the run: a plant like the real
/// one is advanced for a while, the devices are read (never written), short sleeps are timed.
#pragma once

#include "hild/rt/clock.hpp"
#include "plan/assembly.hpp"
#include "plan/feasibility.hpp"

namespace hild::plan {

/// The middle and the bad end of what was measured.
struct Measured {
  Costs median;
  Costs p99;
};

/// Call on a thread scheduled like the frame thread, with the clock of the run. The bus is open;
/// without one (nullptr) device calls count as free. Takes about a fifth of a second.
[[nodiscard]] Measured rehearse(model::Plant& plant, io::Bus* bus, rt::Clock& clock,
                                Duration frame);

}  // namespace hild::plan
