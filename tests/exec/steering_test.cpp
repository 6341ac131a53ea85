// SPDX-License-Identifier: Apache-2.0
/// Steering one plant of several.
#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::Override;
using exec::OverrideKind;
using exec::Refusal;
using exec::Side;

// Signals, states and parameters are counted over both; a restart is that of the plant at hand.
TEST(Steering, OfSeveralPlantsFindsItsPlace) {
  rt::VirtualClock clock;
  FakeSampler sampler(clock, {[](double) { return 1.0; }, [](double) { return 2.0; }});
  CostlyPlant a(clock, model::make_plant<Tracker>(numerics::ab4));
  CostlyPlant b(clock, model::make_plant<Tracker>(numerics::ab4));
  exec::ExternalEvents events;
  const std::vector<model::Plant*> plants{&a, &b};
  exec::FrameLoop loop({}, {clock, sampler, plants, {0, 0}, {0.0, 0.0}, &events, nullptr});
  const auto post = [&](const exec::Transaction& t) { ASSERT_EQ(events.submit(t), Refusal::none); };
  std::vector<double> x(60);
  b.extra_of = [&](std::int64_t step) {
    x[static_cast<std::size_t>(step)] = b.states()[0];
    EXPECT_EQ(b.starting(), step < 3 || (step >= 10 && step < 13) || (step >= 30 && step < 33))
        << step;
    EXPECT_EQ(a.starting(), step < 3 || (step >= 30 && step < 33)) << step;
    if (step == 9) {
      post(transaction(1, Override{Side::input, 1, OverrideKind::gain, 4, 0, 10, true},
                       Override{Side::output, 3, OverrideKind::offset, 50},
                       exec::SetParameter{1, 1, 6.0}, exec::SaveStates{0}));
    }
    if (step == 29) post(transaction(2, exec::RestoreStates{0, true}));
    return Duration{};
  };
  const rt::Flag stop;
  loop.run(Rig::start, 40, stop);
  EXPECT_NEAR(x[20] - x[10], 10 * 8e-3, 1e-12);
  // The gain ends without a restart: AB-4 still sees the old slope, 6 larger, in three steps, with
  // weights whose sums are -31/24, 28/24 and -9/24.
  EXPECT_NEAR(x[29] - x[20], (9 * 2.0 + 6 * (-31.0 + 28 - 9) / 24) * 1e-3, 1e-12);
  EXPECT_EQ(x[30], x[10]);
  EXPECT_EQ(a.parameter(1), 0);
  EXPECT_EQ(b.parameter(1), 6);
  std::vector<double> saved;
  ASSERT_TRUE(loop.saved_states().read(0, saved));
  EXPECT_EQ(saved.size(), 2U + 4U);
  EXPECT_EQ(saved[1], x[10]);
  EXPECT_EQ(saved[5], 6);
  EXPECT_EQ(sampler.writes[15].y[1], 1);
  EXPECT_EQ(sampler.writes[15].y[3], 8 + 50);
}

}  // namespace
}  // namespace hild::testing
