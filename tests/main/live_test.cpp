// SPDX-License-Identifier: Apache-2.0
/// \file
/// Live runs: how they end, by whichever signal, and what they say when they lack privileges. No
/// duration is asserted: a loaded machine may be late, never wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <csignal>
#include <filesystem>

#include "main/manager.hpp"
#include "main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const auto are_safe =
    ElementsAre(DoubleNear(safe_speed, one_step), DoubleNear(safe_current, one_step));

/// A run that has put out its first value: the outputs were safe before, and are not now.
struct LiveRun {
  explicit LiveRun(const std::vector<std::string>& more = {}) {
    EXPECT_EQ(hild({"safe", motor.file}).code, 0);
    const double before = motor.held().at(0);  // as the converter rounds it
    std::vector<std::string> arguments{"run", motor.file, "--report", report_file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    program.emplace(arguments);
    EXPECT_TRUE(leaves(motor.rig, before));
  }

  [[nodiscard]] json::value report() const { return json::parse(read_file(report_file)); }

  Motor motor;
  std::string report_file = motor.folder.path("report.json");
  std::optional<Program> program;
};

class Signal : public testing::TestWithParam<int> {};

TEST_P(Signal, EndsARunSafelyWithItsReport) {
  LiveRun live;
  live.program->signal(GetParam());
  const Ended ended = live.program->wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(live.motor.held(), are_safe);
  EXPECT_THAT(ended.out, AllOf(HasSubstr("The run was stopped on request."), HasSubstr("frames"),
                               HasSubstr("shaft_speed")));
  EXPECT_EQ(live.report().at_pointer("/outcome/end"), "requested");
}

INSTANTIATE_TEST_SUITE_P(OfTheUser, Signal, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(Live, ThatNobodyListensToGoesOn) {
  LiveRun live;
  live.program->close_output();
  // Words go to the closed pipe at the latest when the run ends.
  live.program->signal(SIGTERM);
  const Ended ended = live.program->wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(live.motor.held(), are_safe);
  EXPECT_EQ(live.report().at_pointer("/outcome/end"), "requested");
}

TEST(Live, EndsAfterItsDuration) {
  const Motor motor;
  const Ended ended = hild(
      {"run", motor.file, "--duration", "300 ms", "--report", motor.folder.path("report.json")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("The run ended after the duration asked for."));
  EXPECT_THAT(motor.held(), are_safe);
  const json::value report = json::parse(read_file(motor.folder.path("report.json")));
  // A doubled step may reach one frame beyond the end.
  EXPECT_THAT(report.at("frames").to_number<int>(), testing::AnyOf(30, 31));
  EXPECT_EQ(report.at("records_dropped"), 0);
}

// Some time after it was tried out: 200 reads, then two exchanges a frame.
TEST(Live, ADeviceThatVanishesEndsTheRunAndLeavesTheOthersSafe) {
  LiveRun live({"--set", "devices.rig.fail_after=500"});
  const Ended ended = live.program->wait();
  EXPECT_EQ(ended.code, 4) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("device rig: vanished after 500 exchanges"));
  EXPECT_NEAR(live.motor.held().at(1), safe_current, one_step);
}

TEST(Live, TellsTheServiceManagerWhenFramesAdvanceAndWhenItStops) {
  const Folder folder;
  const Manager manager(folder.path("notify"));
  const Motor motor;
  const Ended ended =
      hild({"run", motor.file, "--duration", "1"}, {.notify_socket = folder.path("notify")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const std::string heard = manager.heard();
  const auto ready = heard.find("READY=1");
  EXPECT_NE(ready, std::string::npos) << heard;
  EXPECT_NE(heard.find("STOPPING=1", ready), std::string::npos) << heard;
}

// The process is held for longer than a frame: the next wake comes after the tick after it.
TEST(Live, AnOverrunUnderTheStopPolicyEndsTheRunWithItsCode) {
  LiveRun live({"--set", "overrun.policy=stop", "--set", "overrun.startup_grace=0"});
  live.program->signal(SIGSTOP);
  ::usleep(100'000);
  live.program->signal(SIGCONT);
  const Ended ended = live.program->wait();
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("Stopped in frame"), HasSubstr("a step was late")));
  EXPECT_THAT(live.motor.held(), are_safe);
  const json::value report = live.report();
  EXPECT_EQ(report.at_pointer("/outcome/end"), "overrun_limit");
  EXPECT_EQ(report.at_pointer("/overruns/total"), 1);
}

// Catching up: the same hold under the default policy costs doubled steps and slips, not the run.
TEST(Live, AnOverrunUnderTheDoublePolicyIsMadeUpFor) {
  LiveRun live;
  live.program->signal(SIGSTOP);
  ::usleep(100'000);
  live.program->signal(SIGCONT);
  // Let it see the tick: a run that is stopped while it wakes may not count the step.
  ::usleep(200'000);
  live.program->signal(SIGINT);
  const Ended ended = live.program->wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json::value report = live.report();
  EXPECT_GE(report.at_pointer("/overruns/total").to_number<int>(), 1);
  EXPECT_GE(report.at("doubled_steps").to_number<int>(), 1);
}

TEST(Live, WithoutPrivilegesWarnsOfEachAndRuns) {
  const Motor motor;
  // The built program may be where only its owner can go.
  const std::string program = motor.folder.path("hild");
  std::filesystem::copy_file(HILD_PROGRAM, program);
  const Ended ended =
      hild({"run", motor.file, "--duration", "300 ms"}, {.unprivileged = true, .program = program});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("warning: no SCHED_FIFO priority 80"),
                               HasSubstr("LimitRTPRIO=80"), HasSubstr("LimitMEMLOCK=infinity"),
                               HasSubstr("warning: cannot hold /dev/cpu_dma_latency")));
  EXPECT_THAT(ended.out, HasSubstr("The run ended after the duration asked for."));
}

TEST(Live, OnAnyClockRuns) {
  for (const char* clock : {"sleep", "sleep+spin", "timerfd"}) {
    const Motor motor;
    const Ended ended = hild(
        {"run", motor.file, "--duration", "100 ms", "--set", std::string("frame.clock=") + clock});
    EXPECT_EQ(ended.code, 0) << clock << "\n" << ended.err;
    EXPECT_THAT(motor.held(), are_safe) << clock;
  }
}

}  // namespace
}  // namespace hild::test
