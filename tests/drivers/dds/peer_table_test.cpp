// SPDX-License-Identifier: Apache-2.0
/// \file
/// What nodes say of themselves, through the page: what is written there arrives, what nobody meant
/// is nothing, and of two runs of a node the later one counts.
#include "drivers/dds/peer_table.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

namespace hild::dds {
namespace {

/// A page with its table.
struct Heard {
  Descriptor file;
  Page page = Page::make(file).value();
  PeerTable table{page};

  [[nodiscard]] std::vector<io::Peer> all() const {
    std::vector<io::Peer> peers;
    for (const rt::ImageSlot& slot : page.peers()) {
      if (auto peer = peer_in(slot)) peers.push_back(*peer);
    }
    return peers;
  }
};

constexpr io::NodeWords some_words{.waits = true,
                                   .armed = false,
                                   .may_arm = true,
                                   .first_tick = 1'800'000'000'000'000'001,
                                   .frame = -1,
                                   .overruns = 3,
                                   .ask = io::Ask::disarm,
                                   .number = std::numeric_limits<std::int64_t>::max(),
                                   .answer_to = std::numeric_limits<std::int64_t>::min(),
                                   .yes = true};

TEST(DdsWords, ArriveAsTheyWereWritten) {
  EXPECT_EQ(unpacked(packed(some_words)), some_words);
  EXPECT_EQ(unpacked(packed(io::NodeWords{})), io::NodeWords{});
}

TEST(DdsWords, OfBitsThatNobodyMeantAskForNothing) {
  PackedWords words = packed(some_words);
  for (const std::int64_t ask : {std::int64_t{7}, std::int64_t{-1}, std::int64_t{1} << 32}) {
    words[6] = as_word(ask);
    EXPECT_EQ(unpacked(words).ask, io::Ask::nothing) << ask;
  }
}

TEST(DdsPeers, AreThoseThatWereHeard) {
  Heard heard;
  EXPECT_TRUE(heard.all().empty());
  const std::string long_name(Name::capacity, 'x');
  heard.table.heard("motor", 1, 11, some_words);
  heard.table.heard(long_name, 1, 12, {});
  ASSERT_EQ(heard.all().size(), 2U);
  EXPECT_EQ(heard.all()[0].node.view(), "motor");
  EXPECT_TRUE(heard.all()[0].here);
  EXPECT_EQ(heard.all()[0].words, some_words);
  EXPECT_EQ(heard.all()[1].node.view(), long_name);
}

TEST(DdsPeers, ThatEndAreNotHereUntilTheyAreHeardAgain) {
  Heard heard;
  heard.table.heard("motor", 1, 11, some_words);
  heard.table.lose_writer(99);
  EXPECT_TRUE(heard.all()[0].here);
  heard.table.lose_writer(11);
  ASSERT_EQ(heard.all().size(), 1U);
  EXPECT_FALSE(heard.all()[0].here);
  heard.table.heard("motor", 2, 12, {});
  EXPECT_TRUE(heard.all()[0].here);
}

TEST(DdsPeers, OfAnEarlierRunAreHeardOnlyOnceTheLaterOneHasGone) {
  Heard heard;
  heard.table.heard("motor", 2, 12, some_words);
  heard.table.heard("motor", 1, 11, {});
  EXPECT_EQ(heard.all()[0].words, some_words);
  heard.table.lose_writer(11);
  EXPECT_TRUE(heard.all()[0].here) << "it is the earlier one that has";
  heard.table.lose_writer(12);
  EXPECT_FALSE(heard.all()[0].here);
  heard.table.heard("motor", 1, 11, {});
  EXPECT_TRUE(heard.all()[0].here);
  EXPECT_EQ(heard.all()[0].words, io::NodeWords{});
}

TEST(DdsPeers, ThatAreTooManyAreLeftOutUntilAnotherHasGone) {
  Heard heard;
  for (std::size_t n = 0; n < most_nodes; ++n) {
    heard.table.heard("node" + std::to_string(n), 1, n, {});
  }
  heard.table.heard("late", 1, 40, {});
  ASSERT_EQ(heard.all().size(), most_nodes);
  EXPECT_EQ(heard.all().back().node.view(), "node31");
  heard.table.lose_writer(5);
  heard.table.heard("late", 1, 40, {});
  EXPECT_EQ(heard.all()[5].node.view(), "late");
}

TEST(DdsPeers, WhoseNameIsNoneAreNotThere) {
  Heard heard;
  rt::ImageSlot slot = heard.page.peers()[0];
  put(slot, {Name("has spaces"), true, {}});
  EXPECT_FALSE(peer_in(slot));
  put(slot, {Name(""), true, {}});
  EXPECT_FALSE(peer_in(slot));
  std::array<double, words_of_peer> head{};
  std::memset(head.data(), 'x', sizeof head);  // without an end
  slot.write(head, packed(io::NodeWords{}));
  ASSERT_TRUE(peer_in(slot));
  EXPECT_EQ(peer_in(slot)->node.view().size(), Name::capacity);
  EXPECT_TRUE(peer_in(slot)->here);
}

}  // namespace
}  // namespace hild::dds
