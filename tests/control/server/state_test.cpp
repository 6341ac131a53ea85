// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a run is up to is told alike by status, get, list, metrics, the log and to those who
/// follow; and those are told how it ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/server/http_client.hpp"
#include "control/server/line_client.hpp"
#include "control/server/prometheus_parser.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Of a topic in `told`: what it is, or its words.
std::string told(const json::value& reply, std::string_view of, const char* member = "is") {
  for (const json::value& t : reply.at("told").as_array()) {
    if (t.at("of").as_string() == of) return std::string(t.at(member).as_string());
  }
  return "";
}

class State : public ::testing::Test {
 protected:
  State() { rig.control.address = "127.0.0.1"; }
  /// Asks until a topic is something.
  json::value when(LineClient& client, std::string_view of, std::string_view is) {
    json::value status = client.call("status");
    while (told(status, of) != is) status = client.call("status");
    return status;
  }
  /// The next notification of a follower in which a topic is something; no other is one.
  json::value next(LineClient& client, std::string_view of, std::string_view is) {
    while (true) {
      const json::object n = client.notification();
      EXPECT_EQ(n.at("method"), "state");
      if (told(n.at("params"), of) == is) return n.at("params");
    }
  }
  Exposition metrics() { return parse_exposition(HttpClient(rig.port()).get("/metrics").body); }
  static double gauge(const Exposition& e, const char* of, const char* is) {
    return e.value("hild_state", {{"of", of}, {"is", is}});
  }
  ServerRig rig;
};

TEST_F(State, OfAnOrdinaryRunIsQuiet) {
  rig.start();
  LineClient client(rig.socket());
  const json::value status = when(client, "run", "running");
  std::vector<std::string> topics;
  for (const json::value& t : status.at("told").as_array()) {
    topics.emplace_back(t.at("of").as_string());
    EXPECT_EQ(t.at("level"), "quiet") << topics.back();
    EXPECT_FALSE(t.at("words").as_string().empty()) << topics.back();
  }
  EXPECT_THAT(topics,
              ::testing::ElementsAre("run", "plant", "outputs", "alarms", "faults", "stimuli",
                                     "recording", "sequence", "guard", "access"));
  EXPECT_TRUE(status.at("ending").is_null());
  const json::value got = client.call("get");
  EXPECT_EQ(got.at("told"), json::array());
  EXPECT_EQ(got.at("differs"), json::object());
}

TEST_F(State, ADisarmedLineIsToldApartFromThePlant) {
  rig.sampler.line = 2.5;  // as after a safe action
  rig.start();
  LineClient client(rig.socket());
  client.call("set", {{"values", {{"level", 7}}}});
  client.call("disarm");
  const json::value status = when(client, "outputs", "disarmed");
  EXPECT_EQ(told(status, "outputs", "level"), "fair");
  const json::value got = client.call("get", {{"names", {"output:level", "seen", "x"}}});
  EXPECT_EQ(got.at("values").at("output:level"), 7.0);
  EXPECT_EQ(got.at("differs"),
            R"({"output:level": {"plant": 7.0, "line": 2.5, "why": "disarmed"}})"_json);
  EXPECT_EQ(told(got, "outputs"), "disarmed");
  EXPECT_EQ(client.call("list").at("outputs").at(0).at("differs").at("line"), 2.5);
  const Exposition e = metrics();
  EXPECT_EQ(gauge(e, "outputs", "disarmed"), 1);
  EXPECT_EQ(gauge(e, "outputs", "armed"), 0);
  EXPECT_EQ(e.value("hild_signal", {{"name", "level"}, {"unit", "1"}, {"kind", "output"}}), 7);
  EXPECT_EQ(e.value("hild_signal_line", {{"name", "level"}, {"unit", "1"}, {"kind", "output"}}),
            2.5);
  client.call("arm");
  when(client, "outputs", "armed");
  EXPECT_EQ(client.call("get").at("differs"), json::object());
}

TEST_F(State, WhatFalsifiesASignalIsToldWithBothValues) {
  rig.start();
  LineClient client(rig.socket());
  client.call("override", R"({"signal": "u", "kind": "stuck", "value": 3})"_json.as_object());
  client.call("override", R"({"signal": "seen", "kind": "offset", "value": 2})"_json.as_object());
  client.call(
      "stimulate",
      R"({"input": "load", "shape": "step", "amplitude": 1, "replace": true})"_json.as_object());
  const json::value got = client.call("get", {{"names", {"u", "seen", "input:load"}}});
  EXPECT_EQ(got.at("values"), R"({"u": 3.0, "seen": 5.0, "input:load": 1.0})"_json);
  EXPECT_EQ(got.at("differs"),
            R"({"u": {"plant": 3.0, "line": 0.5, "why": "fault stuck"},
                "seen": {"plant": 3.0, "line": null, "why": "fault offset"},
                "input:load": {"plant": 1.0, "line": null, "why": "stimulus step"}})"_json);
  const json::value status = client.call("status");
  EXPECT_EQ(told(status, "faults", "words"), "u stuck 3, seen offset 2");
  EXPECT_EQ(told(status, "stimuli", "words"), "input:load step instead of what is sampled");
  Exposition e = metrics();
  EXPECT_EQ(e.value("hild_faults_in_force"), 2);
  EXPECT_EQ(e.value("hild_stimuli_in_force"), 1);
  EXPECT_EQ(gauge(e, "faults", "falsified"), 1);
  EXPECT_EQ(e.value("hild_signal_line", {{"name", "u"}, {"unit", "rad/s"}, {"kind", "input"}}),
            0.5);
  client.call("release", {{"signal", "u"}});
  client.call("release", {{"signal", "seen"}});
  client.call("quiet", {{"input", "load"}});
  EXPECT_EQ(client.call("get").at("differs"), json::object());
  EXPECT_EQ(told(client.call("status"), "faults", "words"), "none");
  e = metrics();
  EXPECT_EQ(e.value("hild_faults_in_force"), 0);
}

TEST_F(State, OfAPlantThatIsHeldTellsByWhatAndWhatItsOutputsDo) {
  rig.start();
  LineClient client(rig.socket());
  client.call("freeze", {{"outputs", "safe"}});
  json::value status = client.call("status");
  EXPECT_EQ(status.at("state"), "frozen");
  EXPECT_THAT(told(status, "run", "words"), HasSubstr("as asked for"));
  EXPECT_THAT(told(status, "outputs", "words"), HasSubstr("at their safe values"));
  EXPECT_EQ(client.call("get").at("differs").at("output:level").at("why"), "safe while frozen");
  EXPECT_EQ(gauge(metrics(), "run", "frozen"), 1);

  const std::int64_t from = client.call("get").at("frame").as_int64();
  client.call("step", {{"frames", 3}});
  while (client.call("get").at("frame").as_int64() < from + 3) {
  }
  status = when(client, "run", "frozen");
  EXPECT_THAT(told(status, "run", "words"), HasSubstr("single-stepping"));
  client.call("resume");
  status = client.call("status");
  EXPECT_EQ(told(status, "run", "words"), "running");
  EXPECT_EQ(gauge(metrics(), "run", "frozen"), 0);

  client.call("freeze", R"({"outputs": "declared", "values": {"level": -5}})"_json.as_object());
  const json::value level = client.call("get").at("differs").at("output:level");
  EXPECT_EQ(level.at("plant"), 0.0);
  EXPECT_EQ(level.at("why"), "declared while frozen");
}

// 3 of 10^9 frames: it is never at its end.
TEST_F(State, OfAPlantThatIsBeingSteppedIsStepping) {
  rig.start();
  LineClient client(rig.socket());
  client.call("freeze");
  client.call("step", {{"frames", 1'000'000'000}});
  const json::value status = client.call("status");
  EXPECT_EQ(status.at("state"), "stepping");
  EXPECT_EQ(told(status, "run", "level"), "fair");
}

TEST_F(State, AStepOfAPlantThatRunsIsRefusedWithTheNextAction) {
  rig.start();
  LineClient client(rig.socket());
  const json::object error = client.error("step");
  EXPECT_EQ(error.at("code"), -32000);
  EXPECT_EQ(error.at("data").at("refusal"), "not_frozen");
  EXPECT_THAT(error.at("message").as_string().c_str(),
              ::testing::AllOf(StartsWith("the plant runs"), HasSubstr("`freeze: true`"),
                               HasSubstr("--freeze")));
  EXPECT_EQ(client.call("status").at("state"), "running");
  const std::int64_t frame =
      client.call("step", {{"frames", 2}, {"freeze", true}}).at("frame").as_int64();
  when(client, "run", "frozen");
  EXPECT_EQ(client.call("get").at("frame").as_int64(), frame + 2);
  client.call("step");
}

TEST_F(State, RecordingGuardAndAccessAreTold) {
  rig.recorders = {{.name = "record",
                    .state = "recording",
                    .file = "run.mcap",
                    .files = 1,
                    .blocks = 1,
                    .blocks_max = 128,
                    .lost = 12,
                    .error = "run.mcap: no space left"}};
  rig.guarding = server::Guarding::lost;
  rig.control.writing = false;
  rig.start();
  LineClient client(rig.socket());
  const json::value status = client.call("status");
  EXPECT_EQ(told(status, "recording"), "losing");
  EXPECT_EQ(told(status, "recording", "words"),
            "run.mcap: 12 frames are not in it; run.mcap: no space left");
  EXPECT_EQ(told(status, "recording", "level"), "bad");
  EXPECT_EQ(told(status, "guard"), "lost");
  EXPECT_EQ(told(status, "access"), "read-only");
  EXPECT_EQ(status.at("recording").at("lost"), 12);
  const Exposition e = metrics();
  EXPECT_EQ(e.value("hild_recording_lost_frames"), 12);
  EXPECT_EQ(gauge(e, "recording", "losing"), 1);
  EXPECT_EQ(gauge(e, "guard", "lost"), 1);
  EXPECT_EQ(gauge(e, "access", "read-only"), 1);
  EXPECT_EQ(gauge(e, "access", "writable"), 0);
}

TEST_F(State, WhoFollowsIsToldEachChangeAndTheEnd) {
  rig.ending = {.outcome = "interlock",
                .words = "Stopped in frame 7: interlock `x` tripped.",
                .next = "look",
                .exit_code = 5,
                .safe = true};
  rig.start();
  LineClient client(rig.socket());
  const json::value at_once = client.call("follow");
  EXPECT_EQ(at_once.at("state"), "running");
  EXPECT_EQ(told(at_once, "outputs"), "armed");

  client.call("disarm");
  next(client, "outputs", "disarmed");
  client.call("freeze");
  next(client, "run", "frozen");
  client.call("override", R"({"signal": "u", "kind": "dropout"})"_json.as_object());
  EXPECT_EQ(told(next(client, "faults", "falsified"), "faults", "words"), "u dropout");
  client.call("resume");
  EXPECT_EQ(next(client, "run", "running").at("state"), "running");

  rig.end();
  const json::value last = next(client, "run", "ended");
  EXPECT_EQ(told(last, "run", "words"),
            "ended: Stopped in frame 7: interlock `x` tripped. Exit code 5");
  const json::object ended = client.notification();
  EXPECT_EQ(ended.at("method"), "ended");
  EXPECT_EQ(ended.at("params"),
            R"({"outcome": "interlock", "words": "Stopped in frame 7: interlock `x` tripped.",
                "next": "look", "exit_code": 5, "outputs_safe": true})"_json);
  EXPECT_TRUE(client.closed());
}

TEST_F(State, WhoDoesNotFollowIsNotTold) {
  rig.start();
  LineClient client(rig.socket());
  client.call("disarm");
  when(client, "outputs", "disarmed");
  rig.end();
  EXPECT_FALSE(client.line()) << "nothing it did not ask for";
}

TEST_F(State, APostCannotFollow) {
  rig.start();
  const HttpAnswer a =
      HttpClient(rig.port()).post(R"({"jsonrpc": "2.0", "id": 1, "method": "follow"})");
  EXPECT_THAT(a.body, HasSubstr("follow: POST has no way"));
}

TEST_F(State, TheLogHasEachChangeOnce) {
  rig.start();
  {
    LineClient client(rig.socket());
    client.call("follow");
    client.call("disarm");
    next(client, "outputs", "disarmed");
    client.call("override", R"({"signal": "u", "kind": "stuck", "value": 3})"_json.as_object());
    next(client, "faults", "falsified");
    client.call("arm");
    next(client, "outputs", "armed");
  }
  rig.end();
  EXPECT_THAT(rig.log,
              ::testing::ElementsAre(StartsWith("outputs: disarmed"), "faults: u stuck 3",
                                     StartsWith("outputs: armed"), StartsWith("run: ended"),
                                     StartsWith("outputs: at their safe values")));
}

}  // namespace
}  // namespace hild::testing
