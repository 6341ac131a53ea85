// SPDX-License-Identifier: Apache-2.0
/// \file
/// The section `alarms`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fakes.hpp"

namespace hild::config {
namespace {

using exec::Interlock;
using testing::HasSubstr;
using Then = exec::Alarm::Then;

std::string alarmed(const std::string& entries) {
  return fakes::head + "alarms:\n  " + entries + "\n";
}

TEST(AlarmsOfAConfiguration, AreNoneUnlessOtherwiseSaid) {
  const auto config = fakes::read(fakes::head);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_TRUE(config->alarms.empty());
}

TEST(AlarmsOfAConfiguration, AreReadInTheirOrder) {
  const auto config = fakes::read(
      alarmed("fast: {watch: output:speed, below: -600 rpm, above: 600 rpm, hysteresis: 60 rpm, "
              "after: 250 ms, latch: true, text: too fast, then: disarm}\n"
              "  bent: {watch: angle, above: 1 rad}\n"
              "  low: {watch: load, below: 250 mN m, then: stop}\n"
              "  slow: {watch: state:speed, below: 0 rad/s, then: note}"));
  ASSERT_TRUE(config) << config.error().message;
  const auto& all = config->alarms;
  ASSERT_EQ(all.size(), 4U);
  constexpr double rpm_600 = 20 * 3.14159265358979323846;
  EXPECT_EQ(all[0].name, "fast");
  EXPECT_EQ(all[0].signal, "output speed");
  EXPECT_EQ(all[0].unit, "rad/s");
  EXPECT_EQ(all[0].text, "too fast");
  EXPECT_EQ(all[0].alarm.of, Interlock::Of::output);
  EXPECT_EQ(all[0].alarm.index, 0U);
  EXPECT_NEAR(all[0].alarm.low, -rpm_600, 1e-12);
  EXPECT_NEAR(all[0].alarm.high, rpm_600, 1e-12);
  EXPECT_NEAR(all[0].alarm.hysteresis, rpm_600 / 10, 1e-12);
  EXPECT_EQ(all[0].alarm.after, 250) << "at 1 kHz";
  EXPECT_TRUE(all[0].alarm.latch);
  EXPECT_EQ(all[0].alarm.then, Then::disarm);

  EXPECT_EQ(all[1].signal, "state angle");
  EXPECT_EQ(all[1].text, "");
  EXPECT_EQ(all[1].alarm.of, Interlock::Of::state);
  EXPECT_EQ(all[1].alarm.low, -INFINITY);
  EXPECT_EQ(all[1].alarm.hysteresis, 0);
  EXPECT_EQ(all[1].alarm.after, 0);
  EXPECT_FALSE(all[1].alarm.latch);
  EXPECT_EQ(all[1].alarm.then, Then::note);

  EXPECT_EQ(all[2].alarm.of, Interlock::Of::input);
  EXPECT_EQ(all[2].alarm.index, 1U);
  EXPECT_DOUBLE_EQ(all[2].alarm.low, 0.25);
  EXPECT_EQ(all[2].alarm.high, INFINITY);
  EXPECT_EQ(all[2].alarm.then, Then::stop);

  EXPECT_EQ(all[3].alarm.of, Interlock::Of::state);
  EXPECT_EQ(all[3].alarm.index, 1U);
}

TEST(AlarmsOfAConfiguration, WatchCalculatedChannels) {
  const auto config = fakes::read(fakes::head +
                                  "calculated: {double: {formula: 2 * voltage, unit: V}}\n"
                                  "alarms: {high: {watch: double, above: 3 V}}\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->alarms.at(0).alarm.of, Interlock::Of::output);
  EXPECT_EQ(config->alarms[0].alarm.index, 3U) << "after the outputs of the model";
}

TEST(AlarmsOfAConfiguration, ThatMakeNoSenseAreRefused) {
  const auto error = [](const std::string& entry) {
    return fakes::error_of(fakes::read(alarmed("a: {" + entry + "}")));
  };
  EXPECT_THAT(error("above: 3"), HasSubstr("alarms.a.watch: "));
  EXPECT_THAT(error("watch: agle, above: 3"),
              HasSubstr("alarms.a.watch: found \"agle\", expected an input, an output, a state or "
                        "a calculated channel (did you mean \"angle\"?)"));
  EXPECT_THAT(error("watch: output:angle, above: 3"), HasSubstr("found \"output:angle\""));
  EXPECT_THAT(error("watch: speed, above: 3"),
              HasSubstr("alarms.a.watch: found \"speed\", expected output:speed or state:speed"));
  EXPECT_THAT(error("watch: angle"),
              HasSubstr("alarms.a: found no limit, expected below, above or both"));
  EXPECT_THAT(error("watch: angle, abov: 3"), HasSubstr("alarms.a.abov: found an unknown key"));
  EXPECT_THAT(error("watch: angle, above: 3 V"),
              HasSubstr("alarms.a.above: found \"3 V\", expected"));
  EXPECT_THAT(error("watch: angle, below: 3 rad, above: 3 rad"),
              HasSubstr("alarms.a.above: found \"3 rad\", expected more than below"));
  EXPECT_THAT(error("watch: angle, above: 3 rad, hysteresis: -1 rad"),
              HasSubstr("alarms.a.hysteresis: found \"-1 rad\", expected 0 or more"));
  EXPECT_THAT(
      error("watch: angle, below: 1 rad, above: 3 rad, hysteresis: 1 rad"),
      HasSubstr("alarms.a.hysteresis: found \"1 rad\", expected less than half of what lies "
                "between below and above"));
  EXPECT_THAT(error("watch: angle, above: 3 rad, after: -1 s"), HasSubstr("alarms.a.after: "));
  EXPECT_THAT(error("watch: angle, above: 3 rad, latch: 3"), HasSubstr("alarms.a.latch: "));
  EXPECT_THAT(error("watch: angle, above: 3 rad, then: halt"),
              HasSubstr("alarms.a.then: found \"halt\""));
  EXPECT_THAT(fakes::error_of(fakes::read(fakes::head + "alarms: {a: 3}\n")),
              HasSubstr("alarms.a: "));
  const std::string longest(Name::capacity, 'n');
  EXPECT_TRUE(fakes::read(alarmed(longest + ": {watch: angle, above: 3 rad}")));
  EXPECT_THAT(fakes::error_of(fakes::read(alarmed(longest + "n: {watch: angle, above: 3 rad}"))),
              HasSubstr("expected a name of at most"));
}

TEST(AlarmsOfAConfiguration, AreAtMostThirtyTwo) {
  std::string entries = "a0: {watch: angle, above: 3 rad}";
  for (int i = 1; i < 32; ++i) entries += fmt::format("\n  a{}: {{watch: angle, above: 3 rad}}", i);
  const auto config = fakes::read(alarmed(entries));
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->alarms.size(), 32U);
  EXPECT_THAT(
      fakes::error_of(fakes::read(alarmed(entries + "\n  b: {watch: angle, above: 3 rad}"))),
      HasSubstr("alarms: found 33 alarms, expected at most 32"));
}

}  // namespace
}  // namespace hild::config
