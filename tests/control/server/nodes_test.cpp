// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is told of the other nodes of a system, and what all of them can be asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

const json::object of_system{{"system", true}};
const std::vector<Name> both{std::string_view("left"), std::string_view("right")};

/// A served run that is node `left`, and has looked once: `right` runs and can be armed.
struct NodeRig : ServerRig {
  NodeRig() {
    agreement = &left;
    static_cast<void>(left.look({.may_arm = true},
                                {{Name("right"), true, {.may_arm = true, .frame = 7}}},
                                nodes::read_clocks()));
    start();
  }
  ~NodeRig() { end(); }
  NodeRig(const NodeRig&) = delete;
  NodeRig& operator=(const NodeRig&) = delete;
  nodes::Agreement left{"left", both};
};

std::string why_not(LineClient& client, std::string_view method) {
  return std::string(client.error(method, of_system).at("message").as_string());
}

TEST(Nodes, OfARunThatIsNoneAreNone) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const json::value reply = client.call("nodes");
  EXPECT_TRUE(reply.at("own").is_null());
  EXPECT_TRUE(reply.at("nodes").as_array().empty());
  EXPECT_EQ(reply.at("round").at("state"), "none");
  EXPECT_THAT(why_not(client, "arm"), HasSubstr("no node of a system"));
  EXPECT_THAT(why_not(client, "disarm"), HasSubstr("no node of a system"));
}

TEST(Nodes, AreThisOneAndThoseThatWereHeard) {
  NodeRig rig;
  LineClient client(rig.socket());
  const json::array all = client.call("nodes").at("nodes").as_array();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].at("node"), "left");
  EXPECT_EQ(all[0].at("own"), true);
  EXPECT_EQ(all[1].at("node"), "right");
  EXPECT_EQ(all[1].at("here"), true);
  EXPECT_EQ(all[1].at("member"), true);
  EXPECT_EQ(all[1].at("frame"), 7);
  EXPECT_EQ(all[1].at("armed"), false);
  EXPECT_TRUE(all[1].at("first_tick_tai_ns").is_null());
}

TEST(Nodes, ThatAreMembersAreThereAlsoWhereNothingIsHeardOfThem) {
  ServerRig rig;
  nodes::Agreement alone("left", both);
  rig.agreement = &alone;
  rig.start();
  LineClient client(rig.socket());
  const json::array all = client.call("nodes").at("nodes").as_array();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].at("node"), "right");
  EXPECT_EQ(all[1].at("here"), false);
  EXPECT_TRUE(all[1].at("armed").is_null());
  EXPECT_THAT(why_not(client, "arm"), HasSubstr("not begun"));
}

TEST(Nodes, AreAskedToArmAndWhatBecomesOfItIsTold) {
  NodeRig rig;
  LineClient client(rig.socket());
  const json::value begun = client.call("arm", of_system).at("round");
  EXPECT_EQ(begun.at("state"), "under_way");
  EXPECT_EQ(client.call("nodes").at("round"), begun);
  EXPECT_THAT(why_not(client, "arm"), HasSubstr("under way already"));
}

TEST(Nodes, AreDisarmedWithThisOne) {
  NodeRig rig;
  rig.armed = true;
  LineClient client(rig.socket());
  EXPECT_EQ(client.call("disarm", of_system).at("round").at("state"), "done");
  EXPECT_FALSE(rig.armed);
}

}  // namespace
}  // namespace hild::testing
