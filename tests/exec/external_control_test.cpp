// SPDX-License-Identifier: Apache-2.0
/// \file
/// What takes effect from outside, alone: no step is taken.
#include "exec/external_control.hpp"

#include "exec/owners.hpp"

namespace hild::testing {
namespace {

struct Steered : WithoutLoop {
  Steered() : external(run, outputs, &events) { external.begin_run(); }
  /// These take effect at the step at hand, together. Whether the run goes on.
  template <class... Changes>
  bool commit(const Changes&... changes) {
    EXPECT_EQ(events.submit(transaction(0, changes...)), exec::Refusal::none);
    external.serve(Rig::start + 1_s, run.step.frame);
    EXPECT_TRUE(external.due());
    external.keep_inputs(std::array{0.0});
    return external.commit();
  }
  /// A frame of the plant is over.
  void frame() {
    external.after_step();
    run.clock->advance();
    EXPECT_TRUE(run.clock->next());
    run.clock->begin();
  }

  exec::ExternalEvents events;
  exec::ExternalControl external;
};

TEST(ExternalControl, HoldsThePlantUntilItResumes) {
  Steered run;
  EXPECT_FALSE(run.external.due());
  EXPECT_TRUE(run.commit(exec::Freeze{exec::FrozenOutputs::safe}));
  EXPECT_TRUE(run.external.holds());
  EXPECT_FALSE(run.external.limited());
  EXPECT_EQ(run.sampler.safe_calls, 1);
  EXPECT_TRUE(run.commit(exec::Resume{}));
  EXPECT_FALSE(run.external.holds());
  EXPECT_TRUE(run.outputs.follows());
}

TEST(ExternalControl, WhatALimitHoldsResumesToo) {
  Steered run;
  run.external.hold_by_limit();
  EXPECT_TRUE(run.external.holds());
  EXPECT_TRUE(run.external.limited());
  EXPECT_TRUE(run.commit(exec::Resume{}));
  EXPECT_FALSE(run.external.holds());
  EXPECT_FALSE(run.external.limited());
}

TEST(ExternalControl, StepsSoManyFramesAndHoldsAgain) {
  Steered run;
  EXPECT_TRUE(run.commit(exec::Freeze{}));
  EXPECT_TRUE(run.commit(exec::StepFrames{2}));
  for (int frame = 0; frame < 2; ++frame) {
    EXPECT_FALSE(run.external.holds()) << frame;
    EXPECT_TRUE(run.external.stepping());
    EXPECT_TRUE(run.external.active());
    std::array u{0.0};
    EXPECT_FALSE(run.external.before_step(u));
    run.frame();
  }
  EXPECT_TRUE(run.external.holds());
}

TEST(ExternalControl, ADeviceThatDoesNotBecomeSafeEndsTheRun) {
  Steered run;
  run.sampler.safe_works = false;
  EXPECT_FALSE(run.commit(exec::Freeze{exec::FrozenOutputs::safe}));
  EXPECT_EQ(run.run.end.outcome().end, exec::End::device_failed);
}

TEST(ExternalControl, SavedStatesComeBackWithTheirParameters) {
  Steered run;
  run.plant.set_states(std::array{2.0});
  EXPECT_TRUE(run.commit(exec::SetParameter{0, 3}, exec::SaveStates{1}));
  EXPECT_EQ(run.plant.system().parameter(0), 3);
  run.plant.set_states(std::array{7.0});
  EXPECT_TRUE(run.commit(exec::SetParameter{0, 4}));
  EXPECT_TRUE(run.commit(exec::RestoreStates{1, false}));
  EXPECT_EQ(run.plant.states()[0], 2);
  EXPECT_EQ(run.plant.system().parameter(0), 4);
  EXPECT_TRUE(run.commit(exec::RestoreStates{1, true}));
  EXPECT_EQ(run.plant.system().parameter(0), 3);
  std::array u{0.0};
  EXPECT_TRUE(run.external.before_step(u)) << "the states are others";
  EXPECT_FALSE(run.external.before_step(u)) << "once";
}

TEST(ExternalControl, ResetIsBackToWhatTheRunBeganWith) {
  Steered run;
  const double rate = run.plant.system().parameter(0);
  EXPECT_TRUE(run.commit(exec::SetParameter{0, 3}));
  run.plant.set_states(std::array{7.0});
  EXPECT_TRUE(run.commit(exec::Reset{false}));
  EXPECT_EQ(run.plant.states()[0], 0);
  EXPECT_EQ(run.plant.system().parameter(0), 3);
  EXPECT_TRUE(run.commit(exec::Reset{true}));
  EXPECT_EQ(run.plant.system().parameter(0), rate);
}

TEST(ExternalControl, FaultsOfDevicesAreThereUntilTheyAreCleared) {
  Steered run;
  EXPECT_TRUE(run.commit(exec::InjectFault{.fault = 1, .value = 0.5}));
  EXPECT_EQ(run.sampler.in_force[1], 0.5);
  EXPECT_FALSE(run.external.active()) << "a frame has nothing to do";
  EXPECT_TRUE(run.commit(exec::InjectFault{.fault = 1, .value = 2}, exec::InjectFault{}));
  EXPECT_EQ(run.sampler.in_force[1], 2);
  EXPECT_TRUE(run.sampler.in_force[0].has_value());
  EXPECT_TRUE(run.commit(exec::ClearFault{1}));
  EXPECT_FALSE(run.sampler.in_force[1].has_value());
  run.external.clear_faults();
  EXPECT_FALSE(run.sampler.in_force[0].has_value()) << "what is to be safe is not to be hindered";
}

TEST(ExternalControl, FaultsOfDevicesEndAfterTheirFrames) {
  Steered run;
  EXPECT_TRUE(run.commit(exec::InjectFault{.fault = 0, .frames = 2}));
  std::array u{0.0};
  for (int frame = 0; frame < 2; ++frame) {
    EXPECT_TRUE(run.external.active());
    EXPECT_FALSE(run.external.before_step(u));
    EXPECT_TRUE(run.sampler.in_force[0].has_value()) << frame;
    run.frame();
  }
  EXPECT_FALSE(run.external.before_step(u));
  EXPECT_FALSE(run.sampler.in_force[0].has_value());
  EXPECT_FALSE(run.external.active());
}

TEST(ExternalControl, AFaultThatLastsLongerThanFramesGoHasNoEnd) {
  Steered run;
  run.frame();
  EXPECT_TRUE(run.commit(exec::InjectFault{.fault = 0, .frames = INT64_MAX}));
  std::array u{0.0};
  EXPECT_FALSE(run.external.before_step(u));
  EXPECT_TRUE(run.sampler.in_force[0].has_value());
  EXPECT_FALSE(run.external.active()) << "nothing will have to be ended";
}

TEST(ExternalControl, AFaultThatThereIsNotIsRefused) {
  Steered run;
  const exec::Targets targets{{}, 0, 0, &run.sampler};
  const auto refusal = [&](const exec::Change& c) { return exec::check(c, targets); };
  EXPECT_EQ(refusal(exec::InjectFault{.fault = 2}), exec::Refusal::unknown_target);
  EXPECT_EQ(refusal(exec::ClearFault{2}), exec::Refusal::unknown_target);
  EXPECT_EQ(refusal(exec::InjectFault{.fault = 0, .value = 1}), exec::Refusal::out_of_limits);
  EXPECT_EQ(refusal(exec::InjectFault{.fault = 1}), exec::Refusal::out_of_limits);
  EXPECT_EQ(refusal(exec::InjectFault{.fault = 1, .value = 10}), exec::Refusal::none);
  EXPECT_EQ(refusal(exec::InjectFault{.fault = 1, .value = 10, .frames = -1}),
            exec::Refusal::out_of_limits);
  EXPECT_EQ(exec::check(exec::ClearFault{0}, exec::Targets{}), exec::Refusal::unknown_target);
}

TEST(ExternalControl, FalsifiesSignalsUntilTheyAreReleased) {
  Steered run;
  using exec::Side;
  EXPECT_TRUE(run.commit(exec::Override{.side = Side::input, .value = 5},
                         exec::Override{.side = Side::output, .value = 6}));
  EXPECT_TRUE(run.external.active());
  std::array u{1.0};
  std::array y{2.0};
  run.external.falsify_inputs(Rig::start, u);
  run.external.falsify_outputs(y);
  EXPECT_EQ(u[0], 5);
  EXPECT_EQ(y[0], 6);
  EXPECT_TRUE(run.commit(exec::ReleaseOverride{Side::input}, exec::ReleaseOverride{Side::output}));
  EXPECT_FALSE(run.external.active());
  u[0] = 1;
  run.external.falsify_inputs(Rig::start, u);
  EXPECT_EQ(u[0], 1);
}

}  // namespace
}  // namespace hild::testing
