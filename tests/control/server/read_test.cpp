// SPDX-License-Identifier: Apache-2.0
/// \file
/// What can be asked of a run, and that the answers are those of the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Asks until frames advance.
json::object running(LineClient& client) {
  while (true) {
    json::object status = client.call("status").as_object();
    if (status["state"] == "running") return status;
  }
}

std::vector<std::string> keys_of(const json::value& o) {
  std::vector<std::string> keys;
  for (const auto& member : o.as_object()) keys.emplace_back(member.key());
  return keys;
}

TEST(Status, TellsWhatRunsAndHowItFares) {
  ServerRig rig;
  rig.settings.budget.utilisation = 0.7;
  rig.start();
  LineClient client(rig.socket());
  const json::object s = running(client);
  EXPECT_EQ(s.at("model"), "bench");
  EXPECT_EQ(s.at("method"), "forward-euler");
  EXPECT_EQ(s.at("sampling"), "frame");
  EXPECT_DOUBLE_EQ(s.at("period_s").to_number<double>(), 1e-3);
  EXPECT_EQ(s.at("version"), "1.2.3");
  EXPECT_EQ(s.at("pid"), getpid());
  EXPECT_EQ(s.at("clients"), 1);
  EXPECT_EQ(s.at("writing"), true);
  EXPECT_EQ(s.at("samples_lost"), 0);
  EXPECT_GE(s.at("frame").as_int64(), 0);
  EXPECT_GT(s.at("frames").as_int64(), 0);
  EXPECT_EQ(s.at("overruns"),
            R"({"total": 0, "percent": 0.0, "by_cause": {"late_wake": 0, "carried": 0, "device": 0,
                "pass": 0, "state_event": 0, "external_event": 0, "unknown": 0, "page_fault": 0,
                "preemption": 0, "host": 0, "worker": 0}})"_json);
  EXPECT_EQ(s.at("utilisation").at("limit"), 0.7);
  EXPECT_EQ(s.at("overrides"), json::array());
  EXPECT_EQ(s.at("stimuli"), json::array());
  for (const char* name : {"wake_latency_us", "work_us", "margin_us"}) {
    for (const char* q : {"p50", "p99", "p999", "max"}) {
      EXPECT_TRUE(s.at(name).at(q).is_number()) << name << q;
    }
  }
  // Nothing costs time on this clock: a frame of work leaves a frame of margin.
  EXPECT_EQ(s.at("margin_us").at("min").to_number<double>(), 1000);
  EXPECT_EQ(s.at("work_us").at("max").to_number<double>(), 0);
  EXPECT_EQ(keys_of(s.at("phases_us")).size(), io::phase_count);
  EXPECT_EQ(s.at("passes_us").as_array().size(), 1U);
}

TEST(Models, AreNoneWhereNothingIsRunBesideAnything) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const json::object told = client.call("models").as_object();
  EXPECT_EQ(told.at("planned"), json::array());
  EXPECT_EQ(told.at("observed"), json::array());
  EXPECT_EQ(told.at("background"), json::array());
  EXPECT_EQ(told.at("cpus"), R"([{"worker": -1, "cpu": null}])"_json);
}

TEST(Status, IsStartingUntilAStepHasEnded) {
  ServerRig rig;
  rig.start(false);
  LineClient client(rig.socket());
  const json::object s = client.call("status").as_object();
  EXPECT_EQ(s.at("state"), "starting");
  EXPECT_EQ(s.at("frame"), -1);
  EXPECT_THAT(client.error("get").at("message").as_string().c_str(), HasSubstr("no step"));
  EXPECT_TRUE(client.call("list").at("inputs").at(0).at("value").is_null());
  rig.run_frames();
  running(client);
}

TEST(Status, CountsEventsByClassWithTheirCosts) {
  ServerRig rig;
  rig.events.seed(exec::EventClass::parameter, {.prepare = 3_us, .commit = 2_us});
  rig.start();
  LineClient client(rig.socket());
  client.call("set", {{"values", {{"level", 1}}}});
  client.call("set", {{"values", {{"level", 2}, {"gain", 3}}}});
  client.call("mark");
  const json::value events = client.call("status").at("external_events");
  EXPECT_EQ(events.at("served"), 4);
  EXPECT_EQ(events.at("deferred"), 0);
  EXPECT_EQ(events.at("refused"), 0);
  EXPECT_EQ(
      events.at("by_class").at("parameter"),
      R"({"served": 3, "deferred": 0, "refused": 0, "prepare_us": 3.0, "commit_us": 2.0})"_json);
  EXPECT_EQ(events.at("by_class").at("mark").at("served"), 1);
  EXPECT_THAT(keys_of(events.at("by_class")), ElementsAre("parameter", "override", "stimulus",
                                                          "mode", "snapshot", "restore", "mark"));
}

TEST(List, HasAllNamesUnitsLimitsAndPlaces) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  running(client);
  client.call("set", {{"values", {{"level", 7}}}});
  client.call("freeze");  // so that values stand still
  client.call("save", {{"slot", 3}});
  const json::object l = client.call("list").as_object();
  EXPECT_EQ(l.at("parameters"),
            R"([{"name": "level", "unit": "1", "value": 7.0, "start": 0.0, "low": -1e9, "high": 1e9,
                 "tunable": true},
                {"name": "inertia", "unit": "kg m2", "value": 0.01, "start": 0.01, "low": 1e-6,
                 "high": 10.0, "tunable": true},
                {"name": "gain", "unit": "V", "value": 1.0, "start": 1.0, "low": null,
                 "high": null, "tunable": true}])"_json);
  EXPECT_EQ(l.at("inputs"),
            R"([{"name": "u", "unit": "rad/s", "value": 0.5, "from": "daq channel 0"},
                {"name": "load", "unit": "N m", "value": 0.25, "from": null}])"_json);
  EXPECT_EQ(l.at("outputs"),
            R"([{"name": "level", "unit": "1", "value": 7.0, "to": "daq channel 1", "safe": 2.5},
                {"name": "seen", "unit": "rad/s", "value": 0.5, "to": null, "safe": null},
                {"name": "load", "unit": "N m", "value": 0.25, "to": null, "safe": null}])"_json);
  EXPECT_EQ(l.at("states").at(0).at("name"), "x");
  EXPECT_EQ(l.at("slots"), json::array{3});
  EXPECT_EQ(l.at("shapes"), R"(["step", "ramp", "sine", "chirp", "playback"])"_json);
  EXPECT_EQ(l.at("overrides"), R"(["gain", "offset", "noise", "stuck", "dropout", "coarse"])"_json);
}

// x' = u = 0.5 from x = 0: Euler's method has x = 0.5 t at the end of every step, and at no other
// time.
TEST(Get, IsOfOneStep) {
  ServerRig rig;
  rig.settings.grid = Grid::of_rate_hz(1024);
  rig.start();
  LineClient client(rig.socket());
  running(client);
  for (int i = 0; i < 50; ++i) {
    const json::value got = client.call("get", {{"names", {"x", "input:u"}}});
    const double t = got.at("time_s").to_number<double>();
    EXPECT_NEAR(t, static_cast<double>(got.at("frame").as_int64() + 1) / 1024, 1e-9);
    EXPECT_NEAR(got.at("values").at("x").to_number<double>(), 0.5 * t, 1e-6);
    EXPECT_EQ(got.at("values").at("input:u").to_number<double>(), 0.5);
    EXPECT_EQ(got.at("frozen"), false);
    EXPECT_EQ(got.at("values").as_object().size(), 2U);
  }
}

TEST(Get, WithoutNamesHasAllAndPrefixesWhereTheyAreNeeded) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  running(client);
  EXPECT_THAT(keys_of(client.call("get").at("values")),
              ElementsAre("u", "input:load", "output:level", "seen", "output:load", "x",
                          "parameter:level", "inertia", "gain"));
}

TEST(Saved, IsWhatWasSaved) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  client.call("freeze");
  client.call(
      "transaction",
      {{"changes",
        {{{"set", {{"values", {{"level", 5}, {"gain", -2}}}}}}, {{"save", {{"slot", 7}}}}}}});
  const json::value now = client.call("get", {{"names", {"x"}}});
  client.call("set", {{"values", {{"level", 6}}}});
  const json::value kept = client.call("saved", {{"slot", 7}});
  EXPECT_EQ(kept.at("slot"), 7);
  EXPECT_EQ(kept.at("states").at("x"), now.at("values").at("x"));
  EXPECT_EQ(kept.at("parameters"), R"({"level": 5.0, "inertia": 0.01, "gain": -2.0})"_json);
  EXPECT_THAT(client.error("saved", {{"slot", 2}}).at("message").as_string().c_str(),
              HasSubstr("nothing was saved in slot 2"));
}

// Step 20 takes 1.5 frames of 1 ms: it ends 0.5 ms late, by a pass; the next one covers one frame,
// as its end lies ahead still.
TEST(Overruns, AreToldWithTheirCause) {
  ServerRig rig;
  rig.plant.extra = {{20, 1500_us}, {40, 1200_us}};
  rig.start();
  LineClient client(rig.socket());
  json::object all;
  do {
    all = client.call("overruns").as_object();
  } while (all["overruns"].as_array().size() < 2);
  EXPECT_EQ(all["total"], 2);
  const json::object& first = all["overruns"].at(0).as_object();
  EXPECT_EQ(first.at("step"), 20);
  EXPECT_EQ(first.at("frame"), 20);
  EXPECT_DOUBLE_EQ(first.at("time_s").to_number<double>(), 0.020);
  EXPECT_EQ(first.at("lateness_us").to_number<double>(), 500);
  EXPECT_EQ(first.at("cause"), "pass");
  EXPECT_EQ(first.at("span"), 1);
  EXPECT_EQ(first.at("phases_us").at("passes").to_number<double>(), 1500);
  EXPECT_THAT(first.at("words").as_string().c_str(),
              HasSubstr("frame 20: +500 us late, cause pass"));
  EXPECT_EQ(all["overruns"].at(1).at("step"), 40) << "oldest first";

  // Steps 38 and 39 came before it; what the frames before took is none of the clock's.
  const json::value around = client.call("overruns", {{"last", 1}, {"before", 2}});
  const json::array& before = around.at("overruns").at(0).at("before").as_array();
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(before[0].at("step"), 38);
  EXPECT_EQ(before[1].at("step"), 39);
  EXPECT_EQ(before[1].at("lateness_us").to_number<double>(), -1000);
  EXPECT_EQ(before[1].at("phases_us").at("passes").to_number<double>(), 0);
  EXPECT_EQ(first.at("utilisation_before").to_number<double>(), 0);
  EXPECT_FALSE(first.contains("before")) << "only when asked for";

  const json::value last = client.call("overruns", {{"last", 1}});
  ASSERT_EQ(last.at("overruns").as_array().size(), 1U);
  EXPECT_EQ(last.at("overruns").at(0).at("step"), 40);
  const json::value since = client.call("overruns", {{"since_step", 21}});
  ASSERT_EQ(since.at("overruns").as_array().size(), 1U);
  EXPECT_EQ(since.at("overruns").at(0).at("step"), 40);
  EXPECT_EQ(client.call("overruns", {{"since_step", 41}}).at("overruns"), json::array());
  const json::value status = client.call("status");
  EXPECT_EQ(status.at("overruns").at("by_cause").at("pass"), 2);
}

TEST(Histograms, HaveAsManyCountsAsThereWereFrames) {
  ServerRig rig;
  rig.plant.pass_cost = 110_us;
  rig.plant.extra = {{5, 440_us}};
  rig.start();
  LineClient client(rig.socket());
  while (client.call("status").at("steps").as_int64() < 100) {
  }
  client.call("freeze");  // a held plant costs nothing, and counts as such
  rig.catch_up();
  const json::object all = client.call("histograms").as_object();
  for (const char* name : {"wake", "work", "margin", "lateness", "phase.passes", "phase.idle"}) {
    ASSERT_TRUE(all.contains(name)) << name;
    EXPECT_EQ(all.at(name).at("edges_us").as_array().size(),
              all.at(name).at("counts").as_array().size());
  }
  EXPECT_EQ(all.at("lateness"), R"({"edges_us": [], "counts": []})"_json);
  // 110 us lie in (100, 125], 550 us in (500, 630].
  const json::array edges = all.at("phase.passes").at("edges_us").as_array();
  const json::array counts = all.at("phase.passes").at("counts").as_array();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const double edge = edges[i].to_number<double>();
    if (edge == 630) {
      EXPECT_EQ(counts[i], 1);
    } else if (edge == 125) {
      EXPECT_GE(counts[i].as_int64(), 99);
    } else if (i > 0) {
      EXPECT_EQ(counts[i], 0) << edge;
    }
  }
  EXPECT_EQ(keys_of(client.call("histograms", {{"names", {"wake"}}})),
            std::vector<std::string>{"wake"});
  EXPECT_THAT(client.error("histograms", {{"names", {"wakes"}}}).at("message").as_string().c_str(),
              HasSubstr("did you mean \"wake\"?"));
}

TEST(Methods, AreThoseOfTheDocument) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  std::vector<std::string> reading;
  std::vector<std::string> writing;
  const json::value methods = client.call("methods");
  for (const json::value& m : methods.as_array()) {
    (m.at("writes").as_bool() ? writing : reading).emplace_back(m.at("name").as_string());
    EXPECT_FALSE(m.at("summary").as_string().empty());
    for (const json::value& p : m.at("params").as_array()) {
      EXPECT_TRUE(p.at("name").is_string() && p.at("type").is_string() &&
                  p.at("required").is_bool());
    }
  }
  EXPECT_THAT(reading,
              ElementsAre("status", "list", "get", "histograms", "overruns", "history", "models",
                          "nodes", "dashboards", "dashboard", "sequences", "saved", "subscribe",
                          "unsubscribe", "follow", "methods", "rights"));
  EXPECT_THAT(writing, ElementsAre("set", "override", "release", "stimulate", "quiet", "freeze",
                                   "step", "resume", "save", "restore", "reset", "mark", "inject",
                                   "clear", "acknowledge", "transaction", "arm", "disarm", "record",
                                   "unrecord", "rewind", "begin", "cease", "stop", "take", "give",
                                   "arrange", "discard", "show"));
}

// What a form is made of: docs/control.md.
TEST(Methods, TellWhatAFormNeeds) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const json::value methods = client.call("methods");
  const auto param = [&](std::string_view method, std::string_view name) -> json::object {
    for (const json::value& m : methods.as_array()) {
      if (m.at("name") != json::string(method)) continue;
      for (const json::value& p : m.at("params").as_array()) {
        if (p.at("name") == json::string(name)) return p.as_object();
      }
    }
    ADD_FAILURE() << method << "." << name;
    return {};
  };
  EXPECT_EQ(param("override", "signal").at("target"), "signal");
  EXPECT_EQ(param("stimulate", "input").at("target"), "input");
  EXPECT_EQ(param("set", "values").at("target"), "parameter");
  const json::object kind = param("override", "kind");
  EXPECT_EQ(kind.at("usual"), "stuck");
  json::array names;
  for (const json::value& w : kind.at("words").as_array()) names.push_back(w.at("name"));
  EXPECT_EQ(names, client.call("list").at("overrides"));
  EXPECT_EQ(param("override", "value").at("of").at("gain").at("unit"), "1");
  EXPECT_FALSE(param("override", "value").at("of").as_object().contains("dropout"));
  const json::object over = param("stimulate", "over_s");
  EXPECT_EQ(over.at("unit"), "s");
  EXPECT_EQ(over.at("of"), (json::object{{"ramp", {{"unit", "s"}, {"required", true}}},
                                         {"chirp", {{"unit", "s"}, {"required", true}}}}));
}

}  // namespace
}  // namespace hild::testing
