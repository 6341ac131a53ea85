// SPDX-License-Identifier: Apache-2.0
/// \file
/// The timeline: slices of the right length, one within the other.
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

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

// Phases of 1 us (wake), 2 (device), 3 (commit), ...; passes of 77 ns.
TEST(Timeline, PhasesFollowEachOtherWithinTheirFrame) {
  const Recording run;
  run.give(0, 1);
  const auto all = slices(events_of(run.close()));
  ASSERT_EQ(all.size(), 18U);
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& s : all) names.push_back(s.name);
  EXPECT_EQ(names, (std::vector<std::string>{"frame 0", "wake", "device", "commit", "pass 0",
                                             "pass 1", "events", "outputs", "record", "slack",
                                             "frame 1", "wake", "device", "commit", "pass 0",
                                             "pass 1", "events", "outputs"}));
  EXPECT_EQ(all[0].from, 0);
  EXPECT_EQ(all[0].to, 600);
  EXPECT_EQ(all[10].from, 1000);
  const std::vector<double> lengths{1, 2, 3, 0.077, 0.077, 6, 7};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    EXPECT_NEAR(all[11 + i].to - all[11 + i].from, lengths[i], 1e-9) << all[11 + i].name;
    EXPECT_GE(all[11 + i].from, i == 0 ? all[10].from : all[10 + i].to - 1e-9);
    EXPECT_LE(all[11 + i].to, all[10].to);
  }
  // Of the step before, told by this one.
  EXPECT_NEAR(all[8].from, 600, 1e-9);
  EXPECT_NEAR(all[8].to - all[8].from, 8, 1e-9);
  EXPECT_NEAR(all[9].to - all[9].from, 9, 1e-9);
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
