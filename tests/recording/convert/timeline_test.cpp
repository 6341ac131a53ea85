// SPDX-License-Identifier: Apache-2.0
/// \file
/// The timeline: slices of the right length, one within the other.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "recording/convert/export.hpp"
#include "recording/framelog/runs.hpp"

namespace hild::convert {
namespace {

namespace json = boost::json;
using framelog::Recording;

json::array events_of(const std::string& log) {
  const std::string file = std::filesystem::temp_directory_path() /
                           ("hild-timeline-" + std::to_string(::getpid()) + ".json");
  mcap::MemorySource source(log);
  EXPECT_TRUE(export_timeline(source, file, {}));
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(file);
  return json::parse(text).at("traceEvents").as_array();
}

struct Slice {
  std::string name;
  double from, to;
};
std::vector<Slice> slices(const json::array& events) {
  std::vector<Slice> all;
  for (const auto& e : events) {
    if (e.at("ph") != "X") continue;
    const auto ts = e.at("ts").to_number<double>();
    all.push_back(
        {std::string(e.at("name").as_string()), ts, ts + e.at("dur").to_number<double>()});
  }
  return all;
}

// The frames of the second are 1 ms behind those of the first.
TEST(Timeline, RunsOfSeveralNodesAreProcessesOfOneTime) {
  const std::string file = std::filesystem::temp_directory_path() /
                           ("hild-timelines-" + std::to_string(::getpid()) + ".json");
  const Recording run;
  run.give(0, 1);
  const std::string& log = run.close();
  mcap::MemorySource first(log);
  mcap::MemorySource second(log);
  const MonoTime due = framelog::header_of(0).due;
  const std::array runs{TimelineOf{&first, "motor", due}, TimelineOf{&second, "load", due - 1_ms}};
  const auto written = export_timelines(runs, file, {});
  ASSERT_TRUE(written);
  EXPECT_EQ(written->rows, 4);
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(file);
  std::map<std::int64_t, double> begins;  // of frame 0, by process
  std::map<std::int64_t, std::string> names;
  const json::value trace = json::parse(text);
  for (const auto& e : trace.at("traceEvents").as_array()) {
    const std::int64_t pid = e.at("pid").as_int64();
    if (e.at("name") == "frame 0") begins[pid] = e.at("ts").to_number<double>();
    if (e.at("name") == "process_name") {
      names[pid] = json::value_to<std::string>(e.at_pointer("/args/name"));
    }
  }
  EXPECT_EQ(begins, (std::map<std::int64_t, double>{{1, 0}, {2, 1000}}));
  EXPECT_EQ(names, (std::map<std::int64_t, std::string>{{1, "motor: made"}, {2, "load: made"}}));
}

// Phases of 1 us (wake), 2 (device), 3 (commit), ...; passes of 77 ns.
TEST(Timeline, PhasesFollowEachOtherWithinTheirFrame) {
  const Recording run;
  run.give(0, 1);
  const auto all = slices(events_of(run.close()));
  ASSERT_EQ(all.size(), 20U);
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& s : all) names.push_back(s.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "frame 0", "wake",    "device", "commit",  "pass 0",  "pass 1", "workers",
                       "events",  "outputs", "record", "slack",   "frame 1", "wake",   "device",
                       "commit",  "pass 0",  "pass 1", "workers", "events",  "outputs"}));
  EXPECT_EQ(all[0].from, 0);
  EXPECT_EQ(all[0].to, 600);
  EXPECT_EQ(all[11].from, 1000);
  const std::vector<double> lengths{1, 2, 3, 0.077, 0.077, 5, 7, 8};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    EXPECT_NEAR(all[12 + i].to - all[12 + i].from, lengths[i], 1e-9) << all[12 + i].name;
    EXPECT_GE(all[12 + i].from, i == 0 ? all[11].from : all[11 + i].to - 1e-9);
    EXPECT_LE(all[12 + i].to, all[11].to);
  }
  // Of the step before, told by this one.
  EXPECT_NEAR(all[9].from, 600, 1e-9);
  EXPECT_NEAR(all[9].to - all[9].from, 9, 1e-9);
  EXPECT_NEAR(all[10].to - all[10].from, 10, 1e-9);
}

/// A log of one step, in which `pump` was run by a worker, and `valve` beside it, and a step of
/// `pipe` in the background was over.
std::string log_with_workers() {
  const io::FrameLayout layout{1, 0, 0, 0, 0, 0, 0, 1, 3};
  framelog::Description description = framelog::description_of_run();
  description.signals = {};
  description.run.emplace_back("models", "valve, pump, pipe");
  description.run.emplace_back("background", "pipe");
  description.run.emplace_back("workers", "3, 5");
  auto memory = std::make_shared<mcap::MemoryOutput>();
  const auto log =
      *framelog::FrameLog::create(std::make_unique<framelog::SharedOutput>(memory), description,
                                  layout, framelog::everything(), Recording::one_each());
  std::vector<std::uint64_t> place(layout.bytes() / 8);
  io::FrameSlot slot(layout, reinterpret_cast<std::byte*>(place.data()));
  slot.begin();
  slot.header() = framelog::header_of(7);
  slot.header().passes = 1;
  slot.pass(0, slot.header().due, 30_us, {});
  slot.run(7, {.start = 20_us, .took = 1500, .model = 0, .worker = -1});
  slot.run(7, {.start = 21_us, .took = 9000, .model = 1, .worker = 1});
  slot.run(7, {.start = 5_us, .took = 2000, .model = 2, .worker = io::in_background});
  log->frame(slot.view());
  log->flush();
  return memory->bytes;
}

TEST(Timeline, EachCpuThatHasModelsIsATrackOfItsOwn) {
  const auto events = events_of(log_with_workers());
  std::map<std::int64_t, std::string> tracks;
  std::vector<std::string> runs;
  for (const auto& e : events) {
    const std::int64_t track = e.at("tid").as_int64();
    if (e.at("name") == "thread_name") tracks[track] = e.at_pointer("/args/name").as_string();
    if (e.at("ph") != "X" || track == 1) continue;
    runs.push_back(fmt::format("{}: {} at {} for {}", tracks.at(track),
                               std::string_view(e.at("name").as_string()),
                               e.at("ts").to_number<double>(), e.at("dur").to_number<double>()));
  }
  EXPECT_THAT(runs, ::testing::ElementsAre("models on the frame loop: valve at 20 for 1.5",
                                           "worker on CPU 5: pump at 21 for 9",
                                           "pipe in the background: pipe at 5 for 2"));
  EXPECT_EQ(tracks.size(), 5U);
}

TEST(Timeline, AnOverrunIsMarkedWhereItWasDue) {
  const Recording run;
  run.give(framelog::late(framelog::header_of(0), 50_us, io::Cause::state_event));
  for (const auto& e : events_of(run.close())) {
    if (e.at("ph") != "i") continue;
    EXPECT_EQ(e.at("name"), "overrun: state event");
    EXPECT_EQ(e.at("ts").to_number<double>(), 1000);
    return;
  }
  ADD_FAILURE() << "no instant";
}

}  // namespace
}  // namespace hild::convert
