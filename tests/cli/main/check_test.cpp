// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild check`: the plan, for people and for programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

TEST(Check, TellsPassesReleasesBudgetAndVerdict) {
  const Motor motor;
  const Ended ended = hild({"check", motor.file, "--set", "integrator.method=rk-3"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("rtrk-3, order 3, 3 passes"), HasSubstr("10000.000 us (100 Hz)"),
                    HasSubstr("3333.3 us"), HasSubstr("6666.7 us"), HasSubstr("80 % utilisation"),
                    HasSubstr("wake latency"), HasSubstr("The plan fits.")));
}

TEST(Check, InJsonIsForPrograms) {
  const Motor motor;
  const Ended ended = hild({"check", motor.file, "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json::value plan = json::parse(ended.out);
  EXPECT_EQ(plan.at("feasible"), true);
  EXPECT_EQ(plan.at("method"), "rtam-2");
  EXPECT_EQ(plan.at("frame_us").to_number<double>(), 10'000);
  ASSERT_EQ(plan.at("passes").as_array().size(), 2U);
  EXPECT_EQ(plan.at_pointer("/passes/1/release_us").to_number<double>(), 5'000);
  const double median = plan.at_pointer("/measured/median/finish_us").to_number<double>();
  EXPECT_GE(median, 5'000) << "the second pass is not released before";
  EXPECT_LE(median, 10'000) << "the plan fits";
  EXPECT_GE(plan.at_pointer("/measured/p99/finish_us").to_number<double>(), median);
}

TEST(Check, TouchesNoOutput) {
  const Motor motor;
  ASSERT_EQ(hild({"io", motor.file, "--write", "shaft_speed=100", "--write", "current=4"}).code, 0);
  ASSERT_EQ(hild({"check", motor.file}).code, 0);
  EXPECT_THAT(motor.held(), testing::ElementsAre(testing::DoubleNear(5, one_step),
                                                 testing::DoubleNear(2, one_step)));
}

/// Whether throttling is on; a kernel that has a fair server may have that in its place.
bool throttles() {
  double runtime = -1;
  double period = 0;
  std::ifstream("/proc/sys/kernel/sched_rt_runtime_us") >> runtime;
  std::ifstream("/proc/sys/kernel/sched_rt_period_us") >> period;
  return runtime >= 0 && period > 0 && runtime < period;
}

TEST(Check, WarnsOfASpinningRealTimeThread) {
  const Motor motor;
  const auto overrun = HasSubstr("frames will overrun");
  const Ended spinning = hild({"check", motor.file, "--set", "frame.clock=spin"});
  EXPECT_EQ(spinning.code, 0) << spinning.err;
  if (throttles()) {
    EXPECT_THAT(spinning.out,
                AllOf(overrun, HasSubstr("clock spin"),
                      AnyOf(HasSubstr("sched_rt_runtime_us"), HasSubstr("its fair server"))));
  } else {
    EXPECT_THAT(spinning.out, Not(HasSubstr("sched_rt_runtime_us")));
  }
  for (const char* calm : {"frame.clock=sleep", "frame.priority=0"}) {
    const Ended ended = hild({"check", motor.file, "--set", "frame.clock=sleep", "--set", calm});
    EXPECT_THAT(ended.out, Not(overrun)) << calm;
  }
  const Ended ordinary =
      hild({"check", motor.file, "--set", "frame.clock=spin", "--set", "frame.priority=0"});
  EXPECT_THAT(ordinary.out, Not(overrun));
}

// What is measured is the clock of the run: a margin that is not written is measured first.
TEST(Check, MeasuresTheMarginOfSleepAndSpin) {
  const Motor motor;
  const Ended measured = hild({"check", motor.file, "--set", "frame.clock=sleep+spin"});
  EXPECT_EQ(measured.code, 0);
  EXPECT_THAT(measured.err, HasSubstr("spin margin measured"));
  const Ended written = hild(
      {"check", motor.file, "--set", "frame.clock=sleep+spin", "--set", "frame.margin=200 us"});
  EXPECT_EQ(written.code, 0);
  EXPECT_THAT(written.err, Not(HasSubstr("spin margin measured")));
}

}  // namespace
}  // namespace hild::test
