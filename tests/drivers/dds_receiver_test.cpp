// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a frame takes from a page, and leaves there: the gateway's side is played by the tests,
/// which may write anything.
#include "drivers/dds_receiver.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstring>
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
    receiver_.look(sampled_);
  }
  void put(std::size_t node, std::int64_t made, const std::vector<double>& values,
           std::int64_t number = 1) {
    images_[node].write(std::array{as_word(number), as_word(made)}, values);
  }
  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> inputs(start_.size());
    receiver_.put(inputs);
    return inputs;
  }

  /// The whole page, as who has its file may write to it.
  [[nodiscard]] std::vector<std::uint64_t> words_of_page() const {
    std::vector<std::uint64_t> words(bytes_ / sizeof(std::uint64_t));
    std::memcpy(words.data(), theirs_.data(), words.size() * sizeof(std::uint64_t));
    return words;
  }
  void scribble(std::size_t word, std::uint64_t value) {
    auto* const at = static_cast<std::byte*>(theirs_.data()) + word * sizeof value;
    std::memcpy(at, &value, sizeof value);
  }
  static std::size_t size_of(const Descriptor& file) {
    return static_cast<std::size_t>(::lseek(file.get(), 0, SEEK_END));
  }

  Descriptor file_;
  Page page_ = Page::make(file_).value();
  std::size_t bytes_ = size_of(file_);
  rt::SharedMemory theirs_ = rt::SharedMemory::map(file_.get(), bytes_).value();
  rt::Counter unreadable_;
  const std::vector<Places> places_{{0, 2}, {1}};
  const std::vector<double> start_{-1, -2, -3};
  Receiver receiver_{page_, places_, start_, opened, {}, unreadable_};
  std::vector<TwoImages> images_ = page_.images(std::array<std::size_t, 2>{2, 1});
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
  put(0, opened.ns + 16, {1.7e308, 1.7e308});
  read(opened + 31_ns);
  EXPECT_EQ(values(), (std::vector{1.7e308, -2.0, 1.7e308})) << "huge, but numbers";
  read(opened + 40_ns);
  EXPECT_EQ(unreadable_.get(), 3) << "each counts once";
}

// A gateway that was killed half-way leaves a slot that is being written for ever.
TEST_F(FrameSide, AnImageThatIsBeingWrittenIsPassedOver) {
  put(0, opened.ns + 10, {1, 3});
  read(opened + 20_ns);
  // What went up by two is its counter.
  put(0, opened.ns + 10, {1, 3});
  const std::vector<std::uint64_t> before = words_of_page();
  put(0, opened.ns + 10, {1, 3});
  const std::vector<std::uint64_t> after = words_of_page();
  std::size_t counter = 0;
  while (counter < after.size() && after[counter] != before[counter] + 2) ++counter;
  ASSERT_LT(counter, after.size());
  scribble(counter, after[counter] | 1);
  read(opened + 30_ns);
  EXPECT_EQ(values(), (std::vector{1.0, -2.0, 3.0}));
  EXPECT_EQ(sampled_[0], opened + 10_ns);
}

/// A node that sends its number each millisecond, to one that wants samples of half a millisecond.
class HeldBack : public testing::Test {
 protected:
  /// Looks at `at` us; the value, whose instant is then `made` us.
  double look(std::int64_t at) {
    std::vector<MonoTime> sampled{when(at)};
    receiver_.look(sampled);
    made = (sampled[0] - opened).ns / 1000;
    std::vector<double> inputs(1);
    receiver_.put(inputs);
    return inputs[0];
  }
  void send(int number) {
    images_.write(std::array{as_word(number), as_word(when(1000 * number).ns)},
                  std::array{static_cast<double>(number)});
  }
  static MonoTime when(std::int64_t us) { return opened + 1_us * us; }

  Descriptor file_;
  Page page_ = Page::make(file_).value();
  rt::Counter unreadable_;
  const std::vector<Places> places_{{0}};
  const std::vector<double> start_{-1};
  Receiver receiver_{page_, places_, start_, opened, 500_us, unreadable_};
  TwoImages images_ = page_.images(std::array<std::size_t, 1>{1}).front();
  std::int64_t made = 0;
};

// Whether the sample of a tick is there at that tick is chance, and changes nothing.
TEST_F(HeldBack, WhatIsSentAtATickIsUsedAtTheNextOne) {
  int sent = 0;
  for (int tick = 1; tick <= 20; ++tick) {
    const int there = tick - (tick * tick) % 3 % 2;  // that of this tick, or none newer than before
    while (sent < there) send(++sent);
    EXPECT_EQ(look(1000 * tick + 20), tick == 1 ? -1 : tick - 1) << tick;
    EXPECT_EQ(made < 0, tick == 1);
    if (tick > 1) {
      EXPECT_EQ(made, 1000 * (tick - 1));
    }
    while (sent < tick) send(++sent);
  }
}

TEST_F(HeldBack, WhatIsLostIsBridgedByTheOneBefore) {
  for (const int number : {1, 2}) send(number);
  EXPECT_EQ(look(2010), 1);
  EXPECT_EQ(look(3010), 2) << "3 has not come";
  send(4);
  EXPECT_EQ(look(4010), 2);
  EXPECT_EQ(look(5010), 4) << "nor has 5";
}

TEST_F(HeldBack, OfTwoThatAreTooYoungTheOlderOneIsUsed) {
  images_.write(std::array{as_word(1), as_word(when(900).ns)}, std::array{1.0});
  EXPECT_EQ(look(1000), -1) << "there is no other yet";
  images_.write(std::array{as_word(2), as_word(when(950).ns)}, std::array{2.0});
  EXPECT_EQ(look(1000), 1);
  EXPECT_EQ(look(1000), 1);
  EXPECT_EQ(look(1500), 2);
}

TEST_F(HeldBack, AnInstantThatNobodyMeantHoldsNothingUp) {
  send(1);
  EXPECT_EQ(look(2000), 1);
  for (const std::int64_t nonsense : {INT64_MAX, INT64_MIN}) {
    images_.write(std::array{as_word(2), as_word(nonsense)}, std::array{2.0});
    static_cast<void>(look(3000));
    send(3);
    EXPECT_EQ(look(4000), 3);
  }
}

// Whatever is written there: what comes out is finite, of the past, and in its place.
TEST_F(FrameSide, StandsWhateverIsInThePage) {
  std::mt19937_64 random(1);  // NOLINT: the same numbers each time
  const std::size_t words = words_of_page().size();
  MonoTime now = opened;
  for (int n = 0; n < 500; ++n) {
    for (std::size_t i = 0; i < words; ++i) {
      const auto small = static_cast<double>(random() % 1000);
      scribble(i, n % 3 == 0 ? std::bit_cast<std::uint64_t>(small) : random() >> (random() % 64));
    }
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
  ASSERT_TRUE(page.outputs(2).read(image, 1));
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

TEST(DdsSender, DoesNotBelieveWhatWasMadeOfItsOutputs) {
  Descriptor file;
  const Page page = Page::make(file).value();
  Sender sender(page, 1);
  sender.send(std::array{1.0}, MonoTime{5});
  page.outputs(1).write(std::array{as_word(1), as_word(5)}, std::array{std::nan("")});
  std::vector<double> last(1);
  EXPECT_FALSE(sender.last(last));
  page.head().numbers.add(std::numeric_limits<std::int64_t>::max() - 1);
  sender.send(std::array{2.0}, MonoTime{6});
  EXPECT_TRUE(sender.last(last));
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
  ASSERT_TRUE(page.outputs(1).read(image, 1));
  EXPECT_EQ(as_number(image[0]), 2);
  std::vector<double> last(1);
  ASSERT_TRUE(sender.last(last));
  EXPECT_EQ(last[0], 2);
}

}  // namespace
}  // namespace hild::dds
