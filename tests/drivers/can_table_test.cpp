// SPDX-License-Identifier: Apache-2.0
/// \file
/// Identifiers of all kinds, against the definition: the first message whose bits that count are
/// the frame's.
#include "drivers/can_table.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hild::can {
namespace {

constexpr canid_t kind = CAN_EFF_FLAG | CAN_RTR_FLAG;
constexpr canid_t standard = kind | CAN_SFF_MASK, extended = kind | CAN_EFF_MASK,
                  group = kind | 0x3ffff00U;

Incoming message(canid_t id, canid_t mask) { return {.id = id & mask, .mask = mask, .length = 8}; }

TEST(CanTable, FindsEachByItsOwnBits) {
  const std::vector<Incoming> all{message(0x300, standard), message(0x100, standard),
                                  message(0x100 | CAN_EFF_FLAG, extended),
                                  message(0x18fef015 | CAN_EFF_FLAG, group)};
  const MessageTable table(all);
  EXPECT_EQ(table.find(0x300), 0U);
  EXPECT_EQ(table.find(0x100), 1U);
  EXPECT_EQ(table.find(0x100 | CAN_EFF_FLAG), 2U);
  EXPECT_EQ(table.find(0x0cfef022 | CAN_EFF_FLAG), 3U) << "of another sender and priority";
  EXPECT_EQ(table.find(0x101), std::nullopt);
  EXPECT_EQ(table.find(0x7ff), std::nullopt);
  EXPECT_EQ(table.find(0), std::nullopt);
  EXPECT_EQ(table.find(0x100 | CAN_RTR_FLAG), std::nullopt) << "it asks, and carries nothing";
  EXPECT_EQ(MessageTable().find(0x100), std::nullopt);
}

// One identifier alone, and a group that it is in: whichever was given first.
TEST(CanTable, TheFirstOfThoseThatMatchWins) {
  const canid_t id = 0x18fef015 | CAN_EFF_FLAG;
  EXPECT_EQ(MessageTable(std::vector{message(id, extended), message(id, group)}).find(id), 0U);
  EXPECT_EQ(MessageTable(std::vector{message(id, group), message(id, extended)}).find(id), 0U);
  EXPECT_EQ(MessageTable(std::vector{message(id, group), message(id, group)}).find(id), 0U);
}

TEST(CanTable, AsTheDefinitionHasIt) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Incoming> all;
    // Few different bits, so that much matches and much is twice.
    const auto any = [&] { return static_cast<canid_t>(random() & (kind | 0x30301U)); };
    for (auto n = random() % 20; n > 0; --n) {
      constexpr std::array masks{standard, extended, group};
      all.push_back(message(any(), masks[random() % masks.size()]));
    }
    const MessageTable table(all);
    for (int frame = 0; frame < 100; ++frame) {
      const canid_t id = any();
      const auto first = std::ranges::find_if(
          all, [id](const Incoming& one) { return (id & one.mask) == one.id; });
      const auto found = table.find(id);
      ASSERT_EQ(found.value_or(all.size()), static_cast<std::size_t>(first - all.begin())) << id;
    }
  }
}

}  // namespace
}  // namespace hild::can
