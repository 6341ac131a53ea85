// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_converter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/drivers/fake_options.hpp"

namespace hild::sim {
namespace {

TEST(Quantizer, ThreeBitsOver0To7VoltsAreTheWholeVolts) {
  const Quantizer quantize({0, 7}, 3);
  EXPECT_EQ(quantize.step(), 1);
  EXPECT_EQ(quantize(2.49), 2);
  EXPECT_EQ(quantize(2.5), 3);
  EXPECT_EQ(quantize(6.6), 7);
}

TEST(Quantizer, TellsTheLevel) {
  const Quantizer quantize({-10, 10}, 16);
  const auto level = [&](double v) {
    std::uint32_t count = 77;
    static_cast<void>(quantize(v, count));
    return count;
  };
  EXPECT_EQ(level(-10), 0U);
  EXPECT_EQ(level(-11), 0U);
  EXPECT_EQ(level(std::nan("")), 0U);
  EXPECT_EQ(level(10), 65535U);
  EXPECT_EQ(level(11), 65535U);
  EXPECT_EQ(level(-10 + 12345 * quantize.step()), 12345U);
  EXPECT_EQ(level(10 + 0.75 * quantize.step()), 65535U) << "there is no level above";
  std::uint32_t count = 0;
  static_cast<void>(Quantizer({0, 1}, 32)(2, count));
  EXPECT_EQ(count, 4'294'967'295U);
}

TEST(Quantizer, CutsToTheRangeWhateverComes) {
  const Quantizer quantize({-10, 10}, 16);
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(quantize(10.1), 10);
  EXPECT_EQ(quantize(10 + 0.75 * quantize.step()), 10);  // the next level would be nearer
  EXPECT_EQ(quantize(inf), 10);
  EXPECT_EQ(quantize(-10.1), -10);
  EXPECT_EQ(quantize(-inf), -10);
  EXPECT_EQ(quantize(std::nan("")), -10);
}

TEST(Quantizer, IsNeverFurtherOffThanHalfAStep) {
  const Quantizer quantize({-10, 10}, 12);
  EXPECT_DOUBLE_EQ(quantize.step(), 20.0 / 4095);
  for (double v = -10; v <= 10; v += 0.00317) {
    EXPECT_LE(std::abs(quantize(v) - v), quantize.step() / 2 * (1 + 1e-9));
    EXPECT_EQ(quantize(quantize(v)), quantize(v));
  }
}

TEST(Quantizer, ZeroBitsIsAnIdealConverter) {
  const Quantizer quantize({-5, 5}, 0);
  EXPECT_EQ(quantize.step(), 0);
  EXPECT_EQ(quantize(1.23456789), 1.23456789);
  EXPECT_EQ(quantize(6), 5);
}

// 100 000 numbers: the mean of independent ones has a standard deviation of 0.003, their variance
// one of 0.0045. The bounds are ten times that; the seed makes the outcome the same for ever.
TEST(Noise, HasMean0AndRms1) {
  Noise noise(42);
  constexpr int n = 100'000;
  double sum = 0, squares = 0;
  int beyond_two = 0;
  for (int i = 0; i < n; ++i) {
    const double x = noise.next();
    ASSERT_LE(std::abs(x), 6.0);
    sum += x;
    squares += x * x;
    beyond_two += std::abs(x) > 2;
  }
  EXPECT_NEAR(sum / n, 0, 0.03);
  EXPECT_NEAR(squares / n, 1, 0.045);
  EXPECT_NEAR(beyond_two / static_cast<double>(n), 0.0455, 0.01);  // the Gaussian's share
}

TEST(Noise, RepeatsForASeedAndDiffersForAnother) {
  Noise a(1), same(1), other(2);
  int equal = 0;
  for (int i = 0; i < 100; ++i) {
    const double x = a.next();
    EXPECT_EQ(x, same.next());
    equal += x == other.next();
  }
  EXPECT_LT(equal, 5);
}

TEST(Line, HasTheRangeAndResolutionOfACommonCardByDefault) {
  test::FakeOptions entry{{"channel", "7"}};
  const io::Channel channel = describe(read_line(entry), "A/D");
  EXPECT_EQ(channel.range.low, -10);
  EXPECT_EQ(channel.range.high, 10);
  EXPECT_DOUBLE_EQ(channel.resolution, 20.0 / 65535);
  EXPECT_TRUE(channel.counted);
  EXPECT_FALSE(channel.digital);
  EXPECT_EQ(channel.where.view(), "A/D channel 7");
}

TEST(Line, AnIdealConverterHasNothingToCount) {
  test::FakeOptions entry{{"channel", "7"}, {"resolution", "0"}};
  const io::Channel channel = describe(read_line(entry), "A/D");
  EXPECT_EQ(channel.resolution, 0);
  EXPECT_FALSE(channel.counted);
}

TEST(Line, ADigitalOneCarries0Or1) {
  test::FakeOptions entry{{"channel", "0"}, {"digital", "true"}};
  const Line line = read_line(entry);
  EXPECT_TRUE(line.digital);
  EXPECT_EQ(line.quantizer(0.49), 0);
  EXPECT_EQ(line.quantizer(0.5), 1);
  EXPECT_EQ(line.quantizer(3), 1);
}

TEST(Line, ADigitalOneHasNoRangeOfVolts) {
  test::FakeOptions entry{{"channel", "0"}, {"digital", "true"}, {"range", "0 V..5 V"}};
  (void)read_line(entry);
  EXPECT_EQ(entry.unknown(), std::set<std::string>{"range"});
}

TEST(Line, RefusesAChannelTheDeviceDoesNotHave) {
  test::FakeOptions entry{{"channel", "65536"}};
  EXPECT_THROW((void)read_line(entry), test::Rejected);
}

}  // namespace
}  // namespace hild::sim
