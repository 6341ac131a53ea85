// SPDX-License-Identifier: Apache-2.0
/// \file
/// Recordings by the real program: made, shown, exported, cut off, on a full disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

struct LoggedRun {
  Motor motor;
  std::string log = motor.folder.path("run.mcap");

  Ended run(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"run",
                                       motor.file,
                                       "--offline",
                                       "--set",
                                       "record.file=" + log,
                                       "--report",
                                       motor.folder.path("report.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return hild(arguments);
  }
  [[nodiscard]] json::value report() const {
    return json::parse(read_file(motor.folder.path("report.json")));
  }
  [[nodiscard]] json::value summary(const std::string& file) const {
    const Ended ended = hild({"log", file, "--json"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return json::parse(ended.out);
  }
};

// Motor's frame is 10 ms.
TEST(Log, ARunIsRecordedAndShown) {
  LoggedRun r;
  const Ended ran = r.run({"--duration", "2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(r.report().at_pointer("/recording/frames"), 200);
  EXPECT_EQ(r.report().at_pointer("/recording/error"), nullptr);
  const json::value log = r.summary(r.log);
  EXPECT_EQ(log.at("frames"), 200);
  EXPECT_EQ(log.at_pointer("/file/closed"), true);
  EXPECT_EQ(log.at_pointer("/run/model"), "dc-motor");
  EXPECT_EQ(log.at("last_t_s").to_number<double>(), 2);
  const Ended shown = hild({"log", r.log});
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, HasSubstr("The log is whole."));
  const Ended config = hild({"log", r.log, "--config"});
  EXPECT_THAT(config.out, HasSubstr("dc-motor"));
  EXPECT_THAT(config.out, HasSubstr("file: " + r.log));
  const Ended rows = hild({"export", r.log, "--from", "500 ms", "--to", "0.51"});
  EXPECT_EQ(rows.code, 0);
  EXPECT_EQ(std::count(rows.out.begin(), rows.out.end(), '\n'), 3) << rows.out;
  EXPECT_THAT(rows.out, HasSubstr("\n0.51,"));
}

TEST(Log, AnOlderRecordingIsKept) {
  LoggedRun r;
  ASSERT_EQ(r.run({"--duration", "1"}).code, 0);
  const Ended refused = r.run({"--duration", "1"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("run.mcap exists already; write another name, or `replace:"));
  EXPECT_EQ(r.run({"--duration", "2", "--set", "record.replace=true"}).code, 0);
  EXPECT_EQ(r.summary(r.log).at("frames"), 200);
}

TEST(Log, ADiskWithoutRoomForTheStartIsRefused) {
  LoggedRun r;
  r.log = "/dev/full";
  const Ended ended = r.run({"--duration", "1", "--set", "record.replace=true"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("/dev/full: cannot write: No space left on device"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "it is no file of the run";
}

// The run ends as it should, and says what its recording lacks; what was written is whole.
TEST(Log, ADiskThatFillsUpDoesNotStopTheRun) {
  LoggedRun r;
  std::vector<std::string> arguments{"run",
                                     r.motor.file,
                                     "--offline",
                                     "--set",
                                     "record.file=" + r.log,
                                     "--report",
                                     r.motor.folder.path("report.json"),
                                     "--duration",
                                     "60"};
  Launch launch;
  launch.largest_file = 200'000;
  const Ended ended = hild(arguments, launch);
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json::value report = r.report();
  EXPECT_EQ(report.at("frames"), 6000);
  const auto recorded = report.at_pointer("/recording/frames").to_number<std::int64_t>();
  const auto lost = report.at_pointer("/recording/lost").to_number<std::int64_t>();
  EXPECT_GT(recorded, 0);
  EXPECT_GT(lost, 0);
  EXPECT_EQ(recorded + lost, 6000);
  EXPECT_THAT(ended.err, HasSubstr("File too large; the run goes on"));
  const std::string words = std::regex_replace(ended.out, std::regex("\\s+"), " ");
  EXPECT_THAT(words, HasSubstr("of 6000 frames are not in the file"));
  const std::string whole = r.motor.folder.path("whole.mcap");
  ASSERT_EQ(hild({"log", r.log, "--recover", whole}).code, 0);
  EXPECT_EQ(r.summary(whole).at("frames"), recorded);
  EXPECT_EQ(r.summary(whole).at_pointer("/file/closed"), true);
}

// Each time a little later. What was in the file by then is there, from the first step on.
TEST(Log, KilledAtAnyMomentAllButTheLastBlockIsThere) {
  LoggedRun r;
  int with_frames = 0;
  for (int i = 0; i < 20; ++i) {
    std::filesystem::remove(r.log);
    Program program({"run", r.motor.file, "--offline", "--duration", "100000", "--set",
                     "record.file=" + r.log});
    // Until the file is that long: moments of the writing, not of a clock.
    std::error_code none;
    while (!std::filesystem::exists(r.log) ||
           std::filesystem::file_size(r.log, none) < 100'000U * static_cast<unsigned>(i)) {
    }
    program.signal(SIGKILL);
    EXPECT_EQ(program.wait().code, 128 + SIGKILL);
    if (std::filesystem::file_size(r.log) < 20'000) continue;  // not even begun
    const json::value cut = r.summary(r.log);
    EXPECT_EQ(cut.at_pointer("/file/closed"), false);
    EXPECT_EQ(cut.at_pointer("/missing/unexplained"), 0) << "no step is missing within";
    const auto frames = cut.at("frames").to_number<std::int64_t>();
    if (frames == 0) continue;
    ++with_frames;
    EXPECT_EQ(cut.at("first_t_s").to_number<double>(), 0);
    // What is not in whole chunks is less than one block.
    const std::string whole = r.motor.folder.path("whole.mcap");
    std::filesystem::remove(whole);
    ASSERT_EQ(hild({"log", r.log, "--recover", whole}).code, 0);
    const json::value healed = r.summary(whole);
    EXPECT_EQ(healed.at_pointer("/file/closed"), true);
    EXPECT_EQ(healed.at("frames"), frames);
  }
  EXPECT_GT(with_frames, 10);
}

TEST(Log, WhatIsNoLogIsRefused) {
  const Motor motor;
  for (const char* command : {"log", "export"}) {
    const Ended other = hild({command, motor.file});
    EXPECT_EQ(other.code, 1) << command;
    EXPECT_THAT(other.err, HasSubstr("not an MCAP file")) << command;
    const Ended none = hild({command, motor.folder.path("none.mcap")});
    EXPECT_THAT(none.err, HasSubstr("none.mcap: No such file")) << command;
  }
}

TEST(Log, TheTimelineIsJson) {
  LoggedRun r;
  ASSERT_EQ(r.run({"--duration", "1"}).code, 0);
  const std::string file = r.motor.folder.path("trace.json");
  const Ended ended = hild({"log", r.log, "--trace", file, "--to", "100 ms"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("11 frames in "));
  EXPECT_GT(json::parse(read_file(file)).at("traceEvents").as_array().size(), 11U);
}

}  // namespace
}  // namespace hild::test
