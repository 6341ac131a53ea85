// SPDX-License-Identifier: Apache-2.0
#include "hild/core/units.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace hild {
namespace {

using std::numbers::pi;
/// Words of the error, empty where there is none.
template <class T>
std::string words(const Result<T>& result) {
  return result ? std::string() : result.error().message;
}
bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

struct Conversion {
  std::string_view text;
  std::string_view unit;
  double value;
};

class Converts : public testing::TestWithParam<Conversion> {};

TEST_P(Converts, Quantity) {
  const auto& [text, unit, value] = GetParam();
  const auto found = quantity(text, unit);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_DOUBLE_EQ(*found, value);
}

// Angles: 1 rev = 360 deg = 2 pi rad, by definition; torque constants: 1 N m/A = 1 V s/rad by SI.
INSTANTIATE_TEST_SUITE_P(
    Units, Converts,
    testing::Values(Conversion{"0.25 Nm", "N m", 0.25}, Conversion{"250 mNm", "N m", 0.25},
                    Conversion{"180 deg", "rad", pi}, Conversion{"180 °", "rad", pi},
                    Conversion{"1 rev/s", "rad/s", 2 * pi}, Conversion{"60 rpm", "rad/s", 2 * pi},
                    Conversion{"60 rpm", "rev/s", 1}, Conversion{"80 %", "1", 0.8},
                    Conversion{"80%", "1", 0.8}, Conversion{"0.8", "1", 0.8},
                    Conversion{"3 kHz", "Hz", 3000}, Conversion{"2 cycles/s", "Hz", 2},
                    Conversion{"10 1/s", "rad/s", 10}, Conversion{"1 V/Hz", "mV/Hz", 1000},
                    Conversion{"0.1 V s/rad", "N m/A", 0.1}, Conversion{"20 degC", "K", 293.15},
                    Conversion{"10 degC/V", "K/V", 10}, Conversion{"1.5 Ah", "C", 5400},
                    Conversion{"2 kWh", "J", 7.2e6}, Conversion{"9.81 m/s2", "m/s^2", 9.81},
                    Conversion{"9.81 m s-2", "m s^-2", 9.81}, Conversion{" +5 V ", "V", 5}));

struct Power {
  std::string_view from;
  std::string_view to;
  double factor;
};

class PowersOfTen : public testing::TestWithParam<Power> {};

/// A decimal number shifted by a power of ten must come out as that decimal number is read, to
/// the bit when the shift divides and within one rounding when it multiplies.
TEST_P(PowersOfTen, AreExact) {
  const auto& [from, to, factor] = GetParam();
  ASSERT_TRUE(conversion_factor(from, to)) << conversion_factor(from, to).error().message;
  EXPECT_EQ(*conversion_factor(from, to), factor);
  for (const double x : {1.0, 3.0, 7.0, 12.0, 333.0, 12345.0}) {
    const double expected = factor < 1 ? x / std::round(1 / factor) : x * factor;
    EXPECT_EQ(quantity(fmt::format("{} {}", x, from), to).value_or(-1), expected) << x << from;
  }
}

INSTANTIATE_TEST_SUITE_P(Units, PowersOfTen,
                         testing::Values(Power{"ms", "s", 1e-3}, Power{"us", "s", 1e-6},
                                         Power{"µs", "s", 1e-6}, Power{"ns", "s", 1e-9},
                                         Power{"us", "ns", 1e3}, Power{"ms", "ns", 1e6},
                                         Power{"s", "ns", 1e9}, Power{"mV", "V", 1e-3},
                                         Power{"kg cm2", "kg m2", 1e-4}, Power{"g", "kg", 1e-3},
                                         Power{"mm3", "m3", 1e-9}, Power{"1/ms", "1/s", 1e3},
                                         Power{"mN m/A", "N m/A", 1e-3}));

TEST(Units, EveryUnitOfTheDesignIsKnown) {
  for (const char* unit : {"V", "A", "kg m2", "rad/s/V", "V/V", "N m/A", "N m s", "1/s", "V s/rad",
                           "Ω", "ohm", "H", "m2", "N/m", "%", "1", "degC", "bar", "l/min"}) {
    EXPECT_EQ(conversion_factor(unit, unit).value_or(0), 1) << unit;
  }
}

TEST(Units, CyclesStayApartFromRadians) {
  for (const auto& [from, to] : {std::pair{"Hz", "rad/s"},
                                 {"rad/s", "Hz"},
                                 {"kHz", "rev/s"},
                                 {"Hz", "rpm"},
                                 {"Hz", "1/s"},
                                 {"V/Hz", "V s/rad"},
                                 {"cycle", "rad"}}) {
    const auto factor = conversion_factor(from, to);
    ASSERT_FALSE(factor) << from << " became " << to;
    EXPECT_TRUE(contains(words(factor), "1 rev/s = 2 pi rad/s")) << words(factor);
  }
}

TEST(Units, RefusesWhatDoesNotConvert) {
  for (const auto& [text, unit] :
       {std::pair{"1 kg", "m"}, {"1 s", "1/s"}, {"1 V", "1"}, {"1 rad/s", "rad"}, {"2 s", "Hz"}}) {
    EXPECT_FALSE(quantity(text, unit)) << text << " became " << unit;
  }
  EXPECT_FALSE(conversion_factor("degC", "K")) << "has an offset";
  EXPECT_FALSE(quantity("1e300 Gm", "nm")) << "overflows";
  EXPECT_TRUE(contains(words(quantity("5", "V")), "\"5 V\"?"));
  EXPECT_TRUE(contains(words(quantity("5 volz", "V")), "\"volz\" is not a unit"));
}

TEST(Units, SplitsNumberAndUnit) {
  const auto parts = split_quantity("2.4 V/V");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->number, 2.4);
  EXPECT_EQ(parts->unit, "V/V");
  EXPECT_EQ(split_quantity("-10 V")->number, -10);
  EXPECT_EQ(split_quantity("1e-3 s")->number, 1e-3);
  EXPECT_EQ(split_quantity("10 1/s")->unit, "1/s");
  EXPECT_EQ(split_quantity(" 7 ")->unit, "");
}

TEST(Units, RefusesWhatIsNotAQuantity) {
  for (const char* text : {"",          " ",     "V",      "nan",     "inf V",
                           "-inf",      "0x10",  "0x10 V", "1e999 V", "10ms",
                           "1.5.2",     "1 2",   "5 5 V",  "5 V 3",   "5 s since 2000-01-01",
                           "5 K @ 273", "+-5 V", "--5 V",  "1,5 V",   "5 V/2",
                           "5 .5V",     "1e V",  "5 V\n6"}) {
    EXPECT_FALSE(split_quantity(text)) << text;
  }
  EXPECT_FALSE(split_quantity("1 " + std::string(100, '('))) << "endless unit";
}

TEST(UnitConversion, HasAnOffsetWhereZeroMoves) {
  const auto kelvin = unit_conversion("degC", "K");
  ASSERT_TRUE(kelvin);
  EXPECT_EQ(kelvin->factor, 1);
  EXPECT_EQ(kelvin->offset, 273.15);
  const auto milli = unit_conversion("V", "mV");
  ASSERT_TRUE(milli);
  EXPECT_EQ(milli->factor, 1000);
  EXPECT_EQ(milli->offset, 0);
  EXPECT_FALSE(unit_conversion("V", "A"));
}

}  // namespace
}  // namespace hild
