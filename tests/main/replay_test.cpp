// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild replay`: a recorded run again, to the bit; another model's answer to the same inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

const std::string demo = HILD_SOURCE_DIR "/config/demo.yaml";

struct Recorded {
  Folder folder;
  std::string image = folder.image();
  std::string log = folder.path("run.mcap");

  explicit Recorded(std::vector<std::string> more = {}) {
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
  const Recorded run;
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

// The steps are the recorded ones, also where a method starts, and inputs come late.
TEST(Replay, OfOtherMethodsAndSamplings) {
  for (const char* method : {"ab-4", "rtrk-4", "ode-45", "libe"}) {
    for (const char* sampling : {"frame", "extrapolate"}) {
      const Recorded run({"--set", std::string("integrator.method=") + method, "--set",
                          std::string("integrator.sampling=") + sampling});
      const Ended ended = run.replay();
      EXPECT_EQ(ended.code, 0) << method << ' ' << sampling << '\n' << ended.out << ended.err;
    }
  }
}

TEST(Replay, UnderAnotherModelTellsWhatItWouldHaveDone) {
  const Recorded run;
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

TEST(Replay, RefusesWhatCannotBePlayed) {
  Folder folder;
  EXPECT_EQ(hild({"replay", folder.path("none.mcap")}).code, 1);
  const Ended other = hild({"replay", folder.file("text.mcap", "not a recording at all")});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("text.mcap"));

  const Recorded notable({"--set", "record.frames=notable"});
  const Ended some = notable.replay();
  EXPECT_NE(some.code, 0);
  EXPECT_THAT(some.err + some.out, HasSubstr("needs"));

  const Recorded run;
  const Ended model = run.replay({"--set", "model.type=pendulum", "--set", "model.parameters={}"});
  EXPECT_EQ(model.code, 1) << model.out;
}

}  // namespace
}  // namespace hild::test
