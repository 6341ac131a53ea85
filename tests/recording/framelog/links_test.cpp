// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a log says of the values that nodes exchange.
#include "recording/framelog/links.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hild::framelog {
namespace {

TEST(Links, ComeBackAsTheyWere) {
  const LinkName sent{42, "rig", "motor", "speed"};
  const LinkName received{7, "other", "load", "torque"};
  Links links{"motor", {{sent, "shaft_speed", "rad/s"}}, {}};
  links.received.push_back({received, "load_torque", "N m", "V", 3, 2, 1.0 / 3, -0.1, 30_ms});
  Description d;
  d.attachments = {{1, 2, "machine.json", "", ""},
                   {1, 2, std::string(links_attachment), "application/json", to_json(links)}};
  const auto got = links_of(d);
  ASSERT_TRUE(got && *got);
  EXPECT_EQ((*got)->node, "motor");
  ASSERT_EQ((*got)->sent.size(), 1U);
  EXPECT_EQ((*got)->sent[0].name, sent);
  EXPECT_EQ((*got)->sent[0].output, "shaft_speed");
  EXPECT_EQ((*got)->sent[0].unit, "rad/s");
  ASSERT_EQ((*got)->received.size(), 1U);
  const ReceivedSignal& r = (*got)->received[0];
  EXPECT_EQ(r.name, received);
  EXPECT_EQ(r.input, "load_torque");
  EXPECT_EQ(r.unit, "N m");
  EXPECT_EQ(r.in, "V");
  EXPECT_EQ(r.place, 3U);
  EXPECT_EQ(r.group, 2U);
  EXPECT_EQ(r.scale, 1.0 / 3) << "to the bit";
  EXPECT_EQ(r.offset, -0.1);
  EXPECT_EQ(r.max_latency, Duration(30_ms));
  EXPECT_FALSE(*links_of(Description{}));
}

TEST(Links, AnythingElseIsAnError) {
  for (const char* text : {"", "[]", "{}", R"({"node":"a","sent":[{}],"received":[]})",
                           R"({"node":"a","sent":3,"received":[]})"}) {
    Description d;
    d.attachments = {{1, 2, std::string(links_attachment), "", text}};
    EXPECT_FALSE(links_of(d)) << text;
  }
}

}  // namespace
}  // namespace hild::framelog
