// SPDX-License-Identifier: Apache-2.0
/// Falsified signals, stimuli, a plant that is held and stepped, interlocks, states put back.
#include <gtest/gtest.h>

#include <numbers>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::FrozenOutputs;
using exec::Override;
using exec::OverrideKind;
using exec::Refusal;
using exec::Reply;
using exec::Shape;
using exec::Side;
using exec::Stimulus;

double tick_number(double t) { return 1e3 * t; }  // the input is the number of the frame

// ---- falsified signals -------------------------------------------------------------------------

// Posted in step 1, in force in steps 2 to 4.
std::vector<double> falsified(const Override& o, const exec::Sampling sampling) {
  SteeringRig rig(numerics::forward_euler, tick_number);
  rig.settings.sampling = sampling;
  rig.at[1] = [&] { rig.post(transaction(1, o)); };
  rig.run(7);
  return rig.inputs();
}
class Overridden : public ::testing::TestWithParam<exec::Sampling> {};

TEST_P(Overridden, EachKindIsExact) {
  const auto of = [&](OverrideKind kind, double value) {
    return falsified({Side::input, 0, kind, value, 0, 3}, GetParam());
  };
  EXPECT_EQ(of(OverrideKind::stuck, 9), (std::vector<double>{0, 1, 9, 9, 9, 5, 6}));
  EXPECT_EQ(of(OverrideKind::offset, 0.5), (std::vector<double>{0, 1, 2.5, 3.5, 4.5, 5, 6}));
  EXPECT_EQ(of(OverrideKind::gain, -2), (std::vector<double>{0, 1, -4, -6, -8, 5, 6}));
  EXPECT_EQ(of(OverrideKind::dropout, 0), (std::vector<double>{0, 1, 1, 1, 1, 5, 6}));
}
INSTANTIATE_TEST_SUITE_P(Sampling, Overridden,
                         ::testing::Values(exec::Sampling::frame, exec::Sampling::stage));

TEST(Overrides, StackAndLastUntilReleased) {
  SteeringRig rig(numerics::forward_euler, tick_number);
  rig.at[1] = [&] {
    rig.post(transaction(1, Override{Side::input, 0, OverrideKind::offset, 1},
                         Override{Side::input, 0, OverrideKind::gain, 10}));
  };
  rig.at[3] = [&] { rig.post(transaction(2, Override{Side::input, 0, OverrideKind::stuck, -7})); };
  rig.at[4] = [&] { rig.post(transaction(3, exec::ReleaseOverride{Side::input, 0})); };
  rig.run(7);
  EXPECT_EQ(rig.inputs(), (std::vector<double>{0, 1, 21, 31, -7, 5, 6}));
}

TEST(Overrides, OfAnOutputReachTheHardwareAndTheRecordButNotThePlant) {
  SteeringRig rig(numerics::forward_euler, tick_number);
  rig.at[1] = [&] {
    rig.post(transaction(1, Override{Side::output, 1, OverrideKind::stuck, 99, 0, 2}));
    rig.post(transaction(2, Override{Side::output, 0, OverrideKind::dropout, 0, 0, 2}));
  };
  rig.run(6);
  // y1 = u of the step; y0 = x is 0, 0, 1, 3 ... thousandths at the ends of steps.
  std::vector<double> recorded;
  std::vector<double> written;
  for (std::size_t n = 0; n < 5; ++n) {
    recorded.push_back(rig.steps[n].outputs[1]);
    written.push_back(rig.sampler.writes[n + 1].y[1]);
  }
  EXPECT_EQ(recorded, (std::vector<double>{0, 1, 99, 99, 4}));
  EXPECT_EQ(written, recorded);
  EXPECT_EQ(rig.steps[3].outputs[0], rig.steps[1].outputs[0]);
  EXPECT_NE(rig.steps[4].outputs[0], rig.steps[1].outputs[0]);
  EXPECT_NEAR(rig.steps[4].states[0], 1e-3 * (0 + 1 + 2 + 3 + 4), 1e-15);
}

std::vector<double> noisy(std::uint64_t seed) {
  SteeringRig rig(numerics::forward_euler, [](double) { return 5.0; });
  rig.at[0] = [&] {
    rig.post(transaction(1, Override{Side::input, 0, OverrideKind::noise, 0.25, seed}));
  };
  rig.run(20'001);
  auto u = rig.inputs();
  u.erase(u.begin());
  return u;
}

TEST(Overrides, NoiseIsNormalAndTheSameForTheSameSeed) {
  const auto u = noisy(42);
  EXPECT_EQ(u, noisy(42));
  EXPECT_NE(u, noisy(43));
  double mean = 0;
  double square = 0;
  int within = 0;
  for (const double v : u) {
    const double d = (v - 5) / 0.25;
    mean += d / 20'000;
    square += d * d / 20'000;
    within += std::abs(d) < 1 ? 1 : 0;
  }
  // Five standard deviations of the estimates.
  EXPECT_NEAR(mean, 0, 5 / std::sqrt(20'000.0));
  EXPECT_NEAR(square, 1, 5 * std::sqrt(2 / 20'000.0));
  EXPECT_NEAR(within / 20'000.0, 0.6827, 5 * std::sqrt(0.6827 * 0.3173 / 20'000));
}

// ---- stimuli -----------------------------------------------------------------------------------

// In force from 2 ms on; `tau` of step n is n - 2 ms.
std::vector<double> stimulated(const Stimulus& s, std::int64_t frames = 12) {
  SteeringRig rig(numerics::forward_euler, [](double) { return 100.0; });
  rig.at[1] = [&] { rig.post(transaction(1, s)); };
  rig.run(frames);
  EXPECT_EQ(rig.inputs()[1], 100);
  const auto u = rig.inputs();
  return {u.begin() + 2, u.end()};
}

TEST(Stimuli, AreTheirClosedForms) {
  constexpr double cycle = 2 * std::numbers::pi;
  const auto expect = [](const Stimulus& s, const std::function<double(double)>& form) {
    const auto u = stimulated(s);
    for (std::size_t n = 0; n < u.size(); ++n) {
      const double tau = 1e-3 * static_cast<double>(n);
      EXPECT_NEAR(u[n], (s.replace ? 0 : 100) + form(tau), 1e-12) << n;
    }
  };
  expect({.shape = Shape::step, .offset = 1, .amplitude = 3}, [](double) { return 4.0; });
  expect({.shape = Shape::ramp, .replace = true, .offset = 1, .amplitude = 8, .over = 4_ms},
         [](double t) { return 1 + 8 * std::min(t / 4e-3, 1.0); });
  expect({.shape = Shape::sine, .replace = true, .amplitude = 2, .frequency = 60, .phase = 0.5},
         [](double t) { return 2 * std::sin(cycle * 60 * t + 0.5); });
  expect({.shape = Shape::chirp,
          .replace = true,
          .amplitude = 2,
          .frequency = 10,
          .frequency_end = 90,
          .over = 8_ms},
         [](double t) {
           if (t <= 8e-3) return 2 * std::sin(cycle * (10 * t + 80 / 8e-3 * t * t / 2));
           return 2 * std::sin(cycle * (10 * 8e-3 + 80 * 8e-3 / 2 + 90 * (t - 8e-3)));
         });
}

TEST(Stimuli, EndWithTheirDuration) {
  const auto u = stimulated({.shape = Shape::step, .amplitude = 1, .duration = 3_ms});
  EXPECT_EQ(std::vector(u.begin(), u.begin() + 5), (std::vector<double>{101, 101, 101, 100, 100}));
}

TEST(Stimuli, PlayTablesAndGiveThemBack) {
  const std::array times{0.001, 0.003, 0.004};
  const std::array values{10.0, 20.0, -20.0};
  const exec::PlaybackTable table{times.data(), values.data(), times.size()};
  const Stimulus play{.shape = Shape::playback, .replace = true, .amplitude = 0.5, .table = table};
  SteeringRig rig;
  rig.at[1] = [&] { rig.post(transaction(5, play)); };
  rig.at[8] = [&] { rig.post(transaction(6, exec::Mark{1}, play)); };  // takes its place
  rig.at[10] = [&] { rig.post(transaction(7, exec::StopStimulus{0})); };
  rig.at[11] = [&] { rig.post(transaction(8, play)); };  // held until the end of the run
  rig.run(14);
  EXPECT_EQ(rig.inputs(), (std::vector<double>{1, 1, 5, 5, 7.5, 10, -10, -10, -10, 5, 5, 1, 5, 5}));
  std::vector<std::pair<std::uint64_t, std::int64_t>> released;
  for (const Reply& r : rig.replies) {
    if (r.kind == Reply::Kind::released) released.emplace_back(r.id, r.frame);
    EXPECT_EQ(r.change, r.kind == Reply::Kind::released && r.id == 6 ? 1U : 0U);
  }
  EXPECT_EQ(released,
            (std::vector<std::pair<std::uint64_t, std::int64_t>>{{5, 9}, {6, 11}, {8, 14}}));
}

TEST(Stimuli, RefuseWhatIsNoTable) {
  exec::ExternalEvents events;
  const auto submit = [&](std::vector<double> times, std::vector<double> values, std::uint64_t id) {
    const exec::PlaybackTable table{times.data(), values.data(), times.size()};
    return events.submit(
        transaction(id, Stimulus{.shape = Shape::playback, .amplitude = 1, .table = table}));
  };
  EXPECT_EQ(submit({0, 1}, {0, 1}, 1), Refusal::none);
  EXPECT_EQ(submit({0, 1}, {0, 1}, 0), Refusal::no_id);
  EXPECT_EQ(submit({}, {}, 1), Refusal::bad_table);
  EXPECT_EQ(submit({0, 1, 1}, {0, 1, 2}, 1), Refusal::bad_table);
  EXPECT_EQ(submit({0, 1}, {0, NAN}, 1), Refusal::not_finite);
  EXPECT_EQ(submit({0, INFINITY}, {0, 1}, 1), Refusal::not_finite);
}

// A late sample is brought back to its nominal time; what is made is evaluated at that time.
TEST(Stimuli, BelongToTheNominalTimeOfALatePass) {
  SteeringRig rig(numerics::forward_euler, [](double) { return 0.0; });
  rig.at[1] = [&] {
    rig.post(transaction(1, Stimulus{.shape = Shape::ramp, .amplitude = 1, .over = 1_s}));
  };
  rig.every_step = [&](std::int64_t step) {
    if (step == 4) rig.clock.advance(1'400_us);
  };
  rig.run(8);
  for (std::size_t n = 2; n < rig.steps.size(); ++n) {
    EXPECT_NEAR(rig.steps[n].inputs[0], seconds(rig.steps[n].header.t) - 2e-3, 1e-15) << n;
  }
}

// ---- a plant that is held ----------------------------------------------------------------------

std::vector<std::int64_t> frames_run(const SteeringRig& rig) {
  std::vector<std::int64_t> frames;
  for (const auto& s : rig.steps) frames.push_back(s.header.frozen ? -1 : s.header.frame);
  return frames;
}

TEST(Frozen, IsSteppedAndResumedWhileRealTimeGoesOn) {
  SteeringRig rig;
  rig.at[2] = [&] {
    rig.post(transaction(1, exec::Freeze{}));
    // While nothing steps, the sampler is still called: it posts what follows.
  };
  rig.sampler.on_call = [&](int call) {
    if (call == 6) rig.post(transaction(2, exec::StepFrames{2}));
    if (call == 11) rig.post(transaction(3, exec::Resume{}));
  };
  const auto outcome = rig.run(14);
  EXPECT_EQ(outcome.end, exec::End::duration);
  EXPECT_EQ(frames_run(rig),
            (std::vector<std::int64_t>{0, 1, 2, -1, -1, -1, 3, 4, -1, -1, -1, 5, 6, 7}));
  for (std::size_t n = 0; n < rig.steps.size(); ++n) {
    EXPECT_EQ(rig.steps[n].header.due, frame_time(static_cast<double>(n))) << n;
  }
  EXPECT_EQ(rig.loop->statistics().frozen_frames.get(), 6);
  EXPECT_NEAR(rig.steps.back().states[0], 8e-3, 1e-15);  // x' = 1 over eight frames
  // Outputs hold: what was written while frozen is what was last computed.
  EXPECT_NEAR(rig.sampler.writes[5].y[0], 3e-3, 1e-15);
  EXPECT_NEAR(rig.sampler.writes[10].y[0], 5e-3, 1e-15);
  ASSERT_EQ(rig.replies.size(), 3U);
  EXPECT_EQ(rig.replies[1].frame, 3);
  EXPECT_EQ(rig.replies[2].frame, 5);
}

TEST(Frozen, StepsNoFurtherThanAskedForWhenTheRunIsLate) {
  SteeringRig rig;
  rig.at[2] = [&] {
    rig.post(transaction(1, exec::StepFrames{1}));
    rig.clock.delay_next_wake(1'300_us);  // the step would be doubled
  };
  rig.run(8);
  EXPECT_EQ(rig.steps[3].header.span, 1);
  EXPECT_EQ(rig.steps[3].header.frame, 3);
  EXPECT_TRUE(rig.steps[4].header.frozen);
  EXPECT_EQ(rig.steps[4].header.frame, 4);
  EXPECT_EQ(rig.loop->statistics().doubled_steps.get(), 0);
}

TEST(Frozen, OutputsGoSafeAndComeBack) {
  for (const auto outputs : {exec::OutputTime::at_tick, exec::OutputTime::early}) {
    SteeringRig rig;
    rig.settings.outputs = outputs;
    rig.at[2] = [&] { rig.post(transaction(1, exec::Freeze{FrozenOutputs::safe})); };
    std::vector<std::size_t> written(30);
    int safe_calls = 0;
    rig.sampler.on_call = [&](int) {
      const auto now = static_cast<std::size_t>((rig.clock.now() - Rig::start).ns / 1'000'000);
      written[now] = rig.sampler.writes.size();
      if (now == 6) rig.post(transaction(2, exec::StepFrames{1}));
      if (now == 9) rig.post(transaction(3, exec::Resume{}));
      if (now == 5) safe_calls = rig.sampler.safe_calls;
    };
    rig.run(14);
    // The step frozen at 3 ms; nothing is written then until the first step after the resumption
    // at 10 ms.
    EXPECT_EQ(written[10], written[4]);
    EXPECT_EQ(written[13] - written[10], outputs == exec::OutputTime::early ? 3U : 2U);
    EXPECT_EQ(safe_calls, 1);
    EXPECT_EQ(rig.sampler.safe_calls, 2);  // and at the end
  }
}

TEST(Frozen, OutputsFollowWhatIsDeclared) {
  for (const auto outputs : {exec::OutputTime::at_tick, exec::OutputTime::early}) {
    SteeringRig rig;
    rig.settings.outputs = outputs;
    rig.at[2] = [&] {
      rig.post(transaction(1, exec::DeclareOutput{1, 42}, exec::Freeze{FrozenOutputs::declared}));
    };
    int resumed = 0;
    rig.sampler.on_call = [&](int) {
      const auto now = (rig.clock.now() - Rig::start).ns / 1'000'000;
      if (now == 6) rig.post(transaction(2, exec::DeclareOutput{1, 43}, exec::StepFrames{1}));
      if (now == 9 && resumed++ == 0) rig.post(transaction(3, exec::Resume{}));
    };
    rig.run(14);
    std::map<std::int64_t, std::pair<double, double>> at;  // the last written in each millisecond
    for (const auto& w : rig.sampler.writes) {
      at[(w.at - Rig::start).ns / 1'000'000] = {w.y[0], w.y[1]};
    }
    EXPECT_EQ(at[4].second, 42);
    EXPECT_EQ(at[7].second, 42);
    for (std::int64_t ms = 8; ms <= 9; ++ms) EXPECT_EQ(at[ms].second, 43) << ms;
    EXPECT_NEAR(at[9].first, 4e-3, 1e-15);  // never declared: that of the frame stepped
    EXPECT_EQ(at[13].second, 1);
  }
}

// ---- interlocks --------------------------------------------------------------------------------

TEST(Interlock, OfAnInputEndsTheRunInItsFrame) {
  SteeringRig rig(numerics::forward_euler, [](double t) { return t < 4.5e-3 ? 0.0 : 1.0; });
  rig.interlocks = {{exec::Interlock::Of::input, 0, -5, 5}, {exec::Interlock::Of::input, 0}};
  // A falsified signal does not hide the button.
  rig.at[0] = [&] { rig.post(transaction(1, Override{Side::input, 0, OverrideKind::stuck, 0})); };
  const auto outcome = rig.run(100);
  EXPECT_EQ(outcome.end, exec::End::interlock);
  EXPECT_EQ(outcome.frame, 5);
  EXPECT_EQ(outcome.index, 1U);
  EXPECT_EQ(outcome.value, 1.0);
  EXPECT_TRUE(outcome.safe);
  EXPECT_EQ(rig.sampler.safe_calls, 1);
  EXPECT_EQ(rig.clock.now(), frame_time(5));  // no later than the tick that saw it
  EXPECT_EQ(rig.steps.size(), 5U);
}

TEST(Interlock, ActsWhileThePlantIsHeldAndBetweenTicks) {
  SteeringRig rig(numerics::rtrk2, [](double t) { return t < 4.2e-3 ? 0.0 : NAN; });
  rig.interlocks = {{exec::Interlock::Of::input, 0, -5, 5}};
  rig.settings.sampling = exec::Sampling::stage;
  EXPECT_EQ(rig.run(100).end, exec::End::interlock);
  EXPECT_EQ(rig.clock.now(), frame_time(4.5));

  SteeringRig held(numerics::forward_euler, [](double t) { return t < 8.5e-3 ? 0.0 : 9.0; });
  held.interlocks = {{exec::Interlock::Of::input, 0, -5, 5}};
  held.at[2] = [&] { held.post(transaction(1, exec::Freeze{})); };
  EXPECT_EQ(held.run(100).end, exec::End::interlock);
  EXPECT_EQ(held.clock.now(), frame_time(9));
}

TEST(Interlock, OfAResultEndsTheRunBeforeItIsWritten) {
  for (const auto of : {exec::Interlock::Of::output, exec::Interlock::Of::state}) {
    SteeringRig rig;  // x = n thousandths after n steps
    rig.interlocks = {{of, 0, -1, 6.5e-3}};
    const auto outcome = rig.run(100);
    EXPECT_EQ(outcome.end, exec::End::interlock);
    EXPECT_EQ(outcome.frame, 6);
    EXPECT_NEAR(outcome.value, 7e-3, 1e-15);
    for (const auto& w : rig.sampler.writes) EXPECT_LT(w.y[0], 6.5e-3);
    EXPECT_EQ(rig.sampler.safe_calls, 1);
  }
}

// ---- states put back ---------------------------------------------------------------------------

TEST(States, AreSavedResetAndRestoredExactly) {
  for (const auto* method : {&numerics::forward_euler, &numerics::rk4, &numerics::ab4}) {
    SteeringRig rig(*method, [](double t) { return std::sin(300 * t); });
    rig.at[9] = [&] {
      rig.post(transaction(1, exec::SaveStates{2}, exec::SetParameter{0, 0, 5.0}));
    };
    rig.at[19] = [&] { rig.post(transaction(2, exec::Reset{true})); };
    rig.at[29] = [&] { rig.post(transaction(3, exec::SetParameter{0, 0, 7.0})); };
    rig.at[34] = [&] { rig.post(transaction(4, exec::RestoreStates{2, false})); };
    rig.at[39] = [&] { rig.post(transaction(5, exec::RestoreStates{2, true})); };
    std::vector<double> starts;
    std::vector<double> gains;
    rig.every_step = [&](std::int64_t) {
      starts.push_back(rig.plant.states()[0]);
      gains.push_back(rig.plant.parameter(0));
    };
    rig.run(50);
    EXPECT_EQ(rig.replies.size(), 5U);
    EXPECT_NE(starts[10], 0);
    EXPECT_EQ(starts[20], 0);
    EXPECT_EQ(starts[35], starts[10]);
    EXPECT_EQ(starts[40], starts[10]);
    EXPECT_EQ(gains[19], 5);
    EXPECT_EQ(gains[20], 1);
    EXPECT_EQ(gains[35], 7);
    EXPECT_EQ(gains[40], 1);
    std::vector<double> saved;
    ASSERT_TRUE(rig.loop->saved_states().read(2, saved));
    EXPECT_EQ(saved, (std::vector<double>{starts[10], 1, 0}));  // the state, two parameters
    EXPECT_FALSE(rig.loop->saved_states().read(3, saved));
    EXPECT_EQ(rig.steps[35].header.t.ns, 35'000'000);  // time went on
  }
}

// From a reset on, a run is the same as one that begins there, to the bit.
TEST(States, AfterAResetAreThoseOfARunThatBegins) {
  const auto periodic = [](double t) { return std::cos(2 * std::numbers::pi * 50 * t); };
  SteeringRig rig(numerics::ab4, [&](double t) { return std::round(1e6 * periodic(t)) / 1e6; });
  rig.at[39] = [&] { rig.post(transaction(1, exec::Reset{})); };
  rig.run(80);
  for (std::size_t n = 0; n < 40; ++n) {
    EXPECT_EQ(rig.steps[40 + n].states[0], rig.steps[n].states[0]) << n;
  }
  EXPECT_TRUE(rig.steps[40].header.starter);
}

TEST(Restart, DropsTheHistoryWhenAskedTo) {
  for (const bool restart : {false, true}) {
    SteeringRig rig(numerics::ab4);
    rig.at[9] = [&] { rig.post(transaction(1, exec::SetParameter{0, 0, 2, restart})); };
    rig.at[19] = [&] {
      rig.post(transaction(2, Override{Side::input, 0, OverrideKind::stuck, 3, 0, 0, restart}));
    };
    rig.at[29] = [&] { rig.post(transaction(3, Stimulus{.amplitude = 3, .restart = restart})); };
    rig.run(40);
    for (const std::size_t n : {10U, 20U, 30U}) EXPECT_EQ(rig.steps[n].header.starter, restart);
  }
}

// ---- several plants ----------------------------------------------------------------------------

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
