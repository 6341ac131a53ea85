// SPDX-License-Identifier: Apache-2.0
#include "report/methods.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/methods.hpp"
#include "report/methods_words.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace hild::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<analysis::Properties> all() {
  std::vector<analysis::Properties> out;
  for (const auto* m : numerics::catalogue()) out.push_back(analysis::properties(*m));
  return out;
}

void expect_fits(const std::string& text, int width) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), width) << line;
  EXPECT_EQ(text.back(), '\n');
}

TEST(MethodWords, WriteFormulasAsThePapersDo) {
  EXPECT_EQ(formula_text(numerics::rtam3.formulas[1]), "X + h (17/24 F0 - 7/24 F-1 + 1/12 F-2)");
  EXPECT_EQ(formula_text(numerics::rtam3.formulas[2]), "X + h (-1/6 F0 + 10/9 F1 + 1/18 F-1)");
  EXPECT_EQ(formula_text(numerics::rtrk2.formulas[2]), "X + h (F1)");
  EXPECT_EQ(fraction(numerics::Rational(-3)), "-3");
  EXPECT_EQ(fraction(numerics::decimal("0.2370424600000001")), "0.2370424600000001");
}

TEST(MethodWords, TellPredictorFromCorrector) {
  EXPECT_EQ(result_name(numerics::am3, 1), "X1(1)");
  EXPECT_EQ(result_name(numerics::am3, 2), "X(1)");
  const auto all_conditions = conditions(numerics::am3);
  ASSERT_EQ(all_conditions.size(), 7U) << "two row sums; predictor to t, corrector to t^2";
  EXPECT_TRUE(std::ranges::is_sorted(all_conditions, {}, &NamedCondition::formula));
}

TEST(MethodPages, FitTheirWidth) {
  const auto methods = all();
  for (const int width : {80, 120}) {
    for (const bool utf8 : {false, true}) {
      const Style style{.utf8 = utf8, .colour = false, .width = width};
      expect_fits(methods_table(methods, style), width);
      for (const auto& p : methods) expect_fits(method_page(p, style), width);
    }
  }
}

TEST(MethodPages, ShowTheSourceWhereThereIsRoom) {
  const auto methods = all();
  EXPECT_THAT(methods_table(methods, {.width = 120}), HasSubstr("Howe eq. 17"));
  EXPECT_THAT(methods_table(methods, {.width = 80}), Not(HasSubstr("Howe")));
}

// A family that has no stability function yet is listed, with what is not known left open.
TEST(MethodPages, BearAMethodWithoutAnalysis) {
  numerics::Method other = numerics::forward_euler;
  other.name = "other";
  other.family = numerics::Family::multirate;
  const auto p = analysis::properties(other);
  EXPECT_FALSE(p.roots);
  EXPECT_THAT(methods_table(std::array{p}, {}), HasSubstr("other"));
  EXPECT_THAT(method_page(p, {}), HasSubstr("other: order 1"));
  const auto json = method_details(p);
  EXPECT_TRUE(json.at("error_coefficient").is_null());
  EXPECT_TRUE(json.at("stability").at("real").is_null());
  EXPECT_THAT(method_figures(p), testing::StartsWith("<svg"));
}

TEST(Svg, ScalesCurvesIntoTheirPanel) {
  const std::array panels{SvgPanel{"a < b", "x", "y", {{"line", {{0, 0}, {1, 2}}}}}};
  const std::string svg = svg_document("t & u", panels);
  EXPECT_THAT(svg, HasSubstr("<title>t &amp; u</title>"));
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  // The plot spans 70 ... 400 across and 40 ... 270 down.
  EXPECT_THAT(svg, HasSubstr("M70.00 270.00L400.00 40.00"));
}

TEST(Svg, LiftsThePenWhereAValueIsMissing) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::array panels{SvgPanel{"", "", "", {{"", {{0, 0}, {0.5, none}, {1, 1}}}}}};
  const std::string svg = svg_document("", panels);
  EXPECT_THAT(svg, HasSubstr("M70.00 270.00M400.00 40.00"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace hild::report
