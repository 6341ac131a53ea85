// SPDX-License-Identifier: Apache-2.0
/// \file
/// FMUs that misbehave: a run with them is bounded, or ends.
#include <cmath>

#include "fmu/fmus.hpp"

namespace hild::testing {
namespace {

// As sources/trouble.h counts them.
enum Kind {
  none,
  endless_events,
  not_a_number,
  crash,
  leave,
  nap,
  allocate,
  chat,
  rounding,
  discard,
  zeno
};

class Trouble : public OfVersion {
 protected:
  std::unique_ptr<model::Plant> plant(Kind kind) {
    auto made = load_fmu("trouble", GetParam()).make(numerics::rk4);
    made->set_parameter(0, kind);
    made->set_initial(std::array{0.0});
    return made;
  }
  static double nothing(double /*t*/) { return 0.0; }
};
INSTANTIATE_TEST_SUITE_P(Fmi, Trouble, ::testing::Values(2, 3));

TEST_P(Trouble, NoneGoesThrough) {
  Rig rig(plant(none), nothing);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, exec::End::duration);
  EXPECT_NEAR(rig.plant.states()[0], 0.2, 1e-12);
  EXPECT_EQ(rig.statistics().state_events.get(), 1);
}

TEST_P(Trouble, EndlessEventIterationIsCapped) {
  Rig rig(plant(endless_events), nothing);
  EXPECT_EQ(rig.run(200).end, exec::End::duration);
  EXPECT_NEAR(rig.plant.states()[0], 0.2, 1e-12);
}

TEST_P(Trouble, TimeEventsThatDoNotAdvanceAreBounded) {
  Rig rig(plant(zeno), nothing);
  EXPECT_EQ(rig.run(200).end, exec::End::duration);
  EXPECT_NEAR(rig.plant.states()[0], 0.2, 1e-12);
  EXPECT_LE(rig.statistics().time_events.get(), 4 * 200);
  EXPECT_GT(rig.statistics().time_events.get(), 0);
}

TEST_P(Trouble, WhatIsNoNumberEndsTheRun) {
  Rig rig(plant(not_a_number), nothing);
  EXPECT_EQ(rig.run(200).end, exec::End::model_fault);
  EXPECT_NEAR(static_cast<double>(rig.records.size()), 50, 2);
}

TEST_P(Trouble, ACallThatFailsEndsTheRun) {
  Rig rig(plant(discard), nothing);
  EXPECT_EQ(rig.run(200).end, exec::End::model_fault);
}

// Each plant has a binary of its own: what is bound to a process is bound to it.
TEST_P(Trouble, OncePerProcessStillGivesTwoPlants) {
  const auto loaded = load_fmu("trouble", GetParam());
  const auto one = loaded.make(numerics::rk4);
  const auto two = loaded.make(numerics::rk4);
  one->step({}, 10_ms, {});
  EXPECT_NE(one->states()[0], two->states()[0]);
}

}  // namespace
}  // namespace hild::testing
