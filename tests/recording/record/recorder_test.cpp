// SPDX-License-Identifier: Apache-2.0
#include "recording/record/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "records.hpp"

namespace hild::record {
namespace {

class Collector final : public Sink {
 public:
  void frame(const io::FrameView& record) override {
    frames.push_back(record.header().frame);
    outputs.push_back(record.outputs()[0]);
    flushed = 0;
  }
  void flush() override { ++flushed; }

  std::vector<std::int64_t> frames;
  std::vector<double> outputs;
  int flushed = 0;
};

class Failing final : public Sink {
 public:
  void frame(const io::FrameView& /*record*/) override {
    if (++calls == 2) throw std::runtime_error("disk full");
  }
  void flush() override { ++flushed; }

  int calls = 0;
  int flushed = 0;
};

bool put(rt::SlotRing& ring, std::int64_t frame) {
  std::byte* const place = ring.claim();
  if (place == nullptr) return false;
  write(place, header(frame), static_cast<double>(frame) / 2);
  ring.publish();
  return true;
}

TEST(Recorder, WithoutAThreadStopDrainsAll) {
  rt::SlotRing ring(one_output.bytes(), 4);
  Collector sink;
  Recorder recorder(ring, one_output, {&sink});
  for (std::int64_t n = 0; n < 3; ++n) ASSERT_TRUE(put(ring, n));
  recorder.stop();
  EXPECT_EQ(sink.frames, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(sink.outputs, (std::vector<double>{0.0, 0.5, 1.0}));
  EXPECT_EQ(sink.flushed, 1);
  EXPECT_EQ(recorder.records(), 3);
  EXPECT_EQ(ring.front(), nullptr);
}

// The loop waits for places, the recorder for records: who rings finds the other at work, and no
// record is refused.
TEST(Recorder, WaitsForRecordsAndGivesPlacesBackToWhoWaits) {
  constexpr std::int64_t all = 200;
  rt::SlotRing ring(one_output.bytes(), 8);
  Collector sink;
  Handover handover;
  Recorder recorder(ring, one_output, {&sink});
  recorder.wait_by(handover);
  ASSERT_TRUE(recorder.start().has_value());
  for (std::int64_t n = 0; n < all; ++n) {
    while (true) {
      const auto before = handover.places.rung();
      if (!ring.full()) break;
      handover.records.ring();
      Duration patience = 60_s;
      ASSERT_TRUE(handover.places.wait(before, patience)) << "no place is given back";
    }
    ASSERT_TRUE(put(ring, n));
  }
  recorder.stop();
  std::vector<std::int64_t> each(all);
  std::iota(each.begin(), each.end(), 0);
  EXPECT_EQ(sink.frames, each);
}

// A ring of 4 slots wraps 50 times; what the producer could put in comes out once and in order.
TEST(Recorder, EveryRecordOnceAndInOrder) {
  constexpr std::int64_t all = 200;
  rt::SlotRing ring(one_output.bytes(), 4);
  Collector first;
  Collector second;
  Recorder recorder(ring, one_output, {&first, &second});
  ASSERT_TRUE(recorder.start().has_value());
  for (std::int64_t n = 0; n < all;) {
    if (put(ring, n)) {
      ++n;
    } else {
      std::this_thread::yield();
    }
  }
  recorder.stop();
  std::vector<std::int64_t> expected(all);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(first.frames, expected);
  EXPECT_EQ(second.frames, expected);
  EXPECT_EQ(first.outputs.back(), 99.5);
  EXPECT_EQ(recorder.records(), all);
  EXPECT_EQ(first.flushed, 1);
}

TEST(Recorder, StopsOnce) {
  rt::SlotRing ring(one_output.bytes(), 4);
  Collector sink;
  {
    Recorder recorder(ring, one_output, {&sink});
    ASSERT_TRUE(recorder.start().has_value());
    recorder.stop();
    recorder.stop();
  }
  EXPECT_EQ(sink.flushed, 1);
}

TEST(Recorder, ASinkThatFailsIsGivenUpAndTheOthersGoOn) {
  rt::SlotRing ring(one_output.bytes(), 8);
  Failing failing;
  Collector good;
  Recorder recorder(ring, one_output, {&failing, &good});
  std::vector<std::string> told;
  std::size_t others_had = 0;
  recorder.on_failure([&](const std::string& why) {
    told.push_back(why);
    others_had = good.frames.size();
  });
  for (std::int64_t n = 0; n < 5; ++n) ASSERT_TRUE(put(ring, n));
  recorder.stop();
  EXPECT_EQ(failing.calls, 2);
  EXPECT_EQ(failing.flushed, 0);
  EXPECT_EQ(good.frames.size(), 5U);
  EXPECT_EQ(recorder.failures(), std::vector<std::string>{"disk full"});
  EXPECT_EQ(told, recorder.failures());
  EXPECT_EQ(others_had, 1U) << "at once, not at the end";
}

/// What it gets, in its order: a step by its number, a keyframe by that below 0.
class InOrder final : public Sink {
 public:
  void frame(const io::FrameView& record) override { all.push_back(record.header().step); }
  void keyframe(const exec::KeyframeView& keyframe) override {
    all.push_back(-keyframe.head.step);
    states.emplace_back(keyframe.state.begin(), keyframe.state.end());
  }
  std::vector<std::int64_t> all;
  std::vector<std::vector<std::byte>> states;
};

bool put_keyframe(rt::SlotRing& ring, std::int64_t step) {
  std::byte* const place = ring.claim();
  if (place == nullptr) return false;
  new (place) exec::KeyframeHead{.step = step, .tick = header(step).due, .bytes = 1};
  place[sizeof(exec::KeyframeHead)] = static_cast<std::byte>(step);
  ring.publish();
  return true;
}

// Of 200 steps every tenth had a keyframe before it; both rings are too small for all.
TEST(Recorder, HandsAKeyframeOverRightBeforeItsStep) {
  constexpr std::int64_t all = 200;
  rt::SlotRing ring(one_output.bytes(), 16);
  rt::SlotRing keyframes(sizeof(exec::KeyframeHead) + 8, 4);
  InOrder sink;
  Recorder recorder(ring, one_output, {&sink});
  recorder.take_keyframes(&keyframes);
  ASSERT_TRUE(recorder.start().has_value());
  for (std::int64_t n = 1; n <= all; ++n) {
    while (n % 10 == 0 && !put_keyframe(keyframes, n)) std::this_thread::yield();
    while (!put(ring, n)) std::this_thread::yield();
  }
  recorder.stop();
  for (std::int64_t n = 10; n <= all; n += 10) {
    const auto keyframe = std::ranges::find(sink.all, -n);
    ASSERT_NE(keyframe, sink.all.end()) << n;
    EXPECT_EQ(std::ranges::find(sink.all, n) - keyframe, 1) << n;
    EXPECT_EQ(sink.states[static_cast<std::size_t>(n / 10 - 1)],
              std::vector{static_cast<std::byte>(n)});
  }
  EXPECT_EQ(sink.all.size(), 220U);
  EXPECT_EQ(recorder.records(), all);
}

// Steps 3 to 6 found no room in the ring.
TEST(Recorder, HandsAKeyframeOverWhoseStepWasDropped) {
  rt::SlotRing ring(one_output.bytes(), 4);
  rt::SlotRing keyframes(sizeof(exec::KeyframeHead) + 8, 4);
  InOrder sink;
  Recorder recorder(ring, one_output, {&sink});
  recorder.take_keyframes(&keyframes);
  for (const std::int64_t n : {1, 2, 7}) ASSERT_TRUE(put(ring, n));
  for (const std::int64_t n : {4, 8}) ASSERT_TRUE(put_keyframe(keyframes, n));
  recorder.stop();
  EXPECT_EQ(sink.all, (std::vector<std::int64_t>{1, 2, -4, 7})) << "the run ended before step 8";
}

}  // namespace
}  // namespace hild::record
