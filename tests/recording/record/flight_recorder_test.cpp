// SPDX-License-Identifier: Apache-2.0
#include "recording/record/flight_recorder.hpp"

#include <gtest/gtest.h>

#include "records.hpp"

namespace hild::record {
namespace {

/// Works so long in its device and passes, and waits besides.
io::FrameHeader working(std::int64_t frame, Duration work) {
  io::FrameHeader h = header(frame);
  set_phase(h, io::Phase::device, work / 2);
  set_phase(h, io::Phase::passes, work - work / 2);
  set_phase(h, io::Phase::wait, 300_us);
  set_phase(h, io::Phase::idle, 400_us);
  return h;
}

TEST(FlightRecorder, KeepsTheNewestSteps) {
  FlightRecorder flight(3);
  EXPECT_TRUE(flight.steps().empty());
  for (std::int64_t n = 0; n < 5; ++n) flight.note(working(n, 100_us));
  const auto steps = flight.steps();
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].step, 2);
  EXPECT_EQ(steps[2].step, 4);
  EXPECT_EQ(steps[2].lateness, -400_us);
  EXPECT_EQ(steps[2].phases, working(4, 100_us).phases);
}

// Frames of 1 ms: 100, 200 and 600 us of work; waiting is none.
TEST(FlightRecorder, UtilisationIsWorkOverTheLengthOfTheFrames) {
  FlightRecorder flight(100);
  EXPECT_EQ(flight.utilisation(), 0);
  flight.note(working(0, 100_us));
  flight.note(working(1, 200_us));
  flight.note(working(2, 600_us));
  EXPECT_NEAR(flight.utilisation(), 0.3, 1e-12);
  flight.note(doubled(working(3, 100_us)));  // 1000 us of work in 5 ms
  EXPECT_NEAR(flight.utilisation(), 0.2, 1e-12);
}

TEST(FlightRecorder, FrozenFramesAreNoSteps) {
  FlightRecorder flight(4);
  io::FrameHeader h = working(0, 100_us);
  h.frozen = true;
  flight.note(h);
  EXPECT_TRUE(flight.steps().empty());
}

}  // namespace
}  // namespace hild::record
