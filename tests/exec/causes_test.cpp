// SPDX-License-Identifier: Apache-2.0
/// \file
/// An overrun of each cause that one clock can tell, brought about by scripted costs, and its name.
/// Those that only the kernel knows: tests/record/inquest_test.cpp.
#include <gtest/gtest.h>

#include "exec/plants.hpp"
#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using io::Cause;

/// The late steps of a run, each with its cause.
template <class Records>
std::map<std::int64_t, Cause> late_in(const Records& records) {
  std::map<std::int64_t, Cause> late;
  for (const io::FrameHeader& h : records) {
    if (h.lateness.ns > 0) late[h.step] = h.cause;
  }
  return late;
}
using Late = std::map<std::int64_t, Cause>;

TEST(Causes, APassThatTakesLong) {
  Rig rig;
  rig.plant.extra[5] = 1'100_us;
  rig.run(10);
  EXPECT_EQ(late_in(rig.records), (Late{{5, Cause::pass}}));
}

TEST(Causes, ADeviceCallThatTakesLong) {
  Rig rig;
  rig.sampler.on_call = [&](int call) { rig.sampler.cost = call == 6 ? 1'100_us : Duration{}; };
  rig.run(10);
  EXPECT_EQ(late_in(rig.records), (Late{{5, Cause::device}}));
}

// Dropped from 1 m under 10 m/s2 the ball meets the floor after sqrt(0.2) s: in frame 447.
TEST(Causes, AStateEventWhoseActionTakesLong) {
  Rig rig(model::make_plant<Ball>(numerics::rk4), [](double) { return 0.0; });
  rig.plant.event_cost = 1'100_us;
  rig.run(460);
  EXPECT_EQ(late_in(rig.records), (Late{{447, Cause::state_event}}));
}

// Posted in step 2, prepared in the slack after it, committed at the start of step 3: nobody could
// know that it would take so long.
TEST(Causes, AnExternalEventWhoseCommitTakesLong) {
  Rig rig;
  rig.plant.extra_of = [&](std::int64_t step) {
    if (step == 2) {
      rig.plant.set_cost = 1'100_us;
      exec::Transaction t;
      t.add(exec::SetParameter{0, 0, 5.0});
      EXPECT_EQ(rig.events.submit(t), exec::Refusal::none);
    }
    return Duration{};
  };
  rig.run(10);
  EXPECT_EQ(late_in(rig.records), (Late{{3, Cause::external_event}}));
}

// Two phases beyond what is usual: the one that took more of it.
TEST(Causes, TheLargestExcessIsBlamed) {
  Rig rig;
  rig.plant.pass_cost = 500_us;
  rig.plant.extra[5] = 200_us;
  rig.sampler.on_call = [&](int call) { rig.sampler.cost = call == 6 ? 600_us : 100_us; };
  rig.run(10);
  EXPECT_EQ(late_in(rig.records), (Late{{5, Cause::device}}));
}

}  // namespace
}  // namespace hild::testing
