// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an FMU says of the range its states are meant for: min and max of its description.
#include <gmock/gmock.h>

#include "foreign/fmu/altered.hpp"

namespace hild::testing {
namespace {

/// The one state of `decay`, which starts at 1, with more attributes.
model::State state_with(int version, const std::string& attributes) {
  const Archive archive;
  archive.copy("decay", version);
  archive.add("modelDescription.xml",
              with(description_of("decay", version), "start=\"1\"", "start=\"1\" " + attributes));
  const auto loaded = fmu::load(archive.path());
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded ? loaded->description.states[0] : model::State{};
}

TEST(PlausibleFmu, RangesAreThoseOfItsDescription) {
  for (const int version : {2, 3}) {
    const model::State both = state_with(version, "min=\"-4\" max=\"5\"");
    EXPECT_EQ(both.low, -4) << version;
    EXPECT_EQ(both.high, 5) << version;
    EXPECT_EQ(both.start, 1) << version;
    const model::State one = state_with(version, "min=\"0\"");
    EXPECT_EQ(one.low, 0) << version;
    EXPECT_EQ(one.high, model::unlimited) << version;
    EXPECT_EQ(state_with(version, "").low, -model::unlimited) << version;
  }
}

TEST(PlausibleFmu, AStartBeyondItsOwnRangeWidensIt) {
  const model::State s = state_with(2, "min=\"2\" max=\"5\"");
  EXPECT_EQ(s.low, 1);
  EXPECT_EQ(s.high, 5);
}

TEST(PlausibleFmu, ARangeOfOneValueIsNone) {
  const model::State s = state_with(2, "min=\"1\" max=\"1\"");
  EXPECT_EQ(s.low, -model::unlimited);
  EXPECT_EQ(s.high, model::unlimited);
}

}  // namespace
}  // namespace hild::testing
