// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/ring.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace hild::rt {
namespace {

void put(std::byte* slot, std::uint64_t value) { std::memcpy(slot, &value, sizeof value); }
std::uint64_t get(const std::byte* slot) {
  std::uint64_t value = 0;
  std::memcpy(&value, slot, sizeof value);
  return value;
}

TEST(SlotRing, RefusesWhenFullAndGoesOnWhenRead) {
  SlotRing ring(8, 4);
  for (std::uint64_t i = 0; i < 4; ++i) {
    std::byte* slot = ring.claim();
    ASSERT_NE(slot, nullptr);
    put(slot, i);
    ring.publish();
  }
  EXPECT_TRUE(ring.full());
  EXPECT_EQ(ring.claim(), nullptr);
  EXPECT_EQ(get(ring.front()), 0U);
  ring.release();
  EXPECT_FALSE(ring.full());
  EXPECT_NE(ring.claim(), nullptr);
}

TEST(SlotRing, SlotsAreAlignedForDoublesWhateverTheirSize) {
  SlotRing ring(13, 3);
  EXPECT_EQ(ring.slot_bytes(), 16U);
  EXPECT_EQ(ring.slots(), 4U);
}

void fill(SlotRing& ring, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t i = first; i <= last; ++i) {
    std::byte* const slot = ring.claim();
    ASSERT_NE(slot, nullptr) << i;
    put(slot, i);
    ring.publish();
  }
}

TEST(SlotRing, ShowsAllThatIsReadyBeforeAnyIsReleased) {
  SlotRing ring(8, 4);
  EXPECT_EQ(ring.ready(), 0U);
  fill(ring, 0, 3);
  ring.release();
  ring.release();
  EXPECT_EQ(ring.ready(), 2U);
  fill(ring, 4, 4);
  ASSERT_EQ(ring.ready(), 3U);
  for (std::size_t behind = 0; behind < 3; ++behind) {
    EXPECT_EQ(get(ring.peek(behind)), 2 + behind);
  }
  EXPECT_EQ(ring.peek(0), ring.front());
}

TEST(SlotRing, GoesRoundInTheSlotsItHas) {
  SlotRing ring(8, 4);
  std::vector<const std::byte*> slots;
  for (std::uint64_t i = 0; i < 12; ++i) {
    slots.push_back(ring.claim());
    fill(ring, i, i);
    ASSERT_EQ(ring.front(), slots[i]);
    ring.release();
    EXPECT_EQ(slots[i], slots[0] + i % 4 * ring.slot_bytes()) << i;
  }
}

// Everything arrives once, whole and in order, or was refused and counted.
TEST(SlotRing, CarriesEverythingFromOneThreadToAnother) {
  constexpr std::uint64_t total = 200'000;
  // Where the two share a CPU, each waits for its turn as often as it is full, or empty.
  SlotRing ring(24, 512);
  std::uint64_t refused = 0;
  std::thread producer([&] {
    for (std::uint64_t i = 0; i < total;) {
      std::byte* slot = ring.claim();
      if (slot == nullptr) {
        ++refused;
        std::this_thread::yield();
        continue;
      }
      put(slot, i);
      put(slot + 16, ~i);
      ring.publish();
      ++i;
    }
  });
  for (std::uint64_t expected = 0; expected < total;) {
    const std::byte* slot = ring.front();
    if (slot == nullptr) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(get(slot), expected);
    ASSERT_EQ(get(slot + 16), ~expected);
    ring.release();
    ++expected;
  }
  producer.join();
  EXPECT_EQ(ring.front(), nullptr);
}

}  // namespace
}  // namespace hild::rt
