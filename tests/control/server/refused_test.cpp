// SPDX-License-Identifier: Apache-2.0
/// \file
/// What cannot be done is refused with its code and words, and nothing of it is done.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct Case {
  const char* method;
  const char* params;
  std::vector<const char*> words;  ///< all of them are in the message
  int code = -32602;
};

const std::vector<Case>& cases() {  // NOLINT(readability-function-size): a table
  static const std::vector<Case> all{
      // Methods and params there are none of.
      {"statsu", "{}", {"there is no method \"statsu\"", "did you mean \"status\"?"}, -32601},
      {"zzz", "{}", {"there is no method \"zzz\"", "expected one of", "\"transaction\""}, -32601},
      {"status", R"({"verbose": true})", {"\"verbose\": unknown param"}},
      {"list", R"({"x": 1})", {"unknown param"}},
      {"methods", R"({"x": 1})", {"unknown param"}},
      {"get", R"({"name": ["x"]})", {"\"name\": unknown param, did you mean \"names\"?"}},
      {"resume", R"({"slot": 1})", {"\"slot\": unknown param"}},
      {"stop", R"({"at": {"frame": 5}})", {"\"at\": unknown param"}},
      // Names.
      {"get", R"({"names": ["seem"]})", {"names: found \"seem\"", "did you mean \"seen\"?"}},
      {"get", R"({"names": ["state:u"]})", {"names: found \"state:u\"", "\"x\""}},
      {"get", R"({"names": ["load"]})", {"\"input:load\" or \"output:load\""}},
      {"get", R"({"names": "x"})", {"names: found \"x\", expected a list"}},
      {"get", R"({"names": [1]})", {"names: found 1, expected texts only"}},
      {"get", R"({"names": [""]})", {"names: found \"\""}},
      {"histograms", R"({"names": ["phase.pases"]})", {"\"phase.passes\"?"}},
      {"overruns", R"({"last": 0})", {"last: found 0, expected a whole number, 1..1000"}},
      {"overruns", R"({"last": 1001})", {"1..1000"}},
      {"overruns", R"({"since_step": -1})", {"since_step: found -1", "at least 0"}},
      {"saved", "{}", {"slot: missing, expected a whole number, 0..7"}},
      {"saved", R"({"slot": 8})", {"slot: found 8"}},
      {"saved", R"({"slot": 5})", {"nothing was saved in slot 5"}},
      {"subscribe", "{}", {"names: missing, expected a list"}},
      {"subscribe", R"({"names": []})", {"names: expected the name of a signal at least"}},
      {"subscribe", R"({"names": ["inertia"]})", {"expected an input or an output or a state"}},
      {"subscribe", R"({"names": ["x", "state:x"]})", {"\"state:x\" is there twice"}},
      {"subscribe", R"({"names": ["x"], "every": 0})", {"every: found 0"}},
      {"subscribe", R"({"names": ["x"], "evry": 5})", {"\"evry\": unknown param"}},
      {"unsubscribe", R"({"subscription": 99})", {"99 is no subscription of this client"}},
      // Faults of devices.
      {"inject",
       R"({"fault": "bus.Command.mising"})",
       {"expected a fault of a device", "did you mean \"bus.Command.missing\"?"}},
      {"inject", R"({"fault": "bus.Command.missing", "value": 1})", {"value: found 1"}},
      {"inject", R"({"fault": "bus.Command.delayed", "value": "20 s"})", {"value: found"}},
      {"inject", R"({"fault": "bus.Command.delayed"})", {"value: missing"}},
      {"clear", R"({"fault": "u"})", {"fault: found \"u\", expected a fault of a device"}},
      {"acknowledge", R"({"alarm": "u"})", {"alarm: found \"u\", expected an alarm"}},
      // Parameters.
      {"set", "{}", {"values: missing, expected an object"}},
      {"set", R"({"value": {}})", {"value: unknown param, did you mean \"values\"?"}},
      {"set", R"({"values": {}})", {"values: expected a parameter at least"}},
      {"set", R"({"values": [1]})", {"values: found a list, expected an object"}},
      {"set", R"({"values": {"inertai": 1}})", {"found \"inertai\"", "did you mean \"inertia\"?"}},
      {"set", R"({"values": {"x": 1}})", {"values: found \"x\", expected a parameter"}},
      {"set", R"({"values": {"inertia": 11}})", {"values.inertia: found 11", "1e-06..10 kg m2"}},
      {"set", R"({"values": {"inertia": 0}})", {"values.inertia: found 0", "1e-06..10 kg m2"}},
      {"set", R"({"values": {"inertia": "1 kg"}})", {"found \"1 kg\"", "does not convert"}},
      {"set", R"({"values": {"inertia": "1"}})", {"found \"1\"", "kg m2"}},
      {"set", R"({"values": {"inertia": "nan kg m2"}})", {"found \"nan kg m2\""}},
      {"set", R"({"values": {"inertia": "1e999 kg m2"}})", {"found \"1e999 kg m2\""}},
      {"set", R"({"values": {"gain": "inf V"}})", {"found \"inf V\""}},
      {"set", R"({"values": {"gain": null}})", {"values.gain: found null, expected a number in V"}},
      {"set", R"({"values": {"gain": true}})", {"found true"}},
      {"set", R"({"values": {"gain": [1]}})", {"found a list"}},
      {"set", R"({"values": {"level": 1}, "restart": 1})", {"restart: found 1, expected true"}},
      {"set", R"({"values": {"level": 1, "parameter:level": 2}})", {"values.level: there twice"}},
      // When.
      {"set", R"({"values": {"level": 1}, "at": 5})", {"at: found 5, expected an object"}},
      {"set", R"({"values": {"level": 1}, "at": {}})", {"at: expected either frame or time_s"}},
      {"set",
       R"({"values": {"level": 1}, "at": {"frame": 1, "time_s": 1}})",
       {"at: expected either frame or time_s"}},
      {"set", R"({"values": {"level": 1}, "at": {"frame": 1.5}})", {"at.frame: found 1.5"}},
      {"set", R"({"values": {"level": 1}, "at": {"frame": -1}})", {"at.frame: found -1"}},
      {"set", R"({"values": {"level": 1}, "at": {"time_s": -1}})", {"at.time_s: found -1"}},
      {"set", R"({"values": {"level": 1}, "at": {"time_s": 1, "x": 1}})", {"at.\"x\": unknown"}},
      // Faults.
      {"override", R"({"signal": "u"})", {"kind: missing, expected one of \"gain\""}},
      {"override", R"({"signal": "u", "kind": "broken"})", {"kind: found \"broken\""}},
      {"override", R"({"signal": "u", "kind": "stuck"})", {"value: missing"}},
      {"override", R"({"signal": "x", "kind": "dropout"})", {"expected an input or an output"}},
      {"override", R"({"signal": "load", "kind": "dropout"})", {"may be one of several"}},
      {"override",
       R"({"signal": "u", "kind": "stuck", "value": "1 V"})",
       {"value: found \"1 V\"", "rad/s"}},
      {"override", R"({"signal": "u", "kind": "gain", "value": "1 V"})", {"value: found"}},
      {"override", R"({"signal": "u", "kind": "noise", "value": -1})", {"at least 0"}},
      {"override",
       R"({"signal": "u", "kind": "noise", "value": 1, "seed": 0.5})",
       {"seed: found 0.5"}},
      {"override",
       R"({"signal": "u", "kind": "dropout", "value": 1})",
       {"\"value\": unknown param"}},
      {"override",
       R"({"signal": "u", "kind": "stuck", "value": 1, "seed": 1})",
       {"\"seed\": unknown param"}},
      {"override",
       R"({"signal": "u", "kind": "dropout", "frames": 0})",
       {"frames: found 0, expected a whole number, at least 1"}},
      {"release", "{}", {"signal: missing"}},
      {"release", R"({"signal": 5})", {"signal: found 5, expected a text"}},
      // Stimuli.
      {"stimulate", R"({"input": "u", "shape": "square"})", {"shape: found \"square\""}},
      {"stimulate", R"({"input": "u", "shape": "step"})", {"amplitude: missing"}},
      {"stimulate",
       R"({"input": "u", "shape": "step", "amplitude": 1, "frequency_hz": 1})",
       {"\"frequency_hz\": unknown param"}},
      {"stimulate", R"({"input": "seen", "shape": "step"})", {"expected an input"}},
      {"stimulate",
       R"({"input": "u", "shape": "ramp", "amplitude": 1, "over_s": 0})",
       {"over_s: expected a time above 0"}},
      {"stimulate",
       R"({"input": "u", "shape": "ramp", "amplitude": 1, "over_s": -2})",
       {"over_s: found -2"}},
      {"stimulate",
       R"({"input": "u", "shape": "step", "amplitude": 1, "duration_s": 0})",
       {"duration_s: expected a time above 0"}},
      {"stimulate",
       R"({"input": "u", "shape": "sine", "amplitude": 1})",
       {"frequency_hz: missing"}},
      {"stimulate",
       R"({"input": "u", "shape": "sine", "amplitude": 1, "frequency_hz": "3 rad/s"})",
       {"frequency_hz: found \"3 rad/s\""}},
      {"stimulate",
       R"({"input": "u", "shape": "chirp", "amplitude": 1, "frequency_hz": 1, "over_s": 1})",
       {"frequency_end_hz: missing"}},
      {"stimulate",
       R"({"input": "u", "shape": "sine", "amplitude": 1, "frequency_hz": 1e308})",
       {"frequency_hz: found 1e+308", "-1000000000..1000000000 Hz"}},
      {"stimulate",
       R"({"input": "u", "shape": "chirp", "amplitude": 1, "frequency_hz": 1, "over_s": 1,
           "frequency_end_hz": -1e10})",
       {"frequency_end_hz: found -10000000000", "-1000000000..1000000000 Hz"}},
      {"stimulate",
       R"({"input": "u", "shape": "step", "amplitude": 1e308, "offset": -1e308})",
       {"amplitude: with the offset"}},
      {"stimulate",
       R"({"input": "u", "shape": "playback", "amplitude": 1e200,
           "table": {"times_s": [0, 1], "values": [1, -1e200]}})",
       {"amplitude: with the offset"}},
      {"stimulate",
       R"({"input": "u", "shape": "playback", "table": {"times_s": [0, 1], "values": [1e308, -1e308]}})",
       {"table.values: two of them"}},
      {"stimulate", R"({"input": "u", "shape": "playback"})", {"table: missing"}},
      {"stimulate",
       R"({"input": "u", "shape": "playback", "table": {"times_s": [0, 1], "values": [1]}})",
       {"table: 2 times and 1 values"}},
      {"stimulate",
       R"({"input": "u", "shape": "playback", "table": {"times_s": [0, 0], "values": [1, 2]}})",
       {"table.times_s: expected one time at least, and each above"}},
      {"stimulate",
       R"({"input": "u", "shape": "playback", "table": {"times_s": [], "values": []}})",
       {"expected one time at least"}},
      {"stimulate",
       R"({"input": "u", "shape": "playback", "table": {"times_s": [0], "values": ["1 V"]}})",
       {"table.values: found \"1 V\""}},
      {"quiet", R"({"input": "level"})", {"expected an input"}},
      // Modes and slots.
      {"freeze", R"({"outputs": "stay"})", {"outputs: found \"stay\""}},
      {"freeze", R"({"outputs": "declared"})", {"values: missing"}},
      {"freeze", R"({"outputs": "declared", "values": {}})", {"values: expected an output"}},
      {"freeze", R"({"values": {"level": 1}})", {"\"values\": unknown param"}},
      {"freeze",
       R"({"outputs": "declared", "values": {"u": 1}})",
       {"found \"u\", expected an output"}},
      {"step", R"({"frames": 0})", {"frames: found 0"}},
      {"save", R"({"slot": 8})", {"slot: found 8, expected a whole number, 0..7"}},
      {"restore", R"({"slot": "a"})", {"slot: found \"a\""}},
      {"reset", R"({"parameters": 1})", {"parameters: found 1"}},
      {"mark", R"({"label": 0})", {"label: found 0, expected a whole number, 1..4294967295"}},
      {"mark", R"({"label": 4294967296})", {"1..4294967295"}},
      {"mark", R"({"text": 1})", {"text: found 1, expected a text"}},
      {"mark", R"({"text": "a\nb"})", {"text: found a control character at byte 2", "one line"}},
      {"mark", R"({"text": "\u0085"})", {"text: found a control character at byte 1"}},
      {"mark",
       R"({"text": "0123456789012345678901234567890123456789012345678901234567890123456789012345678éx"})",
       {"text: found 82 bytes, expected 80 at most"}},
      {"transaction",
       R"({"changes": [{"mark": {"text": "\u007f"}}]})",
       {"changes[0].mark.text: found a control character"}},
      // What pages are to show.
      {"show", R"({"to_s": 1})", {"from_s: missing", "or last_s"}},
      {"show", R"({"speed": 1})", {"from_s: missing"}},
      {"show", R"({"last_s": 1, "from_s": 0})", {"last_s: found from_s or to_s beside it"}},
      {"show", R"({"last_s": 1, "speed": 5})", {"speed: found 5, expected a number, 0.25..4"}},
      {"show", R"({"from": 1})", {"\"from\": unknown param"}},
      // Transactions.
      {"transaction", "{}", {"changes: missing"}},
      {"transaction", R"({"changes": []})", {"changes: expected a change at least"}},
      {"transaction", R"({"changes": [1]})", {"changes[0]: found 1, expected {METHOD: params}"}},
      {"transaction", R"({"changes": [{}]})", {"changes[0]: found an object"}},
      {"transaction", R"({"changes": [{"mark": {}, "save": {}}]})", {"one in each"}},
      {"transaction", R"({"changes": [{"mark": 1}]})", {"changes[0].mark: found 1"}},
      {"transaction", R"({"changes": [{"status": {}}]})", {"status cannot be part"}},
      {"transaction", R"({"changes": [{"stop": {}}]})", {"stop cannot be part"}},
      {"transaction", R"({"changes": [{"transaction": {}}]})", {"transaction cannot be part"}},
      {"transaction", R"({"changes": [{"marc": {}}]})", {"did you mean \"mark\"?"}, -32601},
      {"transaction",
       R"({"changes": [{"mark": {"at": {"frame": 1}}}]})",
       {"changes[0].mark.\"at\": unknown param"}},
      {"transaction",
       R"({"changes": [{"mark": {}}, {"set": {"values": {"level": 1, "inertia": 99}}}]})",
       {"changes[1].set.values.inertia: found 99"}},
      // Refused by the run itself.
      {"restore", R"({"slot": 6})", {"slot: nothing was saved in this slot"}, -32000},
  };
  return all;
}

TEST(Refused, WithACodeAndWordsAndNothingIsDone) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const json::value before = client.call("list").at("parameters");
  for (const Case& c : cases()) {
    const json::object error = client.error(c.method, json::parse(c.params).as_object());
    EXPECT_EQ(error.at("code"), c.code) << c.method << c.params << error;
    for (const char* words : c.words) {
      EXPECT_THAT(error.at("message").as_string().c_str(), HasSubstr(words))
          << c.method << c.params;
    }
  }
  EXPECT_EQ(client.call("list").at("parameters"), before);
  const json::value status = client.call("status");
  EXPECT_EQ(status.at("state"), "running");
  EXPECT_EQ(status.at("overrides"), json::array());
  EXPECT_EQ(status.at("stimuli"), json::array());
  EXPECT_EQ(status.at("external_events").at("served"), 0);
  rig.end();
  for (const auto& s : rig.recording.steps) {
    EXPECT_EQ(s.header.external_events, 0) << s.header.frame;
    EXPECT_EQ(s.header.mark, 0U) << s.header.frame;
  }
}

TEST(Refused, ByTheRunSaysWhichChangeAndWhy) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const json::object error = client.error(
      "transaction",
      R"({"changes": [{"set": {"values": {"level": 1, "gain": 2}}}, {"restore": {"slot": 4}}]})"_json
          .as_object());
  EXPECT_EQ(error.at("code"), -32000);
  EXPECT_THAT(error.at("message").as_string().c_str(),
              AllOf(HasSubstr("changes[1].restore.slot"), HasSubstr("save first")));
  EXPECT_EQ(error.at("data").at("refusal"), "empty_slot");
  EXPECT_EQ(error.at("data").at("change"), 1);
  EXPECT_GE(error.at("data").at("frame").as_int64(), 0);
  const json::value values = client.call("get").at("values");
  EXPECT_EQ(values.at("parameter:level"), 0.0) << "all or none";
  EXPECT_EQ(values.at("gain"), 1.0);
}

// What takes all of the slack never fits beside its guard.
TEST(Refused, WhatNeverFitsTheSlackIsDeferredAndThenRefused) {
  ServerRig rig({.guard = 1_us, .max_deferrals = 20});
  rig.events.seed(exec::EventClass::snapshot, {.prepare = 500_us, .commit = 500_us});
  rig.start();
  LineClient client(rig.socket());
  const json::object error = client.error("save");
  EXPECT_EQ(error.at("code"), -32000);
  EXPECT_EQ(error.at("data").at("refusal"), "no_slack");
  EXPECT_THAT(error.at("message").as_string().c_str(), HasSubstr("slack"));
  EXPECT_EQ(client.call("list").at("slots"), json::array());
  const json::value counts = client.call("status").at("external_events").at("by_class");
  EXPECT_EQ(counts.at("snapshot").at("refused"), 1);
  EXPECT_EQ(counts.at("snapshot").at("deferred"), 19);
  client.call("mark");
}

TEST(Refused, WritingWhereItIsDisabled) {
  ServerRig rig;
  rig.control.writing = false;
  rig.start();
  LineClient client(rig.socket());
  const json::value methods = client.call("methods");
  int writing = 0;
  for (const json::value& m : methods.as_array()) {
    if (!m.at("writes").as_bool()) continue;
    ++writing;
    const json::object error = client.error(m.at("name").as_string());
    EXPECT_EQ(error.at("code"), -32001) << m;
    EXPECT_THAT(error.at("message").as_string().c_str(), HasSubstr("control.writing"));
  }
  EXPECT_EQ(writing, 29);
  EXPECT_EQ(client.call("status").at("writing"), false);
  const json::value rights = client.call("rights");
  EXPECT_EQ(rights.at("writes"), false);
  EXPECT_THAT(rights.at("why").as_string().c_str(), HasSubstr("control.writing is false"));
  client.call("get");
  client.call("subscribe", {{"names", {"x"}}});
}

TEST(Refused, WhatComesAfterTheEnd) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  // One that waits for a frame that never comes, and one asked for too late.
  const std::int64_t waiting = client.request("mark", {{"at", {{"frame", 1'000'000'000'000}}}});
  client.call("status");  // the one before has been taken
  rig.stop.raise();
  const json::object refused = client.reply();
  EXPECT_EQ(refused.at("id"), waiting);
  EXPECT_EQ(refused.at("error").at("code"), -32004);
  EXPECT_THAT(refused.at("error").at("message").as_string().c_str(), HasSubstr("has ended"));
  EXPECT_EQ(client.error("mark").at("code"), -32004);
  while (client.call("status").at("state") != "ended") {  // it may be ending still
  }
  client.call("get");
}

}  // namespace
}  // namespace hild::testing
