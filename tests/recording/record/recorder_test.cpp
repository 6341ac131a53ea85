// SPDX-License-Identifier: Apache-2.0
#include "recording/record/recorder.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hild::record
