// SPDX-License-Identifier: Apache-2.0
/// \file
/// Frames around what happened, and nothing else.
#include <gmock/gmock.h>

#include "runs.hpp"

namespace hild::framelog {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

config::Record around(std::int64_t before, std::int64_t after) {
  config::Record settings = everything();
  settings.trigger = config::Trigger{true, true, true, before, after};
  return settings;
}

io::FrameHeader marked(std::int64_t step) {
  io::FrameHeader h = header_of(step);
  h.mark = 1;
  return h;
}

TEST(Trigger, KeepsHistoryEventAndWhatFollows) {
  const Recording run(around(2, 3));
  run.give(0, 9);
  run.give(late(header_of(10), 1_us, io::Cause::pass));
  run.give(11, 29);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  EXPECT_THAT(got.steps(), ElementsAre(8, 9, 10, 11, 12, 13));
  EXPECT_THAT(got.gaps, ElementsAre(Gap{0, 7, Gap::Reason::trigger}));
  EXPECT_EQ(run.log->status().dropped, 0) << "what is left out is not lost";
}

TEST(Trigger, AnEventWithinAWindowExtendsIt) {
  const Recording run(around(1, 2));
  run.give(0, 4);
  run.give(marked(5));
  run.give(6, 6);
  run.give(marked(7));
  run.give(8, 12);
  run.give(marked(13));
  run.give(14, 14);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  EXPECT_THAT(got.steps(), ElementsAre(4, 5, 6, 7, 8, 9, 12, 13, 14));
  EXPECT_THAT(got.gaps,
              ElementsAre(Gap{0, 3, Gap::Reason::trigger}, Gap{10, 11, Gap::Reason::trigger}));
}

TEST(Trigger, EachKindByItself) {
  io::FrameHeader event = header_of(5);
  event.state_events = 1;
  const io::FrameHeader overrun = late(header_of(5), 1_us, io::Cause::device);
  const auto steps = [](bool overruns, bool events, bool commands, const io::FrameHeader& h) {
    config::Record settings = everything();
    settings.trigger = config::Trigger{overruns, events, commands, 0, 0};
    const Recording run(settings);
    run.give(0, 4);
    run.give(h);
    run.give(6, 8);
    Contents got;
    EXPECT_TRUE(read(run.close(), got));
    return got.steps();
  };
  EXPECT_THAT(steps(true, false, false, overrun), ElementsAre(5));
  EXPECT_THAT(steps(false, true, true, overrun), ElementsAre());
  EXPECT_THAT(steps(false, true, false, event), ElementsAre(5));
  EXPECT_THAT(steps(true, false, true, event), ElementsAre());
  EXPECT_THAT(steps(false, false, true, marked(5)), ElementsAre(5));
  EXPECT_THAT(steps(true, true, false, marked(5)), ElementsAre());
}

// Drops are told as such, whatever was left out around them.
TEST(Trigger, DropsWithinTheHistoryAreMarked) {
  const Recording run(around(4, 0));
  run.give(0, 5);
  run.give(8, 9);
  run.give(marked(10));
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  EXPECT_THAT(got.steps(), ElementsAre(4, 5, 8, 9, 10));
  EXPECT_THAT(got.gaps, ElementsAre(Gap{0, 3, Gap::Reason::trigger}, Gap{6, 7, Gap::Reason::ring}));
}

// A drop between steps that were left out: each part of what is missing has its own reason.
TEST(Trigger, DropsBeforeTheHistoryAreMarkedApart) {
  const Recording run(around(1, 0));
  run.give(0, 5);
  run.give(8, 9);
  run.give(marked(10));
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  EXPECT_THAT(got.steps(), ElementsAre(9, 10));
  EXPECT_THAT(got.gaps, ElementsAre(Gap{0, 5, Gap::Reason::trigger}, Gap{6, 7, Gap::Reason::ring},
                                    Gap{8, 8, Gap::Reason::trigger}));
}

TEST(Trigger, AHistoryThatDoesNotFitIsRefused) {
  const auto log = FrameLog::create(std::make_unique<mcap::MemoryOutput>(), description_of_run(),
                                    layout_of_run, around(1'000'000'000, 0));
  ASSERT_FALSE(log);
  EXPECT_THAT(log.error().message, HasSubstr("record.trigger.before: 1000000000 frames"));
}

}  // namespace
}  // namespace hild::framelog
