// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild replay --at`: what would have happened; `hild log --against`: where two recordings differ.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

/// 2 s of the demonstration, with a keyframe every 0.2 s.
struct Recorded {
  Folder folder;
  std::string log = folder.path("run.mcap");
  std::string branch = folder.path("branch.mcap");

  explicit Recorded(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"run",   demo,
                                       "--set", "devices.rig.image=" + folder.image(),
                                       "--set", "record={file: " + log + ", keyframes: 200 ms}"};
    arguments.insert(arguments.end(), {"--duration", "2", "--offline"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = hild(arguments);
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
  [[nodiscard]] Ended replay(std::vector<std::string> more) const {
    more.insert(more.begin(), {"replay", log});
    return hild(more);
  }
};

json::value said_by(const Ended& ended, int code) {
  EXPECT_EQ(ended.code, code) << ended.err << ended.out;
  return ended.code == code ? json::parse(ended.out) : json::value();
}

// Lines of an export after a time.
std::vector<std::string> lines_after(const std::string& log, double t) {
  const Ended ended = hild({"export", log, "--signals", "outputs,states"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  std::vector<std::string> lines;
  std::istringstream text(ended.out);
  for (std::string line; std::getline(text, line);) {
    if (std::strtod(line.c_str(), nullptr) > t) lines.push_back(line);
  }
  return lines;
}

TEST(BranchOfARecording, WithoutChangesIsTheRecordToTheBit) {
  const Recorded run;
  const json::value said =
      said_by(run.replay({"--at", "1.5", "--record", run.branch, "--json"}), 0);
  EXPECT_EQ(said.at("same"), true);
  EXPECT_EQ(said.at_pointer("/begins_at/frame"), 1400);
  EXPECT_EQ(said.at("compared_steps"), 500);
  EXPECT_EQ(said.at_pointer("/branch/frame"), 1500);
  EXPECT_EQ(said.at_pointer("/branch/record").as_string(), run.branch);
  EXPECT_TRUE(said.at_pointer("/branch/ended").is_null());

  const json::value log = said_by(hild({"log", run.branch, "--json"}), 0);
  EXPECT_EQ(log.at_pointer("/branch/of").as_string(), run.log);
  EXPECT_EQ(log.at_pointer("/branch/frame"), 1500);
  EXPECT_EQ(log.at_pointer("/branch/t_s").to_number<double>(), 1.5);
  EXPECT_TRUE(log.at_pointer("/branch/changes").as_array().empty());
  EXPECT_EQ(log.at("frames"), 500);
  EXPECT_EQ(log.at_pointer("/missing/unexplained"), 0);
  EXPECT_EQ(log.at("keyframes"), 3) << "at 1.5 s, 1.7 s and 1.9 s";
  EXPECT_THAT(hild({"log", run.branch}).out, HasSubstr("a branch of " + run.log.substr(0, 20)));

  EXPECT_EQ(lines_after(run.branch, 1.5), lines_after(run.log, 1.5));

  // It is a recording by itself.
  std::filesystem::remove(run.log);
  const json::value again = said_by(hild({"replay", run.branch, "--json"}), 0);
  EXPECT_EQ(again.at("same"), true);
  EXPECT_EQ(again.at("compared_steps"), 500);
  EXPECT_EQ(again.at("compared_keyframes"), 2);
  const json::value part = said_by(hild({"replay", run.branch, "--from", "1.8", "--json"}), 0);
  EXPECT_EQ(part.at_pointer("/begins_at/frame"), 1700);
  EXPECT_EQ(part.at("compared_steps"), 200);
}

// Of inputs that are constant a branch from the start on is what a run with that parameter is.
TEST(BranchOfARecording, WithAnotherParameterFromTheStartIsTheRunWithIt) {
  const Motor motor;
  const auto run = [&](const std::string& name, std::vector<std::string> more) {
    std::string log = motor.folder.path(name);
    more.insert(more.begin(), {"run", motor.file, "--offline", "--duration", "2", "--set",
                               "record={file: " + log + ", keyframes: 50}"});
    const Ended ended = hild(more);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return log;
  };
  const std::string log = run("run.mcap", {});
  const std::string other = run("other.mcap", {"--set", "model.parameters.inertia=8e-4 kg m2"});
  const std::string branch = motor.folder.path("branch.mcap");
  const json::value said = said_by(
      hild({"replay", log, "--at", "0", "--set", "inertia=8e-4", "--record", branch, "--json"}), 0);
  EXPECT_EQ(said.at("same"), false);
  EXPECT_EQ(said.at("steps"), 200);
  const json::value same = said_by(hild({"log", other, "--against", branch, "--json"}), 2);
  EXPECT_EQ(same.at("compared_steps"), 200);
  EXPECT_EQ(same.at("differing_steps"), 1);
  EXPECT_EQ(same.at_pointer("/first/signal"), "external events") << "that it was set is all";
  for (const auto& [signal, worst] : same.at("worst").as_object()) {
    EXPECT_EQ(worst.to_number<double>(), 0) << signal;
  }
  // To set what is set already changes nothing.
  EXPECT_EQ(
      said_by(hild({"replay", other, "--at", "0", "--set", "inertia=8e-4 kg m2", "--json"}), 0)
          .at("same"),
      true);
}

TEST(BranchOfARecording, WithAnotherParameterTellsWhereItDiffersAndDrawsIt) {
  const Recorded run;
  const std::string plot = run.folder.path("branch.svg");
  const Ended text = run.replay({"--at", "1500 ms", "--duration", "300 ms", "--set",
                                 "inertia=800 mg m2", "--record", run.branch, "--plot", plot});
  ASSERT_EQ(text.code, 0) << text.err << text.out;
  EXPECT_THAT(text.out, HasSubstr("the branch begins with frame 1500, at 1.500000 s:\n"
                                  "  {\"set\":{\"values\":{\"inertia\":\"800 mg m2\"}}}\n"));
  EXPECT_THAT(text.out, HasSubstr("300 steps differ; the first is step 1500, frame 1500: "));
  EXPECT_THAT(text.out, HasSubstr("  output shaft_speed: up to "));
  EXPECT_THAT(text.out, HasSubstr("recorded in " + run.branch + ": a branch of " + run.log +
                                  " from frame 1500\n"));
  const std::string svg = read_file(plot);
  EXPECT_THAT(svg, HasSubstr("output shaft_speed"));
  EXPECT_THAT(svg, HasSubstr("recorded"));
  EXPECT_THAT(svg, HasSubstr("branch"));

  const json::value again = said_by(hild({"replay", run.branch, "--json"}), 0);
  EXPECT_EQ(again.at("same"), true);
  EXPECT_EQ(again.at("compared_steps"), 300);

  const json::value against =
      said_by(hild({"log", run.log, "--against", run.branch, "--plot", plot, "--json"}), 2);
  EXPECT_EQ(against.at("same"), false);
  EXPECT_EQ(against.at_pointer("/first/frame"), 1500);
  EXPECT_EQ(against.at("first_frame"), 1500);
  EXPECT_EQ(against.at("last_frame"), 1799);
  EXPECT_EQ(against.at("only_first"), 1700);
  EXPECT_TRUE(against.at_pointer("/first_log/branch").is_null());
  EXPECT_EQ(against.at_pointer("/second_log/branch/of").as_string(), run.log);
  EXPECT_EQ(json::serialize(against.at_pointer("/second_log/branch/changes")),
            R"([{"set":{"values":{"inertia":"800 mg m2"}}}])");
  const json::value itself =
      said_by(hild({"log", run.branch, "--against", run.branch, "--json"}), 0);
  EXPECT_EQ(itself.at("same"), true);
  EXPECT_THAT(hild({"log", run.branch, "--against", run.branch}).out,
              HasSubstr("every input, state and output of these is the same, to the bit"));
}

// A torque that was not there: the speed falls by as much as the torque brakes.
TEST(BranchOfARecording, WithAStimulusAndAnOverride) {
  const Recorded run;
  const std::string torque =
      R"({"stimulate": {"input": "load_torque", "shape": "step", "amplitude": 0.1}})";
  const json::value braked =
      said_by(run.replay({"--at", "1.5", "--change", torque, "--record", run.branch, "--json"}), 0);
  EXPECT_GT(braked.at_pointer("/worst/output:shaft_speed").to_number<double>(), 1);
  EXPECT_EQ(said_by(hild({"replay", run.branch, "--json"}), 0).at("same"), true);
  const std::string gain =
      R"({"override": {"signal": "output:current", "kind": "gain", "value": 2}})";
  const json::value falsified = said_by(run.replay({"--at", "1.5", "--change", gain, "--json"}), 0);
  EXPECT_EQ(falsified.at_pointer("/worst/output:shaft_speed").to_number<double>(), 0);
  EXPECT_GT(falsified.at_pointer("/worst/output:current").to_number<double>(), 0);
}

TEST(BranchOfARecording, OfABranchSaysSo) {
  const Recorded run;
  ASSERT_EQ(run.replay({"--at", "0.5", "--set", "inertia=8e-4", "--record", run.branch}).code, 0);
  const std::string second = run.folder.path("second.mcap");
  const json::value said = said_by(hild({"replay", run.branch, "--at", "1", "--set",
                                         "friction=1e-3", "--record", second, "--json"}),
                                   0);
  EXPECT_EQ(said.at_pointer("/branch/of").as_string(), run.branch);
  EXPECT_EQ(said_by(hild({"replay", second, "--json"}), 0).at("same"), true);
  const Ended early = hild({"replay", run.branch, "--at", "0.2"});
  EXPECT_EQ(early.code, 1);
  EXPECT_THAT(early.err, HasSubstr("begins at 0.500000 s"));
  const Ended other = hild({"replay", run.branch, "--set", "integrator.method=rk-4"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("try another one on " + run.log));
}

// What the recorded run did not reach the branch does.
TEST(BranchOfARecording, ThatTripsAnInterlockEndsThere) {
  const Recorded run({"--set", "interlocks={overspeed: {output: shaft_speed, max: 60 rad/s}}"});
  const Ended ended = run.replay(
      {"--at", "1.5", "--change",
       R"({"override": {"signal": "input:armature_voltage", "kind": "stuck", "value": 24}})",
       "--record", run.branch});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.out, HasSubstr("it ended before the recording: Stopped in frame 1"));
  EXPECT_THAT(ended.out, HasSubstr("overspeed"));
  EXPECT_EQ(said_by(hild({"replay", run.branch, "--json"}), 0).at("same"), true);
}

TEST(BranchOfARecording, RefusesWhatItCannotDo) {
  const Recorded run;
  const auto refused = [&](std::vector<std::string> more, const std::string& words) {
    const Ended ended = run.replay(std::move(more));
    EXPECT_EQ(ended.code, 1) << ended.out;
    EXPECT_THAT(ended.err, HasSubstr(words));
    EXPECT_FALSE(std::filesystem::exists(run.branch));
  };
  refused({"--at", "1", "--set", "inertia"}, "expected PARAMETER=VALUE with --at");
  refused({"--at", "1", "--set", "inertja=1", "--record", run.branch}, "inertia");
  refused({"--at", "1", "--set", "inertia=1 V", "--record", run.branch}, "inertia");
  refused({"--at", "1", "--set", "inertia=1", "--set", "inertia=2"}, "there twice");
  refused({"--at", "3", "--record", run.branch}, "its last one starts at 1.999000 s");
  refused({"--at", "-1"}, "expected a simulated time");
  refused({"--at", "1 m"}, "--at 1 m");
  refused({"--at", "1", "--from", "1"}, "--at, with");
  refused({"--at", "1", "--reference"}, "--at, with");
  refused({"--duration", "1"}, "--duration is of a branch");
  refused({"--record", run.branch}, "--record is of a branch");
  refused({"--at", "1", "--change", "freeze"}, "expected {METHOD: params} as JSON");
  refused({"--at", "1", "--change", R"({"freeze": {}})"}, "it can be held there alone");
  refused({"--at", "1", "--change", R"({"inject": {"fault": "x"}})"}, "faults included");
  const Ended existing = run.replay({"--at", "1", "--record", run.log});
  EXPECT_EQ(existing.code, 1);
  EXPECT_THAT(existing.err, HasSubstr("write another name"));
}

TEST(BranchOfARecording, OfAnFmuThatGivesNoStateIsRecordedFromTheStartOnAlone) {
  Folder folder;
  const std::string log = folder.path("run.mcap");
  const std::string branch = folder.path("branch.mcap");
  const std::string file =
      folder.file("run.yaml", "frame: {period: 1 ms, priority: 0}\nmodel: {fmu: " HILD_FMUS
                              "/decay_3.fmu}\nintegrator: {method: rk-4}\nrecord: {file: " +
                                  log + "}\n");
  ASSERT_EQ(hild({"run", file, "--offline", "--duration", "0.5"}).code, 0);
  EXPECT_EQ(said_by(hild({"replay", log, "--at", "0.2", "--json"}), 0).at("compared_steps"), 300);
  const Ended refused = hild({"replay", log, "--at", "0.2", "--record", branch});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("branch off at its start (--at 0)"));
  EXPECT_EQ(hild({"replay", log, "--at", "0", "--record", branch}).code, 0);
  EXPECT_EQ(said_by(hild({"replay", branch, "--json"}), 0).at("compared_steps"), 500);
}

// ---- the work that it is to reach a frame ------------------------------------------------------

// Not more than the frames of one keyframe distance are replayed, and of the file little more is
// read than the index, some keyframes and the blocks of those frames; however long the recording.
TEST(ReachingAFrame, TakesTheWorkOfAKeyframeDistance) {
  Folder folder;
  const auto record = [&](const std::string& seconds) {
    std::string log = folder.path(seconds + ".mcap");
    const Ended ended = hild({"run", demo, "--offline", "--duration", seconds, "--set",
                              "devices.rig.image=" + folder.image(), "--set",
                              "record={file: " + log + ", keyframes: 1000}"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return log;
  };
  std::vector<std::int64_t> worst;
  for (const std::string& log : {record("20"), record("80")}) {
    const double end = log.find("/20") != std::string::npos ? 20 : 80;
    std::int64_t bytes = 0;
    for (const double part : {0.1, 0.51, 0.7499, 0.9999}) {
      const std::string t = std::to_string(end * part);
      const json::value said = said_by(hild({"replay", log, "--from", t, "--to", t, "--json"}), 0);
      EXPECT_LE(said.at("steps").as_int64(), 1001) << t;
      EXPECT_EQ(said.at("compared_steps"), 1) << t;
      bytes = std::max(bytes, said.at("bytes_read").as_int64());
    }
    worst.push_back(bytes);
    EXPECT_LT(bytes, static_cast<std::int64_t>(std::filesystem::file_size(log)) / 2) << log;
  }
  // Four times as long: of the index alone there is more, some 200 bytes a quarter of a second.
  EXPECT_LT(worst[1], worst[0] + 240 * 3 * 200 + 100'000);
}

}  // namespace
}  // namespace hild::test
