// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/report/pretty_json.hpp"
#include "cli/report/report.hpp"
#include "cli/report/terminal.hpp"
#include "cli/report/write_file.hpp"
#include "foreign/contain/child.hpp"
#include "sample_run.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() {
    std::string pattern = testing::TempDir() + "hild-report-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~Files() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  fs::path folder_;
};

TEST(Json, NamesTheOutputsThatWereCut) {
  SampleRun run;
  run.statistics.clamped_frames.set(17);
  run.statistics.clamp_stretches.set(3);
  const Report report = make_report({.config = run.config,
                                     .statistics = run.statistics,
                                     .clamped_outputs = 20,
                                     .cut_outputs = {{0, 20, 486, {-200, 200}}}});
  const json::value v = to_json(report);
  EXPECT_EQ(v.at_pointer("/clamped/frames"), 17);
  EXPECT_EQ(v.at_pointer("/clamped/stretches"), 3);
  EXPECT_EQ(v.at_pointer("/clamped/outputs").as_array(), (json::array{"shaft_speed"}));
  EXPECT_TRUE(v.at_pointer("/outcome/fault").is_null());
  EXPECT_NE(v.at_pointer("/outcome/message").as_string().find("17 of 1002 frames (`shaft_speed`)"),
            json::string::npos);
}

/// Counts two things, of which one is alarming.
class Counting final : public io::Device {
 public:
  Counting() {
    sent_.set(1000);
    wrong_.set(3);
  }
  Result<io::Channel> add(io::Direction, io::Options&) override { return io::Channel{}; }
  Result<void> open(rt::Clock&) override { return {}; }
  bool exchange(std::span<const double>, std::span<double>, std::span<MonoTime>) noexcept override {
    return true;
  }
  std::string_view failure() const override { return {}; }
  bool read_back(std::span<double>) override { return false; }
  std::span<const io::DeviceCounter> counters() const noexcept override { return all_; }

 private:
  rt::Counter sent_;
  rt::Counter wrong_;
  const std::array<io::DeviceCounter, 2> all_{
      {{"sent", "Sent.", &sent_}, {"wrong_length", "Of another length.", &wrong_, true}}};
};

TEST(Json, TellsWhatDevicesCount) {
  std::vector<io::Member> members;
  members.push_back({std::string_view("robot"), std::make_unique<Counting>()});
  SampleRun run;
  const Report report = make_report(
      {.config = run.config, .statistics = run.statistics, .devices = counted_by(members)});
  const json::value v = to_json(report);
  EXPECT_EQ(v.at("devices"), (json::object{{"robot", {{"sent", 1000}, {"wrong_length", 3}}}}));
  const auto line = [](std::string_view what, std::string_view count) {
    return fmt::format(" {:<40}{:>14}\n", what, count);
  };
  EXPECT_EQ(devices_table(report, Style{}),
            line("robot: sent", "1000") + line("robot: wrong length", "3"));
  EXPECT_EQ(devices_table(run.report(), Style{}), "");
  EXPECT_TRUE(to_json(run.report()).at("devices").as_object().empty());
}

// Every name that people's scripts rely on, read back from the text.
TEST(Json, HoldsEveryNumberUnderItsName) {
  const json::value v = json::parse(pretty(to_json(SampleRun().report())));
  const auto whole = [&v](std::string_view at) { return v.at_pointer(at).as_int64(); };
  const auto number = [&v](std::string_view at) { return v.at_pointer(at).to_number<double>(); };
  EXPECT_EQ(whole("/frames"), 1002);
  EXPECT_EQ(whole("/steps"), 1000);
  EXPECT_EQ(number("/sim_time_s"), 1.002);
  EXPECT_EQ(whole("/overruns/total"), 3);
  EXPECT_EQ(number("/overruns/percent"), 0.3);
  EXPECT_EQ(whole("/overruns/by_cause/device"), 2);
  EXPECT_EQ(whole("/overruns/by_cause/late_wake"), 1);
  EXPECT_EQ(whole("/overruns/by_cause/pass"), 0);
  EXPECT_EQ(number("/overruns/lateness_us/max"), 214);
  EXPECT_EQ(whole("/late_wakes"), 4);
  EXPECT_EQ(whole("/doubled_steps"), 2);
  EXPECT_EQ(whole("/slips"), 1);
  EXPECT_EQ(whole("/frozen_frames"), 5);
  EXPECT_EQ(whole("/late_samples"), 6);
  EXPECT_EQ(whole("/state_events"), 7);
  EXPECT_EQ(whole("/state_events_deferred"), 8);
  EXPECT_EQ(whole("/time_events"), 9);
  EXPECT_EQ(whole("/capped_steps/zero_advance"), 16);
  EXPECT_EQ(whole("/capped_steps/step_parts"), 0);
  EXPECT_TRUE(v.at_pointer("/capped_steps_by_model").as_object().empty());
  EXPECT_EQ(whole("/external_events/served"), 10);
  EXPECT_EQ(whole("/external_events/deferred"), 11);
  EXPECT_EQ(whole("/external_events/refused"), 12);
  EXPECT_EQ(whole("/records_dropped"), 13);
  EXPECT_EQ(whole("/utilisation/over_budget"), 14);
  EXPECT_EQ(whole("/clamped_outputs"), 15);
  for (const char* q : {"mean", "p50", "p99", "p999", "max"}) {
    EXPECT_EQ(number(fmt::format("/wake_latency_us/{}", q)), 12.345) << q;
    EXPECT_EQ(number(fmt::format("/phases_us/device/{}", q)), 40) << q;
    EXPECT_EQ(number(fmt::format("/{}/{}", "work_us", q)), 250) << q;
    EXPECT_EQ(number(fmt::format("/utilisation/{}", q)), 0.25) << q;
    EXPECT_EQ(number(fmt::format("/passes_us/1/{}", q)), 4) << q;
  }
  EXPECT_EQ(v.at("phases_us").as_object().size(), io::phase_count);
  EXPECT_EQ(v.at("passes_us").as_array().size(), 2U);
  EXPECT_EQ(number("/margin_us/min"), 750);
  EXPECT_EQ(number("/utilisation/budget"), 0.8);
}

TEST(Json, HoldsWhatWasRunAndHowItEnded) {
  SampleRun run;
  run.outcome.end = exec::End::model_fault;
  run.outcome.in_states = false;
  run.outcome.frame = 812;
  const json::value v = to_json(run.report());
  EXPECT_EQ(v.at("config").as_string(), "demo.yaml");
  EXPECT_EQ(v.at("model").as_string(), "dc-motor");
  EXPECT_EQ(v.at("method").as_string(), "rtam-2");
  EXPECT_EQ(v.at("sampling").as_string(), "stage");
  EXPECT_EQ(v.at("rate_hz").as_double(), 1000);
  EXPECT_EQ(v.at_pointer("/outcome/end").as_string(), "model_fault");
  EXPECT_EQ(v.at_pointer("/outcome/exit_code").as_int64(), 2);
  EXPECT_TRUE(v.at_pointer("/outcome/outputs_safe").as_bool());
  EXPECT_EQ(v.at_pointer("/outcome/message").as_string(),
            "Stopped: output `shaft_speed` of dc-motor was no longer a finite number in frame "
            "812.");
  EXPECT_EQ(v.at_pointer("/warnings/0").as_string(), "no SCHED_FIFO");
}

TEST(Json, ARunWithoutAStep) {
  const config::Config config;
  const exec::Statistics statistics;
  const json::value v = to_json(make_report({.config = config, .statistics = statistics}));
  EXPECT_EQ(v.at_pointer("/overruns/percent").as_double(), 0);
  EXPECT_TRUE(v.at("passes_us").as_array().empty());
}

// Of a model that is not trusted: whether it was held where it ran, and if not what was missing.
TEST(Json, SaysWhetherWhatIsNotTrustedIsContained) {
  config::Config config;
  const exec::Statistics statistics;
  const auto containment = [&] {
    return to_json(make_report({.config = config, .statistics = statistics})).at("containment");
  };
  EXPECT_TRUE(containment().is_null());
  config.model.type = "pump";
  config.model.contained = 1_ms;
  const bool held = contain::not_confined().empty();
  EXPECT_EQ(containment().at_pointer("/models/0").as_string(), "pump");
  EXPECT_EQ(containment().at("contained").as_bool(), held);
  EXPECT_EQ(containment().at("missing").is_null(), held);
  const plan::Containment missed{.models = {"pump", "valve"}, .missing = "no filter"};
  EXPECT_EQ(json::serialize(plan::containment_json(missed)),
            R"({"models":["pump","valve"],"contained":false,"missing":"no filter"})");
  EXPECT_THAT(plan::words(missed), ::testing::HasSubstr("pump, valve: in a process of its own, but "
                                                        "NOT CONTAINED: no filter"));
}

TEST(Json, PrettyTextForPeople) {
  const json::value v{{"name", "a \"b\""},
                      {"empty", json::array()},
                      {"few", {{"p50", 12.5}, {"max", 1}}},
                      {"not", std::nan("")},
                      {"list", {{{"a", "x"}}, 3}}};
  EXPECT_EQ(pretty(v),
            "{\n"
            "  \"name\": \"a \\\"b\\\"\",\n"
            "  \"empty\": [],\n"
            "  \"few\": {\"p50\": 12.5, \"max\": 1},\n"
            "  \"not\": null,\n"
            "  \"list\": [\n"
            "    {\n"
            "      \"a\": \"x\"\n"
            "    },\n"
            "    3\n"
            "  ]\n"
            "}\n");
}

TEST(Json, OneLineForPrograms) {
  const json::value v{{"a", {{"x", "text"}, {"y", {1, 2.5, std::nan("")}}}}, {"few", {{"n", 1}}}};
  EXPECT_EQ(one_line(v),
            "{\"a\": {\"x\": \"text\", \"y\": [1, 2.5, null]}, \"few\": {\"n\": 1}}\n");
}

TEST_F(Files, AReportReplacesTheOneBeforeAndLeavesNothingElse) {
  const fs::path file = folder_ / "report.json";
  std::ofstream(file) << "old";
  ASSERT_TRUE(write_json(SampleRun().report(), file).has_value());
  EXPECT_EQ(json::parse(content(file)).at("frames").as_int64(), 1002);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Files, AFailureNamesFileAndReason) {
  const std::string file = folder_ / "missing" / "report.json";
  const auto written = write_file(file, "{}");
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().message, "cannot write " + file + ": No such file or directory");
}

TEST_F(Files, AFolderIsNotReplaced) {
  const auto written = write_file(folder_, "{}");
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().message, "cannot write " + folder_.string() + ": Is a directory");
  EXPECT_TRUE(fs::is_directory(folder_));
}

TEST_F(Files, ALinkStaysALink) {
  const fs::path target = folder_ / "target";
  const fs::path link = folder_ / "link";
  std::ofstream(target) << "a longer text that was there before";
  fs::create_symlink(target, link);
  ASSERT_TRUE(write_file(link, "new").has_value());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(target), "new");
}

TEST(Json, CapsNameTheModelsOfSeveral) {
  constexpr std::array<std::string_view, 3> names{"pump", "valve", "tank"};
  SampleRun run;
  run.config.model.description.parts = names;
  run.statistics.capped_by[1][static_cast<std::size_t>(io::Cap::zero_advance)].set(16);
  const json::value v = to_json(run.report());
  const json::object& by = v.at("capped_steps_by_model").as_object();
  ASSERT_EQ(by.size(), 1U);
  EXPECT_EQ(by.at("valve").at("zero_advance").as_int64(), 16);
  EXPECT_NE(terminal_report(run.report(), {}, {}).find("valve"), std::string::npos);
}

}  // namespace
}  // namespace hild::report
