// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes the clock of a run, and measures what a frame costs by it, on a thread scheduled like the
/// frame thread. All of it may throw an Error.
#pragma once

#include <functional>
#include <memory>

#include "config/plan/placement.hpp"
#include "config/plan/plan.hpp"
#include "hild/rt/thread.hpp"

namespace hild::commands {

[[nodiscard]] rt::ThreadOptions thread_options(const config::Frame& frame);

/// What plans need to know of this machine, of the CPU of the frames.
[[nodiscard]] plan::Machine machine_for(const config::Frame& frame);

/// Makes the clock that a configuration asks for. If it gives no margin for sleep+spin, that is
/// measured and stored in `frame`.
[[nodiscard]] std::unique_ptr<rt::Clock> make_clock(config::Frame& frame);

/// The clock of a configuration, and its devices, opened to be read only, be it beside a run.
struct Observed {
  std::unique_ptr<rt::Clock> clock;
  io::Bus* bus = nullptr;  ///< null: they are not there, which is warned of
};
[[nodiscard]] Observed observe(plan::Assembly& assembly, rt::Warnings& warnings);

/// Does `work` on a thread scheduled like the frame thread. It is an error that none can be
/// started, or that a device of `bus`, which may be null, failed meanwhile.
void measure(const plan::Assembly& assembly, const io::Bus* bus, rt::Warnings& warnings,
             std::function<void()> work);

/// Starts the workers that models have; null where there are none.
[[nodiscard]] std::unique_ptr<plan::Crew> start_workers(const plan::Assembly& assembly,
                                                        rt::Clock& clock, rt::Warnings& warnings);

/// Measures the costs so, those of device calls where `bus`, which is open, is not null, with the
/// models on their workers (null: there are none).
[[nodiscard]] plan::Measured rehearse(const plan::Assembly& assembly, rt::Clock& clock,
                                      io::Bus* bus, plan::Crew* crew, rt::Warnings& warnings);

}  // namespace hild::commands
