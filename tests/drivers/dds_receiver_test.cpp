// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a frame takes from a page, and leaves there: the gateway's side is played by the tests,
/// which may write anything.
#include "drivers/dds_receiver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "drivers/dds_sender.hpp"

namespace hild::dds {
namespace {

constexpr MonoTime opened{40'000'000'000'000'000};

class FrameSide : public testing::Test {
 protected:
  /// Two nodes: one of inputs 0 and 2, one of input 1.
  FrameSide() { read(opened); }

  void read(MonoTime now) {
    sampled_ = {now, now};
    receiver_.read(sampled_);
  }
  void put(std::size_t node, std::int64_t made, std::vector<double> values, std::int64_t n = 1) {
    values.insert(values.begin(), {as_word(n), as_word(made)});
    images_[node].write(values);
  }
  [[nodiscard]] std::vector<double> values() const {
    return {receiver_.values().begin(), receiver_.values().end()};
  }

  Descriptor file_;
  Page page_ = Page::make(file_).value();
  rt::Counter unreadable_;
  const std::vector<Places> places_{{0, 2}, {1}};
  Receiver receiver_{page_, places_, {-1, -2, -3}, opened, unreadable_};
  std::vector<rt::SeqlockView> images_ = page_.images(std::array<std::size_t, 2>{2, 1});
  std::vector<MonoTime> sampled_;
};

TEST_F(FrameSide, HasTheStartUntilAnImageComes) {
  EXPECT_EQ(values(), (std::vector{-1.0, -2.0, -3.0}));
  EXPECT_GE(seconds(opened - sampled_[0]), 365 * 86400.0);
  EXPECT_EQ(sampled_[0], sampled_[1]);
}

TEST_F(FrameSide, TakesEachImageToTheInputsItIsOf) {
  put(0, opened.ns + 10, {1, 3});
  read(opened + 20_ns);
  EXPECT_EQ(values(), (std::vector{1.0, -2.0, 3.0}));
  EXPECT_EQ(sampled_[0], opened + 10_ns);
  EXPECT_LT(sampled_[1], opened) << "the other node has said nothing";
  put(1, opened.ns + 15, {2});
  read(opened + 30_ns);
  EXPECT_EQ(values(), (std::vector{1.0, 2.0, 3.0}));
  EXPECT_EQ(sampled_[0], opened + 10_ns) << "it does not become new by being read";
  EXPECT_EQ(sampled_[1], opened + 15_ns);
}

TEST_F(FrameSide, NothingIsOfTheFutureOrOlderThanBefore) {
  put(0, opened.ns + 50, {1, 3});
  read(opened + 20_ns);
  EXPECT_EQ(sampled_[0], opened + 20_ns);
  put(0, opened.ns + 5, {4, 6});
  read(opened + 30_ns);
  EXPECT_EQ(sampled_[0], opened + 20_ns);
  EXPECT_EQ(values()[0], 4);
  put(0, std::numeric_limits<std::int64_t>::min(), {7, 8});
  read(opened + 40_ns);
  EXPECT_EQ(sampled_[0], opened + 20_ns);
}

TEST_F(FrameSide, AValueThatIsNoNumberIsNotTaken) {
  put(0, opened.ns + 10, {1, 3});
  read(opened + 20_ns);
  for (const double bad : {NAN, INFINITY, -INFINITY}) {
    put(0, opened.ns + 15, {2, bad});
    read(opened + 30_ns);
    EXPECT_EQ(values(), (std::vector{1.0, -2.0, 3.0}));
    EXPECT_EQ(sampled_[0], opened + 10_ns);
  }
  EXPECT_EQ(unreadable_.get(), 3);
  read(opened + 40_ns);
  EXPECT_EQ(unreadable_.get(), 3) << "each counts once";
}

// A gateway that was killed half-way leaves a slot that is being written for ever.
TEST_F(FrameSide, AnImageThatIsBeingWrittenIsPassedOver) {
  put(0, opened.ns + 10, {1, 3});
  read(opened + 20_ns);
  // The first word of the first image lies behind the outputs, which have the most that may be.
  rt::SeqlockView outputs = page_.outputs(most_values + 1);
  std::vector<double> words(outputs.size());
  ASSERT_TRUE(outputs.read(words));
  words.back() = as_word(as_number(words.back()) | 1);
  outputs.write(words);
  EXPECT_EQ(images_[0].writes(), 1U);
  read(opened + 30_ns);
  EXPECT_EQ(values(), (std::vector{1.0, -2.0, 3.0}));
  EXPECT_EQ(sampled_[0], opened + 10_ns);
}

// Whatever is written there: what comes out is finite, of the past, and in its place.
TEST_F(FrameSide, StandsWhateverIsInThePage) {
  std::mt19937_64 random(1);  // NOLINT: the same numbers each time
  rt::SeqlockView all = page_.outputs(most_values + 100);
  std::vector<double> words(all.size());
  MonoTime now = opened;
  for (int n = 0; n < 2000; ++n) {
    for (double& word : words) {
      word = n % 3 == 0 ? static_cast<double>(random() % 1000) : std::bit_cast<double>(random());
    }
    all.write(words);
    const std::vector<MonoTime> before = sampled_;
    now += 1_ms;
    read(now);
    for (const double v : values()) ASSERT_TRUE(std::isfinite(v));
    for (std::size_t g = 0; g < 2; ++g) {
      ASSERT_LE(sampled_[g], now);
      ASSERT_GE(sampled_[g], before[g]);
    }
  }
}

TEST(DdsSender, LeavesTheOutputsTheirNumberAndTheInstant) {
  Descriptor file;
  const Page page = Page::make(file).value();
  Sender sender(page, 2);
  std::vector<double> last(2);
  EXPECT_FALSE(sender.last(last));
  EXPECT_TRUE(sender.left());
  sender.send(std::array{1.0, 2.0}, MonoTime{5});
  sender.send(std::array{3.0, 4.0}, MonoTime{6});
  std::array<double, 4> image{};
  ASSERT_TRUE(page.outputs(2).read(image));
  EXPECT_EQ(as_number(image[0]), 2);
  EXPECT_EQ(as_number(image[1]), 6);
  ASSERT_TRUE(sender.last(last));
  EXPECT_EQ(last, (std::vector{3.0, 4.0}));
  EXPECT_EQ(page.head().written.rung(), 2U);
  EXPECT_FALSE(sender.left());
  page.head().left.set(1);
  EXPECT_FALSE(sender.left());
  page.head().left.set(2);
  EXPECT_TRUE(sender.left());
}

// A guard has a copy of it, and the same page.
TEST(DdsSender, GoesOnWithTheNumbersOfTheOneItIsACopyOf) {
  Descriptor file;
  const Page page = Page::make(file).value();
  Sender sender(page, 1);
  Sender copy(page, 1);
  sender.send(std::array{1.0}, MonoTime{5});
  copy.send(std::array{2.0}, MonoTime{6});
  std::array<double, 3> image{};
  ASSERT_TRUE(page.outputs(1).read(image));
  EXPECT_EQ(as_number(image[0]), 2);
  std::vector<double> last(1);
  ASSERT_TRUE(sender.last(last));
  EXPECT_EQ(last[0], 2);
}

}  // namespace
}  // namespace hild::dds
