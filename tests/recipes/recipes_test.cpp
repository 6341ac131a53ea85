// SPDX-License-Identifier: Apache-2.0
/// \file
/// What docs/CONTRIBUTING.md tells to write, taken from there letter by letter, is what it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <string>

#include "hild/io/device.hpp"
#include "hild/model/registry.hpp"
#include "hild/numerics/methods.hpp"
#include "hild/numerics/order_conditions.hpp"
#include "recipe_method.hpp"

namespace hild {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(HILD_SOURCE_DIR) + "/" + file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Without what a formatter may change.
std::string squeezed(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

// x' = (u - x)/tau from 0 with u = 1: after a step of h by forward Euler it is h/tau.
TEST(Recipes, AModelIsFoundAndSteps) {
  const model::Registration* const lag = model::find_model("lag");
  ASSERT_NE(lag, nullptr);
  const auto plant = lag->make(numerics::forward_euler);
  plant->system().set_parameter(0, 0.5);
  plant->step({0}, 1_ms, std::array{1.0});
  EXPECT_DOUBLE_EQ(plant->states()[0], 1e-3 / 0.5);
}

// Of second order, as it says: x' = x from 1 is 1 + h + h^2/2 after a step.
TEST(Recipes, AMethodKeepsItsOrder) {
  static_assert(numerics::order_conditions::hold(numerics::ralston2));
  static_assert(numerics::ralston2.order == 2);
  const auto plant = model::find_model("lag")->make(numerics::ralston2);
  plant->system().set_parameter(0, 1);
  plant->set_initial(std::array{1.0});
  plant->step({0}, 100_ms, std::array{0.0});
  EXPECT_NEAR(plant->states()[0], 1 - 0.1 + 0.005, 1e-15);
}

TEST(Recipes, ADriverIsFoundByItsName) { EXPECT_NE(io::find_driver("still"), nullptr); }

/// What docs/CONTRIBUTING.md shows from `begin` on is in that file.
void expect_shown(const std::string& begin, const std::string& file) {
  const std::string page = text_of("docs/CONTRIBUTING.md");
  const std::size_t at = page.find(begin);
  ASSERT_NE(at, std::string::npos);
  const std::string shown = page.substr(at, page.find("```", at) - at);
  EXPECT_NE(squeezed(text_of(file)).find(squeezed(shown)), std::string::npos) << shown;
}

// The entry that is shown is one of those there are.
TEST(Recipes, AKindOfFaultIsAnEntryLikeThoseThatThereAre) {
  expect_shown("    FaultKind{", "src/exec/fault_kinds.hpp");
}

// Of a model that is tested.
TEST(Recipes, APatternIsDeclaredAsThatOfThePlate) {
  expect_shown("  static inline const numerics::Pattern", "tests/support/plate.hpp");
}

}  // namespace
}  // namespace hild
