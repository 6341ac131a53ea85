// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/image_slot.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <numeric>
#include <vector>

#include "hild/rt/shared_memory.hpp"

namespace hild::rt {
namespace {

struct Shared {
  ImageSequence sequence;
  ImageSequence ends;
  std::array<double, 64> words;
};

class TestedSlot : public testing::Test {
 protected:
  SharedMemory memory_ = SharedMemory::make(sizeof(Shared)).value();
  Shared& shared_ = memory_.emplace<Shared>();
  ImageSlot slot_{shared_.sequence, shared_.words};
};

TEST_F(TestedSlot, GivesWhatWasWrittenHeadAndBody) {
  EXPECT_EQ(slot_.size(), 64U);
  EXPECT_EQ(slot_.writes(), 0U);
  slot_.write(std::array{1.0, 2.0}, std::array{3.0, 4.0, 5.0});
  EXPECT_EQ(slot_.writes(), 1U);
  std::array<double, 5> read{};
  ASSERT_TRUE(slot_.read(read, 1));
  EXPECT_EQ(read, (std::array{1.0, 2.0, 3.0, 4.0, 5.0}));
  std::array<double, 2> part{};
  ASSERT_TRUE(slot_.read(part, 1));
  EXPECT_EQ(part, (std::array{1.0, 2.0}));
}

TEST_F(TestedSlot, LeavesOutWhatGoesBeyondIt) {
  const ImageSlot all = slot_;
  ImageSlot three(shared_.sequence, std::span(shared_.words).first(3));
  three.write(std::array{1.0}, std::array{2.0, 3.0, 4.0, 5.0});
  std::array<double, 4> read{};
  ASSERT_TRUE(all.read(read, 1));
  EXPECT_EQ(read, (std::array{1.0, 2.0, 3.0, 0.0}));
  std::array<double, 5> more{9, 9, 9, 9, 9};
  ASSERT_TRUE(three.read(more, 1));
  EXPECT_EQ(more, (std::array{1.0, 2.0, 3.0, 9.0, 9.0}));
}

TEST_F(TestedSlot, AWriterThatDiedHalfWayIsGivenUpAndTakenOver) {
  shared_.sequence = 3;
  std::array<double, 1> read{};
  EXPECT_FALSE(slot_.read(read, 5));
  slot_.write(std::array{7.0}, {});
  ASSERT_TRUE(slot_.read(read, 1));
  EXPECT_EQ(read[0], 7);
  EXPECT_EQ(slot_.writes(), 2U);
}

// Images of one number each: one of two is torn.
TEST_F(TestedSlot, BetweenProcessesImagesAreWhole) {
  const pid_t writer = ::fork();
  ASSERT_GE(writer, 0);
  if (writer == 0) {
    ::alarm(60);
    std::vector<double> body(63);
    for (double n = 1; shared_.ends.load() == 0; ++n) {
      body.assign(body.size(), n);
      slot_.write(std::array{n}, body);
    }
    ::_exit(0);
  }
  std::vector<double> read(64);
  double last = 0;
  int whole = 0;
  for (long tries = 0; whole < 10'000 && tries < 100'000'000; ++tries) {
    if (!slot_.read(read, 1)) continue;
    ++whole;
    EXPECT_EQ(read, std::vector<double>(64, read[0]));
    EXPECT_GE(read[0], last);
    last = read[0];
  }
  shared_.ends.store(1);
  int status = 0;
  ASSERT_EQ(::waitpid(writer, &status, 0), writer);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(whole, 10'000);
}

}  // namespace
}  // namespace hild::rt
