// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/seqlock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>

#include "hild/rt/seqlock_array.hpp"

namespace hild::rt {
namespace {

constexpr std::size_t width = 24;
using Image = std::array<double, width>;

struct Shared {
  SeqlockWord word{};
  std::array<std::atomic<std::uint64_t>, width> data{};
  Seqlock lock{word, data};
};

bool whole(const Image& image) {
  return std::all_of(image.begin(), image.end(), [&](double x) { return x == image[0]; });
}

TEST(Seqlock, ZeroedMemoryIsAnImageOfZeros) {
  Shared shared;
  Image image;
  image.fill(7);
  ASSERT_TRUE(shared.lock.read(image));
  EXPECT_EQ(image, Image{});
  EXPECT_EQ(shared.lock.writes(), 0u);
}

TEST(Seqlock, KeepsEveryBitOfAValue) {
  Shared shared;
  Image written{};
  written[0] = -0.0;
  written[1] = std::numeric_limits<double>::infinity();
  written[2] = std::numeric_limits<double>::denorm_min();
  shared.lock.write(written);
  Image read{};
  ASSERT_TRUE(shared.lock.read(read));
  EXPECT_EQ(read, written);
  EXPECT_TRUE(std::signbit(read[0]));
  EXPECT_EQ(shared.lock.writes(), 1u);
}

TEST(Seqlock, AWriterThatDiedHalfWayIsReportedAndMendedByTheNext) {
  Shared shared;
  shared.word.sequence = 5;  // odd: writing
  Image image{};
  EXPECT_FALSE(shared.lock.read(image, 10));
  image.fill(2);
  shared.lock.write(image);
  Image read{};
  ASSERT_TRUE(shared.lock.read(read, 1));
  EXPECT_EQ(read, image);
}

TEST(Seqlock, AShorterImageLeavesTheRest) {
  Shared shared;
  shared.lock.write(std::array{1.0, 2.0, 3.0});
  shared.lock.write(std::array{9.0});
  std::array<double, 3> read{};
  ASSERT_TRUE(shared.lock.read(read));
  EXPECT_EQ(read, (std::array{9.0, 2.0, 3.0}));
}

TEST(Seqlock, AReaderNeverSeesHalfAnImage) {
  SeqlockArray<width> shared;
  constexpr int images = 20'000;
  std::thread writer([&] {
    Image image;
    for (int n = 1; n <= images; ++n) {
      image.fill(n);
      shared.write(image);
    }
  });
  // Ends by what is seen, not by time: the last image stays.
  Image seen{};
  double last = 0;
  while (last < images) {
    if (!shared.read(seen)) continue;
    ASSERT_TRUE(whole(seen));
    ASSERT_GE(seen[0], last);
    last = seen[0];
  }
  writer.join();
}

}  // namespace
}  // namespace hild::rt
