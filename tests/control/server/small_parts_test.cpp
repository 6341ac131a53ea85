// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parts that count and remember, each by itself.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "control/server/active_changes.hpp"
#include "control/server/conversation.hpp"
#include "control/server/interval_counts.hpp"
#include "control/server/model_times.hpp"
#include "control/server/names.hpp"
#include "control/server/overrun_history.hpp"
#include "control/server/rates.hpp"

namespace hild::server {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

TEST(TokenBucket, GivesASecondsWorthAtOnceThenAsTheyCome) {
  TokenBucket bucket(4);
  auto now = TokenBucket::Clock::time_point(1000s);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(bucket.take(now)) << i;
  EXPECT_FALSE(bucket.take(now));
  EXPECT_DOUBLE_EQ(bucket.wait().count(), 0.25);
  now += 125ms;
  EXPECT_FALSE(bucket.take(now));
  EXPECT_DOUBLE_EQ(bucket.wait().count(), 0.125);
  now += 125ms;
  EXPECT_TRUE(bucket.take(now));
  EXPECT_FALSE(bucket.take(now));
  now += 3600s;  // no more than a second's is kept
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(bucket.take(now)) << i;
  EXPECT_FALSE(bucket.take(now));
}

TEST(ModelTimes, AreOfEachPlaceInTheListOfAFrame) {
  const io::FrameLayout layout{0, 0, 0, 0, 0, 0, 0, 1, 3};
  std::vector<std::uint64_t> place(layout.bytes() / 8);
  io::FrameSlot slot(layout, reinterpret_cast<std::byte*>(place.data()));
  ModelTimes times;
  const auto frame = [&](std::int64_t step, const std::vector<io::ModelRun>& runs) {
    slot.begin();
    slot.header().step = step;
    for (const io::ModelRun& run : runs) slot.run(step, run);
    times.frame(slot.view());
  };
  frame(1, {{10_us, 5000, 0, -1}, {11_us, 7000, 1, 0}});
  frame(2, {{12_us, 5000, 0, -1}, {19_us, 7000, 1, -1}});
  frame(3, {});                     // a frozen frame, in whose slot the runs of another are
  frame(4, {{10_us, 9000, 1, 0}});  // model 0 was set aside: it is not the first place's
  std::vector<std::string> seen;
  times.each([&](const ModelTimes::Runs& runs) {
    seen.push_back(fmt::format("{} by {}: {} from {} to {}", runs.model, runs.worker,
                               runs.took.count(), runs.start.min().ns, runs.start.max().ns));
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"0 by -1: 2 from 10000 to 12000",
                                            "1 by -1: 2 from 11000 to 19000"}));
}

// Steps in the background are in the records they are taken over in, and move nobody's place.
TEST(ModelTimes, OfTheBackgroundAreOfEachModel) {
  const io::FrameLayout layout{0, 0, 0, 0, 0, 0, 0, 1, 3};
  std::vector<std::uint64_t> place(layout.bytes() / 8);
  io::FrameSlot slot(layout, reinterpret_cast<std::byte*>(place.data()));
  ModelTimes times;
  for (std::int64_t step = 1; step <= 4; ++step) {
    slot.begin();
    slot.header().step = step;
    if (step % 2 == 0) slot.run(step, {-20_us, 7000, 2, io::in_background});
    if (step % 4 == 0) slot.run(step, {-40_us, 9000, 1, io::in_background});
    slot.run(step, {10_us, 5000, 0, -1});
    times.frame(slot.view());
  }
  std::vector<std::string> seen;
  times.each([&](const ModelTimes::Runs& runs) {
    seen.push_back(fmt::format("{}{}: {} of {}", runs.model,
                               runs.worker == io::in_background ? " in the background" : "",
                               runs.took.count(), runs.took.max().ns));
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"0: 4 of 5000", "2 in the background: 2 of 7000",
                                            "1 in the background: 1 of 9000"}));
}

TEST(Outbox, CountsWhatIsOnItsWay) {
  Outbox box;
  EXPECT_FALSE(box.waiting());
  box.push("12345");
  box.push("678");
  box.push("9");
  EXPECT_EQ(box.bytes(), 9U);
  EXPECT_EQ(box.take(2), (std::vector<std::string>{"12345", "678"}));
  EXPECT_TRUE(box.waiting());
  EXPECT_EQ(box.bytes(), 9U);
  box.sent(8);
  EXPECT_EQ(box.bytes(), 1U);
  EXPECT_EQ(box.take(64).size(), 1U);
  EXPECT_FALSE(box.waiting());
}

/// Feeds headers alone.
struct History {
  void step(std::int64_t n, Duration lateness, int span = 1) {
    std::vector<double> memory(layout.bytes() / sizeof(double));  // aligned as in a ring
    auto* const bytes = reinterpret_cast<std::byte*>(memory.data());
    io::FrameSlot slot(layout, bytes);
    slot.begin();
    slot.header().step = n;
    slot.header().lateness = lateness;
    slot.header().span = span;
    all.frame(io::FrameView(layout, bytes));
  }
  io::FrameLayout layout{0, 0, 0, 0};
  OverrunHistory all;
};

TEST(OverrunHistory, KeepsOverrunsWithTheSpanOfTheStepAfterThem) {
  History h;
  h.step(0, -1_us);
  h.step(1, 5_us);
  h.step(2, 7_us, 2);
  h.step(3, -1_us, 2);
  h.step(4, 1_us);
  h.step(6, -1_us, 2);  // step 5 was dropped: what covered 4 is not known
  const auto found = h.all.newest(10, 0);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].header.step, 1);
  EXPECT_EQ(found[0].next_span, 2);
  EXPECT_EQ(found[1].header.step, 2);
  EXPECT_EQ(found[1].next_span, 2);
  EXPECT_EQ(found[2].next_span, 0);
  EXPECT_EQ(h.all.newest(1, 0).at(0).header.step, 4);
  EXPECT_EQ(h.all.newest(10, 2).size(), 2U);
  EXPECT_TRUE(h.all.newest(10, 5).empty());
}

TEST(OverrunHistory, KeepsTheNewestThousand) {
  History h;
  for (int n = 0; n < 2500; ++n) h.step(n, 1_us);
  const auto found = h.all.newest(5000, 0);
  ASSERT_EQ(found.size(), OverrunHistory::kept);
  EXPECT_EQ(found.front().header.step, 1500);
  EXPECT_EQ(found.back().header.step, 2499);
  EXPECT_EQ(h.all.seen(), 2500);
}

constexpr std::array two_inputs{model::Input{"u"}, model::Input{"w"}};
constexpr std::array one_output{model::Output{"y"}};

TEST(ActiveChanges, FollowsWhatTookEffect) {
  const Names names(
      model::Description{.name = "m", .summary = "", .inputs = two_inputs, .outputs = one_output});
  ActiveChanges f;
  using enum exec::OverrideKind;
  f.apply(exec::Override{.signal = 1, .kind = gain, .value = 2}, 10, {});
  f.apply(exec::Override{.signal = 1, .kind = stuck, .value = 3, .frames = 5}, 10, {});
  f.apply(exec::Override{.side = exec::Side::output, .signal = 0, .kind = noise, .value = 1}, 10,
          {});
  EXPECT_EQ(f.overrides(names, 14).size(), 3U);
  EXPECT_EQ(f.overrides(names, 15).size(), 2U) << "five frames from 10 on";
  f.apply(exec::Override{.signal = 1, .kind = gain, .value = 7}, 20, {});
  EXPECT_EQ(f.overrides(names, 20).at(0).at("value"), 7.0) << "asking again replaces";
  f.apply(exec::ReleaseOverride{exec::Side::input, 1}, 30, {});
  EXPECT_EQ(f.overrides(names, 30),
            json::parse(R"([{"signal": "y", "kind": "noise", "value": 1.0}])"));
  f.apply(exec::Stimulus{.input = 0, .shape = exec::Shape::ramp, .duration = 1_s}, 40, {5});
  EXPECT_EQ(f.stimuli(names, SimTime{5} + Duration{999'999'999}).size(), 1U);
  EXPECT_EQ(f.stimuli(names, SimTime{5} + 1_s).size(), 0U);
  f.apply(exec::Stimulus{.input = 0, .shape = exec::Shape::sine}, 50, {6});
  EXPECT_EQ(f.stimuli(names, {7}).at(0).at("shape"), "sine");
  f.apply(exec::StopStimulus{0}, 60, {8});
  EXPECT_EQ(f.stimuli(names, {9}).size(), 0U);
  f.apply(exec::Reset{true}, 70, {});  // leaves them alone
  EXPECT_EQ(f.overrides(names, 70).size(), 1U);
}

TEST(Names, TheShortestTellsApart) {
  constexpr std::array states{model::State{"u", "V"}, model::State{"x", "m"}};
  const Names names(model::Description{
      .name = "m", .summary = "", .states = states, .inputs = two_inputs, .outputs = one_output});
  EXPECT_EQ(names.shortest({Kind::input, 0}), "input:u");
  EXPECT_EQ(names.shortest({Kind::state, 0}), "state:u");
  EXPECT_EQ(names.shortest({Kind::state, 1}), "x");
  EXPECT_EQ(names.find("state:u", all_kinds, "names"), (Place{Kind::state, 0}));
  EXPECT_EQ(names.find("y", all_kinds, "names"), (Place{Kind::output, 0}));
  EXPECT_EQ(names.unit({Kind::state, 0}), "V");
}

TEST(Quantiles, CountsLieBetweenTheirEdges) {
  exec::Histogram h;
  for (const auto d : {0_ns, 50_ns, 3_us, 3_us, 700_us, 20_s}) h.add(d);
  const Duration edges[] = {1_us, 10_us, 1_ms, 1_s};
  EXPECT_EQ(counts_between(h, edges), (std::vector<std::int64_t>{2, 2, 1, 0, 1}));
}

}  // namespace
}  // namespace hild::server
