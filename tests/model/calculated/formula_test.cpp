// SPDX-License-Identifier: Apache-2.0
#include "model/calculated/formula.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/calculated/unit_check.hpp"

namespace hild::test {
namespace {

using model::Formula;
using model::UnitPowers;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<Formula> formula_of(const std::string& text,
                                    const std::vector<std::string>& names) {
  auto made = Formula::make(text, names);
  EXPECT_TRUE(made) << text << ": " << made.error().message;
  return made ? std::move(*made) : nullptr;
}
double value_of(const std::string& text, const std::vector<std::string>& names = {},
                const std::vector<double>& numbers = {}) {
  const auto formula = formula_of(text, names);
  std::ranges::copy(numbers, formula->numbers().begin());
  return formula->value();
}

TEST(Formula, ComputesWhatIsWritten) {
  EXPECT_EQ(value_of("0.5 * m * v^2", {"m", "v"}, {3, 4}), 24);
  EXPECT_EQ(value_of("-2^2 + 10 / 4 - 1"), -4 + 2.5 - 1) << "the sign comes after the power";
  EXPECT_EQ(value_of("a > b ? a : b", {"a", "b"}, {2, 5}), 5);
  EXPECT_EQ(value_of("a >= 2 && b != 5 || a == b", {"a", "b"}, {2, 5}), 0);
  EXPECT_EQ(value_of("max(a, b, 3) + min(a, b) + abs(-a)", {"a", "b"}, {2, 5}), 5 + 2 + 2);
  EXPECT_NEAR(value_of("atan2(1, -1)"), 3 * std::numbers::pi / 4, 1e-15);
  EXPECT_NEAR(value_of("cos(_pi / 3)"), 0.5, 1e-15);
  EXPECT_EQ(value_of("1e-3 * x", {"x"}, {2}), 2e-3);
  EXPECT_EQ(value_of("_pi"), std::numbers::pi);
  EXPECT_EQ(value_of("_e"), std::numbers::e);
  EXPECT_EQ(value_of("log(_e) + ln(_e) + log2(8) + log10(1000)"), 1 + 1 + 3 + 3);
  EXPECT_EQ(value_of("2^3^2 + avg(1, 2, 6) + sum(1, 2, 6) + sign(-3) + sqrt(16)"),
            512 + 3 + 9 - 1 + 4);
}
TEST(Formula, UsesNamesOfSignals) {
  const auto names = Formula::names_in("motor.speed * x[2] - motor.speed");
  ASSERT_TRUE(names) << names.error().message;
  EXPECT_THAT(*names, ElementsAre("motor.speed", "x[2]"));
  EXPECT_EQ(value_of("motor.speed * x[2]", {"motor.speed", "x[2]"}, {3, 7}), 21);
  EXPECT_THAT(*Formula::names_in("1 + 2"), ElementsAre());
}
TEST(Formula, SaysWhereItGivesNoNumber) {
  EXPECT_TRUE(std::isnan(value_of("x / y", {"x", "y"}, {0, 0})));
  EXPECT_TRUE(std::isinf(value_of("x / y", {"x", "y"}, {1, 0})));
  EXPECT_TRUE(std::isnan(value_of("sqrt(x)", {"x"}, {-1})));
  EXPECT_TRUE(std::isnan(value_of("ln(x)", {"x"}, {-1})));
}
TEST(Formula, TellsWhatIsWrong) {
  const auto problem = [](const std::string& text) {
    const auto names = Formula::names_in(text);
    if (!names) return names.error().message;
    const auto made = Formula::make(text, *names);
    return made ? "" : made.error().message;
  };
  EXPECT_THAT(problem("a +"), HasSubstr("end of expression"));
  EXPECT_THAT(problem("(a"), HasSubstr("arenthes"));
  EXPECT_THAT(problem("a b"), HasSubstr("\"b\""));
  EXPECT_THAT(problem("sin()"), HasSubstr("sin"));
  EXPECT_THAT(problem("max()"), HasSubstr("max"));
  EXPECT_THAT(problem(""), HasSubstr("empty"));
  EXPECT_THAT(problem("a, b"), HasSubstr("values"));
  EXPECT_THAT(problem("a = 3"), HasSubstr("=="));
  EXPECT_THAT(problem("a == 3 && b <= 4"), "");
  EXPECT_THAT(problem("\"text\""), HasSubstr("quotation"));
  EXPECT_THAT(problem("a \xc3\x97 b"), HasSubstr("ASCII"));
  std::string long_sum(Formula::longest - 1, '1');
  for (std::size_t i = 1; i < long_sum.size(); i += 2) long_sum[i] = '+';
  EXPECT_THAT(problem(long_sum), "");
  EXPECT_THAT(problem(std::string(Formula::longest + 1, '1')), HasSubstr("1001"));
}
// The words of why a formula is not of a unit; none where it is.
std::string unit_problem(const std::string& text,
                         const std::vector<std::pair<std::string, std::string>>& units,
                         const std::string& result) {
  std::vector<std::string> names;
  std::vector<UnitPowers> powers;
  for (const auto& [name, unit] : units) {
    names.push_back(name);
    powers.push_back(unit_in_base(unit)->powers);
  }
  const auto formula = formula_of(text, names);
  const auto good = model::check_units(*formula, powers, unit_in_base(result)->powers);
  return good ? "" : good.error().message;
}

TEST(FormulaUnits, AreThoseOfItsNumbers) {
  EXPECT_EQ(unit_problem("u * i", {{"u", "V"}, {"i", "A"}}, "W"), "");
  EXPECT_EQ(unit_problem("torque * speed", {{"torque", "N m"}, {"speed", "rpm"}}, "kW"), "");
  EXPECT_EQ(unit_problem("sqrt(x^2 + y^2)", {{"x", "m"}, {"y", "mm"}}, "m"), "");
  EXPECT_EQ(unit_problem("sin(angle) * r", {{"angle", "deg"}, {"r", "m"}}, "m"), "");
  EXPECT_EQ(unit_problem("exp(-t / tau)", {{"t", "s"}, {"tau", "ms"}}, "1"), "");
  EXPECT_EQ(unit_problem("a > b", {{"a", "m"}, {"b", "m"}}, "1"), "") << "yes or no has no unit";
  EXPECT_EQ(unit_problem("a > b && c < 3 ? x : -x",
                         {{"a", "m"}, {"b", "m"}, {"c", "1"}, {"x", "K"}}, "K"),
            "");
  EXPECT_EQ(unit_problem("max(a, b) - min(a, b)", {{"a", "kg"}, {"b", "g"}}, "kg"), "");
  EXPECT_EQ(unit_problem("x", {{"x", "rad"}}, "1"), "") << "a radian is a number";
  EXPECT_EQ(unit_problem("0 * x", {{"x", "V"}}, "A"), "") << "nothing of any unit";
}
TEST(FormulaUnits, ThatDoNotFitAreTold) {
  EXPECT_THAT(unit_problem("u * i", {{"u", "V"}, {"i", "A"}}, "V"),
              HasSubstr("goes with A^0, and its unit with A^-1"));
  EXPECT_THAT(unit_problem("v * t", {{"v", "m/s"}, {"t", "s"}}, "m/s"), HasSubstr("s^-1"));
  EXPECT_THAT(unit_problem("u + i", {{"u", "V"}, {"i", "A"}}, "V"), HasSubstr("different units"));
  EXPECT_THAT(unit_problem("x + 1", {{"x", "m"}}, "m"), HasSubstr("\"m\""));
  EXPECT_THAT(unit_problem("x > 3", {{"x", "m"}}, "1"), HasSubstr("different units"));
  EXPECT_THAT(unit_problem("x > 1e6", {{"x", "m"}}, "1"), HasSubstr("different units"));
  EXPECT_THAT(unit_problem("a > b", {{"a", "m"}, {"b", "s"}}, "1"), HasSubstr("different units"));
  EXPECT_THAT(unit_problem("max(a, b)", {{"a", "m"}, {"b", "s"}}, "m"),
              HasSubstr("different units"));
  EXPECT_THAT(unit_problem("exp(t)", {{"t", "s"}}, "1"), HasSubstr("different units"));
  EXPECT_THAT(unit_problem("sin(f * t)", {{"f", "Hz"}, {"t", "s"}}, "1"), HasSubstr("cycle"))
      << "a cycle is 2 pi, and no number";
  EXPECT_THAT(unit_problem("2", {}, "W"), HasSubstr("kg^0"));
  EXPECT_THAT(unit_problem("x > y ? x : 3", {{"x", "m"}, {"y", "m"}}, "m"),
              HasSubstr("different units"));
}

TEST(UnitInBase, IsAProductOfBaseUnits) {
  const auto words = [](const std::string& unit) {
    const auto made = unit_in_base(unit);
    if (!made) return made.error().message;
    std::string all = fmt::format("{:g}", made->to_base.factor);
    for (const auto& [base, power] : made->powers) all += fmt::format(" {}{}", base, power);
    return all;
  };
  EXPECT_EQ(words("kN"), "1000 kg1 m1 s-2");
  EXPECT_EQ(words("1"), "1");
  EXPECT_EQ(words("%"), "0.01");
  EXPECT_EQ(words("V"), "1 A-1 kg1 m2 s-3");
  EXPECT_EQ(words("rad/s"), "1 s-1");
  EXPECT_EQ(words("kHz"), "1000 cycle1 s-1");
  EXPECT_EQ(words("furlong per banana"), "\"furlong per banana\" is not a unit");
  EXPECT_THAT(words("lg(re 1 mW)"), HasSubstr("is not a"));
  const auto celsius = unit_in_base("degC");
  ASSERT_TRUE(celsius);
  EXPECT_DOUBLE_EQ(celsius->to_base.offset, 273.15);
  EXPECT_DOUBLE_EQ(celsius->to_base.factor, 1);
}

}  // namespace
}  // namespace hild::test
