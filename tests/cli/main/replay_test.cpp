// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild replay`: a recorded run again, to the bit; another model's answer to the same inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

struct ReplayedRun {
  Folder folder;
  std::string image = folder.image();
  std::string log = folder.path("run.mcap");

  explicit ReplayedRun(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"run",
                                       demo,
                                       "--duration",
                                       "2",
                                       "--offline",
                                       "--set",
                                       "devices.rig.image=" + image,
                                       "--set",
                                       "record.file=" + log};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = hild(arguments);
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
  [[nodiscard]] Ended replay(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"replay", log});
    return hild(more);
  }
};

TEST(Replay, OfTheDemonstrationIsTheSameToTheBit) {
  const ReplayedRun run;
  const Ended ended = run.replay({"--json"});
  ASSERT_EQ(ended.code, 0) << ended.err << ended.out;
  const json::value said = json::parse(ended.out);
  EXPECT_EQ(said.at("same"), true);
  EXPECT_EQ(said.at("steps"), 2000);
  EXPECT_EQ(said.at("tolerance").to_number<double>(), 0);
  EXPECT_TRUE(said.at("changes").as_array().empty());
  EXPECT_THAT(run.replay().out, HasSubstr("every input, state and output is the recorded one, to "
                                          "the bit"));
}

// What it is due to adds up: no overrun offline, so that holding the input and the method are all.
TEST(Replay, AgainstTheReference) {
  const Motor motor;
  const std::string log = motor.folder.path("run.mcap");
  const Ended run =
      hild({"run", motor.file, "--offline", "--duration", "1", "--set", "record.file=" + log});
  ASSERT_EQ(run.code, 0) << run.err;
  const Ended ended = hild({"replay", log, "--reference", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json::value said = json::parse(ended.out);
  EXPECT_EQ(said.at("steps"), 99) << "up to the last sample";
  for (const json::value& state : said.at("states").as_array()) {
    const auto largest = [&](const char* share) {
      return state.at(share).at("largest").to_number<double>();
    };
    EXPECT_EQ(largest("overruns"), 0);
    EXPECT_EQ(largest("events"), 0);
    // The voltage is constant: its samples are all there is to know.
    EXPECT_NEAR(largest("sampling"), 0, 1e-9 * state.at("range").to_number<double>());
    EXPECT_GT(largest("method"), 0);
    EXPECT_NEAR(largest("total"), largest("method"), 1e-9);
  }
  EXPECT_THAT(hild({"replay", log, "--reference"}).out, HasSubstr("what it is due to"));
  const Ended refused = hild({"replay", log, "--reference", "--rtol", "-1"});
  EXPECT_EQ(refused.code, 1);
}

// The steps are the recorded ones, also where a method starts, and inputs come late.
TEST(Replay, OfOtherMethodsAndSamplings) {
  for (const char* method : {"ab-4", "rtrk-4", "ode-45", "libe"}) {
    for (const char* sampling : {"frame", "extrapolate"}) {
      const ReplayedRun run({"--set", std::string("integrator.method=") + method, "--set",
                             std::string("integrator.sampling=") + sampling});
      const Ended ended = run.replay();
      EXPECT_EQ(ended.code, 0) << method << ' ' << sampling << '\n' << ended.out << ended.err;
    }
  }
}

TEST(Replay, UnderAnotherModelTellsWhatItWouldHaveDone) {
  const ReplayedRun run;
  const Ended ended = run.replay({"--set", "model.parameters.inertia=0.011 kg m2", "--json"});
  EXPECT_EQ(ended.code, 2) << ended.err;
  const json::value said = json::parse(ended.out);
  EXPECT_EQ(said.at("same"), false);
  EXPECT_EQ(said.at("steps"), 2000) << "it goes on to the end";
  EXPECT_GT(said.at_pointer("/worst/output:shaft_speed").to_number<double>(), 0.0);
  EXPECT_THAT(std::string(said.at_pointer("/first/signal").as_string()), HasSubstr("state"));
  ASSERT_EQ(said.at("changes").as_array().size(), 1U);
  EXPECT_THAT(std::string(said.at_pointer("/changes/0").as_string()), HasSubstr("inertia"));
}

// The file that a model came from has other bytes now, though it computes the same.
TEST(Replay, TellsThatTheFileOfAModelHasChanged) {
  const Folder folder;
  const std::string file = folder.path("model.so");
  std::filesystem::copy_file(HILD_PLUGINS "/misbehaving.so", file);
  const std::string log = folder.path("run.mcap");
  const Ended run =
      hild({"run", file, "--offline", "--duration", "0.2", "--set", "record.file=" + log});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto replay = [&] {
    return hild({"replay", log, "--set", "model.plugin=" + file, "--json"});
  };
  const auto changes = [](const Ended& ended) {
    EXPECT_EQ(ended.code, 0) << ended.err << ended.out;
    return json::serialize(json::parse(ended.out).at("changes"));
  };
  EXPECT_THAT(changes(replay()), testing::Not(HasSubstr("the file of model")));
  const auto size = std::filesystem::file_size(file);
  std::ofstream(file, std::ios::app | std::ios::binary) << '\0';  // behind all sections
  const std::string now = changes(replay());
  EXPECT_THAT(now, HasSubstr("the file of model"));
  EXPECT_THAT(now, HasSubstr(std::to_string(size) + " bytes, CRC-32 "));
  EXPECT_THAT(now, HasSubstr(std::to_string(size + 1) + " bytes, CRC-32 "));
  std::filesystem::resize_file(file, size);
  EXPECT_THAT(changes(replay()), testing::Not(HasSubstr("the file of model")));
}

/// The log with the bytes at which `what` ends replaced.
void patch(const std::string& log, const std::string& what, const std::string& by) {
  std::ifstream in(log, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const std::size_t at = bytes.find(what);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at + what.size() - by.size(), by.size(), by);
  std::ofstream(log, std::ios::binary) << bytes;
}

TEST(Replay, UnderOtherSemanticsIsRefused) {
  const ReplayedRun run;
  const std::string ours("semantics\x01\0\0\0003", 14);
  patch(run.log, ours, "7");
  const Ended ended = run.replay();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("what hild 0.3.0 made of its inputs has number 7"));
  EXPECT_THAT(ended.err, HasSubstr("replay it with that version"));
}

TEST(Replay, OfADamagedLogSaysSo) {
  const ReplayedRun run;
  const auto size = std::filesystem::file_size(run.log);
  std::string middle(1, '\0');
  {
    std::fstream file(run.log, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(size / 2));
    file.read(middle.data(), 1);
    middle[0] = static_cast<char>(middle[0] ^ 1);
    file.seekp(static_cast<std::streamoff>(size / 2));
    file.write(middle.data(), 1);
  }
  const Ended ended = run.replay();
  EXPECT_NE(ended.code, 0);
  EXPECT_THAT(ended.out, HasSubstr("of these steps is the recorded one"));
  EXPECT_THAT(ended.out, HasSubstr("not all of it was replayed: the log is damaged"));
}

TEST(Replay, RefusesWhatCannotBePlayed) {
  Folder folder;
  EXPECT_EQ(hild({"replay", folder.path("none.mcap")}).code, 1);
  const Ended other = hild({"replay", folder.file("text.mcap", "not a recording at all")});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("text.mcap"));

  const ReplayedRun notable({"--set", "record.frames=notable"});
  const Ended some = notable.replay();
  EXPECT_NE(some.code, 0);
  EXPECT_THAT(some.err + some.out, HasSubstr("needs"));

  const ReplayedRun run;
  const Ended model = run.replay({"--set", "model.type=pendulum", "--set", "model.parameters={}"});
  EXPECT_EQ(model.code, 1) << model.out;
}

}  // namespace
}  // namespace hild::test
