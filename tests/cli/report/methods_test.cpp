// SPDX-License-Identifier: Apache-2.0
#include "cli/report/methods.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/report/svg.hpp"
#include "cli/report/text.hpp"
#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/methods.hpp"

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
  const Style narrow{.utf8 = false, .colour = false, .width = 80};
  const Style wide{.utf8 = true, .colour = false, .width = 120};
  for (const Style& style : {narrow, wide}) expect_fits(methods_table(methods, style), style.width);
  for (const auto& p : methods) expect_fits(method_page(p, narrow), narrow.width);
  for (std::size_t i = 0; i < methods.size(); i += 5) {  // pages take long under a sanitizer
    expect_fits(method_page(methods[i], wide), wide.width);
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

boost::json::object details(const numerics::Method& m) {
  return method_details(analysis::properties(m));
}

std::vector<std::string> texts(const boost::json::value& list) {
  std::vector<std::string> all;
  for (const auto& one : list.as_array()) all.emplace_back(one.as_string());
  return all;
}

// Hairer and Wanner, Solving ODEs II, table IV.5.5.
TEST(MethodDetails, OfRadauAreItsStages) {
  for (const auto* m : {&numerics::radau_iia, &numerics::linear_radau_iia}) {
    const auto formulas = details(*m).at("formulas").as_array();
    ASSERT_EQ(formulas.size(), 2U) << m->name;
    EXPECT_EQ(formulas[0].at("at"), "1/3");
    EXPECT_EQ(texts(formulas[0].at("passes")), (std::vector<std::string>{"5/12", "-1/12"}));
    EXPECT_EQ(formulas[1].at("at"), "1");
    EXPECT_EQ(texts(formulas[1].at("passes")), (std::vector<std::string>{"3/4", "1/4"}));
  }
  EXPECT_THAT(method_page(analysis::properties(numerics::radau_iia), {}),
              testing::AllOf(HasSubstr("X0(1/3)    X + h (5/12 F0 - 1/12 F1)"),
                             HasSubstr("X(1)       X + h (3/4 F0 + 1/4 F1)"),
                             HasSubstr("1: 0, t: 0, t^2: 0, stiffly accurate: 0")));
}

// X = x + h (f + J (X - x)) with f at the inputs of the start, and of the end by Newton's method.
TEST(MethodDetails, OfBackwardEulerAreItsStageAndItsInputs) {
  const auto libe = details(numerics::libe);
  EXPECT_EQ(libe.at("family"), "linearly_implicit");
  EXPECT_EQ(libe.at("formulas").at(0).at("at"), "1");
  EXPECT_EQ(texts(libe.at("formulas").at(0).at("passes")), std::vector<std::string>{"1"});
  EXPECT_EQ(libe.at("nodes").at(0).to_number<double>(), 0);
  EXPECT_THAT(method_page(analysis::properties(numerics::libe), {}),
              HasSubstr("X + h (F0), with the inputs of 0"));
  EXPECT_THAT(method_page(analysis::properties(numerics::backward_euler), {}),
              Not(HasSubstr("with the inputs")));
}

TEST(MethodDetails, TellTheIterations) {
  EXPECT_EQ(details(numerics::backward_euler_1).at("iterations"), 1);
  EXPECT_EQ(details(numerics::backward_euler).at("iterations"), 3);
  EXPECT_FALSE(details(numerics::libe).contains("iterations"));
  EXPECT_THAT(method_page(analysis::properties(numerics::backward_euler_1), {}),
              HasSubstr("1 iteration a step"));
  EXPECT_THAT(method_page(analysis::properties(numerics::backward_euler_5), {}),
              HasSubstr("5 iterations a step"));
}

// With 5/12 mistaken for 1/2: 1/2 - 1/12 - 1/3 and 1/2 1/3 - 1/12 - (1/3)^2/2 of the first stage.
TEST(MethodDetails, LeaveWhatAConditionOfAStageMisses) {
  numerics::Method wrong = numerics::radau_iia;
  wrong.formulas[0].pass[0] = numerics::Rational(1, 2);
  std::vector<std::string> missed;
  for (const auto& c : conditions(wrong)) {
    if (c.residual != "0") missed.push_back(c.name + ": " + c.residual);
  }
  EXPECT_THAT(missed, testing::ElementsAre("1: 1/12", "t: 1/36"));
}

TEST(MethodDetails, HaveConditionsOfEveryMethodAndNothingIsLeftOfThem) {
  for (const auto* m : numerics::catalogue()) {
    const auto all = conditions(*m);
    EXPECT_FALSE(all.empty()) << m->name;
    if (m->rounded) continue;
    for (const auto& c : all) EXPECT_EQ(c.residual, "0") << m->name << " " << c.name;
  }
}

// As tests/numerics/stiffness_test.cpp derives it.
TEST(MethodPages, TellHowWrongAJacobianLibeBears) {
  EXPECT_THAT(method_page(analysis::properties(numerics::libe), {.width = 120}),
              testing::AllOf(HasSubstr("for e <= 1/2"), HasSubstr("2/(2e-1)")));
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
