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

#include "cli/main/call.hpp"
#include "cli/main/manager.hpp"
#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A run that has put out its first value: the outputs were safe before, and are not now. Or one
/// that is over already, where a step that is late ends it: any may be, on a machine that is busy.
struct LiveRun {
  explicit LiveRun(const std::vector<std::string>& more = {}) {
    EXPECT_EQ(hild({"safe", motor.file}).code, 0);
    const double before = motor.held().at(0);  // as the converter rounds it
    std::vector<std::string> arguments{"run", motor.file, "--report", report_file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    program.emplace(arguments);
    while (!program->ended() && motor.held().at(0) == before) ::usleep(1000);
  }
  /// Keeps the process from running for three frames at least: the next wake comes after the tick
  /// after it.
  void hold_up() const {
    program->signal(SIGSTOP);
    ::usleep(30'000);
    program->signal(SIGCONT);
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
  // A doubled step may reach one frame beyond the end, and so may frames that are given up.
  const auto count = [&](const char* name) { return report.at(name).to_number<int>(); };
  EXPECT_EQ(count("frames"), count("steps") + count("doubled_steps") + count("slips"));
  EXPECT_GE(count("frames"), 30);
  EXPECT_LE(count("frames"), 31 + count("slips"));
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
  Program run({"run", motor.file}, {.notify_socket = folder.path("notify")});
  EXPECT_NE(manager.await("READY=1"), "");
  EXPECT_EQ(manager.heard().find("STOPPING=1"), std::string::npos);
  run.signal(SIGTERM);
  const Ended ended = run.wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(manager.heard().find("STOPPING=1"), std::string::npos);
}

TEST(Live, AnOverrunUnderTheStopPolicyEndsTheRunWithItsCode) {
  LiveRun live({"--set", "overrun.policy=stop", "--set", "overrun.startup_grace=0"});
  // Once may not do: a run that is stopped while it wakes may not count the step.
  while (!live.program->ended()) live.hold_up();
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
  const Folder folder;
  const std::string socket = folder.path("control.sock");
  LiveRun live({"--set", "control={socket: " + socket + "}"});
  const auto doubled = [&] {
    const json::value status = call(socket, "status").at("result");
    return status.at_pointer("/overruns/total").to_number<int>() > 0 &&
           status.at("doubled_steps").to_number<int>() > 0;
  };
  while (!doubled()) live.hold_up();
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
