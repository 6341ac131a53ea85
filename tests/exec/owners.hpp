// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the owners of the loop's state work with, without a loop: each is tested alone on it.
#pragma once

#include "exec/fakes.hpp"
#include "exec/output_scheduler.hpp"

namespace hild::testing {

struct WithoutLoop {
  explicit WithoutLoop(const exec::Settings& settings = {},
                       const numerics::Method& method = numerics::forward_euler,
                       const FakeSampler::Input& input = nothing())
      : sampler(clock, {input}),
        plant(clock, model::make_stepper<Lag>(method)),
        run(settings, {clock, sampler, plant, plain_inputs(1), {0.0}},
            exec::FrameLoop::layout(plant)),
        outputs(run) {
    run.meter.start();
    run.clock->begin_run(Rig::start, 0);
  }

  rt::VirtualClock clock;
  FakeSampler sampler;
  CostlyPlant plant;
  exec::LoopContext run;
  exec::OutputScheduler outputs;
};

}  // namespace hild::testing
