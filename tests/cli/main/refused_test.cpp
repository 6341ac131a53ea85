// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the program refuses, with which exit code, and with which words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Arguments = std::vector<std::string>;

struct Case {
  const char* name;
  Arguments arguments;  ///< CONFIG stands for the motor's file
  int code;
  std::vector<std::string> words;
};

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, WithItsCodeAndWords) {
  const Case& c = GetParam();
  const Motor motor;
  Arguments arguments = c.arguments;
  for (auto& a : arguments) {
    if (a == "CONFIG") a = motor.file;
  }
  const Ended ended = hild(arguments);
  EXPECT_EQ(ended.code, c.code) << ended.err;
  for (const auto& word : c.words) EXPECT_THAT(ended.err, HasSubstr(word));
  EXPECT_THAT(ended.out, IsEmpty());
  EXPECT_THAT(motor.held(), IsEmpty()) << "an output was touched";
}

const auto name_of = [](const auto& info) { return std::string(info.param.name); };

Arguments run(Arguments more) {
  Arguments all{"run", "CONFIG", "--duration", "1"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}
Arguments run_with(const std::string& setting) { return run({"--set", setting}); }

INSTANTIATE_TEST_SUITE_P(
    CommandLine, Refused,
    testing::Values(
        Case{"NoCommand", {}, 1, {"hild --help"}},
        Case{"UnknownCommand", {"frobnicate"}, 1, {"frobnicate", "--help"}},
        Case{"UnknownOption", run({"--frobnicate"}), 1, {"--frobnicate", "--help"}},
        Case{"NoConfig", {"run"}, 1, {"CONFIG is required"}},
        Case{"OfflineForEver", {"run", "CONFIG", "--offline"}, 1, {"--offline needs --duration"}},
        Case{"DurationInWords",
             {"run", "CONFIG", "--duration", "soon"},
             1,
             {"--duration soon", "expected seconds"}},
        Case{"DurationInMetres",
             {"run", "CONFIG", "--duration", "1 m"},
             1,
             {"--duration 1 m", "does not convert to \"s\""}},
        Case{"NoDuration", {"run", "CONFIG", "--duration", "0"}, 1, {"--duration 0", "more than"}},
        Case{"NegativeDuration",
             {"run", "CONFIG", "--duration=-1"},
             1,
             {"--duration -1", "more than"}},
        Case{"CountZero",
             {"io", "CONFIG", "--count", "0"},
             1,
             {"--count", "not in range 1 to 1000000"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Setting, Refused,
    testing::Values(
        Case{"WithoutValue", run_with("frame.period"), 1, {"--set frame.period", "KEY=VALUE"}},
        Case{"WithoutKey", run_with("=1 ms"), 1, {"--set =1 ms", "KEY=VALUE"}},
        Case{"UnknownKey", run_with("frame.perod=1 ms"), 1, {"frame.perod", "period"}},
        Case{"UnknownSection", run_with("framing.period=1 ms"), 1, {"framing", "frame"}},
        Case{"OfWrongUnit",
             run_with("frame.period=1 m"),
             1,
             {"frame.period", "\"1 m\"", "\"m\" does not convert"}},
        Case{"OfAMissingSignal", run_with("outputs.spped.safe=1 V"), 1, {"spped"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Configuration, Refused,
    testing::Values(
        Case{"UnitOfAParameter",
             run_with("model.parameters={inertia: 3 kg}"),
             1,
             {"model.parameters.inertia", "\"3 kg\"", "kg m2"}},
        Case{"UnknownDriver", run_with("devices.rig.driver=simm"), 1, {"\"simm\"", "sim"}},
        Case{"ChannelUsedTwice",
             run_with("outputs.torque={device: rig, channel: 0, scale: 1 N m/V, safe: 0 V}"),
             1,
             {"outputs.torque", "D/A channel 0 is already used"}},
        Case{"FutureInputUnderStageSampling",
             run_with("integrator.method=rk-4"),
             1,
             {"integrator.sampling", "\"stage\"", "rk-4 needs an input from the future"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Device, Refused,
                         testing::Values(Case{"ImageName",
                                              run_with("devices.meter.image=a/b"),
                                              4,
                                              {"device meter", "expected a plain name"}}),
                         name_of);

TEST(RefusedFile, ThatIsMissingIsNamed) {
  const Folder folder;
  const Ended ended = hild({"run", folder.path("none.yaml"), "--duration", "1"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, AllOf(HasSubstr(folder.path("none.yaml")), HasSubstr("No such file")));
}

TEST(RefusedFile, ThatIsNotYamlIsRefusedWithItsLine) {
  const Folder folder;
  const std::string file = folder.file("bad.yaml", "frame: {period: 1 ms}\nmodel: [\n");
  const Ended ended = hild({"check", file});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("bad.yaml:"), HasSubstr("not valid YAML")));
}

TEST(RefusedFile, ThatIsEmptyIsRefused) {
  const Folder folder;
  const Ended ended = hild({"check", folder.file("empty.yaml", "")});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("empty.yaml"));
}

/// A motor at a card that is not there.
std::string at_a_card(const Folder& folder) {
  return folder.file("card.yaml",
                     "frame: {period: 10 ms}\n"
                     "model: {type: dc-motor}\n"
                     "integrator: {method: rtam-2}\n"
                     "devices: {daq: {driver: comedi, path: /dev/hild-no-such-card}}\n"
                     "outputs: {shaft_speed: {device: daq, subdevice: 1, channel: 0,\n"
                     "  range: -10 V..10 V, scale: 50 rad/s/V, safe: 0 V}}\n");
}

TEST(RefusedDevice, ThatIsNotThereEndsWithTheCodeOfDevices) {
  const Folder folder;
  const std::string file = at_a_card(folder);
  for (const Arguments& arguments : {Arguments{"run", file, "--duration", "1"},
                                     Arguments{"io", file}, Arguments{"safe", file}}) {
    const Ended ended = hild(arguments);
    EXPECT_EQ(ended.code, 4) << arguments[0];
    EXPECT_THAT(ended.err, AllOf(HasSubstr("device daq"), HasSubstr("/dev/hild-no-such-card"),
                                 HasSubstr("No such file")));
    EXPECT_THAT(ended.out, Not(HasSubstr("shaft_speed"))) << "said to be safe, and is not";
  }
}

TEST(RefusedDevice, CanStillBeChecked) {
  const Folder folder;
  const Ended ended = hild({"check", at_a_card(folder)});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, AllOf(HasSubstr("/dev/hild-no-such-card"),
                               HasSubstr("device calls are not measured")));
}

// No machine wakes, computes and is done within a microsecond.
TEST(RefusedPlan, ThatCannotFitIsRefusedWithTheNumbers) {
  const Motor motor;
  const Arguments settings{"--set", "frame.period=1 us", "--set", "integrator.method=rtrk-4"};
  for (const Arguments& command :
       {Arguments{"run", motor.file, "--duration", "1"}, Arguments{"check", motor.file}}) {
    Arguments arguments = command;
    arguments.insert(arguments.end(), settings.begin(), settings.end());
    const Ended ended = hild(arguments);
    // Of a run a fault, not a mistake: a service is to try again, when the machine may be less
    // busy.
    EXPECT_EQ(ended.code, command.front() == "run" ? 2 : 1);
    EXPECT_THAT(
        ended.out + ended.err,
        AllOf(HasSubstr("the plan does not fit"), HasSubstr("at the median, wake"),
              HasSubstr("5 passes of"), HasSubstr("a frame of 1.0 us"), HasSubstr("frame.period")));
  }
  const auto held = motor.held();
  if (!held.empty()) {
    EXPECT_THAT(held, testing::ElementsAre(0, 0)) << "an output was touched";
  }
}

}  // namespace
}  // namespace hild::test
