// SPDX-License-Identifier: Apache-2.0
// Expectations are the linear formula raw = (v - low) / (high - low) * maxdata, worked out by hand.
#include "drivers/comedi_convert.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hild::comedi {
namespace {

constexpr io::Interval ten_volts{-10, 10};
constexpr lsampl_t max16 = 65535;

/// As comedi_get_hardcal_converter makes it.
comedi_polynomial_t from_physical(io::Interval range, lsampl_t maxdata) {
  return {{0, maxdata / (range.high - range.low), 0, 0}, range.low, 1};
}
comedi_polynomial_t to_physical(io::Interval range, lsampl_t maxdata) {
  return {{range.low, (range.high - range.low) / maxdata, 0, 0}, 0, 1};
}

lsampl_t raw16(double volts) {
  return Conversion(ten_volts, max16, from_physical(ten_volts, max16)).to_raw(volts);
}

TEST(ComediConvert, SixteenBitsOverTenVolts) {
  EXPECT_EQ(raw16(0), 32768u);  // 32767.5, to the even one as in libcomedi
  EXPECT_EQ(raw16(10), 65535u);
  EXPECT_EQ(raw16(-10), 0u);
  EXPECT_EQ(raw16(5), 49151u);     // 49151.25
  EXPECT_EQ(raw16(-5), 16384u);    // 16383.75
  EXPECT_EQ(raw16(1e-3), 32771u);  // 32770.77...
}

TEST(ComediConvert, CutsAtTheRails) {
  EXPECT_EQ(raw16(10.5), 65535u);
  EXPECT_EQ(raw16(-10.5), 0u);
  EXPECT_EQ(raw16(INFINITY), 65535u);
  EXPECT_EQ(raw16(-INFINITY), 0u);
}

TEST(ComediConvert, VoltsOfRawCounts) {
  const Conversion conversion(ten_volts, max16, to_physical(ten_volts, max16));
  EXPECT_EQ(conversion.to_volts(0), -10);
  EXPECT_NEAR(conversion.to_volts(65535), 10, 1e-14);
  EXPECT_NEAR(conversion.to_volts(32768), 10.0 / 65535, 1e-14);
}

TEST(ComediConvert, EveryRawCountComesBack) {
  const Conversion out(ten_volts, max16, from_physical(ten_volts, max16));
  const Conversion in(ten_volts, max16, to_physical(ten_volts, max16));
  for (lsampl_t raw = 0; raw <= max16; ++raw) ASSERT_EQ(out.to_raw(in.to_volts(raw)), raw);
}

TEST(ComediConvert, AgreesWithTheLibraryWithinTheRails) {
  const comedi_polynomial_t cubic{{32767.25, 3276.5, 1.5e-3, -2e-4}, 0.01, 3};
  const Conversion conversion({-9, 9}, max16, cubic);
  for (double v = -9; v <= 9; v += 0.00713) {
    ASSERT_EQ(conversion.to_raw(v), comedi_from_physical(v, &cubic));
  }
  const comedi_polynomial_t back{{-10.01, 20.0 / 65535, 1e-12, 1e-18}, 3, 3};
  for (lsampl_t raw = 0; raw <= max16; raw += 7) {
    ASSERT_EQ(Conversion(ten_volts, max16, back).to_volts(raw), comedi_to_physical(raw, &back));
  }
}

// A card whose zero is calibrated by -3 counts: the library's own function makes 2^32 - 3 of the
// lower rail, which cut to the range would be the upper rail.
TEST(ComediConvert, ACalibratedLowerRailStaysTheLowerRail) {
  auto polynomial = from_physical(ten_volts, max16);
  polynomial.coefficients[0] = -3;
  ASSERT_GT(comedi_from_physical(-10, &polynomial), max16);
  EXPECT_EQ(Conversion(ten_volts, max16, polynomial).to_raw(-10), 0u);
  polynomial.coefficients[0] = 3;
  EXPECT_EQ(Conversion(ten_volts, max16, polynomial).to_raw(10), max16);
}

TEST(ComediConvert, ThirtyTwoBits) {
  constexpr lsampl_t max32 = 0xffffffff;
  const Conversion conversion({0, 1}, max32, from_physical({0, 1}, max32));
  EXPECT_EQ(conversion.to_raw(1), max32);
  EXPECT_EQ(conversion.to_raw(0.5), 0x80000000u);
}

}  // namespace
}  // namespace hild::comedi
