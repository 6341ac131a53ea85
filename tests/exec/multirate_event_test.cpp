// SPDX-License-Identifier: Apache-2.0
/// State events within a step of a plant of several rates, in doubled steps too: located, and
/// passed on from, with the order of the rates.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/partitioned.hpp"

namespace hild::testing {
namespace {

struct EventError {
  double time = 0;
  double state = 0;  // of both, at all ticks after it
};

/// The slow state rises through a level and jumps: when, and what becomes of it.
EventError event_error(const model::Multirate& rates, std::int64_t rate, double level,
                       bool doubled) {
  auto made = partitioned(rates);
  made->system().set_parameter(0, level);
  Rig rig(std::move(made), driving);
  rig.settings.sampling = exec::Sampling::stage;
  rig.settings.grid = Grid::of_rate_hz(rate);
  const Duration frame = rig.settings.grid.period();
  const double crossing = std::asin(level);
  if (doubled) {
    // The step before the event's takes so long that the event's is doubled.
    const auto step = static_cast<std::int64_t>(crossing * static_cast<double>(rate)) - 2;
    rig.plant.extra[step] = part(frame, 2.3);
  }
  rig.run(rate);
  EXPECT_EQ(rig.statistics().state_events.get(), 1);
  EXPECT_EQ(rig.statistics().doubled_steps.get(), doubled ? 1 : 0);

  EventError error;
  const auto off_grid =
      std::ranges::find_if(rig.plant.starts, [&](SimTime t) { return t.ns % frame.ns != 0; });
  EXPECT_NE(off_grid, rig.plant.starts.end());
  if (off_grid == rig.plant.starts.end()) return error;
  error.time = std::abs(seconds(*off_grid) - crossing);
  for (std::size_t n = 0; n < rig.records.size(); ++n) {
    const double t = seconds(rig.records[n].t);
    if (t <= crossing) continue;
    const auto exact = after_jump(t, crossing);
    for (const std::size_t i : {0U, 1U}) {
      error.state = std::max(error.state, std::abs(rig.sampler.writes[n].y[i] - exact[i]));
    }
  }
  return error;
}

// Wherever in its step, and whichever the minor step.
EventError worst_event_error(const model::Multirate& rates, std::int64_t rate, bool doubled) {
  EventError worst;
  for (const double level : {0.371, 0.402, 0.447, 0.49, 0.513, 0.558, 0.6}) {
    const EventError e = event_error(rates, rate, level, doubled);
    worst = {std::max(worst.time, e.time), std::max(worst.state, e.state)};
  }
  return worst;
}

struct EventCase {
  const char* name;
  model::Multirate rates;
  bool doubled;
};

class MultirateEvent : public ::testing::TestWithParam<EventCase> {};

TEST_P(MultirateEvent, IsLocatedAndPassedWithTheOrderOfTheRates) {
  const auto& [name, rates, doubled] = GetParam();
  const EventError coarse = worst_event_error(rates, 50, doubled);
  const EventError fine = worst_event_error(rates, 400, doubled);
  const int order = rates.method().order;
  EXPECT_GT(std::log2(coarse.time / fine.time) / 3, order - 0.3)
      << coarse.time << " -> " << fine.time;
  EXPECT_GT(std::log2(coarse.state / fine.state) / 3, order - 0.3)
      << coarse.state << " -> " << fine.state;
}

INSTANTIATE_TEST_SUITE_P(Rates, MultirateEvent,
                         ::testing::Values(EventCase{"held", held, false},
                                           EventCase{"held_doubled", held, true},
                                           EventCase{"carried_on", carried_on, false},
                                           EventCase{"carried_on_doubled", carried_on, true},
                                           EventCase{"mixed", mixed, false},
                                           EventCase{"mixed_doubled", mixed, true}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace hild::testing
