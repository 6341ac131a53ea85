// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the driver dds reads of the configuration, and how it says what is wrong.
#include "drivers/dds_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/drivers/fake_options.hpp"

namespace hild::dds {
namespace {

using test::FakeOptions;
using testing::HasSubstr;
using Texts = FakeOptions::Texts;

const Texts least{{"domain", "42"}, {"system", "rig"}, {"node", "plant"}};

Texts with(Texts more) {
  more.merge(Texts(least));
  return more;
}

std::string why_not(const Texts& texts) {
  FakeOptions options(texts);
  try {
    static_cast<void>(read_settings("rig", options));
  } catch (const test::Rejected& e) {
    return e.what();
  }
  return {};
}

TEST(DdsOptions, HasDefaultsForAllButDomainSystemAndNode) {
  FakeOptions options(least);
  const Settings settings = read_settings("rig", options);
  EXPECT_EQ(options.unknown(), std::set<std::string>{});
  EXPECT_EQ(settings.task.domain, 42);
  EXPECT_EQ(settings.task.interface.view(), "lo");
  EXPECT_TRUE(settings.task.peers.empty());
  EXPECT_EQ(settings.task.priority, 0);
  EXPECT_FALSE(settings.needs_gateway);
  EXPECT_EQ(settings.min_age, Duration{});
  for (const auto& [key, value] : least) {
    Texts lacking = least;
    lacking.erase(key);
    EXPECT_THAT(why_not(lacking), HasSubstr(key));
  }
}

TEST(DdsOptions, ReadsAllOfThem) {
  FakeOptions options(with({{"interface", "eth0.7"},
                            {"peers", "10.0.0.2, 10.0.0.3,fd00::7"},
                            {"members", "engine,  plant, load"},
                            {"priority", "70"},
                            {"min_age", "2.5 ms"},
                            {"security", "/keys/plant"},
                            {"gateway_loss", "fail"}}));
  const Settings settings = read_settings("rig", options);
  EXPECT_EQ(settings.task.interface.view(), "eth0.7");
  ASSERT_EQ(settings.task.peers.size(), 3U);
  EXPECT_EQ(settings.task.peers[1].view(), "10.0.0.3");
  EXPECT_EQ(settings.task.peers[2].view(), "fd00::7");
  ASSERT_EQ(settings.members.size(), 3U);
  EXPECT_EQ(settings.members[1].view(), "plant");
  EXPECT_EQ(settings.task.priority, 70);
  EXPECT_EQ(settings.min_age, Duration(2500_us));
  EXPECT_EQ(settings.task.security, "/keys/plant");
  EXPECT_TRUE(settings.needs_gateway);
}

TEST(DdsOptions, DomainZeroIsEverybodys) {
  EXPECT_THAT(why_not(with({{"domain", "0"}})), HasSubstr("domain"));
  EXPECT_THAT(why_not(with({{"domain", "231"}})), HasSubstr("domain"));
}

TEST(DdsOptions, NamesAreOfCharactersThatMeanNothingElse) {
  for (const char* bad : {"", "a b", "a*", "a?", "<x>", "\"", "\n", "[a]"}) {
    EXPECT_THAT(why_not(with({{"system", bad}})), HasSubstr("expected a name")) << bad;
    EXPECT_THAT(why_not(with({{"node", bad}})), HasSubstr("expected a name")) << bad;
  }
  EXPECT_THAT(why_not(with({{"node", std::string(64, 'a')}})), HasSubstr("1 to 63 letters"));
  for (const char* bad : {"", "a\"/>", "much_too_long_name", "../eth0"}) {
    EXPECT_THAT(why_not(with({{"interface", bad}})), HasSubstr("ip -br link")) << bad;
  }
}

TEST(DdsOptions, PeersAreAddressesWithoutPorts) {
  EXPECT_THAT(why_not(with({{"peers", "robot"}})), HasSubstr("expected an address"));
  EXPECT_THAT(why_not(with({{"peers", "10.0.0.2:7400"}})), HasSubstr("without a port"));
  EXPECT_THAT(why_not(with({{"peers", " , "}})), HasSubstr("found 0 addresses"));
}

class DdsChannels : public testing::Test {
 protected:
  std::string refused(io::Direction direction, const Texts& texts) {
    FakeOptions entry(texts);
    try {
      const auto channel = device_->add(direction, entry);
      if (!channel) return channel.error().message;
      EXPECT_EQ(entry.unknown(), std::set<std::string>{});
      channel_ = *channel;
    } catch (const test::Rejected& e) {
      return e.what();
    }
    return {};
  }
  FakeOptions options_{least};
  std::unique_ptr<io::Device> device_ = io::find_driver("dds")->make("rig", options_);
  io::Channel channel_;
};

TEST_F(DdsChannels, OfEachNodeAreAGroup) {
  for (const auto& [node, group] : {std::pair{"a", 0U}, std::pair{"b", 1U}, std::pair{"c", 2U}}) {
    EXPECT_EQ(refused(io::Direction::input, {{"node", node}, {"signal", "x"}}), "");
    EXPECT_EQ(channel_.group, group);
  }
  EXPECT_EQ(refused(io::Direction::input,
                    {{"node", "b"}, {"signal", "y"}, {"unit", "V"}, {"held", "true"}}),
            "");
  EXPECT_EQ(channel_.group, 1U);
  EXPECT_TRUE(channel_.held);
  EXPECT_EQ(channel_.unit.view(), "V");
  EXPECT_EQ(channel_.where.view(), "y of node b");
  EXPECT_EQ(device_->groups(), 3U);
}

TEST_F(DdsChannels, OfOutputsHaveARange) {
  EXPECT_EQ(refused(io::Direction::output,
                    {{"signal", "x"}, {"unit", "N m"}, {"range", "-2 kN m..2 kN m"}}),
            "");
  EXPECT_EQ(channel_.range.low, -2000);
  EXPECT_EQ(channel_.range.high, 2000);
  EXPECT_FALSE(channel_.digital);
  EXPECT_EQ(channel_.where.view(), "signal x");
}

TEST_F(DdsChannels, ThatCannotBeAreRefused) {
  EXPECT_THAT(refused(io::Direction::input, {{"node", "plant"}, {"signal", "x"}}),
              HasSubstr("which is this node"));
  EXPECT_THAT(refused(io::Direction::input, {{"node", "a"}, {"signal", "x"}, {"unit", "zork"}}),
              HasSubstr("zork"));
  EXPECT_EQ(refused(io::Direction::input, {{"node", "a"}, {"signal", "x"}}), "");
  EXPECT_THAT(refused(io::Direction::input, {{"node", "a"}, {"signal", "x"}}),
              HasSubstr("a second time"));
  EXPECT_EQ(refused(io::Direction::output, {{"signal", "x"}}), "");
  EXPECT_THAT(refused(io::Direction::output, {{"signal", "x"}}), HasSubstr("a second time"));
}

TEST_F(DdsChannels, AreNoMoreThanThePageHasRoomFor) {
  for (std::size_t n = 0; n < most_values; ++n) {
    const std::string signal = "s" + std::to_string(n);
    ASSERT_EQ(refused(io::Direction::input, {{"node", "a"}, {"signal", signal}}), "");
    ASSERT_EQ(refused(io::Direction::output, {{"signal", signal}}), "");
  }
  EXPECT_THAT(refused(io::Direction::input, {{"node", "a"}, {"signal", "more"}}),
              HasSubstr("more than 1024"));
  EXPECT_THAT(refused(io::Direction::output, {{"signal", "more"}}), HasSubstr("more than 1024"));
}

TEST_F(DdsChannels, AreOfNoMoreNodesThanThePageHasRoomFor) {
  for (std::size_t n = 0; n < most_nodes; ++n) {
    ASSERT_EQ(refused(io::Direction::input, {{"node", "n" + std::to_string(n)}, {"signal", "x"}}),
              "");
  }
  EXPECT_THAT(refused(io::Direction::input, {{"node", "more"}, {"signal", "x"}}),
              HasSubstr("32 nodes"));
  EXPECT_EQ(refused(io::Direction::input, {{"node", "n3"}, {"signal", "y"}}), "");
}

TEST(DdsOptions, RefusesMembersThatCannotBe) {
  EXPECT_THAT(why_not(with({{"members", "engine, load"}})), HasSubstr("2 names without it"));
  EXPECT_THAT(why_not(with({{"members", "plant"}})), HasSubstr("found 1 names, expected 2 to 32"));
  EXPECT_THAT(why_not(with({{"members", "plant, load, load"}})), HasSubstr("load twice"));
  EXPECT_THAT(why_not(with({{"members", "plant, lo:ad"}})), HasSubstr("\"lo:ad\""));
  EXPECT_THAT(why_not(with({{"members", ""}})), HasSubstr("plant among them"));
}

}  // namespace
}  // namespace hild::dds
