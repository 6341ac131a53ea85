// SPDX-License-Identifier: Apache-2.0
/// \file
/// What was written to lines that other nodes hear of is recorded as it was written, with its
/// instant: at the tick, early, within the step, and where safe values stand instead.
#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

struct RecordedWrite {
  std::int64_t frame;
  MonoTime at;
  double x;
  bool operator==(const RecordedWrite&) const = default;
};

/// Of the first line, by the records of a run of so many frames.
std::vector<RecordedWrite> writes_of(Rig& rig, std::int64_t frames) {
  rig.sampler.lines_heard = 1;
  const io::FrameLayout layout = exec::FrameLoop::layout(rig.plant, 0, 0, 1, false, 1);
  rt::SlotRing ring(layout.bytes(), static_cast<std::size_t>(2 * frames + 8));
  exec::FrameLoop loop(
      rig.settings,
      {rig.clock, rig.sampler, rig.plant, plain_inputs(1), {0.0}, &rig.events, &ring});
  EXPECT_EQ(static_cast<int>(loop.run(Rig::start, frames, rig.stop).end),
            static_cast<int>(exec::End::duration));
  std::vector<RecordedWrite> all;
  for (; const std::byte* slot = ring.front(); ring.release()) {
    const io::FrameView record(layout, slot);
    for (std::size_t w = 0; w < record.writes(); ++w) {
      all.push_back({record.header().frame, record.written_at(w), record.written(w)[0]});
    }
  }
  return all;
}

/// What the devices were given.
std::vector<RecordedWrite> given(const Rig& rig) {
  std::vector<RecordedWrite> all;
  for (const FakeSampler::Write& w : rig.sampler.writes) {
    const std::int64_t frame = (w.at - Rig::start).ns / 1'000'000;
    all.push_back({frame, w.at, w.y[0]});
  }
  return all;
}

TEST(Writes, AreThoseOfTheTick) {
  Rig rig(numerics::rtam2, [](double t) { return t; });
  rig.sampler.cost = 30_us;
  const auto recorded = writes_of(rig, 5);
  ASSERT_EQ(recorded.size(), 5U);
  EXPECT_EQ(recorded, given(rig));
}

TEST(Writes, EarlyOnesAreOfTheStepThatMadeThem) {
  Rig rig(numerics::rtam2, [](double t) { return t; });
  rig.settings.outputs = exec::OutputTime::early;
  rig.plant.pass_cost = 100_us;
  const auto recorded = writes_of(rig, 5);
  ASSERT_EQ(recorded.size(), rig.sampler.writes.size());
  EXPECT_EQ(recorded, given(rig));
  EXPECT_GT(recorded[1].at, frame_time(0.1));
}

}  // namespace
}  // namespace hild::testing
