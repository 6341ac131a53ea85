// SPDX-License-Identifier: Apache-2.0
/// A table as a model: what it says of itself, and what its outputs are.
#include "model/tabulated/tabulated.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// f = 2 a + 3 b + a b on a grid of 3 and 2 points, and g = a.
TableData plane() {
  TableData data;
  data.name = std::string_view("plane");
  data.axes = {{std::string_view("a"), std::string_view("V"), {0, 1, 3}},
               {std::string_view("b"), std::string_view("A"), {-1, 1}}};
  data.outputs = {{std::string_view("f"), std::string_view("W"), {-3, 3, -2, 6, 0, 12}},
                  {std::string_view("g"), std::string_view("V"), {0, 0, 1, 1, 3, 3}}};
  return data;
}

TEST(Tabulated, SaysWhatItTakesAndGives) {
  const auto tables = make_tabulated(plane());
  ASSERT_TRUE(tables) << tables.error().message;
  const Description& d = description_of(**tables);
  EXPECT_EQ(d.name, "plane");
  ASSERT_EQ(d.inputs.size(), 2U);
  EXPECT_EQ(d.inputs[1].name, "b");
  EXPECT_EQ(d.inputs[1].unit, "A");
  EXPECT_EQ(d.inputs[1].start, -1);
  ASSERT_EQ(d.outputs.size(), 2U);
  EXPECT_EQ(d.outputs[0].unit, "W");
  EXPECT_TRUE(d.states.empty());
  EXPECT_TRUE(d.parameters.empty());
  ASSERT_TRUE(d.feedthrough);
  EXPECT_EQ(d.feedthrough->size(), 4U) << "every output depends on every input at once";
}

// Linear between two points along each axis: a plane with a product is one there.
TEST(Tabulated, LooksItsOutputsUp) {
  const auto tables = make_tabulated(plane());
  ASSERT_TRUE(tables);
  const auto system = make_system(*tables);
  std::array<double, 2> y{};
  for (const double a : {2.0, 0.5, 3.0, 0.0, 1.0}) {
    for (const double b : {-1.0, 0.25, 1.0}) {
      system->outputs(0, {}, std::array{a, b}, y);
      EXPECT_NEAR(y[0], 2 * a + 3 * b + a * b, 1e-14) << a << " " << b;
      EXPECT_NEAR(y[1], a, 1e-15);
    }
  }
  system->outputs(0, {}, std::array{9.0, 0.0}, y);
  EXPECT_NEAR(y[1], 3, 1e-15) << "clamped";
  system->outputs(0, {}, std::array{std::nan(""), 0.0}, y);
  EXPECT_TRUE(std::isnan(y[0]));
}

TEST(Tabulated, HasNothingToAdvance) {
  const auto tables = make_tabulated(plane());
  ASSERT_TRUE(tables);
  const auto stepper = make_stepper(*tables, numerics::forward_euler);
  EXPECT_THAT(stepper->begin({}, Duration{1}).nodes, ElementsAre(0.0));
  stepper->step({}, Duration{1}, std::array{1.0, 1.0});
  EXPECT_TRUE(stepper->states().empty());
  std::array<double, 2> y{};
  stepper->outputs(1, std::array{1.0, 1.0}, y);
  EXPECT_NEAR(y[0], 6, 1e-15);
}

TEST(Tabulated, IsRefusedWithTheOutputsName) {
  TableData none = plane();
  none.axes.clear();
  EXPECT_THAT(make_tabulated(none).error().message, HasSubstr("found 0 axes, expected 1 to 3"));
  TableData short_one = plane();
  short_one.outputs[1].numbers.pop_back();
  EXPECT_THAT(make_tabulated(short_one).error().message,
              HasSubstr("g: found 5 values, expected 6"));
}

}  // namespace
}  // namespace hild::model
