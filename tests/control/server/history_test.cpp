// SPDX-License-Identifier: Apache-2.0
#include "control/server/history.hpp"

#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "control/server/params.hpp"
#include "control/server/refused.hpp"

namespace hild::testing {
namespace {

using server::History;
using ::testing::ElementsAre;

constexpr std::array history_states{model::State{"x", "m"}};
constexpr std::array history_inputs{model::Input{"u", "V"}};
constexpr std::array history_outputs{model::Output{"y", "rad/s"}};
constexpr std::array history_parameters{model::Parameter{.name = "p"}};

/// Of a run of 100 Hz, of which every step is kept.
class HistoryOfARun : public ::testing::Test {
 protected:
  /// Step n starts at frame n + 7 and ends at 10 ms (n + 1).
  void step(std::int64_t n) {
    std::vector<double> memory(layout.bytes() / sizeof(double));  // aligned as in a ring
    auto* const bytes = reinterpret_cast<std::byte*>(memory.data());
    io::FrameSlot slot(layout, bytes);
    slot.begin();
    slot.header().step = n;
    slot.header().frame = n + 7;
    slot.header().t = {n * 10'000'000};
    slot.header().deadline = slot.header().due + 10_ms;
    slot.header().passes = 1;
    const auto value = static_cast<double>(n);
    slot.pass(0, {}, {}, std::array{-value});
    slot.outputs(std::array{2 * value});
    slot.states(std::array{0.5 * value}, std::array<io::Interval, 1>{});
    history.tap().frame(io::FrameView(layout, bytes));
  }
  void steps(std::int64_t first, std::int64_t last) {
    for (std::int64_t n = first; n <= last; ++n) {
      step(n);
      if (n % 50 == 0) history.take();
    }
    history.take();
  }
  json::object ask(const json::object& params) {
    server::Params read(params);
    return history.answer(read).as_object();
  }
  std::vector<std::int64_t> frames(const json::object& params) {
    return json::value_to<std::vector<std::int64_t>>(ask(params).at("frame"));
  }

  boost::asio::io_context io;
  io::FrameLayout layout{1, 1, 1, 1};
  model::Description description{.name = "m",
                                 .summary = "",
                                 .states = history_states,
                                 .inputs = history_inputs,
                                 .outputs = history_outputs,
                                 .parameters = history_parameters};
  server::Names names{description};
  History history{io, layout, names, 100};
};

TEST_F(HistoryOfARun, IsWrittenAsTheDocumentShows) {
  history.start();
  steps(0, 1);
  EXPECT_EQ(ask({{"names", {"y", "u", "x"}}}), json::parse(R"({
    "names": ["y", "u", "x"], "units": ["rad/s", "V", "m"], "every": 1, "reach_s": 60.0,
    "frame": [7, 8], "time_s": [0.01, 0.02], "values": [[0.0, -0.0, 0.0], [2.0, -1.0, 0.5]], "changes": [],
    "state_events": []})")
                                                   .as_object());
}

TEST_F(HistoryOfARun, IsOfTheLastMinute) {
  history.start();
  steps(0, 7000);
  const std::vector<std::int64_t> kept = frames({{"names", {"y"}}});
  ASSERT_EQ(kept.size(), 6001U);  // both ends of 60 s
  EXPECT_EQ(kept.front(), 1007);
  EXPECT_EQ(kept.back(), 7007);
}

TEST_F(HistoryOfARun, IsShorterWhereThatIsAskedFor) {
  history.start();
  steps(0, 100);
  EXPECT_THAT(frames({{"names", {"y"}}, {"last_s", 0.02}}), ElementsAre(105, 106, 107));
  EXPECT_THAT(frames({{"names", {"y"}}, {"last_s", "20 ms"}}), ElementsAre(105, 106, 107));
}

TEST_F(HistoryOfARun, IsThinnedToTheRowsAskedFor) {
  history.start();
  steps(0, 100);
  const json::object answer = ask({{"names", {"y"}}, {"rows", 3}});
  // 101 rows: every 34th step.
  EXPECT_EQ(answer.at("every"), 34);
  EXPECT_EQ(answer.at("values"), json::parse("[[0.0], [68.0], [136.0]]"));
}

TEST_F(HistoryOfARun, HasNoRowsWithoutNames) {
  history.start();
  steps(0, 3);
  EXPECT_THAT(frames({}), ElementsAre());
}

TEST_F(HistoryOfARun, IsThatOfAnotherPastAfterARewind) {
  history.start();
  steps(100, 110);
  steps(20, 22);
  EXPECT_THAT(frames({{"names", {"y"}}}), ElementsAre(27, 28, 29));
}

TEST_F(HistoryOfARun, IsKeptOnlyBetweenStartAndEnd) {
  steps(0, 3);
  history.start();
  steps(4, 5);
  history.close();
  steps(6, 9);
  EXPECT_THAT(frames({{"names", {"y"}}}), ElementsAre(11, 12));
}

TEST_F(HistoryOfARun, TellsWhatIsWrongWithARequest) {
  history.start();
  for (const json::object& wrong :
       {json::object{{"names", {"z"}}}, json::object{{"last_s", 61}}, json::object{{"last_s", -1}},
        json::object{{"rows", 0}}, json::object{{"since", 1}}}) {
    EXPECT_THROW(ask(wrong), server::Refused) << json::serialize(wrong);
  }
}

TEST_F(HistoryOfARun, NamesTheChangesThatTookEffect) {
  history.start();
  exec::Transaction made;
  ASSERT_TRUE(made.add(exec::Override{
      .side = exec::Side::output, .signal = 0, .kind = exec::OverrideKind::stuck, .value = 42}));
  ASSERT_TRUE(made.add(exec::Mark{}));
  history.note(made, 3, SimTime{30'000'000});
  EXPECT_EQ(ask({}).at("changes"), json::parse(R"([
    {"frame": 3, "time_s": 0.03, "is": "fault", "words": "override y stuck 42"},
    {"frame": 3, "time_s": 0.03, "is": "change", "words": "mark 1"}])"));
  // Those before the time that is looked at are not told.
  steps(0, 9);
  EXPECT_EQ(ask({{"last_s", 0.05}}).at("changes").as_array().size(), 0U);
}

TEST_F(HistoryOfARun, TellsWhatAParameterWasSetTo) {
  history.start();
  exec::Transaction made;
  ASSERT_TRUE(made.add(exec::SetParameter{.parameter = 0, .value = 0.123456789}));
  history.note(made, 3, SimTime{30'000'000});
  EXPECT_EQ(ask({}).at("changes"), json::parse(R"([
    {"frame": 3, "time_s": 0.03, "is": "change", "words": "set p 0.123457",
     "set": {"name": "p", "value": 0.123456789}}])"));
}

TEST_F(HistoryOfARun, TellsWhatAMarkIsCalled) {
  history.start();
  exec::Transaction made;
  ASSERT_TRUE(made.add(exec::Resume{}));
  ASSERT_TRUE(made.add(exec::Mark{4}));
  history.note(made, 3, SimTime{30'000'000}, std::vector<std::string>{"", "engine fails"});
  EXPECT_EQ(ask({}).at("changes"), json::parse(R"([
    {"frame": 3, "time_s": 0.03, "is": "change", "words": "resume"},
    {"frame": 3, "time_s": 0.03, "is": "change", "words": "mark 4: engine fails",
     "text": "engine fails"}])"));
}

TEST_F(HistoryOfARun, TellsInWhichStepsThereWereStateEvents) {
  history.start();
  const auto step_with = [&](std::int64_t n, int events) {
    std::vector<double> memory(layout.bytes() / sizeof(double));
    auto* const bytes = reinterpret_cast<std::byte*>(memory.data());
    io::FrameSlot slot(layout, bytes);
    slot.begin();
    slot.header().frame = n;
    slot.header().t = {n * 10'000'000};
    slot.header().state_events = events;
    history.events().frame(io::FrameView(layout, bytes));
  };
  for (const std::int64_t n : {1, 2, 3}) step_with(n, n == 2 ? 0 : static_cast<int>(n));
  EXPECT_EQ(ask({}).at("state_events"), json::parse(R"([
    {"frame": 1, "time_s": 0.01, "events": 1}, {"frame": 3, "time_s": 0.03, "events": 3}])"));
  // Of a run that went back to before the second, that one is not its past.
  step_with(2, 7);
  EXPECT_EQ(ask({}).at("state_events"), json::parse(R"([
    {"frame": 1, "time_s": 0.01, "events": 1}, {"frame": 2, "time_s": 0.02, "events": 7}])"));
  // The newest 200 are told, those before the time that is looked at are not.
  for (std::int64_t n = 10; n < 500; ++n) step_with(n, 1);
  const json::array all = ask({}).at("state_events").as_array();
  ASSERT_EQ(all.size(), 200U);
  EXPECT_EQ(all.front().at("frame"), 300);
  EXPECT_EQ(all.back().at("frame"), 499);
  steps(0, 500);
  EXPECT_EQ(ask({{"last_s", 0.1}}).at("state_events").as_array().size(), 9U);
}

TEST_F(HistoryOfARun, TellsFromWhenToWhenItIsKnown) {
  history.start();
  EXPECT_FALSE(history.known());
  steps(0, 0);
  EXPECT_FALSE(history.known()) << "an instant is no stretch";
  steps(1, 7000);
  ASSERT_TRUE(history.known());
  EXPECT_EQ(history.known()->first.ns, 10'010'000'000);  // 60 s before the newest
  EXPECT_EQ(history.known()->second.ns, 70'010'000'000);
}

TEST_F(HistoryOfARun, KeepsTheNewestChanges) {
  exec::Transaction made;
  ASSERT_TRUE(made.add(exec::Mark{}));
  for (std::int64_t n = 0; n < 1005; ++n) history.note(made, n, SimTime{n});
  const json::array all = ask({}).at("changes").as_array();
  ASSERT_EQ(all.size(), 1000U);
  EXPECT_EQ(all.front().at("frame"), 5);
}

TEST(HistorySize, KeepsAMinuteInMemoryThatIsBounded) {
  struct Case {
    std::size_t signals;
    double rate_hz;
    std::int64_t every;
  };
  // The usual: 100 rows a second. Where memory ends: 16 MiB / 8 bytes / (signals + 3) rows.
  for (const Case& c : {Case{7, 1000, 10}, Case{7, 50, 1}, Case{1000, 1000, 29},
                        Case{20'000, 1000, 583}, Case{7, 1024, 11}}) {
    const History::Size size = History::size_for(c.signals, c.rate_hz);
    EXPECT_EQ(size.every, c.every) << c.signals;
    EXPECT_LE(size.rows * (c.signals + 3) * 8, std::size_t{16} << 20) << c.signals;
    EXPECT_GE(static_cast<double>(size.rows - 1) * static_cast<double>(size.every) / c.rate_hz, 60)
        << c.signals;
  }
}

}  // namespace
}  // namespace hild::testing
