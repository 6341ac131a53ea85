// SPDX-License-Identifier: Apache-2.0
/// A recorded run, played again through the same loop, gives the same bits: with overruns, doubled
/// steps, late samples, events of every kind, changes from outside. What was changed in the record
/// or the model is found where it was changed.
#include "offline/replay/player.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "exec/plants.hpp"
#include "exec/steering_rig.hpp"
#include "hild/model/registry.hpp"
#include "offline/replay/recorded_run.hpp"

namespace hild::testing {
namespace {

using exec::Override;
using exec::OverrideKind;
using exec::Side;
using replay::Difference;

RecordedRun motor(const numerics::Method& method) {
  return RecordedRun([&method] { return model::make_stepper<Tracker>(method); }, {wobble});
}

struct Case {
  const char* name;
  const numerics::Method* method;
  exec::Sampling sampling;
  bool anytime = false;
  bool early = false;
  exec::OverrunPolicy policy = exec::OverrunPolicy::double_step;
};

class Replayed : public ::testing::TestWithParam<Case> {};

TEST_P(Replayed, ToTheBit) {
  const Case& c = GetParam();
  RecordedRun run = motor(*c.method);
  run.settings.sampling = c.sampling;
  run.settings.anytime = c.anytime;
  run.settings.outputs = c.early ? exec::OutputTime::early : exec::OutputTime::at_tick;
  run.settings.overrun.policy = c.policy;
  run.cost_of = rough_costs(7);
  run.sampler.cost = 3_us;
  run.run(3000);
  EXPECT_GT(run.overruns, 50);
  const auto differences = run.replay();
  EXPECT_TRUE(differences.empty())
      << differences.size() << ", first in step " << differences.front().step;
  EXPECT_EQ(run.problem, "");
  EXPECT_EQ(run.replayed, static_cast<std::int64_t>(run.source.records.size()));
}

// Across 2^31 frames, and after 300 days.
TEST(Replayed, FarFromItsBeginning) {
  for (const std::int64_t first :
       {(std::int64_t{1} << 31) - 500, std::int64_t{300} * 86'400 * 1'000}) {
    RecordedRun run = motor(numerics::ab4);
    run.first_frame = first;
    run.settings.sampling = exec::Sampling::stage;
    run.cost_of = rough_costs(7);
    exec::Transaction t = transaction(0, exec::SetParameter{0, 2.5});
    t.when = exec::When::at_frame(first + 600);
    run.post_in[550] = t;
    run.run(1000);
    EXPECT_GT(run.overruns, 0);
    EXPECT_TRUE(run.replay().empty());
    EXPECT_EQ(run.problem, "");
    EXPECT_GT(run.replayed, 900);
    EXPECT_EQ(run.source.accepted.size(), 1U);
    EXPECT_EQ(run.source.header(0).step, first);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, Replayed,
    ::testing::Values(Case{"Euler", &numerics::forward_euler, exec::Sampling::frame},
                      Case{"Ab4", &numerics::ab4, exec::Sampling::frame},
                      Case{"Rtam2Stage", &numerics::rtam2, exec::Sampling::stage},
                      Case{"Rtam2Anytime", &numerics::rtam2, exec::Sampling::stage, true},
                      Case{"Rtrk4Extrapolate", &numerics::rtrk4, exec::Sampling::extrapolate},
                      Case{"Rk3Early", &numerics::rtrk3, exec::Sampling::stage, false, true},
                      Case{"Slip", &numerics::rtam2, exec::Sampling::stage, false, false,
                           exec::OverrunPolicy::slip}),
    [](const auto& chosen) { return std::string(chosen.param.name); });

// The thread is held up before its first tick, for longer than may be made up for; ticks of 3 kHz
// are no whole nanoseconds.
TEST(PlayedAgain, ThoughItBeganLate) {
  RecordedRun run = motor(numerics::rtam2);
  run.settings.grid = Grid::of_rate_hz(3000);
  run.clock.sleep_until(RecordedRun::start + 12_ms);
  run.run(100);
  EXPECT_GT(run.source.header(0).slipped, 0);
  EXPECT_TRUE(run.replay().empty());
  EXPECT_EQ(run.problem, "");
}

TEST(PlayedAgain, WithStateEvents) {
  RecordedRun run([] { return model::make_stepper<Ball>(numerics::rtrk3); }, {});
  run.settings.sampling = exec::Sampling::stage;
  run.cost_of = rough_costs(11);
  run.run(4000);
  std::int64_t events = 0;
  for (std::size_t i = 0; i < run.source.records.size(); ++i) {
    events += run.source.header(i).state_events;
  }
  EXPECT_GT(events, 3);
  EXPECT_TRUE(run.replay().empty());
  EXPECT_EQ(run.problem, "");
}

TEST(PlayedAgain, WithChangesFromOutside) {
  RecordedRun run = motor(numerics::ab3);
  run.settings.sampling = exec::Sampling::frame;
  run.cost_of = rough_costs(3);
  const std::array times{0.0, 0.05, 0.2};
  const std::array values{0.0, 4.0, -1.0};
  run.post_in = {
      {20, transaction(0, exec::SetParameter{0, 2.5, true})},
      {30, transaction(0, Override{Side::input, 0, OverrideKind::noise, 0.2, 42},
                       Override{Side::output, 1, OverrideKind::gain, 3.0, 0, 77})},
      {40, transaction(0, exec::Stimulus{.shape = exec::Shape::playback,
                                         .amplitude = 2,
                                         .table = {times.data(), values.data(), 3}})},
      {60, transaction(0, exec::SaveStates{1})},
      {90, transaction(0, exec::Freeze{})},
      {150, transaction(0, exec::RestoreStates{1, true}, exec::Mark{5})},
      {160, transaction(0, exec::ReleaseOverride{Side::input, 0}, exec::StopStimulus{0})},
      {300, transaction(0, exec::Reset{true})},
  };
  // While the plant is held no pass is made: what goes on comes with device calls.
  run.sampler.on_call = [&run](int call) {
    if (call == 130) run.post(transaction(0, exec::StepFrames{3}));
    if (call == 160) run.post(transaction(0, exec::Resume{}));
  };
  run.run(2000);
  std::int64_t held = 0;
  for (std::size_t i = 0; i < run.source.records.size(); ++i) {
    held += run.source.header(i).frozen ? 1 : 0;
  }
  EXPECT_GT(held, 40);
  EXPECT_EQ(run.source.accepted.size(), 10U);
  EXPECT_TRUE(run.replay().empty());
  EXPECT_EQ(run.problem, "");
  EXPECT_EQ(run.replayed, static_cast<std::int64_t>(run.source.records.size()));
}

TEST(PlayedAgain, WithHistoriesDroppedAtJumps) {
  RecordedRun run([] { return model::make_stepper<Tracker>(numerics::ab4); },
                  {[](double t) { return wobble(t) + (std::fmod(t, 0.1) < 0.05 ? 5.0 : 0.0); }});
  run.jumps = {2.0};
  run.cost_of = rough_costs(5);
  run.run(1000);
  EXPECT_TRUE(run.replay().empty());
}

// ---- what was changed is found -----------------------------------------------------------------

TEST(Differences, NameFramePassAndSignal) {
  RecordedRun run = motor(numerics::rtam2);
  run.settings.sampling = exec::Sampling::stage;
  run.run(100);
  // One bit of a sample, in the image of the second pass of step 60.
  auto& record = run.source.records[60];
  auto* image = const_cast<double*>(run.source.view(60).image(1).data());
  ASSERT_GE(reinterpret_cast<std::uint64_t*>(image), record.data());
  *image = std::nextafter(*image, 10.0);
  const auto differences = run.replay();
  ASSERT_FALSE(differences.empty());
  EXPECT_EQ(differences[0].of, Difference::Of::input);
  EXPECT_EQ(differences[0].step, 60);
  EXPECT_EQ(differences[0].frame, 60);
  EXPECT_EQ(differences[0].pass, 1U);
  EXPECT_TRUE(run.replay(1e-9).empty()) << "far below the tolerance";
}

TEST(Differences, OfAModelThatChanged) {
  RecordedRun run = motor(numerics::ab2);
  run.run(100);
  run.make = [] {
    auto plant = model::make_stepper<Tracker>(numerics::ab2);
    plant->system().set_parameter(0, 1.0 + 1e-9);
    return plant;
  };
  const auto differences = run.replay();
  ASSERT_FALSE(differences.empty());
  EXPECT_EQ(differences[0].of, Difference::Of::state);
  EXPECT_LE(differences[0].step, 2);
  EXPECT_TRUE(run.replay(1e-6).empty());
}

TEST(Differences, OfASpan) {
  RecordedRun run = motor(numerics::ab2);
  run.cost_of = [](std::int64_t step) { return step == 50 ? Duration(2500_us) : Duration{}; };
  run.run(100);
  ASSERT_EQ(run.source.header(51).span, 2);
  run.source.header(51).start = run.source.header(51).due;  // as if it had been in time
  run.source.header(51).slept = true;
  const auto differences = run.replay();
  ASSERT_FALSE(differences.empty());
  EXPECT_EQ(differences[0].of, Difference::Of::step);
  EXPECT_EQ(replay::step_facts[differences[0].index], "span");
  EXPECT_EQ(differences[0].step, 51);
}

// ---- what cannot be played ---------------------------------------------------------------------

TEST(Unplayable, WithoutItsFirstSteps) {
  RecordedRun run = motor(numerics::ab2);
  run.run(50);
  run.source.records.erase(run.source.records.begin());
  run.replay();
  EXPECT_NE(run.problem.find("begins with step 1: a replay needs every step"), std::string::npos)
      << run.problem;
}

TEST(Unplayable, PastAGap) {
  RecordedRun run = motor(numerics::ab2);
  run.run(50);
  run.source.records.erase(run.source.records.begin() + 20, run.source.records.begin() + 23);
  EXPECT_TRUE(run.replay().empty()) << "what can be played is the same";
  EXPECT_EQ(run.replayed, 20);
  EXPECT_EQ(run.problem, "3 steps before step 23 are missing");
}

TEST(Unplayable, WithoutWhatTookEffect) {
  RecordedRun run = motor(numerics::ab2);
  run.post_in = {{10, transaction(0, exec::SetParameter{0, 2.0})}};
  run.run(50);
  run.source.accepted.clear();
  run.replay();
  EXPECT_EQ(run.problem, "step 11: what took effect at its start was not recorded");
}

TEST(Unplayable, AnEmptyRecord) {
  RecordedRun run = motor(numerics::ab2);
  run.run(0);
  run.replay();
  EXPECT_EQ(run.problem.find("it holds no frames to be played: a replay needs every one"), 0U);
}

}  // namespace
}  // namespace hild::testing
