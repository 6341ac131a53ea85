// SPDX-License-Identifier: Apache-2.0
/// \file
/// Nodes that hear what others say of themselves, over the loopback.
#include "drivers/dds_nodes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/drivers/dds_rig.hpp"

namespace hild::dds {
namespace {

using test::comes_true;
using test::DdsNode;
using test::own_system;

/// What is heard of the other; none: nothing.
std::optional<io::Peer> heard_by(DdsNode& node, std::string_view of) {
  for (const io::Peer& peer : node.device().nodes()->heard()) {
    if (peer.node == of) return peer;
  }
  return {};
}

TEST(DdsNodes, AreThoseOfTheConfiguration) {
  DdsNode node(own_system(), "motor", {{"members", "motor, load"}});
  ASSERT_NO_FATAL_FAILURE(node.begin());
  EXPECT_EQ(node.device().nodes()->own(), "motor");
  ASSERT_EQ(node.device().nodes()->members().size(), 2U);
  EXPECT_EQ(node.device().nodes()->members()[1].view(), "load");
}

TEST(DdsNodes, HearWhatOthersSayAndThatTheyHaveEnded) {
  const std::string system = own_system();
  DdsNode motor(system, "motor");  // without an input, and without an output
  DdsNode load(system, "load");
  ASSERT_NO_FATAL_FAILURE(motor.begin());
  ASSERT_NO_FATAL_FAILURE(load.begin());
  // Until its run says something it is one that waits.
  ASSERT_TRUE(comes_true([&] { return heard_by(motor, "load").has_value(); }));
  EXPECT_EQ(heard_by(motor, "load")->words, io::NodeWords{.waits = true});
  const io::NodeWords words{.armed = true, .first_tick = 5, .frame = 7, .ask = io::Ask::prepare};
  load.device().nodes()->tell(words);
  ASSERT_TRUE(comes_true([&] { return heard_by(motor, "load")->words == words; }));
  EXPECT_FALSE(heard_by(load, "load")) << "itself";
  // Counts alone go with what is said once a second.
  io::NodeWords later = words;
  later.frame = 9;
  load.device().nodes()->tell(later);
  ASSERT_TRUE(comes_true([&] { return heard_by(motor, "load")->words.frame == 9; }));
  load.end();
  ASSERT_TRUE(comes_true([&] { return !heard_by(motor, "load")->here; }));
}

TEST(DdsNodes, OfAnotherSystemAreNotHeard) {
  DdsNode motor(own_system(), "motor");
  DdsNode stranger(own_system(), "stranger");
  ASSERT_NO_FATAL_FAILURE(motor.begin());
  ASSERT_NO_FATAL_FAILURE(stranger.begin());
  DdsNode same(motor.system(), "same");
  ASSERT_NO_FATAL_FAILURE(same.begin());
  ASSERT_TRUE(comes_true([&] { return heard_by(motor, "same").has_value(); }));
  EXPECT_FALSE(heard_by(motor, "stranger"));
}

TEST(DdsNodes, OfADetachedDeviceAreNone) {
  DdsNode motor(own_system(), "motor", {{"members", "motor, load"}});
  ASSERT_NO_FATAL_FAILURE(motor.begin());
  EXPECT_NE(motor.device().nodes(), nullptr);
  ASSERT_TRUE(motor.device().detach());
  EXPECT_EQ(motor.device().nodes(), nullptr);
}

}  // namespace
}  // namespace hild::dds
