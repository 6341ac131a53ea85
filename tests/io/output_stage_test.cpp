// SPDX-License-Identifier: Apache-2.0
/// \file
/// Limits, slew limits, ramps and safe actions of output lines, against straight lines.
#include "io/output_stage.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>

namespace hild::test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

io::OutputLine line(double safe, io::SafeAction action = {}) {
  io::OutputLine l;
  l.limits = {-10, 10};
  l.safe = safe;
  l.action = action;
  return l;
}

io::OutputStage stage_of(std::initializer_list<io::OutputLine> lines) {
  io::OutputStage stage;
  for (io::OutputLine l : lines) {
    l.signal = stage.held().size();
    stage.add(l);
  }
  return stage;
}

double only(io::OutputStage& stage) { return stage.held()[0]; }

TEST(OutputStage, ASlewLimitBoundsWhatAWriteMoves) {
  io::OutputLine slow = line(1);
  slow.slew = 20;  // V/s
  io::OutputStage stage = stage_of({slow});
  const double y[] = {5};
  stage.follow(y, 1, {});  // no time has passed: it stays where it is taken to be
  EXPECT_DOUBLE_EQ(only(stage), 1);
  EXPECT_TRUE(stage.moving());
  stage.follow(y, 1, 100_ms);
  EXPECT_DOUBLE_EQ(only(stage), 3);
  const double down[] = {-9};
  stage.follow(down, 1, 50_ms);
  EXPECT_DOUBLE_EQ(only(stage), 2);
  const double near[] = {1.5};
  stage.follow(near, 1, 50_ms);
  EXPECT_DOUBLE_EQ(only(stage), 1.5);
  EXPECT_FALSE(stage.moving());
}

TEST(OutputStage, MovesWhileAnyLineDoes) {
  io::OutputLine slow = line(0);
  slow.slew = 20;
  io::OutputStage stage = stage_of({slow, line(0)});
  const double y[] = {5, 5};
  stage.follow(y, 1, 100_ms);
  EXPECT_THAT(stage.held(), ElementsAre(DoubleEq(2), DoubleEq(5)));
  EXPECT_TRUE(stage.moving()) << "the first, though the second is there";
}

TEST(OutputStage, AStallDoesNotAllowALeap) {
  io::OutputLine slow = line(0);
  slow.slew = 20;
  slow.most_step = 0.2;
  io::OutputStage stage = stage_of({slow});
  const double y[] = {5};
  stage.follow(y, 1, 3_s);
  EXPECT_DOUBLE_EQ(only(stage), 0.2);
}

TEST(OutputStage, RampsInFromWhereTheLinesAre) {
  io::OutputStage stage = stage_of({line(-2), line(4)});
  stage.begin();
  const double y[] = {6, 0};
  stage.follow(y, 0, {});
  EXPECT_THAT(stage.held(), ElementsAre(DoubleEq(-2), DoubleEq(4)));
  stage.follow(y, 0.25, 10_ms);
  EXPECT_THAT(stage.held(), ElementsAre(DoubleEq(0), DoubleEq(3)));
  EXPECT_TRUE(stage.moving());
  stage.follow(y, 1, 10_ms);
  EXPECT_THAT(stage.held(), ElementsAre(DoubleEq(6), DoubleEq(0)));
  EXPECT_FALSE(stage.moving());
}

TEST(OutputStage, ADigitalLineSwitches) {
  io::OutputLine digital = line(0, {.hold = false, .ramp = 1_s});
  digital.digital = true;
  digital.slew = 0.1;
  io::OutputStage stage = stage_of({digital});
  const double y[] = {1};
  stage.follow(y, 0.5, {});
  EXPECT_EQ(only(stage), 1);
  stage.begin();
  stage.relax({});
  EXPECT_EQ(only(stage), 0);
}

TEST(OutputStage, EachLineTakesItsOwnSafeAction) {
  io::OutputStage stage = stage_of(
      {line(1), line(0, {.hold = true, .ramp = {}}), line(-1, {.hold = false, .ramp = 2_s})});
  const double y[] = {5, 6, 7};
  stage.follow(y, 1, {});
  stage.begin();
  stage.relax({});
  EXPECT_THAT(stage.held(), ElementsAre(DoubleEq(1), DoubleEq(6), DoubleEq(7)));
  EXPECT_TRUE(stage.moving());
  stage.relax(500_ms);  // a quarter of the way from 7 to -1
  EXPECT_THAT(stage.held(), ElementsAre(DoubleEq(1), DoubleEq(6), DoubleEq(5)));
  stage.relax(2_s);
  EXPECT_THAT(stage.held(), ElementsAre(DoubleEq(1), DoubleEq(6), DoubleEq(-1)));
  EXPECT_FALSE(stage.moving());
}

TEST(OutputStage, SlewLimitsHoldOnTheWayToSafetyToo) {
  io::OutputLine slow = line(0);
  slow.slew = 4;
  io::OutputStage stage = stage_of({slow});
  const double y[] = {3};
  stage.follow(y, 1, 10_s);
  stage.begin();
  stage.relax(250_ms);
  EXPECT_DOUBLE_EQ(only(stage), 2);
  EXPECT_TRUE(stage.moving());
  stage.relax(750_ms);
  EXPECT_DOUBLE_EQ(only(stage), 0);
  EXPECT_FALSE(stage.moving());
}

TEST(OutputStage, LimitsHoldWhereverALineIsFound) {
  io::OutputLine narrow = line(0, {.hold = true, .ramp = {}});
  narrow.limits = {-5, 5};
  io::OutputStage stage = stage_of({narrow});
  stage.held()[0] = 9;  // as another program left it
  stage.begin();
  const double y[] = {1};
  stage.follow(y, 0, {});
  EXPECT_DOUBLE_EQ(only(stage), 5);
  stage.held()[0] = 9;
  stage.begin();
  stage.relax({});
  EXPECT_DOUBLE_EQ(only(stage), 5);
}

TEST(OutputStage, WhatIsNotFiniteLeavesALineThatHolds) {
  io::OutputStage stage = stage_of({line(0, {.hold = true, .ramp = {}})});
  const double y[] = {2};
  stage.follow(y, 1, {});
  const double broken[] = {NAN};
  EXPECT_EQ(stage.follow(broken, 1, {}), 1);
  EXPECT_DOUBLE_EQ(only(stage), 2);
}

TEST(OutputStage, AForkSeesWhereTheLinesStand) {
  io::OutputStage stage = stage_of({line(0)});
  ASSERT_TRUE(stage.share());
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int child = ::fork();
  if (child == 0) {
    char told = 0;
    [[maybe_unused]] const auto got = ::read(ends[0], &told, 1);
    ::_exit(only(stage) == 7.5 ? 0 : 1);
  }
  const double y[] = {7.5};
  stage.follow(y, 1, {});
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace hild::test
