// SPDX-License-Identifier: Apache-2.0
/// \file
/// What each command asks of the daemon, and that together they can ask all there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "cli/ctl/fake_daemon.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using Words = std::vector<std::string>;

struct Row {
  Words arguments;
  const char* method;
  const char* params;
};

const std::vector<Row>& rows() {  // NOLINT(readability-function-size): a table
  static const std::vector<Row> all{
      {{"status"}, "status", "{}"},
      {{"list"}, "list", "{}"},
      {{"get"}, "get", "{}"},
      {{"get", "shaft_speed", "state:current"},
       "get",
       R"({"names":["shaft_speed","state:current"]})"},
      {{"overruns"}, "overruns", R"({"last":20})"},
      {{"overruns", "--before", "4"}, "overruns", R"({"last":20,"before":4})"},
      {{"overruns", "--last", "3", "--since-step", "9"},
       "overruns",
       R"({"last":3,"since_step":9})"},
      {{"histograms"}, "histograms", "{}"},
      {{"models"}, "models", "{}"},
      {{"histograms", "wake"}, "histograms", R"({"names":["wake"]})"},
      {{"methods"}, "methods", "{}"},
      {{"rights"}, "rights", "{}"},
      {{"history"}, "history", "{}"},
      {{"history", "shaft_speed", "--last", "5", "--rows", "20"},
       "history",
       R"({"names":["shaft_speed"],"last_s":5.0,"rows":20})"},
      {{"dashboard"}, "dashboards", "{}"},
      {{"dashboard", "Bench 1"}, "dashboard", R"({"name":"Bench 1"})"},
      {{"dashboard", "Bench 1", "--discard"}, "discard", R"({"name":"Bench 1"})"},
      {{"dashboard", "Bench 1", "--store",
        std::string(HILD_SOURCE_DIR) + "/tests/cli/ctl/dashboard.json", "--over", "0123"},
       "arrange",
       R"({"name":"Bench 1","layout":{"version":1,"tiles":[]},"over":"0123"})"},
      {{"begin", "load step"}, "begin", R"({"sequence":"load step"})"},
      {{"cease"}, "cease", "{}"},
      {{"sequences"}, "sequences", "{}"},
      {{"set", "inertia=8e-4", "ratio=2"}, "set", R"({"values":{"inertia":8e-4,"ratio":2}})"},
      {{"set", "inertia=800 g m2", "--restart", "--at-frame", "500"},
       "set",
       R"({"values":{"inertia":"800 g m2"},"restart":true,"at":{"frame":500}})"},
      {{"set", "ratio=-2", "--at-time", "1500 ms"},
       "set",
       R"({"values":{"ratio":-2},"at":{"time_s":1.5}})"},
      {{"fault"}, "status", "{}"},
      {{"fault", "shaft_speed", "stuck", "0"},
       "override",
       R"({"signal":"shaft_speed","kind":"stuck","value":0})"},
      {{"fault", "shaft_speed", "offset", "-0.5"},
       "override",
       R"({"signal":"shaft_speed","kind":"offset","value":-0.5})"},
      {{"fault", "shaft_speed", "noise", "2 rpm", "--seed", "3", "--frames", "50"},
       "override",
       R"({"signal":"shaft_speed","kind":"noise","value":"2 rpm","frames":50,"seed":3})"},
      {{"fault", "shaft_speed", "dropout"},
       "override",
       R"({"signal":"shaft_speed","kind":"dropout"})"},
      {{"fault", "shaft_speed", "release"}, "release", R"({"signal":"shaft_speed"})"},
      {{"inject", "bus.Command.delayed", "20 ms", "--frames", "50"},
       "inject",
       R"({"fault":"bus.Command.delayed","value":"20 ms","frames":50})"},
      {{"inject", "bus.Command.missing"}, "inject", R"({"fault":"bus.Command.missing"})"},
      {{"clear", "bus.Command.missing"}, "clear", R"({"fault":"bus.Command.missing"})"},
      {{"acknowledge", "hot"}, "acknowledge", R"({"alarm":"hot"})"},
      {{"stimulate", "load_torque", "step", "--amplitude", "60 mNm", "--replace"},
       "stimulate",
       R"({"input":"load_torque","shape":"step","replace":true,"amplitude":"60 mNm"})"},
      {{"stimulate", "load_torque", "chirp", "--amplitude", "-1", "--frequency", "1",
        "--frequency-end", "2 kHz", "--over", "3", "--duration", "4 s", "--phase", "0", "--offset",
        "2"},
       "stimulate",
       R"({"input":"load_torque","shape":"chirp","offset":2,"amplitude":-1,"frequency_hz":1,
           "frequency_end_hz":"2 kHz","phase_rad":0,"over_s":3,"duration_s":"4 s"})"},
      {{"quiet", "load_torque"}, "quiet", R"({"input":"load_torque"})"},
      {{"freeze"}, "freeze", "{}"},
      {{"freeze", "--outputs", "safe"}, "freeze", R"({"outputs":"safe"})"},
      {{"freeze", "shaft_speed=0"},
       "freeze",
       R"({"outputs":"declared","values":{"shaft_speed":0}})"},
      {{"step"}, "step", "{}"},
      {{"step", "10"}, "step", R"({"frames":10})"},
      {{"step", "+5"}, "step", R"({"frames":5})"},
      {{"step", "10", "--freeze"}, "step", R"({"frames":10,"freeze":true})"},
      {{"resume"}, "resume", "{}"},
      {{"snapshot", "save", "2"}, "save", R"({"slot":2})"},
      {{"snapshot", "restore", "--parameters"}, "restore", R"({"parameters":true})"},
      {{"snapshot", "show", "7"}, "saved", R"({"slot":7})"},
      {{"snapshot", "reset"}, "reset", "{}"},
      {{"record"}, "mark", "{}"},
      {{"record", "--label", "9"}, "mark", R"({"label":9})"},
      {{"record", "--text", "engine fails"}, "mark", R"({"text":"engine fails"})"},
      {{"event", "set", "values.inertia=8e-4", "restart=true"},
       "set",
       R"({"values":{"inertia":8e-4},"restart":true})"},
      {{"event", "set", "values.a.b=1 V", "+", "override", "signal=shaft_speed", "kind=stuck",
        "value=0", "+", "mark", "--at-time", "10"},
       "transaction",
       R"({"changes":[{"set":{"values":{"a.b":"1 V"}}},
           {"override":{"signal":"shaft_speed","kind":"stuck","value":0}},{"mark":{}}],
           "at":{"time_s":10}})"},
      {{"event", "record", "recorder=slow"}, "record", R"({"recorder":"slow"})"},
      {{"event", "unrecord"}, "unrecord", "{}"},
      {{"event", "follow"}, "follow", "{}"},
      {{"event", "unsubscribe", "subscription=3"}, "unsubscribe", R"({"subscription":3})"},
      {{"event", "subscribe", R"(names=["shaft_speed"])", "every=4"},
       "subscribe",
       R"({"names":["shaft_speed"],"every":4})"},
      {{"arm"}, "arm", "{}"},
      {{"take", "--as", "test A"}, "take", R"({"owner":"test A","stays":true})"},
      {{"take", "--as", "test A", "--over", "--for", "30 min"},
       "take",
       R"({"owner":"test A","stays":true,"timeout_s":1800,"over":true})"},
      {{"give", "--as", "test A"}, "give", R"({"owner":"test A"})"},
      {{"disarm"}, "disarm", "{}"},
      {{"disarm", "--system"}, "disarm", R"({"system":true})"},
      {{"status", "--system"}, "nodes", "{}"},
      {{"stop"}, "stop", "{}"},
      {{"event", "rewind", "by_s=30"}, "rewind", R"({"by_s":30})"},
      {{"show", "20s", "--speed", "0.5"}, "show", R"({"last_s":20,"speed":0.5})"},
      {{"show", "--from", "12.3 s", "--to", "20 s"},
       "show",
       R"({"from_s":12.3,"to_s":20,"speed":1})"},
      {{"show", "--end"}, "show", "{}"},
  };
  return all;
}

/// The same whether a number is written 2 or 2.0.
bool same(const json::value& a, const json::value& b) {
  if (a.is_number() && b.is_number()) return a.to_number<double>() == b.to_number<double>();
  if (a.is_array() && b.is_array()) {
    const auto& x = a.get_array();
    const auto& y = b.get_array();
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  }
  if (!a.is_object() || !b.is_object()) return a == b;
  if (a.get_object().size() != b.get_object().size()) return false;
  return std::ranges::all_of(a.get_object(), [&](const auto& member) {
    const auto* other = b.get_object().if_contains(member.key());
    return other != nullptr && same(member.value(), *other);
  });
}

TEST(Commands, AskForTheMethodWithTheParams) {
  FakeDaemon daemon;
  for (const auto& [arguments, method, params] : rows()) {
    const auto ended = hildctl(daemon, arguments);
    EXPECT_EQ(ended.code, 0) << ended.err;
    const auto calls = daemon.calls();
    // `get` asks for the units afterwards.
    ASSERT_GE(calls.size(), 2U - (arguments[0] == "get" ? 0U : 1U));
    const auto& asked = calls[calls.size() - (arguments[0] == "get" ? 2 : 1)];
    EXPECT_EQ(asked.method, method);
    EXPECT_TRUE(same(asked.params, json::parse(params)))
        << testing::PrintToString(arguments) << " asked for " << json::serialize(asked.params);
  }
}

TEST(Commands, TakeTheCommonOptionsBeforeThemToo) {
  const FakeDaemon daemon;
  const std::string socket = daemon.socket();
  for (const Words& words :
       {Words{"--socket", socket, "snapshot", "save", "3"},
        Words{"--timeout", "30", "--socket=" + socket, "snapshot", "save", "3"}}) {
    const auto ended = test::hild(words);
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.out, "took effect at frame 7 (0.007 s)\n");
    ASSERT_FALSE(daemon.calls().empty());
    EXPECT_EQ(daemon.calls().back().method, "save");
  }
  const auto as_json = test::hild({"--json", "--socket", socket, "get", "--timeout", "30"});
  EXPECT_EQ(as_json.code, 0) << as_json.err;
  EXPECT_TRUE(json::parse(as_json.out).is_object());
  EXPECT_EQ(test::hild({"--socket"}).code, 1);
  EXPECT_EQ(test::hild({"--socket", socket}).code, 1);
}

TEST(Commands, RecordRefusesWhereNothingIsRecorded) {
  FakeDaemon daemon;
  daemon.answer("status", {{"state", "running"}, {"recording", nullptr}});
  const auto refused = hildctl(daemon, {"record"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, testing::HasSubstr("nothing is recorded"));
  EXPECT_EQ(daemon.calls().back().method, "status") << "and asks for no mark";
  EXPECT_THAT(hildctl(daemon, {"status"}).out, testing::ContainsRegex("recording +none\n"));

  daemon.answer("status", {{"state", "running"},
                           {"recording", {{"file", "a.mcap"}, {"blocks", 2}, {"blocks_max", 64}}}});
  EXPECT_EQ(hildctl(daemon, {"record"}).out, "took effect at frame 7 (0.007 s)\n");
  EXPECT_EQ(daemon.calls().back().method, "mark");
  EXPECT_THAT(hildctl(daemon, {"status"}).out,
              testing::ContainsRegex("recording +a\\.mcap; at most 2 of 64 blocks"));
}

TEST(Commands, RecordStartsAndStopsRecorders) {
  FakeDaemon daemon;
  const auto recorder = [](const char* state, int closing) {
    return json::object{{"name", "slow"}, {"state", state},     {"file", "slow-0001.mcap"},
                        {"files", 1},     {"closing", closing}, {"error", ""}};
  };
  daemon.answer("record", {{"recorders", json::array{recorder("beginning", 0)}}});
  daemon.answer("unrecord", {{"recorders", json::array{recorder("recording", 0)}}});
  daemon.answer("status", {{"recorders", json::array{recorder("recording", 0)}}});
  const auto started = hildctl(daemon, {"record", "start", "slow"});
  EXPECT_EQ(started.code, 0) << started.err;
  EXPECT_EQ(started.out, "slow: records into slow-0001.mcap\n");
  daemon.answer("status", {{"recorders", json::array{recorder("idle", 0)}}});
  const auto stopped = hildctl(daemon, {"record", "stop"});
  EXPECT_EQ(stopped.code, 0);
  EXPECT_EQ(stopped.out, "slow: ended; the newest file is slow-0001.mcap\n");
  const auto refused = hildctl(daemon, {"record", "start"});
  EXPECT_EQ(refused.code, 1) << "one that does not record after all";
  daemon.answer("status", {{"recorders", json::array{recorder("idle", 1)}}});
  EXPECT_EQ(hildctl(daemon, {"record", "stop", "--timeout", "0.1"}).out,
            "slow: not yet: `hildctl status` tells what became of it\n");
  EXPECT_EQ(hildctl(daemon, {"record", "start", "--at-frame", "3"}).code, 1);
  EXPECT_EQ(hildctl(daemon, {"record", "pause"}).code, 1);
}

TEST(Commands, SequencesAreShownAsTheyAreWhenTheyAreRun) {
  FakeDaemon daemon;
  daemon.answer("sequences", {{"sequences", json::array{}}, {"running", nullptr}});
  EXPECT_EQ(hildctl(daemon, {"sequences"}).out,
            "none: the configuration has no control.sequences\n");
  daemon.answer("sequences", json::parse(R"({
      "sequences": [{"name": "load step", "file": "a.yaml"}, {"name": "b", "file": "b.yaml"}],
      "running": null,
      "last": {"words": "failed: b: 1 passed, 1 failed", "ended": 4, "left_out": 2, "steps": [
          {"name": "mark 3", "line": 2, "result": "passed", "end_s": 0.5, "message": "late"},
          {"name": "expect x", "line": 3, "result": "failed", "end_s": 1.25,
           "message": "x was 7"}]}})"));
  EXPECT_EQ(hildctl(daemon, {"sequences"}).out,
            "load step  a.yaml\n"
            "b          b.yaml\n"
            "\n"
            "of 4 steps 2 are not shown\n"
            "PASS      0.500 s  mark 3 (late)\n"
            "FAIL      1.250 s  expect x\n"
            "        line 3: x was 7\n"
            "failed: b: 1 passed, 1 failed\n");
}

TEST(Commands, RewindTellsWhereTheRunIsHeldOrWhyNot) {
  FakeDaemon daemon;
  daemon.answer("rewind", {{"to_s", 2.5}});
  daemon.answer("status", {{"rewinding", {{"to_s", 2.5}, {"looking", false}, {"error", "no"}}}});
  const auto refused = hildctl(daemon, {"rewind", "30s"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, testing::HasSubstr("no; the run is held where it was"));
  EXPECT_EQ(daemon.calls().front().params, json::parse(R"({"by_s":30.0})"));
  EXPECT_EQ(hildctl(daemon, {"rewind"}).code, 1);
  EXPECT_EQ(hildctl(daemon, {"rewind", "1 s", "--to", "2 s"}).code, 1);
  EXPECT_EQ(hildctl(daemon, {"rewind", "--to", "soon"}).code, 1);
}

TEST(Commands, ShowTellsWhatAllPagesShow) {
  FakeDaemon daemon;
  daemon.answer("show", {{"showing",
                          {{"number", 1},
                           {"from_s", 12.5},
                           {"to_s", 20.0},
                           {"speed", 0.5},
                           {"at_s", 12.5},
                           {"by", nullptr}}}});
  EXPECT_EQ(
      hildctl(daemon, {"show", "7.5 s", "--speed", "0.5"}).out,
      "all pages show 12.500 s to 20.000 s, at 0.5 times the speed; `hildctl show --end` ends "
      "it\n");
  daemon.answer("show", {{"showing", nullptr}});
  EXPECT_EQ(hildctl(daemon, {"show", "--end"}).out, "all pages show what is now\n");
  EXPECT_EQ(hildctl(daemon, {"show"}).code, 1);
  EXPECT_EQ(hildctl(daemon, {"show", "5 s", "--end"}).code, 1);
  EXPECT_EQ(hildctl(daemon, {"show", "--to", "5 s"}).code, 1);
  EXPECT_EQ(hildctl(daemon, {"show", "5 s", "--speed", "9"}).code, 1);
}

/// The first column of the tables of two sections.
std::set<std::string> documented_methods() {
  const std::string text = test::read_file(HILD_SOURCE_DIR "/docs/control.md");
  const auto first = text.find("### Reading");
  const auto last = text.find("### Errors");
  EXPECT_LT(first, last);
  std::string tables = text.substr(first, last - first);
  const auto states = tables.find("### The state of the run");  // a table of words, not of methods
  tables.erase(states, tables.find("### Changing") - states);
  std::set<std::string> methods;
  const std::regex row("\n\\| `([a-z]+)` \\|");
  for (std::sregex_iterator it(tables.begin(), tables.end(), row), end; it != end; ++it) {
    methods.insert((*it)[1]);
  }
  return methods;
}

TEST(Commands, ReachEveryMethodThatIsDocumented) {
  std::set<std::string> reached;
  for (const auto& row : rows()) reached.insert(row.method);
  EXPECT_GT(documented_methods().size(), 20U);
  EXPECT_EQ(reached, documented_methods());
}

TEST(Commands, PrintTheReplyAsItCameForPrograms) {
  FakeDaemon daemon;
  const auto ended = hildctl(daemon, {"set", "ratio=2", "--json"});
  EXPECT_EQ(json::parse(ended.out), json::parse(R"({"frame":7,"time_s":0.007})"));
  EXPECT_EQ(ended.err, "");
}

TEST(Commands, TellAPersonWhenAChangeTookEffect) {
  FakeDaemon daemon;
  EXPECT_EQ(hildctl(daemon, {"resume"}).out, "took effect at frame 7 (0.007 s)\n");
}

}  // namespace
}  // namespace hild::ctl
