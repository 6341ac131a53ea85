// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is taken of the recording of a node. Its frames are of 1 ms, from 5 s of its clock on, of
/// which TAI is 1.7e18 ns ahead.
#include "recording/join/node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "recording/framelog/runs.hpp"

namespace hild::join {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::int64_t ahead_ns = 1'700'000'000'000'000'000;

/// Two lines that are heard, one input of the second of two groups.
const io::FrameLayout layout_of_node{1, 1, 2, 1, 2, 1, 0, 2, 0, 2};

framelog::Links links_of_node() {
  framelog::ReceivedSignal torque{{42, "rig", "load", "torque"}, "torque", "N m", "N m", 0, 1};
  return {"motor",
          {{{42, "rig", "motor", "speed"}, "w", "rad/s"}, {{42, "rig", "motor", "on"}, "on", "1"}},
          {torque}};
}

framelog::Description description_of_node() {
  framelog::Description d;
  d.program = "hild test";
  d.clock = {MonoTime{} + 5_s, ahead_ns};
  d.clock.tai_ahead = Duration{ahead_ns};
  d.signals = {{{"torque", "N m"}}, {{"w", "rad/s"}, {"on", ""}}, {{"w", "rad/s"}}, {}};
  d.images.inputs = {{.group = 1}};
  d.attachments = {{1, 2, std::string(framelog::links_attachment), "application/json",
                    framelog::to_json(links_of_node())}};
  return d;
}

/// A log of it, in memory.
class NodeLog {
 public:
  explicit NodeLog(const framelog::Description& d = description_of_node()) {
    config::Record settings;
    settings.file = "node.mcap";
    settings.inputs.assign(1, true);
    settings.outputs.assign(2, true);
    settings.states.assign(1, true);
    framelog::LogOptions options;
    options.wait = true;
    log_ = *framelog::FrameLog::create(std::make_unique<framelog::SharedOutput>(memory_), d,
                                       layout_of_node, settings, std::move(options));
  }
  /// A step that begins 3 us behind its tick, with so many writes, the first with its image.
  NodeLog& step(std::int64_t step, std::size_t writes = 1) {
    std::vector<std::uint64_t> memory(layout_of_node.bytes() / 8 + 1);
    auto* const place = reinterpret_cast<std::byte*>(memory.data());
    io::FrameSlot slot(layout_of_node, place);
    slot.begin();
    io::FrameHeader& h = slot.header();
    h.step = h.frame = step;
    h.t = SimTime{} + 1_ms * step;
    h.due = MonoTime{} + 5_s + 1_ms * step;
    h.start = h.due + 3_us;
    h.end = h.due + 500_us;
    h.deadline = h.due + 1_ms;
    h.lateness = h.end - h.deadline;
    h.passes = 1;
    for (std::size_t w = 0; w < writes; ++w) {
      const auto values = slot.write(h.start + 10_us * static_cast<std::int64_t>(w));
      if (values.empty()) continue;
      values[0] = static_cast<double>(step) / 3;
      values[1] = static_cast<double>(w);
    }
    slot.image(std::array{h.start, h.due - 2_ms}, false,
               std::array{0.1 * static_cast<double>(step)});
    slot.pass(0, h.due, 1_us, std::array{0.1 * static_cast<double>(step)});
    slot.outputs(std::array{0.0, 0.0});
    slot.states(std::array{0.0}, std::array<io::Interval, 1>{});
    log_->frame(io::FrameView(layout_of_node, place));
    return *this;
  }
  [[nodiscard]] Result<NodeRecord> read() {
    log_->flush();
    mcap::MemorySource source(memory_->bytes);
    return read_node(source, "node.mcap");
  }

 private:
  std::shared_ptr<mcap::MemoryOutput> memory_ = std::make_shared<mcap::MemoryOutput>();
  std::unique_ptr<framelog::FrameLog> log_;
};

TaiTime tai_of(Duration after_5_s) { return {ahead_ns + 5'000'000'000 + after_5_s.ns}; }

TEST(Node, HasWhatWasSentAndReceivedOnTai) {
  const auto node = NodeLog().step(0).step(1, 2).step(2, 0).read();
  ASSERT_TRUE(node) << node.error().message;
  EXPECT_EQ(node->name, "motor");
  EXPECT_EQ(node->frame, Duration(1_ms));
  EXPECT_EQ(node->first, tai_of(0_us));
  EXPECT_EQ(node->last, tai_of(2'500_us));
  ASSERT_THAT(node->writes, SizeIs(3));
  EXPECT_EQ(node->writes[1].at, tai_of(1'003_us));
  EXPECT_EQ(node->writes[2].at, tai_of(1'013_us));
  EXPECT_EQ(node->writes[2].frame, 1);
  EXPECT_THAT(node->written, ElementsAre(0, 0, 1.0 / 3, 0, 1.0 / 3, 1));
  ASSERT_THAT(node->looks, SizeIs(3));
  EXPECT_EQ(node->looks[2].at, tai_of(2'003_us));
  EXPECT_EQ(node->looks[2].t, 0.002);
  EXPECT_TRUE(node->looks[2].tick);
  EXPECT_EQ(node->made[2], tai_of(0_us));
  EXPECT_THAT(node->received, ElementsAre(0.0, 0.1, 0.2));
  EXPECT_TRUE(node->missing.empty());
  EXPECT_EQ(node->on_its_clock(node->first), MonoTime{} + 5_s);
  EXPECT_EQ(node->instant_of(0), std::min(node->looks[0].at, node->writes[0].at));
  EXPECT_EQ(node->instant_of(2), node->looks[2].at) << "it has written nothing in it";
  EXPECT_EQ(node->instant_of(3), node->last);
}

TEST(Node, KnowsWhatItsRecordingLacks) {
  const auto node = NodeLog().step(0).step(5).step(6, io::most_writes + 1).read();
  ASSERT_TRUE(node) << node.error().message;
  ASSERT_THAT(node->missing, SizeIs(2));
  EXPECT_FALSE(node->covers(tai_of(3_ms)));
  EXPECT_TRUE(node->covers(tai_of(5'300_us)));
  EXPECT_FALSE(node->covers(tai_of(6'200_us))) << "more was written than is recorded";
  EXPECT_FALSE(node->covers(tai_of(9_ms)));
  EXPECT_THAT(node->writes, SizeIs(2 + io::most_writes));
}

TEST(Node, RefusesWhatCannotBeJoined) {
  const auto why_not = [](auto change) {
    framelog::Description d = description_of_node();
    change(d);
    const auto node = NodeLog(d).step(0).read();
    return node ? "read" : node.error().message;
  };
  EXPECT_EQ(why_not([](auto&) {}), "read");
  EXPECT_THAT(why_not([](auto& d) {
                d.run = {{"offline", "true"}};
              }),
              HasSubstr("node.mcap: it is of an offline run, which sends nothing"));
  EXPECT_THAT(why_not([](auto& d) {
                d.run = {{"frames", "notable"}};
              }),
              HasSubstr("expected every frame: record it with `record: {frames: all}`"));
  EXPECT_THAT(why_not([](auto& d) { d.clock.tai_ahead.reset(); }),
              HasSubstr("does not say how far TAI was ahead of its clock"));
  EXPECT_THAT(why_not([](auto& d) { d.attachments.clear(); }),
              HasSubstr("exchanges nothing with other nodes"));
  EXPECT_THAT(why_not([](auto& d) { d.attachments[0].data = "{\"node\": 3}"; }),
              HasSubstr("links.json cannot be used"));
  EXPECT_THAT(why_not([](auto& d) {
                framelog::Links links = links_of_node();
                links.sent.pop_back();
                d.attachments[0].data = framelog::to_json(links);
              }),
              HasSubstr("is not what its steps hold"));
  const auto empty = NodeLog().read();
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message, HasSubstr("it holds no whole frames"));
  mcap::MemorySource source("not a recording");
  EXPECT_THAT(read_node(source, "x.txt").error().message, HasSubstr("x.txt: "));
}

}  // namespace
}  // namespace hild::join
