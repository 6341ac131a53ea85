// SPDX-License-Identifier: Apache-2.0
/// \file
/// Two nodes on the loopback, each a device with its gateway: what flows, what is refused and
/// counted, what becomes of a node whose gateway or whose run has died.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "tests/drivers/dds_rig.hpp"

namespace hild::dds {
namespace {

using test::comes_true;
using test::DdsNode;
using test::own_system;
using testing::HasSubstr;

/// A plant that sends two signals and reads the torque of an engine, which reads both.
struct PlantAndEngine {
  std::string system = own_system();
  DdsNode plant{system, "plant"};
  DdsNode engine{system, "engine"};

  PlantAndEngine() {
    plant.output("speed", {{"unit", "rad/s"}});
    plant.output("angle", {{"unit", "deg"}});
    plant.input("engine", "torque", {{"unit", "N m"}});
    engine.input("plant", "angle", {{"unit", "rad"}, {"start", "-1 rad"}});
    engine.input("plant", "speed", {{"unit", "rad/s"}});
    engine.output("torque", {{"unit", "kN m"}});
  }
  void begin() {
    plant.begin();
    engine.begin();
  }
};

TEST(DdsDevice, ValuesFlowBothWaysByNameAndUnit) {
  PlantAndEngine nodes;
  ASSERT_NO_FATAL_FAILURE(nodes.begin());
  std::vector<double> at_engine;
  std::vector<double> at_plant;
  ASSERT_TRUE(comes_true([&] {
    at_plant = nodes.plant.exchange({5, 180});
    at_engine = nodes.engine.exchange({0.25});
    return at_engine[1] == 5 && at_plant[0] != 0;
  }));
  EXPECT_DOUBLE_EQ(at_engine[0], 180 * M_PI / 180);
  EXPECT_DOUBLE_EQ(at_plant[0], 250);
  for (DdsNode* node : {&nodes.plant, &nodes.engine}) {
    EXPECT_GE(node->age().ns, 0);
    EXPECT_GT(node->count("received"), 0);
    EXPECT_EQ(node->count("unmatched"), 0);
    EXPECT_EQ(node->count("unreadable"), 0);
    EXPECT_EQ(node->count("unsent"), 0);
    EXPECT_EQ(node->count("gateway_lost"), 0);
  }
}

TEST(DdsDevice, UntilASampleComesInputsHaveTheirStartAndAreOlderThanAnything) {
  PlantAndEngine nodes;
  ASSERT_NO_FATAL_FAILURE(nodes.engine.begin());
  EXPECT_EQ(nodes.engine.exchange(), (std::vector{-1.0, 0.0}));
  EXPECT_TRUE(nodes.engine.good());
  EXPECT_GE(seconds(nodes.engine.age()), 365 * 86400.0);
}

TEST(DdsDevice, AnImageIsOfTheInstantOfItsWriteAndGrowsOld) {
  PlantAndEngine nodes;
  ASSERT_NO_FATAL_FAILURE(nodes.begin());
  double number = 0;
  MonoTime before{};
  MonoTime after{};
  ASSERT_TRUE(comes_true([&] {
    before = nodes.plant.clock().now();
    nodes.plant.exchange({++number, 0});
    after = nodes.plant.clock().now();
    for (int looks = 0; looks < 1000; ++looks) {
      if (nodes.engine.exchange()[1] == number) return true;
    }
    return false;  // on its way, or lost: the next one
  }));
  // By way of TAI, whose clock is read beside the other one.
  EXPECT_GE(nodes.engine.sampled().ns, before.ns - 1'000'000);
  EXPECT_LE(nodes.engine.sampled().ns, after.ns + 1'000'000);
  const MonoTime sampled = nodes.engine.sampled();
  nodes.engine.exchange();
  EXPECT_EQ(nodes.engine.sampled().ns, sampled.ns) << "it does not become new by being read";
}

TEST(DdsDevice, EveryWriteIsFlushedWhenItHasLeft) {
  PlantAndEngine nodes;
  ASSERT_NO_FATAL_FAILURE(nodes.plant.begin());
  EXPECT_TRUE(nodes.plant.device().flush()) << "nothing was written";
  for (int n = 0; n < 10; ++n) {
    nodes.plant.exchange({1.0 * n, 0});
    ASSERT_TRUE(comes_true([&] { return nodes.plant.device().flush(); }));
    EXPECT_EQ(nodes.plant.count("sent"), n + 1);
  }
  EXPECT_EQ(nodes.plant.count("skipped"), 0);
  EXPECT_GT(nodes.plant.device().safe_for().ns, 0);
}

TEST(DdsDevice, WithoutAGatewayTheRunGoesOnWithInputsThatGrowOld) {
  PlantAndEngine nodes;
  ASSERT_NO_FATAL_FAILURE(nodes.begin());
  ASSERT_TRUE(comes_true([&] {
    nodes.plant.exchange({5, 0});
    return nodes.engine.exchange()[1] == 5;
  }));
  ASSERT_EQ(::kill(nodes.engine.gateway(), SIGKILL), 0);
  ASSERT_TRUE(comes_true([&] {
    nodes.engine.exchange({1});
    return nodes.engine.count("gateway_lost") == 1;
  }));
  EXPECT_TRUE(nodes.engine.good());
  const MonoTime last = nodes.engine.sampled();
  for (int n = 0; n < 100; ++n) {
    nodes.plant.exchange({6, 0});
    EXPECT_EQ(nodes.engine.exchange({1})[1], 5);
    EXPECT_TRUE(nodes.engine.good());
  }
  EXPECT_EQ(nodes.engine.sampled().ns, last.ns);
  EXPECT_FALSE(nodes.engine.device().flush()) << "what was written does not leave";
  EXPECT_EQ(nodes.engine.count("gateway_lost"), 1);
  EXPECT_TRUE(nodes.engine.device().failure().empty());
}

TEST(DdsDevice, WhereThatIsDeclaredADeviceFailsWithItsGateway) {
  DdsNode node(own_system(), "plant", {{"gateway_loss", "fail"}});
  node.output("speed");
  ASSERT_NO_FATAL_FAILURE(node.begin());
  node.exchange({1});
  ASSERT_TRUE(node.good());
  ASSERT_EQ(::kill(node.gateway(), SIGKILL), 0);
  ASSERT_TRUE(comes_true([&] { return node.exchange({1}), !node.good(); }));
  node.exchange({1});
  EXPECT_FALSE(node.good()) << "not latched";
  EXPECT_THAT(node.device().failure(), HasSubstr("gateway_loss"));
}

TEST(DdsDevice, ARunThatBeginsAnewIsTaken) {
  PlantAndEngine nodes;
  ASSERT_NO_FATAL_FAILURE(nodes.begin());
  ASSERT_TRUE(comes_true([&] {
    nodes.plant.exchange({5, 0});
    return nodes.engine.exchange()[1] == 5;
  }));
  for (const int gone : {SIGTERM, SIGKILL}) {
    // With a goodbye, and without: then the old run is known for a while.
    if (gone == SIGKILL) ::kill(nodes.plant.gateway(), gone);
    ASSERT_NO_FATAL_FAILURE(nodes.plant.begin());
    const double value = 100.0 + gone;
    ASSERT_TRUE(comes_true([&] {
      nodes.plant.exchange({value, 0});
      return nodes.engine.exchange()[1] == value;
    }));
  }
}

// It would be heard in place of the first, which goes on.
TEST(DdsDevice, OnOneMachineANameIsTakenOnce) {
  const std::string system = own_system();
  DdsNode first(system, "plant");
  first.output("speed");
  ASSERT_NO_FATAL_FAILURE(first.begin());
  const auto opened = [](const std::string& of_system, rt::Clock& clock) {
    test::FakeOptions options(
        {{"domain", test::own_domain()}, {"system", of_system}, {"node", "plant"}});
    const auto second = io::find_driver("dds")->make("rig", options);
    auto result = second->open(clock);
    second->stop();
    return result;
  };
  const auto refused = opened(system, first.clock());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ExitCode::device_failed);
  EXPECT_THAT(refused.error().message,
              HasSubstr("another program on this machine is node plant of system " + system));
  EXPECT_TRUE(opened(own_system(), first.clock())) << "of another system";
  first.end();
  EXPECT_TRUE(opened(system, first.clock())) << "it is free again";
}

TEST(DdsDevice, WhatANodeDoesNotSendIsTold) {
  const std::string system = own_system();
  DdsNode plant(system, "plant");
  plant.output("speed", {{"unit", "rad/s"}});
  DdsNode engine(system, "engine");
  engine.input("plant", "speed", {{"unit", "V"}});
  engine.input("plant", "flow");
  ASSERT_NO_FATAL_FAILURE(plant.begin());
  testing::internal::CaptureStderr();
  ASSERT_NO_FATAL_FAILURE(engine.begin());
  const bool counted = comes_true([&] {
    plant.exchange({5});
    return engine.exchange(), engine.count("unmatched") > 0;
  });
  engine.end();  // so that its words are there
  const std::string words = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(counted);
  EXPECT_THAT(words, HasSubstr("device rig: node plant sends the signal speed in rad/s"));
  EXPECT_THAT(words, HasSubstr("sends no signal flow; it sends speed (rad/s)"));
}

TEST(DdsDevice, AnotherSystemIsNotHeard) {
  PlantAndEngine nodes;
  DdsNode stranger(own_system(), "plant");
  stranger.output("speed", {{"unit", "rad/s"}});
  stranger.output("angle", {{"unit", "deg"}});
  ASSERT_NO_FATAL_FAILURE(stranger.begin());
  ASSERT_NO_FATAL_FAILURE(nodes.begin());
  ASSERT_TRUE(comes_true([&] {
    stranger.exchange({7, 0});
    nodes.plant.exchange({5, 0});
    const double came = nodes.engine.exchange()[1];
    EXPECT_NE(came, 7);
    return came == 5;
  }));
  EXPECT_EQ(nodes.engine.count("wrong_run"), 0);
}

TEST(DdsDevice, ANodeThatEndsIsCounted) {
  PlantAndEngine nodes;
  ASSERT_NO_FATAL_FAILURE(nodes.begin());
  ASSERT_TRUE(comes_true([&] {
    nodes.plant.exchange({5, 0});
    return nodes.engine.exchange()[1] == 5;
  }));
  nodes.plant.end();
  EXPECT_TRUE(comes_true([&] { return nodes.engine.count("nodes_gone") == 1; }));
}

TEST(DdsDevice, AnInterfaceThatIsNotThereIsRefusedInWords) {
  test::FakeOptions options(
      {{"domain", test::own_domain()}, {"system", "s"}, {"node", "n"}, {"interface", "none0"}});
  const auto device = io::find_driver("dds")->make("rig", options);
  const auto clock = rt::make_clock(rt::ClockKind::sleep, {}).value();
  const auto opened = device->open(*clock);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("none0"));
  EXPECT_EQ(opened.error().code, ExitCode::device_failed);
}

TEST(DdsDevice, TheGatewayEndsWithTheRunAndItsGuard) {
  // A run that is killed: its gateway lives as long as the guard, which has the socket too.
  std::array<int, 2> told{};
  ASSERT_EQ(::pipe(told.data()), 0);
  const pid_t run = ::fork();
  ASSERT_GE(run, 0);
  if (run == 0) {
    DdsNode node(own_system(), "plant");
    node.output("speed");
    node.begin();
    const pid_t gateway = node.gateway();
    const pid_t guard = ::fork();
    if (guard == 0) {
      while (::getppid() == run) ::usleep(1000);
      const bool wrote = node.device().exchange(std::array{3.0}, {}, {});
      const bool left = wrote && comes_true([&] { return node.device().flush(); });
      const std::int64_t result = left ? gateway : -1;
      static_cast<void>(!::write(told[1], &result, sizeof result));
      ::_exit(0);
    }
    ::raise(SIGKILL);
  }
  ::close(told[1]);
  ASSERT_EQ(::waitpid(run, nullptr, 0), run);
  std::int64_t gateway = 0;
  ASSERT_EQ(::read(told[0], &gateway, sizeof gateway), static_cast<ssize_t>(sizeof gateway));
  ::close(told[0]);
  ASSERT_GT(gateway, 0) << "the guard's safe value did not leave";
  const std::string status = "/proc/" + std::to_string(gateway) + "/stat";
  EXPECT_TRUE(comes_true([&] {
    std::string line;
    return !std::getline(std::ifstream(status), line) || line.find(") Z") != std::string::npos;
  })) << "the gateway outlives both";
}

}  // namespace
}  // namespace hild::dds
