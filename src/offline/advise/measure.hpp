// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures what a step costs on this machine under each method. Not real-time, but to be called on
/// a thread scheduled like the frame thread.
#pragma once

#include "config/plan/assembly.hpp"
#include "offline/advise/window.hpp"

namespace hild::advise {

/// A plant of the configured model under a candidate's method.
[[nodiscard]] std::unique_ptr<model::Stepper> plant_of(const plan::Assembly& assembly,
                                                       const Candidate& candidate);

/// A plant to be measured, with a step at which it is stable: states that overflow would cost less
/// or more than those of a run.
struct Job {
  std::unique_ptr<model::Stepper> plant;
  Duration step;
};

/// Measures the costs of each job, in order: passes of hundreds of steps each; wake latency, device
/// calls, outputs, meters and record once for all. `bus` is open, or null for free device calls.
[[nodiscard]] std::vector<plan::Measured> measure(std::span<const Job> jobs, io::Bus* bus,
                                                  rt::Clock& clock, Duration frame);

}  // namespace hild::advise
