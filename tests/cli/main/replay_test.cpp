// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild replay`: a recorded run again, to the bit; another model's answer to the same inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/main/motor.hpp"
#include "recording/framelog/format.hpp"

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

// ---- from a keyframe on ------------------------------------------------------------------------

struct RunWithKeyframes : ReplayedRun {
  RunWithKeyframes()
      : ReplayedRun({"--set", "record.keyframes=200 ms", "--set", "record.compression=none"}) {}
};

/// What a replay says, which is to be the same.
json::value same(const Ended& ended) {
  EXPECT_EQ(ended.code, 0) << ended.err << ended.out;
  json::value said = json::parse(ended.out);
  EXPECT_EQ(said.at("same"), true);
  return said;
}

// Of 2 s there are keyframes at 0.2 s, 0.4 s and so on to 1.8 s.
TEST(ReplayFromATime, BeginsAtTheLastKeyframeBefore) {
  const RunWithKeyframes run;
  const json::value said = same(run.replay({"--from", "1.5", "--json"}));
  EXPECT_EQ(said.at_pointer("/begins_at/frame"), 1400);
  EXPECT_EQ(said.at_pointer("/begins_at/step"), 1400);
  EXPECT_EQ(said.at_pointer("/begins_at/t_s").to_number<double>(), 1.4);
  EXPECT_EQ(said.at("steps"), 600);
  EXPECT_EQ(said.at("compared_steps"), 500);
  EXPECT_EQ(said.at("compared_keyframes"), 2) << "those at 1.6 s and 1.8 s";
  const Ended text = run.replay({"--from", "1500 ms"});
  EXPECT_THAT(text.out, HasSubstr("from the keyframe of frame 1400, at 1.400000 s\n"));
  EXPECT_THAT(text.out, testing::ContainsRegex("of these the last 500 are compared; the first of "
                                               "them was reached in [0-9.]+ s\n"));
  EXPECT_GT(said.at("reached_s").to_number<double>(), 0);
  EXPECT_THAT(text.out, HasSubstr("every input, state and output of these steps is the recorded "
                                  "one, to the bit\nso is the state at 2 keyframes\n"));
  // At a keyframe it begins at that.
  EXPECT_EQ(same(run.replay({"--from", "1.4", "--json"})).at("steps"), 600);
}

TEST(ReplayFromATime, EndsAtAnother) {
  const RunWithKeyframes run;
  const json::value said = same(run.replay({"--from", "1.5", "--to", "1.7", "--json"}));
  EXPECT_EQ(said.at("steps"), 301) << "the last one starts at 1.7 s";
  EXPECT_EQ(said.at("compared_steps"), 201);
  EXPECT_EQ(said.at("compared_keyframes"), 1);
  const json::value beginning = same(run.replay({"--to", "0.3", "--json"}));
  EXPECT_EQ(beginning.at("steps"), 301);
  EXPECT_EQ(beginning.at("compared_steps"), 301);
  EXPECT_FALSE(beginning.as_object().contains("begins_at"));
}

TEST(ReplayFromATime, WithoutAKeyframeBeginsWithTheRun) {
  const RunWithKeyframes early;
  const ReplayedRun none({"--set", "record.keyframes=none"});
  for (const auto& [run, from] :
       {std::pair<const ReplayedRun*, const char*>{&early, "0.1"}, {&none, "1.5"}}) {
    const json::value said = same(run->replay({"--from", from, "--json"}));
    EXPECT_FALSE(said.as_object().contains("begins_at"));
    EXPECT_EQ(std::string(said.at("begins_with_run").as_string()),
              std::string("there is no keyframe at ") + from + " or before");
    EXPECT_EQ(said.at("steps"), 2000);
    EXPECT_THAT(run->replay({"--from", from}).out,
                HasSubstr("from the start of the run: there is no keyframe at "));
  }
}

// What its keyframes hold is of the configuration it was recorded with.
TEST(ReplayFromATime, UnderAnotherConfigurationBeginsWithTheRun) {
  const RunWithKeyframes run;
  const json::value said =
      same(run.replay({"--from", "1.5", "--set", "model.type=dc-motor", "--json"}));
  EXPECT_EQ(said.at("begins_with_run"), "its keyframes are of the configuration that was recorded");
  EXPECT_EQ(said.at("steps"), 2000);
  EXPECT_EQ(said.at("compared_steps"), 500);
  EXPECT_EQ(said.at("compared_keyframes"), 0);
}

/// Puts another byte into the state of a keyframe, the first or one after it, behind the text, and
/// takes the checksum of its chunk away.
void patch_keyframe(const std::string& log, const std::string& behind, std::size_t by, char value,
                    int which = 0) {
  std::ifstream in(log, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::size_t at = bytes.find(behind);
  for (; which > 0; --which) at = bytes.find(behind, at + 1);
  ASSERT_NE(at, std::string::npos);
  bytes[at + behind.size() + by] = value;
  std::size_t chunk = 0;
  for (std::size_t record = 8; record < at;) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + record + 1, sizeof length);
    chunk = record;
    record += 9 + length;
  }
  ASSERT_EQ(bytes[chunk], '\x06');
  bytes.replace(chunk + 9 + 24, 4, 4, '\0');
  std::ofstream(log, std::ios::binary) << bytes;
}

// The message of a section: its name, then its state with a tag and a length of one byte or two.
const std::string section_run("\x03run\x12", 5);
const std::string section_overruns("\x08overruns\x12", 10);

TEST(ReplayFromATime, WhoseKeyframeIsRefusedBeginsWithTheRun) {
  const RunWithKeyframes run;
  patch_keyframe(run.log, section_run, 1, 7);  // another layout
  const json::value said = same(run.replay({"--from", "0.3", "--json"}));
  EXPECT_EQ(said.at("begins_with_run"),
            "the keyframe of frame 200 cannot be gone on from: section run, byte 0: it is of "
            "another layout of keyframes");
  EXPECT_EQ(said.at("steps"), 2000);
  EXPECT_EQ(said.at("compared_steps"), 1700);
}

// One that does not fit, though it is of this run: that before it is taken. Seven bytes up is the
// highest byte of a number.
TEST(ReplayFromATime, WhoseKeyframeDoesNotFitBeginsAtTheOneBefore) {
  const RunWithKeyframes run;
  patch_keyframe(run.log, section_run, 1 + 16 + 7, 0x7F, 2);
  const json::value said = same(run.replay({"--from", "0.7", "--json"}));
  EXPECT_EQ(said.at_pointer("/begins_at/frame"), 400);
  EXPECT_THAT(std::string(said.at("begins_earlier").as_string()),
              testing::StartsWith("the keyframe of frame 600 cannot be gone on from: section run, "
                                  "byte 16: the number of the step is "));
  EXPECT_EQ(said.at("compared_steps"), 1300);
  EXPECT_THAT(run.replay({"--from", "0.7"}).out,
              HasSubstr("from the keyframe of frame 400, at 0.400000 s: the keyframe of frame 600 "
                        "cannot be gone on from: section run"));
  // Before the first there is none.
  const RunWithKeyframes other;
  patch_keyframe(other.log, section_run, 1 + 16 + 7, 0x7F);
  const json::value first = same(other.replay({"--from", "0.3", "--json"}));
  EXPECT_THAT(std::string(first.at("begins_with_run").as_string()),
              testing::StartsWith("the keyframe of frame 200 cannot be gone on from: "));
  EXPECT_EQ(first.at("compared_steps"), 1700);
}

// The checksum of its chunk is wrong now.
TEST(ReplayFromATime, WhoseKeyframeIsDamagedBeginsAtTheOneBeforeAndSaysSo) {
  const RunWithKeyframes run;
  std::string bytes = read_file(run.log);
  std::size_t at = bytes.find(section_run);
  for (int n = 1; n < 7; ++n) at = bytes.find(section_run, at + 1);  // of 1.4 s
  bytes[at + 30] = static_cast<char>(bytes[at + 30] ^ 1);
  std::ofstream(run.log, std::ios::binary) << bytes;
  const Ended text = run.replay({"--from", "1.5"});
  EXPECT_EQ(text.code, 2);
  EXPECT_THAT(text.out, HasSubstr("from the keyframe of frame 1200, at 1.200000 s: a later one is "
                                  "damaged\n"));
  EXPECT_THAT(text.out, HasSubstr("of these the last 500 are compared"));
  EXPECT_THAT(text.out, HasSubstr("not all of it was replayed: the log is damaged"));
  const json::value said = json::parse(run.replay({"--from", "1.5", "--json"}).out);
  EXPECT_EQ(said.at("begins_earlier"), "a later one is damaged");
  EXPECT_EQ(said.at("differing_steps"), 0);
  // What lies behind it does not go by it, nor what ends before.
  EXPECT_FALSE(
      same(run.replay({"--from", "1.65", "--json"})).as_object().contains("begins_earlier"));
  EXPECT_FALSE(same(run.replay({"--from", "0.9", "--to", "1", "--json"}))
                   .as_object()
                   .contains("begins_earlier"));
}

TEST(ReplayFromATime, BeyondTheEndSaysSo) {
  const RunWithKeyframes run;
  const Ended ended = run.replay({"--from", "2.5"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.out, HasSubstr("not all of it was replayed: no frame starts in this time"));
}

TEST(ReplayFromATime, RefusesWhatIsNoTimeAndWhatHasNone) {
  const RunWithKeyframes run;
  const Ended metres = run.replay({"--from", "3 m"});
  EXPECT_EQ(metres.code, 1);
  EXPECT_THAT(metres.err, HasSubstr("--from 3 m"));
  const Ended backwards = run.replay({"--from", "1.5", "--to", "1"});
  EXPECT_EQ(backwards.code, 1);
  EXPECT_THAT(backwards.err, HasSubstr("--from 1.5 --to 1"));
  EXPECT_EQ(run.replay({"--from", "1", "--reference"}).code, 1);
}

TEST(ReplayOfKeyframes, ComparesTheStateAtEach) {
  const RunWithKeyframes run;
  EXPECT_EQ(same(run.replay({"--json"})).at("compared_keyframes"), 9);
  const Ended text = run.replay();
  EXPECT_THAT(text.out, HasSubstr("every input, state and output is the recorded one, to the bit\n"
                                  "so is the state at 9 keyframes\n"));
  EXPECT_EQ(same(run.replay({"--tolerance", "1e-9", "--json"})).at("compared_keyframes"), 0);

  patch_keyframe(run.log, section_overruns, 1 + 2, 1);
  const Ended ended = run.replay({"--json"});
  EXPECT_EQ(ended.code, 2);
  const json::value said = json::parse(ended.out);
  EXPECT_EQ(said.at("same"), false);
  EXPECT_FALSE(said.as_object().contains("first"));
  EXPECT_EQ(json::serialize(said.at("differing_keyframe")),
            R"([{"frame":200,"section":"overruns","byte":2}])");
  EXPECT_THAT(run.replay().out,
              HasSubstr("the state at the keyframe of frame 200 differs in overruns (byte 2)\n"));
}

TEST(ReplayOfKeyframes, TheLogTellsHowManyThereAre) {
  const RunWithKeyframes run;
  const Ended ended = hild({"log", run.log, "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(json::parse(ended.out).at("keyframes"), 9);
  EXPECT_THAT(hild({"log", run.log}).out, testing::ContainsRegex("keyframes +9\n"));
}

/// A run of a model that is a file, with its keyframes.
struct RunOfFile {
  Folder folder;
  std::string log = folder.path("run.mcap");
  Ended ended;

  std::string file;

  explicit RunOfFile(const std::string& model) {
    file = folder.file("run.yaml", "frame: {period: 1 ms, priority: 0}\nmodel: {" + model +
                                       "}\nintegrator: {method: rk-4}\nrecord: {file: " + log +
                                       ", keyframes: 200}\n");
    ended = hild({"run", file, "--offline", "--duration", "2"});
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
};

// Through state events and time events, in hild's process and in one of its own.
TEST(ReplayFromATime, OfFmusThatGiveTheirState) {
  for (const char* fmu : {"van_der_pol_2", "bouncing_ball_3", "stairs_2"}) {
    for (const bool own : {false, true}) {
      const RunOfFile run(std::string("fmu: " HILD_FMUS "/") + fmu + ".fmu" +
                          (own ? ", process: own, answer_within: 2 s" : ""));
      const json::value said = same(hild({"replay", run.log, "--from", "1.5", "--json"}));
      EXPECT_EQ(said.at_pointer("/begins_at/frame"), 1400) << fmu << own;
      EXPECT_EQ(said.at("compared_steps"), 500) << fmu << own;
      EXPECT_EQ(said.at("compared_keyframes"), 2) << fmu << own;
    }
  }
}

TEST(ReplayFromATime, OfAnFmuThatGivesNoStateBeginsWithTheRun) {
  const RunOfFile run("fmu: " HILD_FMUS "/decay_3.fmu");
  const char* const why =
      "section plant: its state cannot be saved: the FMU does not say that its state can be saved";
  EXPECT_THAT(run.ended.err, HasSubstr(std::string("no keyframes are recorded, so that a replay "
                                                   "begins with the run: ") +
                                       why));
  const json::value said = same(hild({"replay", run.log, "--from", "1.5", "--json"}));
  EXPECT_EQ(said.at("begins_with_run"), "there is no keyframe at 1.5 or before");
  EXPECT_EQ(said.at("compared_steps"), 500);
  EXPECT_THAT(hild({"check", run.file, "--set", "record.replace=true"}).out,
              HasSubstr(std::string("none: ") + why));
}

// ---- other ways --------------------------------------------------------------------------------

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
  const std::string ours =
      std::string("semantics\x01\0\0\0", 13) + std::to_string(framelog::semantics_version);
  static_assert(framelog::semantics_version > 0 && framelog::semantics_version < 10);  // a digit
  patch(run.log, ours, "0");
  const Ended ended = run.replay();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("what hild 0.3.0 made of its inputs has number 0"));
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

// Behind the last chunk, in what tells where they are, and in the last chunk itself.
TEST(Replay, OfALogThatWasCutOrHasADamagedEndSaysSo) {
  const RunWithKeyframes run;
  const std::string whole = read_file(run.log);
  const auto replay_of = [&](const std::string& bytes, std::vector<std::string> part = {}) {
    std::ofstream(run.log, std::ios::binary) << bytes;
    part.emplace_back("--json");
    const Ended ended = run.replay(part);
    return std::pair{ended.code, json::parse(ended.out)};
  };
  EXPECT_EQ(replay_of(whole).second.at("closed"), true);
  std::string flipped = whole;
  flipped[whole.size() - 60] = static_cast<char>(flipped[whole.size() - 60] ^ 1);
  for (const std::string& damaged : {flipped, whole.substr(0, whole.size() / 2)}) {
    for (const std::vector<std::string>& part :
         {std::vector<std::string>{}, {"--from", "0.5", "--to", "0.6"}}) {
      const auto [code, said] = replay_of(damaged, part);
      EXPECT_EQ(code, 2);
      EXPECT_THAT(std::string(said.at("problem").as_string()), HasSubstr("the log is damaged"));
      EXPECT_EQ(said.at("differing_steps"), 0);
      EXPECT_EQ(said.at("closed"), &damaged == &flipped);
    }
  }
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
