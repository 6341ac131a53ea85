// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild run --offline` of several settings: a process, a folder and a line of the summary for
/// each.
#include <gmock/gmock.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

/// The current of a coil that decays, behind a converter with noise.
class Sweep : public ::testing::Test {
 protected:
  Ended run(std::vector<std::string> more, const std::string& duration = "1") {
    std::vector<std::string> all{"run", file_, "--offline", "--duration", duration};
    all.insert(all.end(), more.begin(), more.end());
    return hild(std::move(all));
  }
  [[nodiscard]] std::string into() const { return folder_.path("runs"); }

  Folder folder_;
  // A step of Euler on L di/dt = -R i from 1 A: i is multiplied by 1 - h R / L, and R = 1 ohm.
  std::string file_ = folder_.file(
      "coil.yaml",
      "frame: {period: 10 ms}\n"
      "model: {type: dc-motor, initial: {current: 1 A}, parameters: {resistance: 1 ohm, "
      "inductance: 1 H, constant: 0 Nm/A}}\n"
      "integrator: {method: forward-euler}\n"
      "devices: {rig: {driver: sim}}\n"
      "inputs: {armature_voltage: {device: rig, channel: 0, noise: 1 mV}}\n"
      "record: {file: coil.mcap}\n");
};

TEST_F(Sweep, RunsEveryCombinationInAFolderOfItsOwn) {
  const Ended ended = run({"--sweep", "model.parameters.inductance=1 H,2 H", "--seeds", "3..5",
                           "--jobs", "2", "--into", into(), "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json::value summary = json::parse(ended.out);
  const json::array& runs = summary.at("runs").as_array();
  ASSERT_EQ(runs.size(), 6U);
  std::vector<std::string> settings;
  for (const json::value& one : runs) {
    settings.push_back(json::serialize(one.at("settings")));
    EXPECT_EQ(one.at("exit_code"), 0);
    EXPECT_EQ(one.at_pointer("/report/frames"), 100);
    const std::string folder(one.at("folder").as_string());
    EXPECT_EQ(json::parse(read_file(folder + "/report.json")), one.at("report"));
    EXPECT_TRUE(std::filesystem::exists(folder + "/coil.mcap"));
    EXPECT_THAT(read_file(folder + "/output.txt"), HasSubstr("after the duration asked for"));
  }
  const std::string small = R"({"model.parameters.inductance":"1 H","seed":")";
  const std::string large = R"({"model.parameters.inductance":"2 H","seed":")";
  EXPECT_THAT(settings, ElementsAre(small + "3\"}", small + "4\"}", small + "5\"}", large + "3\"}",
                                    large + "4\"}", large + "5\"}"));
  // Another seed is other noise, and so another recording.
  EXPECT_NE(read_file(into() + "/001/coil.mcap"), read_file(into() + "/002/coil.mcap"));
}

TEST_F(Sweep, TellsWhichRunFailedAndWhy) {
  // A step of 10 ms is beyond what is stable below an inductance of 5 mH: the current grows without
  // bound, and the run ends as a fault of the model.
  const Ended ended =
      run({"--sweep", "model.parameters.inductance=1 H,1 mH", "--into", into()}, "100");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.out, HasSubstr(" 1 of 2 runs ended well."));
  EXPECT_THAT(ended.out, testing::ContainsRegex(" 002: .*current"));
}

TEST_F(Sweep, RefusesWhatWouldFailInEveryRunBeforeTheFirst) {
  const auto refusal = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--into", into()});
    const Ended ended = run(std::move(more));
    EXPECT_EQ(ended.code, 1);
    EXPECT_FALSE(std::filesystem::exists(into()));
    return ended.err;
  };
  EXPECT_THAT(refusal({"--sweep", "model.parameters.inductanze=1 H,2 H"}),
              HasSubstr("expected a parameter of dc-motor"));
  EXPECT_THAT(refusal({"--sweep", "model.parameters.inductance"}),
              HasSubstr("expected KEY=VALUE,VALUE,..."));
  EXPECT_THAT(refusal({"--seeds", "5..3"}), HasSubstr("expected FIRST..LAST"));
  EXPECT_THAT(refusal({"--seeds", "1..2", "--report", "x.json"}),
              HasSubstr("--report is of one run"));
  EXPECT_THAT(refusal({"--json"}), HasSubstr("give --sweep or --seeds"));
}

TEST_F(Sweep, RefusesAFolderThatHoldsSomething) {
  std::filesystem::create_directory(into());
  (void)folder_.file("runs/old.txt", "of another day");
  const Ended ended = run({"--seeds", "1,2", "--into", into()});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("it is there and not empty"));
}

TEST_F(Sweep, OfLiveRunsIsRefused) {
  const Ended ended = hild({"run", file_, "--duration", "1", "--seeds", "1..2"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("need --offline"));
}

}  // namespace
}  // namespace hild::test
