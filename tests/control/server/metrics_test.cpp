// SPDX-License-Identifier: Apache-2.0
/// \file
/// Metrics are in Prometheus' format, and are the numbers of the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <tuple>

#include "control/server/http_client.hpp"
#include "control/server/line_client.hpp"
#include "control/server/prometheus_parser.hpp"
#include "control/server/prometheus_text.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

using Labels = std::map<std::string, std::string>;

TEST(PrometheusText, EscapesWhatMustBe) {
  server::PrometheusText out;
  out.family("a_total", "counter", "Help.");
  out.sample(1.5, {{"name", "a\"b\\c\nd"}});
  out.sample(std::int64_t{-3}, {{"name", "x"}, {"unit", "m/s"}});
  out.family("b", "gauge", "More.");
  out.sample(NAN);
  out.sample(-INFINITY, {{"k", ""}});
  const Exposition e = parse_exposition(out.take());
  EXPECT_EQ(e.value("a_total", {{"name", "a\"b\\c\nd"}}), 1.5);
  EXPECT_EQ(e.value("a_total", {{"name", "x"}, {"unit", "m/s"}}), -3);
  EXPECT_TRUE(std::isnan(e.value("b")));
  EXPECT_EQ(e.value("b", {{"k", ""}}), -INFINITY);
  EXPECT_EQ(e.families.at("a_total").type, "counter");
  EXPECT_EQ(e.families.at("b").help, "More.");
}

// A double holds no more than 2^53 of them.
TEST(PrometheusText, WritesLargeCountsInFull) {
  server::PrometheusText out;
  out.family("a_total", "counter", "Help.");
  out.sample((std::int64_t{1} << 31) + 1, {{"of", "31"}});
  out.sample((std::int64_t{1} << 53) + 1, {{"of", "53"}});
  const std::string text = out.take();
  EXPECT_THAT(text, ::testing::HasSubstr("{of=\"31\"} 2147483649\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("{of=\"53\"} 9007199254740993\n"));
}

// The parser itself finds what is wrong.
TEST(PrometheusText, TheParserOfThisTestIsStrict) {
  const std::string head = "# HELP a x\n# TYPE a gauge\n";
  EXPECT_NO_THROW(std::ignore = parse_exposition(head + "a 1\n"));
  for (const char* bad :
       {"a 1", "a\n", "a{b} 1\n", "a{b=\"c} 1\n", "a{b=\"c\"}1\n", "b 1\n", "a 1x\n", "a 1\na 2\n",
        "a{b=\"\\x\"} 1\n", "\n", "a{1=\"c\"} 1\n", "a 1\n# TYPE b gauge\nb 1\na{x=\"y\"} 1\n"}) {
    EXPECT_ANY_THROW(std::ignore = parse_exposition(head + bad)) << bad;
  }
}

class Metrics : public ::testing::Test {
 protected:
  Metrics() { rig.control.address = "127.0.0.1"; }
  Exposition get() {
    const HttpAnswer a = HttpClient(rig.port()).get("/metrics");
    EXPECT_EQ(a.status, 200);
    EXPECT_EQ(a.fields.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    return parse_exposition(a.body);
  }
  ServerRig rig;
};

/// The names in the chapter of docs/control.md.
std::set<std::string> documented() {
  std::ifstream file(HILD_SOURCE_DIR "/docs/control.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  const std::string chapter = page.substr(page.find("\n## Metrics\n"));
  static const std::regex name("`(hild_[a-z_]+)");
  std::set<std::string> names;
  for (std::sregex_iterator at(chapter.begin(), chapter.end(), name), end; at != end; ++at) {
    names.insert((*at)[1]);
  }
  return names;
}

TEST_F(Metrics, AreNamedAsTheDocumentSays) {
  rig.start();
  const Exposition e = get();
  std::set<std::string> names;
  for (const auto& [name, family] : e.families) {
    names.insert(name);
    EXPECT_FALSE(family.help.empty()) << name;
    EXPECT_EQ(name.ends_with("_total"), family.type == "counter") << name;
  }
  names.insert("hild_exit_code");  // once the run has ended
  EXPECT_EQ(names, documented());
  EXPECT_EQ(e.value("hild_build_info", {{"version", "1.2.3"}}), 1);
  EXPECT_EQ(e.value("hild_frame_period_seconds"), 1e-3);
  EXPECT_EQ(e.value("hild_utilisation_limit_ratio"), 0.8);
  EXPECT_EQ(e.value("hild_control_clients"), 0) << "who asks for this is none";
}

TEST_F(Metrics, HaveWhatDevicesCount) {
  rt::Counter lost;
  const std::array counters{io::DeviceCounter{"lost", "Lost.", &lost, true}};
  rig.device_counters = {{"robot", counters}};
  rig.start();
  lost.set(3);
  EXPECT_EQ(get().value("hild_device_events_total", {{"device", "robot"}, {"event", "lost"}}), 3);
  EXPECT_EQ(LineClient(rig.socket()).call("status").at("devices").at("robot").at("lost"), 3);
}

// Each pass takes 110 us, but in step 20, which ends half a frame late.
TEST_F(Metrics, AreTheNumbersOfTheRun) {
  rig.plant.pass_cost = 110_us;
  rig.plant.extra = {{20, 1390_us}};
  rig.start();
  LineClient client(rig.socket());
  client.call("set", {{"values", {{"level", 2.5}, {"gain", -1}}}});
  while (client.call("status").at("steps").as_int64() < 100) {
  }
  client.call("freeze");
  rig.catch_up();
  const Exposition e = get();
  EXPECT_GE(e.value("hild_steps_total"), 100);
  EXPECT_GE(e.value("hild_frames_total"), e.value("hild_steps_total"));
  EXPECT_NEAR(e.value("hild_simulated_seconds_total"), 1e-3 * e.value("hild_steps_total"), 1e-9);
  EXPECT_GT(e.value("hild_frozen_frames_total"), 0);
  EXPECT_EQ(e.value("hild_frame_overruns_total", {{"cause", "pass"}}), 1);
  EXPECT_EQ(e.value("hild_frame_overruns_total", {{"cause", "external_event"}}), 0);
  EXPECT_EQ(e.value("hild_external_events_total", {{"class", "parameter"}, {"result", "served"}}),
            2);
  EXPECT_EQ(e.value("hild_external_events_total", {{"class", "mode"}, {"result", "served"}}), 1);
  EXPECT_EQ(e.value("hild_signal", {{"name", "level"}, {"unit", "1"}, {"kind", "parameter"}}), 2.5);
  EXPECT_EQ(e.value("hild_signal", {{"name", "level"}, {"unit", "1"}, {"kind", "output"}}), 2.5);
  EXPECT_EQ(e.value("hild_signal", {{"name", "load"}, {"unit", "N m"}, {"kind", "input"}}), 0.25);

  const std::string phase = "hild_frame_phase_duration_seconds";
  const auto up_to = [&](const char* le) {
    return e.value(phase + "_bucket", {{"phase", "passes"}, {"le", le}});
  };
  const double steps = e.value("hild_steps_total");
  EXPECT_EQ(up_to("0.0002") - up_to("0.0001"), steps - 1) << "110 us each";
  EXPECT_EQ(up_to("0.002") - up_to("0.0002"), 1) << "and one of 1500 us";
  EXPECT_EQ(up_to("+Inf"), e.value(phase + "_count", {{"phase", "passes"}}));
  EXPECT_NEAR(e.value(phase + "_sum", {{"phase", "passes"}}), 110e-6 * (steps - 1) + 1500e-6, 1e-9);
}

// While the loop goes on adding: cumulative, and the last bucket is the count.
// One that was not done with its step has others beside it that were.
TEST_F(Metrics, SayWhichOfSeveralModelsWasCutShort) {
  static constexpr std::array<std::string_view, 3> names{"pump", "valve", "pipe"};
  rig.plant.consist_of(names);
  rig.plant.costs.cuts_of = [this](std::int64_t step, model::CapCounts& cuts) {
    if (step != 3 && step != 5) return;
    ++cuts.zero_advance;
    ++rig.plant.cut_models.cuts_by[1].zero_advance;
    if (step == 5) ++rig.plant.cut_models.cuts_by[0].zero_advance;
  };
  rig.start();
  rig.run_past(8);
  const Exposition e = get();
  const auto cut = [&](const char* model) {
    return e.value("hild_capped_steps_total", {{"cap", "zero_advance"}, {"model", model}});
  };
  EXPECT_EQ(cut("pump"), 1);
  EXPECT_EQ(cut("valve"), 2);
  EXPECT_EQ(cut("pipe"), 0);

  LineClient client(rig.socket());
  const boost::json::object capped = client.call("status").at("capped").as_object();
  EXPECT_EQ(capped.at("steps").as_object().at("zero_advance").as_int64(), 2);
  const boost::json::object& by = capped.at("by_model").as_object();
  EXPECT_EQ(by.at("pump").as_object().at("zero_advance").as_int64(), 1);
  EXPECT_EQ(by.at("valve").as_object().at("zero_advance").as_int64(), 2);
  EXPECT_FALSE(by.contains("pipe")) << "it was never cut short";
}

// 24.9 days at 1 kHz.
TEST_F(Metrics, AreThoseOfALongRun) {
  constexpr std::int64_t first = (std::int64_t{1} << 31) - 20;
  rig.first_frame = first;
  rig.start();
  rig.run_past(first + 40);
  LineClient client(rig.socket());
  client.call("freeze");
  const Exposition e = get();
  const boost::json::object status = client.call("status").as_object();
  EXPECT_GT(status.at("frame").as_int64(), first + 40);
  EXPECT_GT(e.value("hild_simulated_seconds_total"), 1e-3 * (first + 40));
  EXPECT_EQ(status.at("sim_time_s").to_number<double>(), e.value("hild_simulated_seconds_total"));
}

TEST_F(Metrics, HistogramsAreConsistentWhileTheyGrow) {
  rig.plant.pass_cost = 3_us;
  rig.start();
  for (int scrape = 0; scrape < 50; ++scrape) {
    const Exposition e = get();
    std::map<Labels, std::pair<double, double>> last;  // edge and count of each series
    for (const auto& s : e.samples) {
      if (!s.name.ends_with("_bucket")) continue;
      Labels series = s.labels;
      series["of"] = s.name;
      const std::string le = series.at("le");
      series.erase("le");
      const double edge = le == "+Inf" ? INFINITY : std::stod(le);
      if (last.contains(series)) {
        EXPECT_GT(edge, last[series].first);
        EXPECT_GE(s.value, last[series].second);
      }
      last[series] = {edge, s.value};
      if (le != "+Inf") continue;
      series.erase("of");
      EXPECT_EQ(e.value(s.name.substr(0, s.name.size() - 7) + "_count", series), s.value);
    }
    EXPECT_EQ(last.size(), io::phase_count + 3);
  }
}

TEST_F(Metrics, WithoutAStepYetHaveNoSignals) {
  rig.start(false);
  const Exposition e = get();
  EXPECT_FALSE(e.families.contains("hild_signal"));
  EXPECT_EQ(e.value("hild_frames_total"), 0);
}

}  // namespace
}  // namespace hild::testing
