// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a gateway is told, and what it tells Cyclone DDS.
#include "drivers/dds/task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drivers/dds/configuration.hpp"
#include "drivers/dds/page.hpp"

namespace hild::dds {
namespace {

using namespace std::literals;
using testing::HasSubstr;
using testing::Not;

GatewayTask whole_task() {
  return {.device = "rig"sv,
          .domain = 42,
          .interface = "eth0"sv,
          .peers = {"10.0.0.2"sv, "10.0.0.3"sv},
          .system = "plant/north"sv,
          .node = "engine"sv,
          .priority = 70,
          .security = "/keys/of engine",
          .outputs = {{"torque"sv, "N m"sv}, {"on"sv, "1"sv}},
          .inputs = {{"plant"sv, {{"speed"sv, "rad/s"sv}}},
                     {"desk"sv, {{"a"sv, "1"sv}, {"b"sv, "V"sv}}}}};
}

TEST(GatewayTask, ArrivesAsItWasSent) {
  const auto task = unpacked(packed(whole_task()));
  ASSERT_TRUE(task) << task.error().message;
  EXPECT_EQ(packed(*task), packed(whole_task()));
  EXPECT_EQ(task->device.view(), "rig");
  EXPECT_EQ(task->domain, 42);
  EXPECT_EQ(task->interface.view(), "eth0");
  EXPECT_EQ(task->peers[1].view(), "10.0.0.3");
  EXPECT_EQ(task->system.view(), "plant/north");
  EXPECT_EQ(task->node.view(), "engine");
  EXPECT_EQ(task->priority, 70);
  EXPECT_EQ(task->security, "/keys/of engine");
  EXPECT_EQ(task->outputs[1].name.view(), "on");
  EXPECT_EQ(task->inputs[1].node.view(), "desk");
  EXPECT_EQ(task->inputs[1].signals[1].unit.view(), "V");
  EXPECT_EQ(task->image_sizes(), (std::vector<std::size_t>{1, 2}));
}

TEST(GatewayTask, ThatBreaksOffOrGoesOnIsRefused) {
  const std::string whole = packed(whole_task());
  for (std::size_t n = 0; n < whole.size(); ++n) {
    EXPECT_FALSE(unpacked(std::string_view(whole).substr(0, n))) << n;
  }
  EXPECT_FALSE(unpacked(whole + "more\n"));
  EXPECT_FALSE(unpacked("hild gateway 0" + whole.substr(whole.find('\n'))));
}

TEST(GatewayTask, OfMoreValuesThanThePageHasIsRefused) {
  GatewayTask task = whole_task();
  task.inputs[0].signals.resize(most_values - 2, SignalName{"x"sv, "1"sv});
  EXPECT_TRUE(unpacked(packed(task)));
  task.inputs[0].signals.push_back({"x"sv, "1"sv});
  EXPECT_FALSE(unpacked(packed(task)));
}

TEST(GatewayTask, OfADomainThatDdsDoesNotHaveIsRefused) {
  GatewayTask task = whole_task();
  task.domain = 232;
  EXPECT_TRUE(unpacked(packed(task)));
  task.domain = 233;
  EXPECT_FALSE(unpacked(packed(task)));
}

TEST(DomainConfiguration, NamesTheInterfaceAndThePeersAndTracesNothing) {
  const std::string xml = domain_configuration(whole_task());
  EXPECT_THAT(xml, HasSubstr("<Domain Id=\"42\">"));
  EXPECT_THAT(xml, HasSubstr("<NetworkInterface name=\"eth0\"/>"));
  EXPECT_THAT(xml, HasSubstr("<Peer address=\"10.0.0.2\"/><Peer address=\"10.0.0.3\"/>"));
  EXPECT_THAT(xml, HasSubstr("<AllowMulticast>false</AllowMulticast>"));
  EXPECT_THAT(xml, HasSubstr("<Transport>udp</Transport>"));
  EXPECT_THAT(xml, HasSubstr("<Verbosity>none</Verbosity>"));
}

TEST(DomainConfiguration, WithoutPeersNodesAreFoundByMulticastButNotOnTheLoopback) {
  GatewayTask task = whole_task();
  task.peers.clear();
  EXPECT_THAT(domain_configuration(task), HasSubstr("<AllowMulticast>spdp</AllowMulticast>"));
  EXPECT_THAT(domain_configuration(task), Not(HasSubstr("<Peer ")));
  task.interface = "lo"sv;
  EXPECT_THAT(domain_configuration(task), HasSubstr("<AllowMulticast>false</AllowMulticast>"));
  EXPECT_THAT(domain_configuration(task), HasSubstr("<Peer address=\"127.0.0.1\"/>"));
}

TEST(DomainConfiguration, OfPeersOfIPv6IsOne) {
  GatewayTask task = whole_task();
  task.peers = {"fd00::7"sv};
  EXPECT_THAT(domain_configuration(task), HasSubstr("<Transport>udp6</Transport>"));
}

}  // namespace
}  // namespace hild::dds
