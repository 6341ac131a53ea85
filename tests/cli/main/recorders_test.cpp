// SPDX-License-Identifier: Apache-2.0
/// \file
/// Recorders that begin, end and change their files while a run goes on; each file is a recording
/// that is replayed by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <csignal>
#include <filesystem>

#include "cli/main/call.hpp"
#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;
using testing::HasSubstr;

json::value summary_of(const std::string& file) {
  const Ended ended = hild({"log", file, "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err << ended.out;
  return json::parse(ended.out.empty() ? "{}" : ended.out);
}

// Motor's frame is 10 ms: a second is a hundred.
TEST(Recorders, AnOfflineRunGoesOnInNewFilesEachOfWhichIsReplayed) {
  const Motor motor;
  const std::string report = motor.folder.path("report.json");
  const Ended ran =
      hild({"run", motor.file, "--offline", "--duration", "3.5", "--report", report, "--set",
            "record={file: " + motor.folder.path("run.mcap") + ", rotate: {time: 1 s}}"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::int64_t frames = 0;
  double end = 0;
  for (const char* const name :
       {"run-0001.mcap", "run-0002.mcap", "run-0003.mcap", "run-0004.mcap"}) {
    const std::string file = motor.folder.path(name);
    const json::value log = summary_of(file);
    EXPECT_EQ(log.at_pointer("/file/closed"), true);
    EXPECT_DOUBLE_EQ(log.at("first_t_s").to_number<double>(), end)
        << "no step is missing, in " << name;
    end = log.at("last_t_s").to_number<double>();
    frames += log.at("frames").to_number<std::int64_t>();
    const Ended replayed = hild({"replay", file});
    EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
    EXPECT_THAT(replayed.out, HasSubstr("is the recorded one, to the bit"));
  }
  const json::value told = json::parse(read_file(report));
  EXPECT_EQ(told.at_pointer("/recording/frames"), 350);
  EXPECT_EQ(told.at_pointer("/recording/files"), 4);
  EXPECT_EQ(frames, 350);
  // In the middle of one that begins in mid-run.
  const std::string second = motor.folder.path("run-0002.mcap");
  const Ended part = hild({"replay", second, "--from", "0", "--json"});
  EXPECT_EQ(part.code, 0) << part.out << part.err;
  const Ended other = hild({"replay", second, "--set", "frame.period=5 ms"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("it begins in mid-run"));
  const Ended reference = hild({"replay", second, "--reference"});
  EXPECT_EQ(reference.code, 1);
  EXPECT_THAT(reference.err, HasSubstr("a reference solution begins with the run"));
}

TEST(Recorders, SeveralHaveFilesAndSelectionsOfTheirOwn) {
  const Motor motor;
  const std::string report = motor.folder.path("report.json");
  const std::string slow = motor.folder.path("slow.mcap");
  const Ended ran =
      hild({"run", motor.file, "--offline", "--duration", "2", "--report", report, "--set",
            "record.file=" + motor.folder.path("run.mcap"), "--set",
            "recorders.slow={file: " + slow +
                ", frames: notable, decimate: 10, signals: ['outputs.*speed']}",
            "--set",
            "recorders.never={file: " + motor.folder.path("never.mcap") + ", begin: on-request}"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(hild({"replay", motor.folder.path("run.mcap")}).code, 0);
  const Ended rows = hild({"export", slow});
  EXPECT_EQ(rows.code, 0) << rows.err;
  EXPECT_THAT(rows.out, HasSubstr("shaft_speed"));
  EXPECT_THAT(rows.out, testing::Not(HasSubstr("current")));
  EXPECT_FALSE(fs::exists(motor.folder.path("never.mcap")));
  const json::value told = json::parse(read_file(report));
  const json::array& all = told.at("recordings").as_array();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].at("recorder"), "record");
  EXPECT_EQ(all[1].at("recorder"), "slow");
}

/// A motor that is served, whose recorder begins when it is asked to.
struct ServedRecorder {
  ServedRecorder() {
    file = motor.folder.file("served.yaml",
                             "include: " + motor.file + "\ncontrol: {socket: " + socket +
                                 "}\nrecord: {file: " + motor.folder.path("run.mcap") +
                                 ", begin: on-request}\n");
    EXPECT_EQ(hild({"safe", file}).code, 0);
    const double before = motor.held().at(0);
    program.emplace(std::vector<std::string>{"run", file});
    EXPECT_TRUE(leaves(motor.rig, before));
  }
  [[nodiscard]] json::value recorder() const {
    return call(socket, "status").at("result").at("recorders").at(0);
  }
  /// Once its state is this one, and nothing is on its way to the disk.
  void await(const std::string& state) const {
    while (recorder().at("state") != json::string(state) || recorder().at("closing") != 0)
      ::usleep(2000);
  }

  Motor motor;
  std::string socket = motor.folder.path("control.sock");
  std::string file;
  std::optional<Program> program;
};

TEST(Recorders, OneIsBegunAndEndedWhileARunGoesOn) {
  ServedRecorder run;
  EXPECT_EQ(run.recorder().at("state"), "idle");
  EXPECT_EQ(call(run.socket, "status").at("result").at("recording"), nullptr);
  const json::value asked = call(run.socket, "record");
  ASSERT_TRUE(asked.as_object().contains("result")) << asked;
  run.await("recording");
  const std::string file = run.motor.folder.path("run-0001.mcap");
  EXPECT_EQ(run.recorder().at("file"), json::string(file));
  // What is changed meanwhile is replayed as well.
  const json::value set = call(run.socket, "set", R"({"values": {"inertia": 4e-4}})");
  ASSERT_TRUE(set.as_object().contains("result")) << set;
  const std::int64_t changed = set.at("result").at("frame").to_number<std::int64_t>();
  while (call(run.socket, "status").at("result").at("frame").to_number<std::int64_t>() <
         changed + 20) {
    ::usleep(2000);
  }
  ASSERT_TRUE(call(run.socket, "unrecord").as_object().contains("result"));
  run.await("idle");
  const Ended replayed = hild({"replay", file});
  EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("from the keyframe of frame"));
  EXPECT_THAT(replayed.out, HasSubstr("is the recorded one, to the bit"));
  run.program->signal(SIGTERM);
  EXPECT_EQ(run.program->wait().code, 0);
}

}  // namespace
}  // namespace hild::test
