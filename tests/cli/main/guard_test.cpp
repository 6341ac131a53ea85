// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run and its guard as they are started by a user: outputs are safe whichever of them goes, and
/// live only once they are armed where that is asked for.
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "cli/main/driving.hpp"

namespace hild::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

/// Whether the outputs become safe; the guard may be at it still.
bool settles(const Motor& motor) {
  const testing::Matcher<std::vector<double>> safe = are_safe;
  for (int tries = 0; tries < 6000; ++tries, ::usleep(5000)) {
    if (safe.Matches(motor.held())) return true;
  }
  return false;
}

/// The guard of a run: its child of that name.
pid_t guard_of(pid_t run) {
  std::ifstream children("/proc/" + std::to_string(run) + "/task/" + std::to_string(run) +
                         "/children");
  pid_t pid = 0;
  children >> pid;
  EXPECT_EQ(read_file("/proc/" + std::to_string(pid) + "/comm"), "hild-guard\n");
  return pid;
}

TEST(GuardOfARun, MakesOutputsSafeWhenItIsKilled) {
  Driving driving;
  driving.program->signal(SIGKILL);
  EXPECT_EQ(driving.program->wait().code, 128 + SIGKILL);
  EXPECT_TRUE(settles(driving.motor));
}

TEST(GuardOfARun, KillsARunThatStandsStill) {
  Driving driving({"--set", "safety.within=2 s"});
  driving.program->signal(SIGSTOP);
  EXPECT_EQ(driving.program->wait().code, 128 + SIGKILL);
  EXPECT_TRUE(settles(driving.motor));
}

TEST(GuardOfARun, WithoutItTheRunStopsSafely) {
  const Folder folder;
  const std::string report = folder.path("report.json");
  Driving driving({"--report", report});
  const pid_t guard = guard_of(driving.program->pid());
  ASSERT_GT(guard, 0);
  ::kill(guard, SIGKILL);
  const Ended ended = driving.program->wait();
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("the guard of the outputs died"));
  EXPECT_THAT(read_file(report), HasSubstr("\"end\": \"guard_lost\""));
  EXPECT_THAT(driving.motor.held(), are_safe);
}

TEST(GuardOfARun, IsEndedWithTheRunWhenItStandsStill) {
  Driving driving({"--set", "safety.within=2 s"});
  const pid_t guard = guard_of(driving.program->pid());
  ASSERT_GT(guard, 0);
  ::kill(guard, SIGSTOP);
  const Ended ended = driving.program->wait();
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("does not look any more"));
  EXPECT_THAT(ended.err, HasSubstr("the guard of the outputs died"));
  EXPECT_THAT(driving.motor.held(), are_safe);
}

TEST(GuardOfARun, CanBeLeftOut) {
  Driving driving({"--set", "safety.guard=false"});
  driving.program->signal(SIGKILL);
  const Ended ended = driving.program->wait();
  EXPECT_THAT(ended.err, HasSubstr("safety.guard is off"));
  EXPECT_THAT(driving.motor.held(), testing::Not(are_safe)) << "nobody was there";
}

TEST(SafeActions, RampToTheirEndBeforeARunIsOver) {
  Driving driving({"--set", "outputs.shaft_speed.safe_ramp=300 ms"});
  driving.program->signal(SIGTERM);
  EXPECT_EQ(driving.program->wait().code, 0);
  EXPECT_THAT(driving.motor.held(), are_safe);
}

TEST(SafeActions, OfAnOfflineRunRampOnItsClock) {
  const Motor motor;
  const Ended ended =
      hild({"run", motor.file, "--offline", "--duration", "1", "--set",
            "outputs.shaft_speed.safe_ramp=10 s", "--report", motor.folder.path("report.json")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(read_file(motor.folder.path("report.json")), HasSubstr("\"outputs_safe\": true"));
}

TEST(SafeActions, HoldWhatIsToBeHeld) {
  Driving driving({"--set", "outputs.shaft_speed.safe=hold"});
  driving.program->signal(SIGTERM);
  EXPECT_EQ(driving.program->wait().code, 0);
  EXPECT_GT(std::abs(driving.motor.held().at(0) - safe_speed), one_step);
  EXPECT_NEAR(driving.motor.held().at(1), safe_current, one_step);
}

// Nobody made the lines safe that it finds, and nobody calls it again.
TEST(SafeCommand, KilledOnTheWayComesToItsEndAllTheSame) {
  Driving driving({"--set", "safety.guard=false"});
  driving.program->signal(SIGKILL);
  EXPECT_EQ(driving.program->wait().code, 128 + SIGKILL);
  const Motor& motor = driving.motor;
  const double before = motor.held().at(0);
  Program command({"safe", motor.file, "--set", "outputs.shaft_speed.safe_ramp=2 s"});
  ASSERT_TRUE(leaves(motor.rig, before));
  command.signal(SIGKILL);
  EXPECT_EQ(command.wait().code, 128 + SIGKILL) << "else it was at its end already";
  EXPECT_TRUE(settles(motor)) << motor.held().at(0);
}

TEST(SafeCommand, RampsTooAndSaysWhatIsHeld) {
  const Motor motor;
  const Ended ended =
      hild({"safe", motor.file, "--wait", "1", "--set", "outputs.shaft_speed.safe_ramp=50 ms",
            "--set", "outputs.current.safe=hold"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NEAR(motor.held().at(0), safe_speed, one_step);
  EXPECT_THAT(ended.out, HasSubstr("held"));
}

}  // namespace
}  // namespace hild::test
