// SPDX-License-Identifier: Apache-2.0
/// A model whose place a real part may take: what is left of a configuration in either case, and
/// what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/sections.hpp"
#include "fakes.hpp"

namespace hild::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// A law of its own, and the plant that it is for; each feeds the other.
constexpr std::string_view head_of_parts =
    "frame: {period: 1 ms}\n"
    "models:\n"
    "  law: {type: test-plant, integrator: {method: rtam-2}}\n";
constexpr std::string_view between_parts =
    "connections:\n"
    "  - {from: law.sense, to: plant.voltage, delay: frame}\n"
    "  - {from: plant.sense, to: law.voltage, delay: frame}\n";
constexpr std::string_view wires_of_parts =
    "devices: {rig: {driver: fake}, daq: {driver: fake, path: card, of: plant}}\n"
    "inputs:\n"
    "  law.load: {device: rig, channel: 1, scale: 1 N m/V}\n"
    "  law.voltage: {device: daq, channel: 2, scale: 3 V/V, of: plant}\n"
    "outputs:\n"
    "  law.sense: {device: daq, channel: 4, safe: 0 V, of: plant}\n"
    "  plant.sense: {device: rig, channel: 5, safe: 0 V}\n";

std::string with_part(std::string_view part, std::string_view rest = wires_of_parts,
                      std::string_view connections = between_parts) {
  return fmt::format(
      "{}  plant: {{type: test-plant, integrator: {{method: rtam-2}}, part: {}}}\n{}{}",
      head_of_parts, part, connections, rest);
}

std::string error_of_part(const std::string& text) { return fakes::error_of(fakes::read(text)); }

std::vector<std::string> devices_there(const Config& config) {
  std::vector<std::string> names;
  for (const io::Member& member : config.devices) names.emplace_back(member.name.view());
  return names;
}

template <class Signals>
std::vector<std::string> names_wired(const Signals& signals) {
  std::vector<std::string> names;
  for (const auto& signal : signals) {
    if (signal.device >= 0) names.emplace_back(signal.name.view());
  }
  return names;
}

TEST(Parts, SimulatedAreModelsAndNothingOfTheirsIsOpened) {
  const auto read = fakes::read(with_part("simulated"));
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->coupled->parts.size(), 2U);
  EXPECT_EQ(read->coupled->composition->connections().size(), 2U);
  EXPECT_THAT(devices_there(*read), ElementsAre("rig"));
  EXPECT_THAT(names_wired(read->inputs), ElementsAre("law.load"));
  EXPECT_THAT(names_wired(read->outputs), ElementsAre("plant.sense"));
}

TEST(Parts, RealAreAtTheirConverters) {
  const auto read = fakes::read(with_part("real"));
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->coupled->parts.size(), 1U);
  EXPECT_EQ(read->coupled->parts[0]->name, "law");
  EXPECT_THAT(read->coupled->composition->connections(), IsEmpty());
  EXPECT_THAT(devices_there(*read), ElementsAre("rig", "daq"));
  EXPECT_THAT(names_wired(read->inputs), ElementsAre("law.voltage", "law.load"));
  EXPECT_THAT(names_wired(read->outputs), ElementsAre("law.sense"));
  EXPECT_EQ(read->inputs[0].scale, 3);
}

TEST(Parts, AreChosenByOneWordOfTheCommandLine) {
  const auto read = fakes::read(with_part("simulated"), {{"models.plant.part", "real"}});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(devices_there(*read), ElementsAre("rig", "daq"));
}

// What a recording keeps is what ran, and is read again as it stands.
TEST(Parts, LeaveNoWordInWhatIsRecorded) {
  for (const char* part : {"simulated", "real"}) {
    const auto read = fakes::read(with_part(part));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_THAT(read->resolved, Not(HasSubstr("part:")));
    EXPECT_THAT(read->resolved, Not(HasSubstr("of:")));
    const auto again = fakes::read(read->resolved);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->resolved, read->resolved);
  }
}

// Both are out there, and wired to each other: nothing has to be at a converter of ours.
TEST(Parts, ThatAreRealMayFeedEachOther) {
  const auto read = fakes::read(
      fmt::format("{}  a: {{type: test-plant, integrator: {{method: rtam-2}}, part: real}}\n"
                  "  b: {{type: test-plant, integrator: {{method: rtam-2}}, part: real}}\n"
                  "connections: [{{from: a.sense, to: b.voltage}}]\n",
                  head_of_parts));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->coupled->parts.size(), 1U);
}

struct RefusedPart {
  std::string name;
  std::string text;
  std::string place;
  std::string words;
};

class PartsRefused : public ::testing::TestWithParam<RefusedPart> {};

TEST_P(PartsRefused, WithTheirPlaceAndReason) {
  const std::string error = error_of_part(GetParam().text);
  EXPECT_THAT(error, StartsWith("rig.yaml:" + GetParam().place));
  EXPECT_THAT(error, HasSubstr(GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(
    All, PartsRefused,
    ::testing::Values(
        RefusedPart{"OtherWord", with_part("reel"), "4: models.plant.part",
                    "found \"reel\", expected `simulated` or `real`"},
        RefusedPart{"NoWord", with_part("[real]"), "4: models.plant.part",
                    "found a list, expected `simulated` or `real`"},
        RefusedPart{"OfAnUnknownModel",
                    with_part("real", "devices: {d: {driver: fake, of: plnat}}\n"),
                    "8: devices.d.of", "did you mean \"plant\"?"},
        RefusedPart{"OfAModelThatSaysNothing",
                    with_part("real", "devices: {d: {driver: fake, of: law}}\n"), "8: devices.d.of",
                    "found \"law\", expected a model that says `part: simulated` or `part: real`"},
        RefusedPart{"OfWhatIsNotConnected",
                    with_part("simulated",
                              "devices: {d: {driver: fake}}\n"
                              "inputs: {law.brake: {device: d, channel: 1, of: plant}}\n"),
                    "9: inputs.law.brake.of",
                    "found plant, and no connection from plant to law.brake"},
        RefusedPart{"OutputOfWhatIsNotConnected",
                    with_part("simulated",
                              "devices: {d: {driver: fake}}\n"
                              "outputs: {law.running: {device: d, channel: 1, of: plant}}\n"),
                    "9: outputs.law.running.of",
                    "found plant, and no connection to plant from law.running"},
        RefusedPart{
            "NothingBringsAnInput",
            with_part("real",
                      "devices: {d: {driver: fake}}\n"
                      "outputs: {law.sense: {device: d, channel: 1, safe: 0 V, of: plant}}\n"),
            "4: models.plant.part",
            "found `real`, and nothing brings law.voltage in the place of connections[1] "
            "(rig.yaml:7)"},
        RefusedPart{"NothingTakesAnOutput",
                    with_part("real",
                              "devices: {d: {driver: fake}}\n"
                              "inputs: {law.voltage: {device: d, channel: 1, of: plant}}\n"),
                    "4: models.plant.part",
                    "nothing takes law.sense in the place of connections[0] (rig.yaml:6); expected "
                    "an entry of that name in outputs, with a device and `of: plant`"},
        // Written for another purpose, it would be fed to the plant unasked.
        RefusedPart{"AnEntryThatIsNotOfThePart",
                    with_part("real",
                              "devices: {d: {driver: fake}}\n"
                              "inputs: {law.voltage: {device: d, channel: 1, of: plant}}\n"
                              "outputs: {law.sense: {device: d, channel: 1, safe: 0 V}}\n"),
                    "4: models.plant.part", "nothing takes law.sense"},
        RefusedPart{"EntryOfASimulatedPartWithoutOf",
                    with_part("simulated",
                              "devices: {d: {driver: fake}}\n"
                              "inputs: {law.voltage: {device: d, channel: 1}}\n"),
                    "9: inputs.law.voltage", "found an entry for an input that is connected"},
        RefusedPart{"NoModelLeft",
                    "frame: {period: 1 ms}\nmodels:\n"
                    "  plant: {type: test-plant, integrator: {method: rtam-2}, part: real}\n",
                    "3: models.plant.part", "found `real` for all models"},
        RefusedPart{"OneModelAlone",
                    "frame: {period: 1 ms}\n"
                    "model: {type: test-plant, part: real}\nintegrator: {method: rtam-2}\n",
                    "2: model.part", ""}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace hild::config
