// SPDX-License-Identifier: Apache-2.0
/// \file
/// One step of the plant alone: nobody judges it, nothing is put out.
#include "exec/step_runner.hpp"

#include "exec/external_control.hpp"
#include "exec/owners.hpp"

namespace hild::testing {
namespace {

struct Stepping : WithoutLoop {
  Stepping(
      const numerics::Method& method, exec::Sampling sampling,
      const FakeSampler::Input& input = [](double t) { return t; })
      : WithoutLoop(settings_of(sampling), method, input),
        external(run, outputs, nullptr),
        runner(run, external, outputs, {{0.0}, plain_inputs(1)}) {
    sampler.origin = Rig::start;
    runner.begin_run();
  }
  static exec::Settings settings_of(exec::Sampling sampling) {
    exec::Settings s;
    s.sampling = sampling;
    return s;
  }
  /// From its tick to its end. Whether the run goes on.
  bool step() {
    EXPECT_TRUE(run.clock->next());
    run.record.claim(run.meter);
    run.clock->begin();
    const std::int64_t frame = run.step.frame;
    EXPECT_TRUE(run.devices.read({}, runner.inputs().images(), frame));
    EXPECT_TRUE(runner.take_sample());
    const bool goes_on = runner.advance();
    run.clock->advance();
    return goes_on;
  }

  exec::ExternalControl external;
  exec::StepRunner runner;
};

// RTRK-2 of x' = u - x: nodes at 0 and 1/2.
TEST(StepRunner, TakesASampleForEachNode) {
  Stepping run(numerics::rtrk2, exec::Sampling::stage);
  EXPECT_TRUE(run.step());
  EXPECT_EQ(run.runner.passes(), 2U);
  ASSERT_EQ(run.sampler.reads.size(), 2U);
  EXPECT_EQ(run.sampler.reads[0], Rig::start);
  EXPECT_EQ(run.sampler.reads[1], Rig::start + 500_us);
  EXPECT_EQ(run.runner.u()[0], 0.5e-3);
}

TEST(StepRunner, HoldsTheSampleOfTheTickUnderFrame) {
  Stepping run(numerics::rtrk2, exec::Sampling::frame, [](double t) { return 1 + t; });
  EXPECT_TRUE(run.step());
  EXPECT_EQ(run.sampler.reads.size(), 1U);
  EXPECT_EQ(run.runner.u()[0], 1);
  // h - h^2 / 2 of the step response, as a method of second order has it.
  EXPECT_NEAR(run.plant.states()[0], 1e-3 - 0.5e-6, 1e-15);
}

TEST(StepRunner, EndsWhereADeviceFailsWithinTheStep) {
  Stepping run(numerics::rtrk2, exec::Sampling::stage);
  run.sampler.fail_at_call = 2;
  EXPECT_FALSE(run.step());
  EXPECT_EQ(run.run.end.outcome().end, exec::End::device_failed);
}

TEST(StepRunner, CountsThePassesOfAStarter) {
  Stepping run(numerics::ab2, exec::Sampling::stage);
  EXPECT_TRUE(run.step());
  EXPECT_EQ(run.runner.passes(), static_cast<std::size_t>(numerics::ab2.starter->passes));
  EXPECT_TRUE(run.run.record.header().starter);
  EXPECT_TRUE(run.step());
  EXPECT_EQ(run.runner.passes(), 1U);
  EXPECT_FALSE(run.run.record.header().starter);
}

// Taken whole, its passes are one for who meters and records them.
TEST(StepRunner, TakesAStepWholeWhereInputsHold) {
  Stepping run(numerics::ab2, exec::Sampling::frame);
  EXPECT_TRUE(run.step());
  EXPECT_EQ(run.runner.passes(), 1U);
  EXPECT_TRUE(run.run.record.header().starter);
  EXPECT_TRUE(run.step());
  EXPECT_EQ(run.runner.passes(), 1U);
  EXPECT_FALSE(run.run.record.header().starter);
}

}  // namespace
}  // namespace hild::testing
