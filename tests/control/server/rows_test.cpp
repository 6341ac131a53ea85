// SPDX-License-Identifier: Apache-2.0
/// \file
/// From records to rows, without a run: which steps, what is lost, and how it is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <cmath>

#include "control/server/clients.hpp"
#include "control/server/refused.hpp"
#include "control/server/subscriptions.hpp"

namespace hild::server {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;

constexpr std::array states{model::State{"x"}};
constexpr std::array inputs{model::Input{"u", "V"}};
constexpr std::array outputs{model::Output{"y", "m"}};

class Reader final : public Client {
 public:
  void answer(std::string) override {}
  [[nodiscard]] bool can_subscribe() const override { return true; }
  [[nodiscard]] bool keeps_up() const override { return reads; }
  void notify(std::string text) override { texts.push_back(std::move(text)); }
  void finish() override {}
  void close() override {}

  /// The newest message.
  [[nodiscard]] json::object params() const {
    return json::parse(texts.back()).at("params").as_object();
  }

  bool reads = true;
  std::vector<std::string> texts;
};

class Rows : public ::testing::Test {
 protected:
  /// A record of step n, which starts at frame n and 1 ms n.
  void step(std::int64_t n, double u = 1, bool frozen = false) {
    std::vector<double> memory(layout.bytes() / sizeof(double));  // aligned as in a ring
    auto* const bytes = reinterpret_cast<std::byte*>(memory.data());
    io::FrameSlot slot(layout, bytes);
    slot.begin();
    slot.header().step = slot.header().frame = n;
    slot.header().t = {n * 1'000'000};
    slot.header().due = {5'000'000'000 + n * 1'000'000};
    slot.header().deadline = slot.header().due + 1_ms;
    slot.header().passes = frozen ? 0 : 2;
    slot.header().frozen = frozen;
    slot.pass(0, {}, {}, std::array{-1.0});
    slot.pass(1, {500}, {}, std::array{u});
    slot.outputs(std::array{10.0 + static_cast<double>(n)});
    slot.states(std::array{0.5 * static_cast<double>(n)}, std::array<io::Interval, 1>{});
    tap.frame(io::FrameView(layout, bytes));
  }
  void steps(std::int64_t first, std::int64_t last) {
    for (std::int64_t n = first; n <= last; ++n) step(n);
  }
  json::object subscribe(const json::object& params) {
    Params read(params);
    return subscriptions.subscribe(read, reader, first_frame);
  }
  std::vector<std::int64_t> frames() {
    std::vector<std::int64_t> all;
    const json::object params = reader->params();
    for (const auto& v : params.at("frame").as_array()) all.push_back(v.as_int64());
    return all;
  }

  boost::asio::io_context io;
  io::FrameLayout layout{2, 1, 1, 1};
  SampleTap tap{layout, 1000, 0.064};  // room for 64
  Names names{model::Description{
      .name = "m", .summary = "", .states = states, .inputs = inputs, .outputs = outputs}};
  Subscriptions subscriptions{io, tap, names, 1000};
  std::int64_t first_frame = 0;
  std::shared_ptr<Reader> reader = std::make_shared<Reader>();
};

TEST_F(Rows, AreWrittenAsTheDocumentShows) {
  subscribe({{"names", {"y", "u", "x"}}, {"every", 2}});
  steps(100, 103);
  subscriptions.send();
  ASSERT_EQ(reader->texts.size(), 1U);
  EXPECT_EQ(json::parse(reader->texts[0]), json::parse(R"({"jsonrpc": "2.0", "method": "samples",
    "params": {"subscription": 1, "frame": [100, 102], "time_s": [0.101, 0.103],
               "values": [[110, 1, 50], [112, 1, 51]], "lost": 0}})"));
}

TEST_F(Rows, HaveNullForWhatJsonCannotHold) {
  subscribe({{"names", {"u", "x"}}});
  step(0, NAN);
  subscriptions.send();
  EXPECT_EQ(reader->params().at("values"), json::parse("[[null, 0]]"));
}

TEST_F(Rows, AreOfEveryNthStepAcrossMessages) {
  subscribe({{"names", {"u", "x"}}, {"every", 3}});
  steps(7, 11);
  subscriptions.send();
  EXPECT_THAT(frames(), ElementsAre(7, 10));
  steps(12, 17);
  subscriptions.send();
  EXPECT_THAT(frames(), ElementsAre(13, 16));
  steps(18, 18);
  subscriptions.send();
  EXPECT_EQ(reader->texts.size(), 2U) << "nothing is due";
}

TEST_F(Rows, OfFrozenFramesThereAreNone) {
  subscribe({{"names", {"u", "x"}}, {"every", 1}});
  step(0);
  for (int i = 0; i < 5; ++i) step(1, 1, true);
  step(1);
  subscriptions.send();
  EXPECT_THAT(frames(), ElementsAre(0, 1));
  EXPECT_EQ(reader->params().at("lost"), 0);
}

TEST_F(Rows, ThatNeverArriveAreLost) {
  subscribe({{"names", {"u", "x"}}, {"every", 10}});
  step(0);
  step(25);  // 10 and 20 are gone
  step(30);
  step(61);  // 40, 50, 60
  step(70);
  subscriptions.send();
  EXPECT_THAT(frames(), ElementsAre(0, 30, 70));
  EXPECT_EQ(reader->params().at("lost"), 5);
  EXPECT_EQ(subscriptions.lost(), 5);
}

TEST_F(Rows, ThatTheRingHasNoRoomForAreLost) {
  subscribe({{"names", {"u", "x"}}, {"every", 1}});
  steps(0, 99);  // 64 fit
  subscriptions.send();
  EXPECT_EQ(frames().size(), 64U);
  EXPECT_EQ(reader->params().at("lost"), 0) << "not known yet";
  steps(100, 101);
  subscriptions.send();
  EXPECT_THAT(frames(), ElementsAre(100, 101));
  EXPECT_EQ(reader->params().at("lost"), 36);
}

TEST_F(Rows, OfASlowReaderAreLostAndTold) {
  subscribe({{"names", {"u", "x"}}, {"every", 1}});
  reader->reads = false;
  steps(0, 9);
  subscriptions.send();
  steps(10, 14);
  subscriptions.send();
  EXPECT_TRUE(reader->texts.empty());
  reader->reads = true;
  steps(15, 16);
  subscriptions.send();
  EXPECT_THAT(frames(), ElementsAre(15, 16));
  EXPECT_EQ(reader->params().at("lost"), 15);
  step(17);
  subscriptions.send();
  EXPECT_EQ(reader->params().at("lost"), 0) << "told once";
  EXPECT_EQ(subscriptions.lost(), 15);
}

TEST_F(Rows, AreNotCopiedForNobody) {
  steps(0, 9);
  subscribe({{"names", {"u", "x"}}, {"every", 1}});
  step(10);
  subscriptions.send();
  EXPECT_THAT(frames(), ElementsAre(10));
  subscriptions.forget(*reader);
  steps(11, 20);
  tap.drain([](const SampleTap::Sample&) { ADD_FAILURE() << "nobody wanted it"; });
  EXPECT_EQ(subscriptions.size(), 0U);
  // What was left from before is nobody's either.
  subscribe({{"names", {"u", "x"}}, {"every", 1}});
  step(30);
  subscriptions.forget(*reader);
  subscribe({{"names", {"u", "x"}}, {"every", 1}});
  step(40);
  subscriptions.send();
  EXPECT_THAT(frames(), ElementsAre(40));
  EXPECT_EQ(reader->params().at("lost"), 0);
}

TEST_F(Rows, OfStepsBeforeItWasAskedAreNotSent) {
  first_frame = 12;
  subscribe({{"names", {"u", "x"}}, {"every", 2}});
  steps(9, 16);
  subscriptions.send();
  EXPECT_THAT(frames(), ElementsAre(12, 14, 16));
  EXPECT_EQ(reader->params().at("lost"), 0);
}

TEST_F(Rows, OfAReaderThatHasGoneAreNobodys) {
  subscribe({{"names", {"u", "x"}}, {"every", 1}});
  reader.reset();
  step(0);
  subscriptions.send();
  EXPECT_EQ(subscriptions.lost(), 1);
}

}  // namespace
}  // namespace hild::server
