// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/seqlock.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

namespace hild::rt {
namespace {

constexpr std::size_t width = 24;
using Image = std::array<double, width>;

using Memory = std::array<std::atomic<std::uint64_t>, 1 + width>;

/// As processes share it: the counter before the words. Zeroed to begin with.
SeqlockView lock_over(Memory& memory) { return {memory[0], std::span(memory).subspan(1)}; }

bool whole(const Image& image) {
  return std::all_of(image.begin(), image.end(), [&](double x) { return x == image[0]; });
}

TEST(Seqlock, ZeroedMemoryIsAnImageOfZeros) {
  Memory memory{};
  SeqlockView shared = lock_over(memory);
  Image image;
  image.fill(7);
  ASSERT_TRUE(shared.read(image));
  EXPECT_EQ(image, Image{});
  EXPECT_EQ(shared.writes(), 0u);
}

TEST(Seqlock, KeepsEveryBitOfAValue) {
  Memory memory{};
  SeqlockView shared = lock_over(memory);
  Image written{};
  written[0] = -0.0;
  written[1] = std::numeric_limits<double>::infinity();
  written[2] = std::numeric_limits<double>::denorm_min();
  shared.write(written);
  Image read{};
  ASSERT_TRUE(shared.read(read));
  EXPECT_EQ(read, written);
  EXPECT_TRUE(std::signbit(read[0]));
  EXPECT_EQ(shared.writes(), 1u);
}

TEST(Seqlock, AWriterThatDiedHalfWayIsReportedAndMendedByTheNext) {
  // As it left memory that others share: the number before the words is odd.
  Memory left{};
  left[0] = 5;
  SeqlockView shared = lock_over(left);
  Image image{};
  EXPECT_FALSE(shared.read(image, 10));
  image.fill(2);
  shared.write(image);
  Image read{};
  ASSERT_TRUE(shared.read(read, 1));
  EXPECT_EQ(read, image);
}

TEST(Seqlock, AShorterImageLeavesTheRest) {
  Memory memory{};
  SeqlockView shared = lock_over(memory);
  shared.write(std::array{1.0, 2.0, 3.0});
  shared.write(std::array{9.0});
  std::array<double, 3> read{};
  ASSERT_TRUE(shared.read(read));
  EXPECT_EQ(read, (std::array{9.0, 2.0, 3.0}));
}

/// An image of two values on two pages. Who writes or reads it is interrupted between the two,
/// once: the second page is locked until then.
class InterruptedImage {
 public:
  using Values = std::array<double, 2>;
  using Call = std::function<void()>;

  InterruptedImage() {
    EXPECT_NE(first_, MAP_FAILED);
    lock.write(Values{1, 1});
  }
  InterruptedImage(const InterruptedImage&) = delete;
  InterruptedImage& operator=(const InterruptedImage&) = delete;
  ~InterruptedImage() { munmap(first_, 2 * page_); }

  /// `what` touches the image, and meanwhile there is `between`.
  void run(const Call& what, const Call& between) {
    current = this;
    between_ = &between;
    struct sigaction action {};
    action.sa_handler = interrupt;
    struct sigaction before {};
    sigaction(SIGSEGV, &action, &before);
    mprotect(first_ + page_, page_, PROT_NONE);
    what();
    sigaction(SIGSEGV, &before, nullptr);
    EXPECT_EQ(between_, nullptr) << "it was not interrupted";
  }

 private:
  static void interrupt(int signal) {
    const Call* const between = std::exchange(current->between_, nullptr);
    // A fault of another kind comes again, and is fatal then.
    if (between == nullptr) return void(std::signal(signal, SIG_DFL));
    mprotect(current->first_ + current->page_, current->page_, PROT_READ | PROT_WRITE);
    (*between)();
  }
  static inline InterruptedImage* current = nullptr;

  using Word = std::atomic<std::uint64_t>;
  std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::byte* first_ = static_cast<std::byte*>(
      mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const Call* between_ = nullptr;

 public:
  Seqlock<std::span<Word>> lock{std::span(reinterpret_cast<Word*>(first_ + page_) - 1, 2)};
};

TEST(Seqlock, AnImageHalfWrittenIsNotRead) {
  InterruptedImage image;
  InterruptedImage::Values seen{};
  bool read = true;
  image.run(
      [&] {
        image.lock.write(InterruptedImage::Values{2, 2});
      },
      [&] { read = image.lock.read(seen, 3); });
  EXPECT_FALSE(read);
  EXPECT_TRUE(image.lock.read(seen));
  EXPECT_EQ(seen, (InterruptedImage::Values{2, 2}));
}

TEST(Seqlock, AnImageThatChangedWhileItWasReadIsReadAgain) {
  for (const int attempts : {1, 2}) {
    InterruptedImage image;
    InterruptedImage::Values seen{};
    bool read = false;
    image.run([&] { read = image.lock.read(seen, attempts); },
              [&] {
                image.lock.write(InterruptedImage::Values{2, 2});
              });
    EXPECT_EQ(read, attempts == 2);
    if (read) {
      EXPECT_EQ(seen, (InterruptedImage::Values{2, 2}));
    }
  }
}

TEST(Seqlock, AReaderNeverSeesHalfAnImage) {
  Memory memory{};
  SeqlockView shared = lock_over(memory);
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
