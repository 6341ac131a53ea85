// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the feasibility formula reserves for an event, against what the executive does in a frame
/// with one: passes and derivatives are counted in the loop.
#include <gtest/gtest.h>

#include "config/plan/bell.hpp"
#include "config/plan/feasibility.hpp"
#include "exec/fakes.hpp"
#include "exec/plants.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::plan {
namespace {

/// Passes and derivatives asked for, in the frame with the event and in that before.
struct Counted {
  int without = 0;
  int with = 0;
};

/// The bell strikes in the ninth frame of 50 ms; the ball bounces there too, or, under a method of
/// first order, in the next.
template <class M>
Counted count(const numerics::Method& method) {
  testing::Rig rig(model::make_stepper<M>(method), [](double) { return 0.0; });
  rig.settings.grid = Grid::of_rate_hz(20);
  rig.settings.sampling = exec::Sampling::frame;
  std::vector<int> so_far;
  rig.sampler.on_call = [&](int) { so_far.push_back(rig.plant.costs.evaluations); };
  rig.run(11);
  const auto frame = [&](std::size_t n) { return so_far.at(n + 1) - so_far.at(n); };
  const auto bounce =
      std::ranges::find_if(rig.records, [](const auto& r) { return r.state_events > 0; });
  const std::size_t event =
      bounce == rig.records.end() ? 8 : static_cast<std::size_t>(bounce->frame);
  const Counted c{.without = frame(event - 1), .with = frame(event)};
  const exec::Statistics& statistics = rig.statistics();
  EXPECT_EQ(statistics.state_events.get() + statistics.time_events.get(), 1);
  return c;
}

/// Evaluations a step by which its error is estimated, where it is not cut by an event.
int by_watch(const numerics::Method& m) {
  return m.implicit() && m.formulas[0].at != numerics::Rational(0) ? 1 : 0;
}

class EventPasses : public ::testing::TestWithParam<const numerics::Method*> {};

TEST_P(EventPasses, OfAStateEventAreThoseTheLoopTakes) {
  const Shape shape = shape_of(*GetParam(), exec::Sampling::frame, Events::state);
  const Counted c = count<testing::Ball>(*GetParam());
  EXPECT_EQ(c.without, GetParam()->passes + by_watch(*GetParam()));
  EXPECT_EQ(c.with - c.without, event_passes(shape) - by_watch(*GetParam()));
}

TEST_P(EventPasses, OfATimeEventAreThoseTheLoopTakes) {
  const Shape shape = shape_of(*GetParam(), exec::Sampling::frame, Events::time);
  const Counted c = count<Bell>(*GetParam());
  EXPECT_EQ(c.without, GetParam()->passes + by_watch(*GetParam()));
  EXPECT_EQ(c.with - c.without, event_passes(shape) - by_watch(*GetParam()));
}

TEST_P(EventPasses, AreNoneWithoutEvents) {
  EXPECT_EQ(event_passes(shape_of(*GetParam(), exec::Sampling::frame, Events::none)), 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, EventPasses, ::testing::ValuesIn(numerics::catalogue()),
                         [](const auto& test) {
                           std::string name(test.param->name);
                           std::erase_if(name, [](char c) { return c == '-' || c == '/'; });
                           return name;
                         });

}  // namespace
}  // namespace hild::plan
