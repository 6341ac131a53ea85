// SPDX-License-Identifier: Apache-2.0
/// Alarms: when they are active and open, and what follows from them.
#include "exec/alarms.hpp"

#include <gtest/gtest.h>

#include "core/archive_problem.hpp"
#include "exec/may_arm.hpp"
#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::Acknowledge;
using exec::Alarm;
using exec::Alarms;
using Of = exec::Interlock::Of;
using Words = std::vector<std::uint32_t>;

constexpr double no_limit = model::unlimited;

/// Alarms of one value, which is shown to them as each kind of signal.
struct Watched {
  explicit Watched(const Alarm& alarm) : alarms({alarm}) {}
  /// Whether it is active at the end of a step with this value.
  bool active(double value, std::int64_t span = 1) {
    const std::array v{value};
    EXPECT_TRUE(alarms.look({v, v, v}, span, 0, end));
    return alarms.active() == 1;
  }
  exec::RunEnd end;
  Alarms alarms;
};

Alarm above(double high) { return {.of = Of::output, .low = -no_limit, .high = high}; }

// What is at a limit keeps to it.
TEST(Alarms, AreActiveBeyondTheirLimits) {
  for (const auto of : {Of::input, Of::output, Of::state}) {
    Watched both({.of = of, .low = -1, .high = 2});
    EXPECT_FALSE(both.active(0));
    EXPECT_FALSE(both.active(2));
    EXPECT_TRUE(both.active(2.5));
    EXPECT_FALSE(both.active(-1));
    EXPECT_TRUE(both.active(-1.5));
    Watched one({.of = of, .low = 3, .high = no_limit});
    EXPECT_FALSE(one.active(1e300));
    EXPECT_TRUE(one.active(2.9));
  }
}

TEST(Alarms, WatchTheSignalTheyName) {
  Alarms alarms({{.of = Of::input, .index = 1, .high = 5},
                 {.of = Of::output, .index = 0, .high = 5},
                 {.of = Of::state, .index = 2, .high = 5}});
  exec::RunEnd end;
  const std::array u{9.0, 1.0};
  const std::array y{9.0, 1.0};
  const std::array x{1.0, 1.0, 9.0};
  EXPECT_TRUE(alarms.look({u, y, x}, 1, 0, end));
  EXPECT_EQ(alarms.active(), 0b110U);
}

TEST(Alarms, AreOverWhereTheValueIsWithinByTheHysteresis) {
  Watched w({.of = Of::state, .low = -10, .high = 10, .hysteresis = 2});
  EXPECT_FALSE(w.active(9.5)) << "it is not outside yet";
  EXPECT_TRUE(w.active(10.5));
  EXPECT_TRUE(w.active(9.5));
  EXPECT_TRUE(w.active(8.5));
  EXPECT_FALSE(w.active(8));
  EXPECT_FALSE(w.active(9.5));
  EXPECT_TRUE(w.active(-11));
  EXPECT_TRUE(w.active(-8.5));
  EXPECT_FALSE(w.active(-7.5));
}

TEST(Alarms, WhatIsNoNumberIsOutside) {
  Watched w({.of = Of::input, .low = -no_limit, .high = 10, .hysteresis = 2});
  EXPECT_TRUE(w.active(NAN));
  EXPECT_TRUE(w.active(9)) << "as from anywhere outside";
  EXPECT_FALSE(w.active(7));
  EXPECT_TRUE(w.active(INFINITY));
}

// Active when it was outside in a step and still is so many frames later.
TEST(Alarms, WaitForAsLongAsTheySay) {
  Alarm alarm = above(1);
  alarm.after = 3;
  Watched w(alarm);
  EXPECT_FALSE(w.active(2));
  EXPECT_FALSE(w.active(2));
  EXPECT_FALSE(w.active(2));
  EXPECT_TRUE(w.active(2));
  EXPECT_TRUE(w.active(2));
  EXPECT_FALSE(w.active(0));
  EXPECT_FALSE(w.active(2)) << "counted anew";
  EXPECT_FALSE(w.active(0));
  EXPECT_FALSE(w.active(2));
  EXPECT_FALSE(w.active(2, 2)) << "two frames of the three";
  EXPECT_TRUE(w.active(2, 2));
}

TEST(Alarms, CountWhileTheHysteresisHoldsThem) {
  Alarm alarm = above(10);
  alarm.hysteresis = 2;
  alarm.after = 2;
  Watched w(alarm);
  EXPECT_FALSE(w.active(11));
  EXPECT_FALSE(w.active(9));
  EXPECT_TRUE(w.active(9));
}

TEST(Alarms, ThatLatchAreOpenUntilTheyAreAcknowledgedAndOver) {
  Alarm alarm = above(1);
  alarm.latch = true;
  Watched w(alarm);
  w.active(2);
  EXPECT_EQ(w.alarms.open(), 1U);
  w.active(0);
  EXPECT_EQ(w.alarms.open(), 1U) << "nobody knows of it";
  EXPECT_EQ(w.alarms.active(), 0U);
  w.alarms.acknowledge(0);
  EXPECT_EQ(w.alarms.open(), 0U);

  w.active(2);
  w.alarms.acknowledge(0);
  EXPECT_EQ(w.alarms.open(), 1U) << "it is still active";
  w.active(2);
  EXPECT_EQ(w.alarms.open(), 1U);
  w.active(0);
  EXPECT_EQ(w.alarms.open(), 0U);
  w.active(2);
  w.active(0);
  EXPECT_EQ(w.alarms.open(), 1U) << "of the next one nobody knows yet";
}

TEST(Alarms, ThatDoNotLatchAreOpenWhileTheyAreActive) {
  Watched w(above(1));
  w.active(2);
  EXPECT_EQ(w.alarms.open(), 1U);
  w.alarms.acknowledge(0);
  EXPECT_EQ(w.alarms.open(), 1U);
  w.active(0);
  EXPECT_EQ(w.alarms.open(), 0U);
}

// By the step in which it opened, however often it was active since.
TEST(Alarms, TellOtherThreadsSinceWhichFrameTheyAreOpen) {
  Alarm latches = above(1);
  latches.latch = true;
  Alarms alarms({above(5), latches});
  exec::RunEnd end;
  const auto step = [&](double value, std::int64_t frame) {
    const std::array y{value};
    EXPECT_TRUE(alarms.look({{}, y, {}}, 1, frame, end));
    return std::pair(alarms.told().active, alarms.told().open);
  };
  using Bits = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_EQ(step(0, 10), Bits(0, 0));
  EXPECT_EQ(alarms.since(1), -1);
  EXPECT_EQ(step(2, 11), Bits(0b10, 0b10));
  EXPECT_EQ(step(9, 12), Bits(0b11, 0b11));
  EXPECT_EQ(step(0, 13), Bits(0, 0b10));
  EXPECT_EQ(step(2, 14), Bits(0b10, 0b10));
  EXPECT_EQ(alarms.since(0), 12);
  EXPECT_EQ(alarms.since(1), 11);
  EXPECT_EQ(step(0, 15), Bits(0, 0b10));
  alarms.acknowledge(1);
  EXPECT_EQ(alarms.told().open, 0U);
  EXPECT_EQ(step(2, 16), Bits(0b10, 0b10));
  EXPECT_EQ(alarms.since(1), 16);
}

TEST(Alarms, AreAsManyAsARecordHasBits) {
  Alarms alarms(std::vector<Alarm>(40, above(1)));
  EXPECT_EQ(alarms.size(), 32U);
  exec::RunEnd end;
  const std::array y{2.0};
  EXPECT_TRUE(alarms.look({{}, y, {}}, 1, 0, end));
  EXPECT_EQ(alarms.active(), UINT32_MAX);
}

// ---- their state -------------------------------------------------------------------------------

std::vector<std::byte> saved(Alarms& alarms) {
  std::vector<std::byte> bytes(1024);
  Archive archive = Archive::saving(bytes, {});
  alarms.transfer(archive);
  EXPECT_TRUE(archive.good()) << words_for(archive.problem());
  bytes.resize(archive.bytes());
  return bytes;
}

Archive::Problem loaded(Alarms& alarms, std::span<const std::byte> bytes) {
  Archive archive = Archive::loading(bytes, {});
  alarms.transfer(archive);
  return archive.problem();
}

TEST(Alarms, GoOnFromWhatWasSaved) {
  Alarm counts = above(1);
  counts.after = 3;
  Alarm latches = above(1.5);
  latches.latch = true;
  latches.then = Alarm::Then::disarm;
  const std::vector<Alarm> all{counts, latches};
  Alarms was(all);
  exec::RunEnd end;
  for (const double v : {2.0, 1.2, 1.2}) {
    const std::array y{v};
    EXPECT_TRUE(was.look({{}, y, {}}, 1, 0, end));
  }
  ASSERT_EQ(was.active(), 0U) << "one is counting";
  ASSERT_EQ(was.open(), 0b10U) << "one is not acknowledged";
  Alarms is(all);
  EXPECT_EQ(loaded(is, saved(was)).kind, Archive::Problem::Kind::none);
  EXPECT_EQ(is.open(), 0b10U);
  EXPECT_EQ(is.keep_disarmed(), 0b10U);
  EXPECT_EQ(is.told().open, 0b10U);
  EXPECT_EQ(is.since(1), -1) << "that is not known";
  const std::array y{1.2};
  EXPECT_TRUE(is.look({{}, y, {}}, 1, 0, end));
  EXPECT_EQ(is.active(), 0b01U);
}

TEST(Alarms, DoNotBelieveWhatIsLoaded) {
  Alarm alarm = above(1);
  alarm.after = 3;
  Alarms was({alarm, above(1)});
  const auto bytes = saved(was);
  Alarms fewer({alarm});
  EXPECT_EQ(loaded(fewer, bytes).kind, Archive::Problem::Kind::of_another);
  // First how many they are, then those active, those not acknowledged, and the counts.
  const auto with = [&](std::size_t at, int value) {
    auto damaged = bytes;
    damaged[at] = static_cast<std::byte>(value);
    Alarms into({alarm, above(1)});
    return loaded(into, damaged).kind;
  };
  EXPECT_EQ(with(8, 0), Archive::Problem::Kind::none);
  EXPECT_EQ(with(8, 1), Archive::Problem::Kind::unfit) << "active and not outside";
  EXPECT_EQ(with(8, 4), Archive::Problem::Kind::unfit) << "there is no third";
  EXPECT_EQ(with(12, 1), Archive::Problem::Kind::unfit) << "it does not latch";
  EXPECT_EQ(with(16, 3), Archive::Problem::Kind::out_of_range) << "a count below -1";
}

// ---- of a run ----------------------------------------------------------------------------------

/// A run whose second output is `values`, by frame; the last of them goes on.
struct AlarmedRun : SteeringRig {
  explicit AlarmedRun(std::vector<double> values)
      : SteeringRig(numerics::forward_euler, [v = std::move(values)](double t) {
          const auto frame = static_cast<std::size_t>(std::max(0L, std::lround(t * 1e3)));
          return v[std::min(frame, v.size() - 1)];
        }) {}
  [[nodiscard]] Words active() const {
    Words all;
    for (const Step& s : steps) all.push_back(s.header.alarms);
    return all;
  }
  [[nodiscard]] Words open() const {
    Words all;
    for (const Step& s : steps) all.push_back(s.header.alarms_open);
    return all;
  }
};

Alarm of_u(Alarm::Then then = Alarm::Then::note) {
  return {.of = Of::output, .index = 1, .low = -1, .high = 1, .then = then};
}

TEST(AlarmsOfARun, StandInTheRecordOfTheStep) {
  AlarmedRun run({0, 2, 2, 0, -2, 0});
  Alarm latches = of_u();
  latches.latch = true;
  Alarm of_input = of_u();
  of_input.of = Of::input;
  of_input.index = 0;
  of_input.low = -no_limit;
  run.alarms = {of_u(), latches, of_input};
  run.at[3] = [&] { run.post(transaction(1, Acknowledge{1})); };
  EXPECT_EQ(run.run(6).end, exec::End::duration);
  EXPECT_EQ(run.active(), (Words{0, 0b111, 0b111, 0, 0b011, 0}));
  EXPECT_EQ(run.open(), (Words{0, 0b111, 0b111, 0b010, 0b011, 0b010}));
  EXPECT_EQ(run.sampler.disarms, 0);
}

TEST(AlarmsOfARun, AreAcknowledgedAtTheStartOfAStep) {
  AlarmedRun run({2, 0});
  Alarm latches = of_u();
  latches.latch = true;
  run.alarms = {of_u(), latches};
  run.at[3] = [&] { run.post(transaction(1, Acknowledge{1})); };
  run.run(6);
  EXPECT_EQ(run.open(), (Words{0b11, 0b10, 0b10, 0b10, 0, 0}));
  ASSERT_EQ(run.replies.size(), 1U);
  EXPECT_EQ(run.replies[0].frame, 4);
}

TEST(AlarmsOfARun, OnesThatAreNotThereCannotBeAcknowledged) {
  for (const std::size_t there : {0U, 2U}) {
    AlarmedRun run({0});
    run.alarms.assign(there, of_u());
    run.at[1] = [&] { run.post(transaction(1, Acknowledge{2})); };
    run.run(5);
    ASSERT_EQ(run.replies.size(), 1U);
    EXPECT_EQ(run.replies[0].refusal, exec::Refusal::unknown_target);
    EXPECT_EQ(run.active(), Words(5, 0));
  }
}

// In every frame, whoever arms them; while the plant is held too.
TEST(AlarmsOfARun, DisarmWhileTheyAreOpen) {
  AlarmedRun run({0, 2, 2, 0});
  run.alarms = {of_u(), of_u(Alarm::Then::disarm)};
  std::vector<bool> may;
  run.every_step = [&](std::int64_t /*step*/) { may.push_back(exec::may_arm(*run.loop)); };
  run.run(5);
  EXPECT_EQ(run.sampler.disarms, 2);
  EXPECT_EQ(may, (std::vector<bool>{true, true, false, false, true})) << "as the step before left";

  AlarmedRun held({0, 2, 0});
  held.alarms = {of_u(Alarm::Then::disarm)};
  held.alarms[0].latch = true;
  held.at[2] = [&] { held.post(transaction(1, exec::Freeze{})); };
  held.run(8);
  EXPECT_EQ(held.sampler.disarms, 7);
  EXPECT_EQ(held.steps.size(), 8U);
  EXPECT_TRUE(held.steps.back().header.frozen);
  EXPECT_EQ(held.steps.back().header.alarms, 0U);
  EXPECT_EQ(held.steps.back().header.alarms_open, 1U);
  EXPECT_FALSE(exec::may_arm(*held.loop));
}

TEST(AlarmsOfARun, StopItBeforeAnythingIsWritten) {
  AlarmedRun run({0, 0, 7});
  run.alarms = {of_u(), of_u(Alarm::Then::stop), of_u(Alarm::Then::stop)};
  run.alarms[1].after = 2;
  run.alarms[2].high = 9;
  const auto outcome = run.run(100);
  EXPECT_EQ(outcome.end, exec::End::alarm);
  EXPECT_EQ(outcome.frame, 4) << "two frames after the first outside";
  EXPECT_EQ(outcome.index, 1U);
  EXPECT_EQ(outcome.value, 7);
  EXPECT_TRUE(outcome.safe);
  EXPECT_EQ(run.sampler.safe_calls, 1);
  EXPECT_EQ(run.active(), (Words{0, 0, 1, 1})) << "the step that ends it has no record";
}

}  // namespace
}  // namespace hild::testing
