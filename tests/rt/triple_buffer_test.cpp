// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/triple_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

namespace hild::rt {
namespace {

TEST(TripleBuffer, HoldsTheInitialImageUntilTheFirstIsPublished) {
  TripleBuffer<int> buffer(7);
  EXPECT_EQ(buffer.front(), 7);
  buffer.back() = 8;
  EXPECT_EQ(buffer.front(), 7);
  buffer.publish();
  EXPECT_EQ(buffer.front(), 8);
}

TEST(TripleBuffer, TheReaderGetsTheNewestAndKeepsIt) {
  TripleBuffer<int> buffer(0);
  for (int n = 1; n <= 5; ++n) {
    buffer.back() = n;
    buffer.publish();
  }
  EXPECT_EQ(buffer.front(), 5);
  EXPECT_EQ(buffer.front(), 5);
}

TEST(TripleBuffer, TellsWhetherThereIsSomethingNew) {
  TripleBuffer<int> buffer(0);
  EXPECT_FALSE(buffer.fresh());
  buffer.back() = 1;
  EXPECT_FALSE(buffer.fresh());
  buffer.publish();
  buffer.publish();
  EXPECT_TRUE(buffer.fresh());
  static_cast<void>(buffer.front());
  EXPECT_FALSE(buffer.fresh());
}

TEST(TripleBuffer, WhatIsReadStaysUntouchedWhileTheWriterGoesOn) {
  TripleBuffer<int> buffer(0);
  buffer.back() = 1;
  buffer.publish();
  const int& seen = buffer.front();
  for (int n = 2; n < 10; ++n) {
    buffer.back() = n;
    buffer.publish();
    EXPECT_EQ(seen, 1);
  }
  EXPECT_EQ(buffer.front(), 9);
}

TEST(TripleBuffer, CopiesAnInitialImageOfAnySizeIntoAllThree) {
  TripleBuffer<std::vector<double>> buffer(std::vector<double>(5, 1.0));
  for (int n = 0; n < 3; ++n) {
    EXPECT_EQ(buffer.back().size(), 5u);
    buffer.publish();
  }
}

TEST(TripleBuffer, AReaderNeverSeesHalfAnImageNorAnOlderOne) {
  using Image = std::array<long, 32>;
  TripleBuffer<Image> buffer(Image{});
  constexpr long images = 50'000;
  std::thread writer([&] {
    for (long n = 1; n <= images; ++n) {
      buffer.back().fill(n);
      buffer.publish();
    }
  });
  long last = 0;
  while (last < images) {
    const Image& seen = buffer.front();
    ASSERT_TRUE(std::all_of(seen.begin(), seen.end(), [&](long x) { return x == seen[0]; }));
    ASSERT_GE(seen[0], last);
    last = seen[0];
  }
  writer.join();
}

}  // namespace
}  // namespace hild::rt
