// SPDX-License-Identifier: Apache-2.0
/// \file
/// Nodes with DDS Security, with the keys that config/dds_keys.sh makes: those of one authority
/// hear one another, and nobody else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/drivers/dds_rig.hpp"

namespace hild::dds {
namespace {

using test::comes_true;
using test::DdsNode;
using testing::HasSubstr;

/// An authority with keys for nodes, and those nodes.
class Secured : public testing::Test {
 protected:
  Secured() { std::filesystem::create_directories(folder_); }
  ~Secured() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  void make_keys(const std::string& authority, const std::string& nodes) const {
    const std::string command = std::string(HILD_SOURCE_DIR) + "/config/dds_keys.sh " +
                                path(authority) + " " + test::own_domain() + " " + system_ + " " +
                                nodes + " >/dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT: a script of this tree
  }
  [[nodiscard]] DdsNode::Texts keys(const std::string& of) const {
    return {{"security", path(of)}};
  }
  [[nodiscard]] std::string path(const std::string& of) const { return (folder_ / of).string(); }

  const std::string system_ = test::own_system();
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("hild-" + system_);
};

TEST_F(Secured, NodesOfOneAuthorityHearOneAnotherAndNobodyElse) {
  ASSERT_NO_FATAL_FAILURE(make_keys("ours", "plant desk"));
  ASSERT_NO_FATAL_FAILURE(make_keys("theirs", "forger"));
  DdsNode open(system_, "open");
  DdsNode forger(system_, "forger", keys("theirs/forger"));
  DdsNode desk(system_, "desk", keys("ours/desk"));
  DdsNode plant(system_, "plant", keys("ours/plant"));
  for (DdsNode* one : {&open, &forger, &desk}) one->output("voltage", {{"unit", "V"}});
  for (const char* node : {"open", "forger", "desk"}) {
    plant.input(node, "voltage", {{"unit", "V"}});
  }
  DdsNode listener(system_, "listener");  // without keys, who hears what is not encrypted
  for (const char* node : {"open", "desk"}) listener.input(node, "voltage", {{"unit", "V"}});
  for (DdsNode* one : {&open, &forger, &desk, &plant, &listener}) {
    ASSERT_NO_FATAL_FAILURE(one->begin());
  }
  const auto all_send = [&] {
    open.exchange({1});
    forger.exchange({2});
    desk.exchange({3});
  };
  EXPECT_TRUE(comes_true([&] {
    all_send();
    return plant.exchange()[2] == 3 && listener.exchange()[0] == 1;
  }));
  // They have met all whom they will.
  const std::int64_t heard = plant.count("received");
  EXPECT_TRUE(comes_true([&] {
    all_send();
    return plant.count("received") > heard + 200;
  }));
  EXPECT_EQ(plant.exchange(), (std::vector{0.0, 0.0, 3.0}));
  EXPECT_EQ(listener.exchange()[1], 0);
}

TEST(DdsDevice, OfANetworkWithoutKeysAPersonIsWarned) {
  const auto remark_of = [](DdsNode::Texts more) {
    more.merge(DdsNode::Texts{{"domain", "42"}, {"system", "rig"}, {"node", "plant"}});
    test::FakeOptions options(more);
    return io::find_driver("dds")->make("net", options)->remark();
  };
  EXPECT_TRUE(remark_of({}).words.empty());
  EXPECT_TRUE(remark_of({{"interface", "eth0"}, {"security", "/keys"}}).words.empty());
  const io::DeviceRemark open = remark_of({{"interface", "eth0"}});
  EXPECT_TRUE(open.warning);
  EXPECT_THAT(std::string(open.words), HasSubstr("`security` takes keys"));
}

TEST_F(Secured, WhatIsMissingIsTold) {
  ASSERT_NO_FATAL_FAILURE(make_keys("ours", "plant"));
  ASSERT_TRUE(std::filesystem::remove(path("ours/plant/key.pem")));
  test::FakeOptions options({{"domain", test::own_domain()},
                             {"system", system_},
                             {"node", "plant"},
                             {"security", path("ours/plant")}});
  const auto device = io::find_driver("dds")->make("rig", options);
  const auto clock = rt::make_clock(rt::ClockKind::sleep, {}).value();
  const auto opened = device->open(*clock);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("ours/plant/key.pem: No such file"));
}

}  // namespace
}  // namespace hild::dds
