// SPDX-License-Identifier: Apache-2.0
/// \file
/// All that is wrong with a file is told at once, one a line, and nothing that only follows from
/// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes.hpp"

namespace hild::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> lines_told(const std::string& text) {
  std::istringstream all(fakes::error_of(fakes::read(text)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

TEST(ToldAtOnce, EachWithItsLineInTheOrderOfTheFile) {
  EXPECT_THAT(lines_told("overrun: {max_debt: many}\n"
                         "frame:\n"
                         "  period: 1 mss\n"
                         "  cpu: all\n"
                         "  late_wake: soon\n"
                         "model:\n"
                         "  type: test-plant\n"
                         "  parameters: {inertia: heavy, inertai: 1 kg m2}\n"
                         "integrator: {method: rtam-2, max_events: 0, sampling: never}\n"
                         "devices:\n"
                         "  daq: {driver: fake, max_latency: 3}\n"
                         "outputs:\n"
                         "  speed: {device: daq, channel: 99, scale: 1 rad/s/V, safe: 0 V}\n"
                         "budjet: {}\n"),
              ElementsAre(StartsWith("rig.yaml:1: overrun.max_debt: found \"many\", expected"),
                          StartsWith("rig.yaml:3: frame.period: found \"1 mss\""),
                          StartsWith("rig.yaml:4: frame.cpu: found \"all\""),
                          StartsWith("rig.yaml:5: frame.late_wake: found \"soon\""),
                          StartsWith("rig.yaml:8: model.parameters.inertai: found \"inertai\""),
                          StartsWith("rig.yaml:8: model.parameters.inertia: found \"heavy\""),
                          StartsWith("rig.yaml:9: integrator.sampling: found \"never\""),
                          StartsWith("rig.yaml:9: integrator.max_events: found \"0\""),
                          StartsWith("rig.yaml:11: devices.daq.max_latency: found \"3\""),
                          StartsWith("rig.yaml:13: outputs.speed.channel: found \"99\""),
                          StartsWith("rig.yaml:14: budjet: found an unknown key, did you mean "
                                     "\"budget\"?")));
}

// Signals, states, interlocks and recordings speak of a model that nobody knows.
TEST(ToldAtOnce, NotWhatFollowsFromAModelThatIsNone) {
  EXPECT_THAT(
      lines_told("frame: {period: 1 ms}\n"
                 "model: {type: test-plnt, parameters: {inertia: 1 kg m2}}\n"
                 "integrator: {method: rtam-2, max_events: 0}\n"
                 "devices: {daq: {driver: fake}}\n"
                 "inputs: {load: {device: daq, channel: 1, scale: 1 N m/V}}\n"
                 "outputs: {speed: {device: daq, channel: 1, scale: 1 rad/s/V, safe: 0 V}}\n"
                 "interlocks: {fast: {output: speed, max: 3 rad/s}}\n"
                 "record: {file: a.mcap, signals: [speed]}\n"),
      ElementsAre(AllOf(StartsWith("rig.yaml:2: model.type: found \"test-plnt\""),
                        HasSubstr("did you mean \"test-plant\"?")),
                  StartsWith("rig.yaml:3: integrator.max_events: ")));
}

TEST(ToldAtOnce, NotWhatFollowsFromADeviceThatIsNone) {
  EXPECT_THAT(lines_told("frame: {period: 1 ms}\n"
                         "model: {type: test-plant}\n"
                         "integrator: {method: rtam-2}\n"
                         "devices:\n"
                         "  daq: {driver: fakke}\n"
                         "  other: {driver: fake}\n"
                         "inputs:\n"
                         "  load: {device: daq, channel: 1, scale: 1 N m/V}\n"
                         "  voltage: {device: othr, channel: 1}\n"
                         "outputs:\n"
                         "  speed: {device: daq, channel: 1, scale: 1 rad/s/V, safe: 0 V}\n"),
              ElementsAre(StartsWith("rig.yaml:5: devices.daq.driver: found \"fakke\""),
                          StartsWith("rig.yaml:9: inputs.voltage.device: found \"othr\"")));
}

TEST(ToldAtOnce, NotWhatFollowsFromAValue) {
  // Beside a word that is none, a margin is neither right nor wrong.
  EXPECT_THAT(lines_told("frame: {period: 1 ms, clock: sleep+spinn, margin: 10 us}\n"
                         "model: {type: test-plant}\nintegrator: {method: rtam-2}\n"),
              ElementsAre(StartsWith("rig.yaml:1: frame.clock: found \"sleep+spinn\"")));
}

TEST(ToldAtOnce, NoMoreThanAPersonReads) {
  std::string text = "interlocks:\n";
  for (int i = 0; i < 50; ++i) text += fmt::format("  i{}: {{output: sped, max: 3 rad/s}}\n", i);
  const auto lines = lines_told(fakes::head + text);
  ASSERT_THAT(lines, SizeIs(21));
  EXPECT_THAT(lines[0], StartsWith("rig.yaml:6: interlocks.i0.output: "));
  EXPECT_THAT(lines[19], StartsWith("rig.yaml:25: interlocks.i19.output: "));
  EXPECT_EQ(lines[20], "and 30 more errors");
}

// What is suggested must not be refused in its turn.
TEST(Suggested, IsNothingThatIsThereAlready) {
  EXPECT_THAT(lines_told("frame: {period: 1 ms, perod: 2 ms}\n"
                         "model: {type: test-plant}\nintegrator: {method: rtam-2}\n"),
              ElementsAre(AllOf(StartsWith("rig.yaml:1: frame.perod: found an unknown key, "),
                                testing::Not(HasSubstr("\"period\"")))));
  EXPECT_THAT(lines_told(fakes::head + "outputs: {speed: {}, sped: {}}\n"),
              testing::Each(testing::Not(HasSubstr("did you mean \"speed\""))));
}

TEST(Suggested, IsNothingThatStandsAgainstWhatIsThere) {
  EXPECT_THAT(lines_told("frame: {period: 1 ms, rat: 1 kHz}\n"
                         "model: {type: test-plant}\nintegrator: {method: rtam-2}\n"),
              ElementsAre(AllOf(StartsWith("rig.yaml:1: frame.rat: found an unknown key, "),
                                testing::Not(HasSubstr("\"rate\"")))));
  EXPECT_THAT(lines_told("frame: {period: 1 ms}\nmodel: {type: test-plant}\nmodles: {}\n"
                         "integrator: {method: rtam-2}\n"),
              ElementsAre(AllOf(StartsWith("rig.yaml:3: modles: found an unknown key, "),
                                testing::Not(HasSubstr("\"models\"")))));
}

TEST(Tab, IsCalledATab) {
  const std::string rest = "model: {type: test-plant}\nintegrator: {method: rtam-2}\n";
  for (const std::string& text :
       {"frame:\n\tperiod: 1 ms\n" + rest, "frame:\n  period: 1 ms\n\tcpu: 0\n" + rest,
        "frame:\n  \tperiod: 1 ms\n" + rest}) {
    EXPECT_THAT(lines_told(text), ElementsAre(HasSubstr("found a tab before the first word, "
                                                        "expected spaces")))
        << text;
  }
  EXPECT_THAT(lines_told("frame: {period: 1 ms}\nmodel: [\n" + rest),
              ElementsAre(HasSubstr("not valid YAML")));
  EXPECT_THAT(lines_told("frame:\t{period: 1 ms}\n" + rest), ElementsAre("loaded"));
}

// Its configuration is made, so that its lines are nobody's.
TEST(ModelFile, HasNoLines) {
  const auto read = load_text(
      "frame: {period: 1 ms}\nmodel: {fmu: 'none.fmu'}\n"
      "integrator: {method: rk-4}\n",
      "somewhere/none.fmu");
  EXPECT_THAT(fakes::error_of(read), StartsWith("somewhere/none.fmu: model.fmu: "));
}

}  // namespace
}  // namespace hild::config
