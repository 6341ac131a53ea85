// SPDX-License-Identifier: Apache-2.0
/// From every keyframe of a run on, a replay gives the record to the bit, and passes every later
/// keyframe with the state that it holds: runs with overruns, events, changes from outside, held
/// plants, slips, outputs within the step, under every sampling and with every kind of plant.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/archive_sections.hpp"
#include "exec/partitioned.hpp"
#include "exec/plants.hpp"
#include "exec/steering_rig.hpp"
#include "hild/numerics/catalogue.hpp"
#include "model/coupled/couple.hpp"
#include "offline/replay/recorded_run.hpp"

namespace hild::testing {
namespace {

using exec::Override;
using exec::OverrideKind;
using exec::Sampling;
using exec::Side;

double jumping(double t) { return wobble(t) + (std::fmod(t, 0.06) < 0.03 ? 5.0 : 0.0); }

// Replays it, from a keyframe where there is one.
void expect_the_record(RecordedRun& run, const exec::Keyframe* from, std::size_t keyframes,
                       const std::string& where) {
  run.keyframes_compared = 0;
  const auto differences = run.replay(0, from);
  ASSERT_EQ(run.problem, "") << where;
  ASSERT_TRUE(differences.empty())
      << where << ", step " << differences.front().step << ": "
      << static_cast<int>(differences.front().of) << " " << differences.front().index;
  ASSERT_TRUE(run.states.empty()) << where << ": " << run.states.front().section << " "
                                  << run.states.front().at << ", before step "
                                  << run.states.front().step;
  ASSERT_EQ(run.keyframes_compared, static_cast<std::int64_t>(keyframes)) << where;
}

void expect_the_record_from_every_keyframe(RecordedRun& run, std::size_t at_least) {
  const std::size_t all = run.source.keyframes.size();
  ASSERT_GE(all, at_least);
  expect_the_record(run, nullptr, all, "the whole of it");
  for (std::size_t k = 0; k < all && !::testing::Test::HasFatalFailure(); ++k) {
    const exec::Keyframe& keyframe = run.source.keyframes[k];
    expect_the_record(run, &keyframe, all - k - 1,
                      "from keyframe " + std::to_string(k) + " before step " +
                          std::to_string(keyframe.head.step) + " of frame " +
                          std::to_string(keyframe.head.frame));
    ASSERT_EQ(run.source.at, run.source.records.size()) << "all of it was played";
  }
}

/// What a run does that is steered in every way there is.
void steer(RecordedRun& run, unsigned seed) {
  static const std::array times{0.0, 0.05, 0.2};
  static const std::array values{0.0, 4.0, -1.0};
  std::mt19937 rng(seed);
  const auto soon = [&] { return 3 + static_cast<std::int64_t>(rng() % 12); };
  std::int64_t step = 5;
  for (int round = 0; round < 3; ++round) {
    const auto next = [&](const exec::Transaction& t) { run.post_in[step += soon()] = t; };
    next(transaction(0, exec::SetParameter{0, 2.5, round == 1}));
    next(transaction(0, Override{Side::input, 0, OverrideKind::noise, 0.2, 42 + seed},
                     Override{Side::output, 0, OverrideKind::gain, 3.0, 0, 37}));
    next(transaction(0, exec::Stimulus{.shape = exec::Shape::playback,
                                       .amplitude = 2,
                                       .table = {times.data(), values.data(), 3}}));
    next(transaction(0, exec::SaveStates{1}));
    next(transaction(0, Override{Side::input, 0, OverrideKind::dropout},
                     exec::DeclareOutput{0, 7.5}));  // for when the plant is held
    next(transaction(0, exec::StepFrames{7}));
    next(transaction(0, exec::RestoreStates{1, round == 0}, exec::Mark{5}));
    next(transaction(0, exec::ReleaseOverride{Side::input, 0}));
    next(transaction(0, exec::Stimulus{.shape = exec::Shape::chirp,
                                       .replace = round == 2,
                                       .amplitude = 1,
                                       .frequency = 3,
                                       .frequency_end = 30,
                                       .over = 40_ms,
                                       .duration = 25_ms}));
    // Declared outputs first: a short run comes no further.
    next(transaction(0, exec::Freeze{static_cast<exec::FrozenOutputs>((round + 2) % 3)}));
    next(transaction(0, exec::Reset{true}));
  }
  // A plant that is held makes no pass: what goes on comes with device calls.
  run.sampler.on_call = [&run, frozen = std::int64_t{0}, held = 0](int) mutable {
    const std::int64_t now = run.running->statistics().frozen_frames.get();
    held = std::exchange(frozen, now) != now ? held + 1 : 0;
    if (held == 6) run.post(transaction(0, exec::StepFrames{3}));
    if (held == 8) run.post(transaction(0, exec::DeclareOutput{1, 2.5}));
    if (held == 11) run.post(transaction(0, exec::Resume{}));
  };
}

struct KeyframeCase {
  const char* name;
  RecordedRun::MakePlant make;
  std::vector<FakeSampler::Input> inputs{wobble};
  std::function<void(exec::Settings&)> set = [](exec::Settings&) {};
  bool steered = false;
};

template <class M>
RecordedRun::MakePlant plant_of(const numerics::Method& method) {
  return [&method] { return model::make_stepper<M>(method); };
}

/// x' = -x; every 7.3 ms x becomes 1 again.
struct Beat {
  static constexpr std::string_view name = "beat", summary = "falls, and is lifted again";
  static constexpr std::array states{model::State{"x", "1", 1.0}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Beat>;
  static constexpr std::int64_t period = 7'300'000;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept { dx[0] = -x[0]; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static SimTime next_time_event(SimTime t, D::P) noexcept {
    return {(t.ns / period + 1) * period};
  }
  static void on_time_event(double, D::NewX x, D::U, D::NewP) noexcept { x[0] = 1; }
};

/// Crosses its levels more often in a frame than are processed in it.
struct Busy : Oscillator {
  static constexpr std::array states{model::State{"x", "1", 1.0}, model::State{"v"}};
  static constexpr std::array events{model::Event{"a"}, model::Event{"b"}, model::Event{"c"}};
  using D = model::Data<Busy>;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept {
    dx[0] = 900 * x[1];
    dx[1] = -900 * x[0];
  }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 3> g) noexcept {
    g[0] = x[0];
    g[1] = x[0] - 0.3;
    g[2] = x[1] - 0.2;
  }
  static void on_event(std::size_t i, double, D::NewX x, D::U, D::NewP) noexcept {
    x[1] *= i == 1 ? 1.01 : 0.99;
  }
};

std::unique_ptr<model::Stepper> coupled_plant() {
  const auto parts = model::by_rates({{&numerics::libe, 6}, {&numerics::ab2, 2}});
  return couple(
      kilohertz,
      {coupled::Connection{.from = 1, .to = 1, .degree = 2},
       coupled::Connection{.from = 3, .to = 2, .degree = 1},
       coupled::Connection{.from = 2, .to = 3, .factor = 0.3, .degree = 1, .delayed = true}},
      One{"in", model::make_stepper<Tracker>(numerics::rtam2)},
      One{"slow", model::make_stepper<Integral>(numerics::rtrk4), {.every = 5}},
      One{"quick", model::make_stepper<Through>(numerics::ab3), {.substeps = 3}},
      One{"parts", model::make_multirate_stepper<Partitioned>(parts), {.every = 2}});
}

using exec::Settings;

std::function<void(Settings&)> sampling(Sampling s) {
  return [s](Settings& set) { set.sampling = s; };
}

std::vector<KeyframeCase> cases_of_time() {
  return {
      {"Euler", plant_of<Tracker>(numerics::forward_euler), {wobble}, sampling(Sampling::frame)},
      {"Ab4", plant_of<Tracker>(numerics::ab4), {wobble}, sampling(Sampling::frame)},
      {"Ab4Steered", plant_of<Tracker>(numerics::ab4), {wobble}, sampling(Sampling::stage), true},
      {"Rtam2Stage", plant_of<Tracker>(numerics::rtam2), {wobble}, sampling(Sampling::stage), true},
      {"Rtam4Anytime",
       plant_of<Tracker>(numerics::rtam4),
       {wobble},
       [](Settings& s) {
         s.sampling = Sampling::stage;
         s.anytime = true;
       },
       true},
      {"Rtrk4Extrapolate",
       plant_of<Tracker>(numerics::rtrk4),
       {wobble},
       sampling(Sampling::extrapolate),
       true},
      {"Rk4Behind",
       plant_of<Tracker>(numerics::rk4),
       {wobble},
       [](Settings& s) {
         s.sampling = Sampling::behind;
         s.lag = 500_us;
       },
       true},
      {"Rtrk3Early",
       plant_of<Tracker>(numerics::rtrk3),
       {wobble},
       [](Settings& s) {
         s.sampling = Sampling::stage;
         s.outputs = exec::OutputTime::early;
         s.intermediate_outputs = true;
       },
       true},
      {"Ode45Dense",
       plant_of<Tracker>(numerics::ode45),
       {wobble},
       [](Settings& s) {
         s.sampling = Sampling::stage;
         s.dense_outputs = {0.2, 0.5, 0.95};
       },
       true},
      {"Slip",
       plant_of<Tracker>(numerics::rtam2),
       {wobble},
       [](Settings& s) {
         s.sampling = Sampling::stage;
         s.overrun.policy = exec::OverrunPolicy::slip;
       },
       true},
      {"SlipsBeyondItsDebt",
       plant_of<Tracker>(numerics::ab3),
       {wobble},
       [](Settings& s) { s.overrun.max_debt = 1; },
       true},
      {"FrozenByALimit",
       plant_of<Tracker>(numerics::ab2),
       {wobble},
       [](Settings& s) {
         s.overrun.limit_percent = 10;
         s.overrun.window = 30;
         s.overrun.consecutive = 3;
         s.overrun.startup_grace = 25;
         s.overrun.then = exec::LimitAction::freeze;
       },
       true},
      {"Jumps", plant_of<Tracker>(numerics::ab4), {jumping}},
      {"ImagesBefore",
       plant_of<Tracker>(numerics::rtrk4),
       {wobble},
       [](Settings& s) {
         s.sampling = Sampling::stage;
         s.images_before = 3;
       }},
  };
}

std::vector<KeyframeCase> cases_of_models() {
  return {
      {"StateEvents", plant_of<Ball>(numerics::rtrk3), {}, sampling(Sampling::stage)},
      {"StateEventsOfAHistory", plant_of<Ball>(numerics::ab3), {}},
      {"StateEventsPutOff",
       plant_of<Busy>(numerics::rk4),
       {},
       [](Settings& s) { s.max_events = 2; }},
      {"StateEventsPutOffDense",
       plant_of<Busy>(numerics::ode45),
       {},
       [](Settings& s) { s.max_events = 1; }},
      {"TimeEvents", plant_of<Beat>(numerics::ab4), {}, sampling(Sampling::stage)},
      {"Implicit",
       plant_of<Partitioned>(numerics::radau_iia),
       {wobble},
       sampling(Sampling::stage),
       true},
      {"Partitions",
       [] {
         auto parts = model::make_multirate_stepper<Partitioned>(model::by_rates(
             {{&numerics::ab2, 6}, {&numerics::ab2, 2}}, model::Interface::extrapolate));
         parts->system().set_parameter(0, 0.02);
         return parts;
       },
       {wobble},
       sampling(Sampling::stage),
       true},
      {"SeveralModels",
       coupled_plant,
       {wobble, wobble, wobble, wobble},
       sampling(Sampling::stage),
       true},
      {"SeveralModelsHeldInputs",
       coupled_plant,
       {wobble, wobble, wobble, wobble},
       sampling(Sampling::frame),
       true},
  };
}

std::vector<KeyframeCase> cases() {
  auto all = cases_of_time();
  std::ranges::move(cases_of_models(), std::back_inserter(all));
  return all;
}

void PrintTo(const KeyframeCase& c, std::ostream* out) { *out << c.name; }

class FromAKeyframe : public ::testing::TestWithParam<KeyframeCase> {};

TEST_P(FromAKeyframe, TheReplayIsTheRecordToTheBit) {
  const KeyframeCase& c = GetParam();
  for (const unsigned seed : {1U, 2U, 3U}) {
    RecordedRun run(c.make, c.inputs);
    c.set(run.settings);
    const bool all_steps = seed == 1;  // less of a run, which is played from all of them
    run.settings.keyframes.every = all_steps ? 1 : 7;
    run.cost_of = rough_costs(seed);
    run.sampler.cost = 3_us;
    if (std::string_view(c.name) == "Jumps") run.jumps = {2.0};
    if (c.steered) steer(run, seed);
    run.run(!c.steered ? 250 : all_steps ? 330 : 660);
    EXPECT_GT(run.overruns, 2);
    EXPECT_EQ(run.keyframes_left_out, 0);
    if (c.steered) {
      EXPECT_GT(run.source.accepted.size(), all_steps ? 20U : 35U);
      EXPECT_GT(run.held, 15);
    }
    ASSERT_NO_FATAL_FAILURE(expect_the_record_from_every_keyframe(run, 20)) << "seed " << seed;
  }
}
INSTANTIATE_TEST_SUITE_P(Runs, FromAKeyframe, ::testing::ValuesIn(cases()),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

TEST(FromAKeyframe, TheReplayIsTheRecordUnderEveryMethod) {
  for (const numerics::Method* method : numerics::catalogue()) {
    RecordedRun run(plant_of<Tracker>(*method), {wobble});
    run.settings.keyframes.every = 7;
    run.cost_of = rough_costs(4);
    run.run(130);
    EXPECT_GT(run.overruns, 2);
    ASSERT_NO_FATAL_FAILURE(expect_the_record_from_every_keyframe(run, 12)) << method->name;
  }
}

// Each waits for the next tick, with a keyframe between; the fourth has the plant held.
TEST(FromAKeyframe, TheReplayCountsLateStepsInARowOn) {
  RecordedRun run(plant_of<Tracker>(numerics::ab2), {wobble});
  run.settings.overrun.policy = exec::OverrunPolicy::slip;
  run.settings.overrun.consecutive = 4;
  run.settings.overrun.then = exec::LimitAction::freeze;
  run.settings.keyframes.every = 1;
  run.cost_of = [](std::int64_t step) { return step >= 40 && step < 44 ? 1'300_us : 50_us; };
  run.run(80);
  EXPECT_EQ(run.overruns, 4);
  EXPECT_GT(run.held, 10);
  expect_the_record_from_every_keyframe(run, 60);
}

// An input whose images stay away for a while.
TEST(FromAKeyframe, TheReplayIsTheRecordWhereInputsWereLost) {
  for (const auto then : {io::OnLoss::hold, io::OnLoss::carry_on, io::OnLoss::substitute}) {
    RecordedRun run(plant_of<Tracker>(numerics::ab3), {wobble});
    run.losses = {{2'500_us, then, 0.7}};
    run.settings.sampling = Sampling::stage;
    run.settings.extrapolation = 1;
    run.settings.keyframes.every = 3;
    run.sampler.on_call = [&run](int call) { run.sampler.stopped = call % 40 > 25; };
    run.run(150);
    ASSERT_NO_FATAL_FAILURE(expect_the_record_from_every_keyframe(run, 40));
  }
}

// Across 2^31 frames, at a rate whose ticks are no whole nanoseconds.
TEST(FromAKeyframe, TheReplayIsTheRecordFarFromItsBeginning) {
  RecordedRun run(plant_of<Tracker>(numerics::ab4), {wobble});
  run.first_frame = (std::int64_t{1} << 31) - 60;
  run.settings.grid = Grid::of_rate_hz(3000);
  run.settings.sampling = Sampling::stage;
  run.settings.keyframes.every = 10;
  run.cost_of = [](std::int64_t step) { return step % 17 == 3 ? 700_us : 30_us; };
  run.run(130);
  ASSERT_NO_FATAL_FAILURE(expect_the_record_from_every_keyframe(run, 10));
}

// ---- what a keyframe is checked for ------------------------------------------------------------

struct Steered : RecordedRun {
  Steered() : RecordedRun(plant_of<Tracker>(numerics::ab3), {wobble}) {
    settings.keyframes.every = 60;
    post_in = {{20, transaction(0, exec::SetParameter{0, 2.5, true})},
               {30, transaction(0, exec::SaveStates{2})},
               {
                   40,
                   transaction(0, exec::Stimulus{.shape = exec::Shape::sine, .amplitude = 2}),
               },
               {45, transaction(0, Override{Side::output, 0, OverrideKind::noise, 0.5, 7})}};
  }
};

TEST(Keyframes, ThatDifferAreToldBySection) {
  Steered run;
  run.run(100);
  ASSERT_EQ(run.source.keyframes.size(), 1U);
  const exec::Keyframe whole = run.source.keyframes[0];
  EXPECT_EQ(whole.head.step, 60);
  EXPECT_EQ(whole.head.transactions, 4);
  for (const char* name : {"run", "plant", "inputs", "control", "outputs", "overruns"}) {
    exec::Keyframe& changed = run.source.keyframes[0];
    changed = whole;
    for (const auto& section : sections_of(changed.state)) {
      if (section.name == name) const_cast<std::byte&>(section.bytes[3]) ^= std::byte{1};
    }
    EXPECT_TRUE(run.replay().empty()) << "the record itself is as it was";
    ASSERT_EQ(run.states.size(), 1U) << name;
    EXPECT_EQ(run.states[0].section, name);
    EXPECT_EQ(run.states[0].at, 3U);
    EXPECT_EQ(run.states[0].step, 60);
  }
}

TEST(Keyframes, OfAnotherModelAreRefused) {
  Steered run;
  run.run(100);
  const exec::Keyframe keyframe = run.source.keyframes[0];
  const auto refused_by = [&](RecordedRun::MakePlant make) {
    run.make = std::move(make);
    run.source.keyframes[0] = keyframe;
    run.replay(0, &run.source.keyframes[0]);
    return run.problem;
  };
  const std::string another = "section run, byte 8: it is of another model or method";
  EXPECT_EQ(refused_by(plant_of<Lag>(numerics::ab3)), another);
  EXPECT_EQ(refused_by(plant_of<Tracker>(numerics::ab2)), another);
  EXPECT_EQ(refused_by(plant_of<Tracker>(numerics::ab3)), "");
}

// Cut anywhere, or any byte of it another one: it is refused with words, or played to an end.
TEST(Keyframes, ThatAreDamagedAreRefusedOrPlayed) {
  Steered run;
  run.run(75);
  ASSERT_EQ(run.source.keyframes.size(), 1U);
  const exec::Keyframe whole = run.source.keyframes[0];
  exec::Keyframe& changed = run.source.keyframes[0];
  for (std::size_t n = 0; n < whole.state.size(); n += 3) {
    changed = whole;
    changed.state.resize(n);
    run.replay(0, &changed);
    ASSERT_NE(run.problem, "") << n;
    ASSERT_EQ(run.replayed, 0) << n;
  }
  int refused = 0;
  for (std::size_t at = 0; at < whole.state.size(); ++at) {
    for (const unsigned mask : {0x01U, 0x80U, 0xFFU}) {
      changed = whole;
      changed.state[at] ^= static_cast<std::byte>(mask);
      run.replay(0, &changed);
      const bool words = run.problem.find("section ") == 0 || run.problem.find("byte ") == 0;
      refused += words ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 200);
}

TEST(Keyframes, NeedTheTableOfAStimulusThatIsPlayed) {
  const std::array times{0.0, 0.05};
  const std::array values{0.0, 4.0};
  RecordedRun run(plant_of<Tracker>(numerics::ab3), {wobble});
  run.settings.keyframes.every = 20;
  run.post_in = {{5, transaction(0, exec::Stimulus{.shape = exec::Shape::playback,
                                                   .amplitude = 2,
                                                   .table = {times.data(), values.data(), 2}})}};
  run.run(50);
  EXPECT_TRUE(run.replay(0, &run.source.keyframes[0]).empty());
  run.source.accepted[0].id = 99;  // it is another one's
  run.replay(0, &run.source.keyframes[0]);
  EXPECT_NE(run.problem.find("the table that a stimulus plays is missing"), std::string::npos)
      << run.problem;
}

// Counts that are under way, latches, and acknowledgements before and after it is over.
TEST(FromKeyframes, AlarmsAreThoseOfTheRun) {
  using Of = exec::Interlock::Of;
  RecordedRun run([] { return model::make_stepper<Tracker>(numerics::ab2); }, {wobble});
  run.settings.keyframes.every = 9;
  run.cost_of = rough_costs(3);
  run.alarms = {{.of = Of::input, .low = -1, .high = 1},
                {.of = Of::output,
                 .index = 1,
                 .low = -0.9,
                 .high = 0.5,
                 .hysteresis = 0.4,
                 .after = 11,
                 .latch = true,
                 .then = exec::Alarm::Then::disarm},
                {.of = Of::state,
                 .low = 0.025,
                 .high = model::unlimited,
                 .hysteresis = 0.002,
                 .after = 4,
                 .latch = true}};
  for (std::int64_t step = 40; step < 400; step += 97) {
    run.post_in[step] = transaction(0, exec::Acknowledge{1});
    run.post_in[step + 13] = transaction(0, exec::Acknowledge{2});
  }
  ASSERT_EQ(run.run(400).end, exec::End::duration);
  ASSERT_GT(run.overruns, 0);
  std::uint32_t active = 0;
  std::uint32_t waiting = 0;  // for somebody to acknowledge them
  std::uint32_t closed = 0;
  for (std::size_t i = 1; i < run.source.records.size(); ++i) {
    const io::FrameHeader& h = run.source.header(i);
    active |= h.alarms;
    waiting |= h.alarms_open & ~h.alarms;
    closed |= run.source.header(i - 1).alarms_open & ~h.alarms_open;
  }
  EXPECT_EQ(active, 0b111U);
  EXPECT_EQ(waiting, 0b110U);
  EXPECT_EQ(closed, 0b111U);
  expect_the_record_from_every_keyframe(run, 30);
}

TEST(Differences, OfAnAlarm) {
  RecordedRun run([] { return model::make_stepper<Tracker>(numerics::ab2); }, {wobble});
  run.alarms = {{.of = exec::Interlock::Of::input, .low = -1, .high = 1}};
  run.run(100);
  run.source.header(60).alarms ^= 1U;
  const auto differences = run.replay();
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences[0].step, 60);
  EXPECT_EQ(replay::step_facts[differences[0].index], "alarms");
}

}  // namespace
}  // namespace hild::testing
