// SPDX-License-Identifier: Apache-2.0
#include "exec/event_sides.hpp"

#include <gtest/gtest.h>

#include <array>

namespace hild::exec {
namespace {

using Values = std::vector<double>;

constexpr std::array one_event{model::Event{"zero"}};

/// One function that was at `g` before the first step.
EventSides at(double g) {
  EventSides sides(one_event);
  sides.at_start()[0] = g;
  sides.start();
  return sides;
}

/// One that was located a little early, at -1e-9, and whose action left it there.
EventSides on_its_way() {
  EventSides sides = at(-1);
  EXPECT_EQ(sides.fire_crossed(Values{1}), 1);
  sides.at_start()[0] = -1e-9;
  sides.note_action(Values{-1e-9}, true);
  return sides;
}

TEST(EventSides, OneThatIsOnItsWayDoesNotCrossAgain) {
  EventSides sides = on_its_way();
  EXPECT_EQ(sides.fire_crossed(Values{-5e-10}), 0) << "nearer, and not yet across";
  EXPECT_EQ(sides.fire_crossed(Values{1}), 0);
}

TEST(EventSides, OneThatIsOnItsWayAndTurnsCrossesBack) {
  EventSides sides = on_its_way();
  EXPECT_EQ(sides.fire_crossed(Values{-1e-3}), 1);
}

TEST(EventSides, AStartForgetsThatOneIsOnItsWay) {
  EventSides sides = on_its_way();
  sides.start();
  EXPECT_EQ(sides.fire_crossed(Values{5e-10}), 1);
}

TEST(EventSides, AJumpThatDoesNotMoveItLeavesItOnItsWay) {
  EventSides sides = on_its_way();
  sides.follow_jump(Values{-1e-9});
  EXPECT_EQ(sides.fire_crossed(Values{-5e-10}), 0);
  EXPECT_EQ(sides.fire_crossed(Values{1}), 0);
}

TEST(EventSides, AfterAJumpItIsWhereItsSignSays) {
  EventSides sides = on_its_way();
  sides.at_start()[0] = -8e-10;
  sides.follow_jump(Values{-1e-9});
  EXPECT_EQ(sides.fire_crossed(Values{5e-10}), 1);
  EventSides moved = at(-1);
  moved.at_start()[0] = 1;
  moved.follow_jump(Values{-1});
  EXPECT_EQ(moved.fire_crossed(Values{2}), 0) << "a jump is no crossing";
}

TEST(EventSides, WhatIsPendingOutlivesAJump) {
  EventSides sides = at(-1);
  EXPECT_EQ(sides.fire_crossed(Values{1}), 1);
  EXPECT_EQ(sides.defer_fired(), 1);
  Values end{1};
  sides.end_step(end);
  sides.at_start()[0] = 2;
  sides.follow_jump(Values{1});
  EXPECT_FALSE(sides.all_stay(sides.at_start()));
  EXPECT_EQ(sides.fire_pending(), 1);
}

TEST(EventSides, NothingIsPendingAfterAStart) {
  EventSides sides = at(-1);
  EXPECT_EQ(sides.fire_crossed(Values{1}), 1);
  EXPECT_EQ(sides.defer_fired(), 1);
  sides.start();
  EXPECT_EQ(sides.fire_pending(), 0);
}

}  // namespace
}  // namespace hild::exec
