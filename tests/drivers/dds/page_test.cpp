// SPDX-License-Identifier: Apache-2.0
/// \file
/// The memory of a device and its gateway: both see the same, and no two slots overlap.
#include "drivers/dds/page.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <numeric>

namespace hild::dds {
namespace {

TEST(DdsPage, IsTheSameAtBothEnds) {
  Descriptor file;
  const Page ours = Page::make(file).value();
  const Page theirs = Page::map(file.get()).value();
  ours.head().left.set(7);
  EXPECT_EQ(theirs.head().left.get(), 7);
  rt::ImageSlot out = ours.outputs(2);
  out.write(std::array{as_word(1), as_word(-2)}, std::array{3.0, 4.0});
  std::array<double, 4> read{};
  ASSERT_TRUE(theirs.outputs(2).read(read, 1));
  EXPECT_EQ(as_number(read[0]), 1);
  EXPECT_EQ(as_number(read[1]), -2);
  EXPECT_EQ(read[3], 4.0);
}

TEST(DdsPage, HasRoomForAsMuchAsItMayBeAskedForSideBySide) {
  Descriptor file;
  const Page page = Page::make(file).value();
  std::vector<std::size_t> sizes(most_nodes, most_values / most_nodes);
  sizes.back() += most_values - std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  std::vector<rt::ImageSlot> slots;
  for (const TwoImages& images : page.images(sizes)) {
    slots.push_back(images.image(1));
    slots.push_back(images.image(2));
  }
  slots.push_back(page.outputs(most_values));
  slots.push_back(page.own_words());
  for (const rt::ImageSlot& peer : page.peers()) slots.push_back(peer);
  for (std::size_t n = 0; n < slots.size(); ++n) {
    slots[n].write(std::array<double, 0>{},
                   std::vector<double>(slots[n].size(), static_cast<double>(n)));
  }
  for (std::size_t n = 0; n < slots.size(); ++n) {
    std::vector<double> read(slots[n].size());
    ASSERT_TRUE(slots[n].read(read, 1));
    EXPECT_EQ(slots[n].writes(), 1U);
    EXPECT_EQ(read, std::vector<double>(read.size(), static_cast<double>(n)));
  }
  EXPECT_EQ(page.head().left.get(), 0);
}

TEST(DdsPage, KeepsTheTwoNewestImagesOfANode) {
  Descriptor file;
  const Page page = Page::make(file).value();
  TwoImages images = page.images(std::array<std::size_t, 1>{1}).front();
  EXPECT_EQ(images.writes(), 0U);
  for (std::uint64_t number = 1; number <= 5; ++number) {
    images.write(std::array<double, stamps>{}, std::array{static_cast<double>(number)});
    EXPECT_EQ(images.writes(), number);
    for (std::uint64_t kept = std::max<std::uint64_t>(number, 2) - 1; kept <= number; ++kept) {
      std::array<double, stamps + 1> image{};
      ASSERT_TRUE(images.image(kept).read(image, 1));
      EXPECT_EQ(image[stamps], static_cast<double>(kept));
    }
  }
}

TEST(DdsPage, OfAnotherSizeIsRefused) {
  const Descriptor file(::memfd_create("short", MFD_CLOEXEC));
  ASSERT_TRUE(file);
  EXPECT_FALSE(Page::map(file.get()));
  EXPECT_FALSE(Page::map(-1));
}

TEST(DdsPage, CannotBeShortened) {
  Descriptor file;
  ASSERT_TRUE(Page::make(file));
  EXPECT_NE(::ftruncate(file.get(), 10), 0) << "who has it could end the run by that";
}

}  // namespace
}  // namespace hild::dds
