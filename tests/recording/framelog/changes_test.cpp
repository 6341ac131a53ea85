// SPDX-License-Identifier: Apache-2.0
/// What took effect comes back with the same bits, whatever it was; what cannot be is refused.
#include "recording/framelog/changes.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace hild::framelog {
namespace {

exec::Transaction transaction(std::initializer_list<exec::Change> changes) {
  exec::Transaction t;
  t.id = 7;
  for (const exec::Change& c : changes) EXPECT_TRUE(t.add(c));
  return t;
}

Effect there_and_back(const exec::Transaction& t) {
  exec::Reply reply;
  reply.frame = 48'211;
  reply.time = SimTime{48'211'000'001};
  auto read = read_effect(write_effect(t, reply));
  EXPECT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->frame, 48'211);
  EXPECT_EQ(read->time.ns, 48'211'000'001);
  EXPECT_EQ(read->transaction.id, 7U);
  EXPECT_EQ(read->transaction.count, t.count);
  return std::move(*read);
}

// A double that few decimals hold: all its bits must come back.
constexpr double awkward = 0x1.123456789abcdp-3;

TEST(Effects, KeepWhatAPersonWroteToAChange) {
  const exec::Transaction t = transaction({exec::Mark{3}, exec::Resume{}, exec::Mark{4}});
  const std::vector<std::string> texts{"engine \"1\" fails, 80 °C", "", ""};
  auto read = read_effect(write_effect(t, {}, texts));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->texts, texts);
  EXPECT_EQ(std::get<exec::Mark>(read->transaction.changes()[0]).label, 3U);
  // And once more, as a branch copies it.
  EXPECT_EQ(read_effect(write_effect(*read))->texts, texts);
  // Nothing of it where nothing was written, as in logs that were made before there was any.
  EXPECT_EQ(write_effect(t, {}).find("text"), std::string::npos);
}

TEST(Effects, KeepEveryFieldOfEveryChange) {
  const Effect e = there_and_back(transaction({
      exec::SetParameter{2, awkward, true},
      exec::Override{exec::Side::output, 3, exec::OverrideKind::noise, -awkward, UINT64_MAX, 77,
                     true},
      exec::ReleaseOverride{exec::Side::output, 4, true},
      exec::Stimulus{.input = 5,
                     .shape = exec::Shape::chirp,
                     .replace = true,
                     .offset = 1e-300,
                     .amplitude = awkward,
                     .frequency = 3,
                     .frequency_end = 1e300,
                     .phase = 0.1,
                     .over = Duration{123},
                     .duration = Duration{INT64_MAX},
                     .restart = true},
      exec::StopStimulus{6, true},
      exec::Freeze{exec::FrozenOutputs::declared},
      exec::StepFrames{INT64_MAX},
      exec::Resume{},
      exec::DeclareOutput{7, 0.30000000000000004},
      exec::SaveStates{7},
      exec::RestoreStates{6, true},
      exec::Reset{true},
      exec::Mark{UINT32_MAX},
      exec::InjectFault{8, awkward, 77},
      exec::ClearFault{9},
      exec::Acknowledge{31},
  }));
  const auto& c = e.transaction.change;
  const auto& set = std::get<exec::SetParameter>(c[0]);
  EXPECT_EQ(set.parameter, 2U);
  EXPECT_EQ(set.value, awkward);
  EXPECT_TRUE(set.restart);
  const auto& falsified = std::get<exec::Override>(c[1]);
  EXPECT_EQ(falsified.side, exec::Side::output);
  EXPECT_EQ(falsified.signal, 3U);
  EXPECT_EQ(falsified.kind, exec::OverrideKind::noise);
  EXPECT_EQ(falsified.value, -awkward);
  EXPECT_EQ(falsified.seed, UINT64_MAX);
  EXPECT_EQ(falsified.frames, 77);
  EXPECT_EQ(std::get<exec::ReleaseOverride>(c[2]).signal, 4U);
  const auto& s = std::get<exec::Stimulus>(c[3]);
  EXPECT_EQ(s.input, 5U);
  EXPECT_EQ(s.shape, exec::Shape::chirp);
  EXPECT_TRUE(s.replace);
  EXPECT_EQ(s.offset, 1e-300);
  EXPECT_EQ(s.amplitude, awkward);
  EXPECT_EQ(s.frequency, 3);
  EXPECT_EQ(s.frequency_end, 1e300);
  EXPECT_EQ(s.phase, 0.1);
  EXPECT_EQ(s.over.ns, 123);
  EXPECT_EQ(s.duration.ns, INT64_MAX);
  EXPECT_EQ(s.table.size, 0U);
  EXPECT_EQ(std::get<exec::StopStimulus>(c[4]).input, 6U);
  EXPECT_EQ(std::get<exec::Freeze>(c[5]).outputs, exec::FrozenOutputs::declared);
  EXPECT_EQ(std::get<exec::StepFrames>(c[6]).frames, INT64_MAX);
  EXPECT_TRUE(std::holds_alternative<exec::Resume>(c[7]));
  EXPECT_EQ(std::get<exec::DeclareOutput>(c[8]).value, 0.30000000000000004);
  EXPECT_EQ(std::get<exec::SaveStates>(c[9]).slot, 7U);
  EXPECT_TRUE(std::get<exec::RestoreStates>(c[10]).parameters);
  EXPECT_TRUE(std::get<exec::Reset>(c[11]).parameters);
  EXPECT_EQ(std::get<exec::Mark>(c[12]).label, UINT32_MAX);
  const auto& injected = std::get<exec::InjectFault>(c[13]);
  EXPECT_EQ(injected.fault, 8U);
  EXPECT_EQ(injected.value, awkward);
  EXPECT_EQ(injected.frames, 77);
  EXPECT_EQ(std::get<exec::ClearFault>(c[14]).fault, 9U);
  EXPECT_EQ(std::get<exec::Acknowledge>(c[15]).alarm, 31U);
}

TEST(Effects, BringTheirTables) {
  const std::vector<double> times{0, 0.1, 0.30000000000000004};
  const std::vector<double> values{awkward, -1e-310, 5};
  const Effect e = there_and_back(transaction({exec::Stimulus{
      .shape = exec::Shape::playback, .table = {times.data(), values.data(), times.size()}}}));
  const auto& table = std::get<exec::Stimulus>(e.transaction.change[0]).table;
  ASSERT_EQ(table.size, 3U);
  EXPECT_NE(table.times, times.data());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(table.times[i], times[i]);
    EXPECT_EQ(table.values[i], values[i]);
  }
}

class Refused : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Refused, WithWhatIsWrong) {
  const auto read = read_effect(GetParam().first);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find(GetParam().second), std::string::npos)
      << read.error().message;
}

constexpr const char* head = R"({"frame":1,"t_ns":1,"id":1,"changes":)";
std::string text(const std::string& changes) { return head + changes + "}"; }
const std::array texts{
    text(R"([{"explode":{}}])"),
    text(R"([{"set":{"parameter":0,"value":2.0,"restart":false}}])"),
    text(R"([{"set":{"parameter":0,"restart":false}}])"),
    text(R"([{"set":{"parameter":-1,"value":"2","restart":false}}])"),
    text(R"([{"freeze":{"outputs":3}}])"),
    text(R"([{"freeze":{"outputs":1},"resume":{}}])"),
    text(R"([{"mark":{"label":1}},{"mark":{"label":1}},{"mark":{"label":1}},{"mark":{"label":1}},
{"mark":{"label":1}},{"mark":{"label":1}},{"mark":{"label":1}},{"mark":{"label":1}},
{"mark":{"label":1}},{"mark":{"label":1}},{"mark":{"label":1}},{"mark":{"label":1}},
{"mark":{"label":1}},{"mark":{"label":1}},{"mark":{"label":1}},{"mark":{"label":1}},
{"mark":{"label":1}}])"),
};
INSTANTIATE_TEST_SUITE_P(
    Texts, Refused,
    testing::Values(std::pair{"{", "not JSON"}, std::pair{"[]", "not JSON"},
                    std::pair{R"({"frame":1})", "no \"t_ns\""},
                    std::pair{texts[0].c_str(), "nothing known changes by \"explode\""},
                    std::pair{texts[1].c_str(), "\"value\" is no number in text"},
                    std::pair{texts[2].c_str(), "no \"value\""},
                    std::pair{texts[3].c_str(), "\"parameter\" is no whole number"},
                    std::pair{texts[4].c_str(), "\"outputs\" is out of range"},
                    std::pair{texts[5].c_str(), "no object with one name"},
                    std::pair{texts[6].c_str(), "too many changes"}));

}  // namespace
}  // namespace hild::framelog
