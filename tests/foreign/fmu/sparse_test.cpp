// SPDX-License-Identifier: Apache-2.0
/// \file
/// FMUs of many states that say on which each derivative depends: the rod, beside the native model
/// of the same equations and beside its modes. No Jacobian and no matrix has a place for each two
/// states.
#include <gtest/gtest.h>

#include "foreign/fmu/altered.hpp"
#include "hild/numerics/catalogue.hpp"
#include "support/rod.hpp"

namespace hild::testing {
namespace {

constexpr std::size_t n = 2000;
using Native = test::Rod<n>;

std::vector<const numerics::Method*> implicit_methods() {
  std::vector<const numerics::Method*> all;
  for (const numerics::Method* m : numerics::catalogue()) {
    if (m->implicit()) all.push_back(m);
  }
  return all;
}

std::vector<double> after_steps(model::Stepper& plant) {
  SimTime t{};
  for (int k = 0; k < 3; ++k, t += 1_ms) plant.step(t, 1_ms, std::array{0.25 * k});
  return {plant.states().begin(), plant.states().end()};
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

class Rod : public OfVersion {};

INSTANTIATE_TEST_SUITE_P(Sparse, Rod, ::testing::Values(2, 3));

TEST_P(Rod, DeclaredDependenciesAreTheStructure) {
  const auto rod = load_fmu("rod", GetParam());
  const numerics::Structure& structure = rod.description.structure;
  ASSERT_NE(structure.pattern, nullptr);
  EXPECT_EQ(structure.pattern->places(), Native::pattern.places());
  EXPECT_TRUE(load_fmu("van_der_pol", GetParam()).description.structure.dense);
}

// Its directional derivatives are exact, so that both solve the same systems.
TEST_P(Rod, StepsToTheBitAsTheNativeModel) {
  const auto rod = load_fmu("rod", GetParam());
  ASSERT_FALSE(implicit_methods().empty());
  for (const numerics::Method* m : implicit_methods()) {
    const auto here = after_steps(*model::make_stepper<Native>(*m));
    EXPECT_EQ(after_steps(*rod.make(*m)), here) << m->name;
    EXPECT_NE(here.back(), 1.0);
  }
}

// By 2^-26 of each element: the error of a step is that part of what the step moves the states by.
TEST_P(Rod, DifferencesStepAlike) {
  const auto rod = fmu::load(fmu_file("rod", GetParam()), {.differences = true});
  ASSERT_TRUE(rod);
  for (const numerics::Method* m : implicit_methods()) {
    const auto here = after_steps(*model::make_stepper<Native>(*m));
    EXPECT_LT(largest_difference(after_steps(*rod->make(*m)), here), 1e-6) << m->name;
  }
}

// x becomes x / (1 - h lambda), step by step, and nothing but the mode is ever there.
TEST(Sparse, AModeDecaysAsTheRecurrenceSays) {
  const auto rod = load_fmu("rod", 2);
  for (const std::string_view name : {"libe", "backward-euler"}) {
    for (const int m : {1, 37, 2000}) {
      const auto plant = rod.make(*numerics::find_method(name));
      const auto x = Native::mode(m);
      plant->set_initial(x);
      double by = 1;
      SimTime t{};
      for (int k = 0; k < 5; ++k, t += 1_ms) {
        plant->step(t, 1_ms, std::array{0.0});
        by /= 1 - 1e-3 * Native::lambda(m);
      }
      for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(plant->states()[i], by * x[i], 1e-12) << name;
    }
  }
}

// Of a few derivatives, nothing: they may depend on all. Of many: so does everything.
TEST(Sparse, WhatIsNotToldMayDependOnAll) {
  const std::string told = " dependencies=\"1 2\"";
  const auto layout_of = [](const std::string& description) {
    const auto d = fmu::parse(description);
    EXPECT_TRUE(d) << d.error().message;
    return std::move(fmu::layout_of(*d, fmu::Kind::model_exchange)->layout);
  };
  const auto one = layout_of(with(description_of("rod", 2), told, ""));
  ASSERT_NE(one.pattern, nullptr);
  EXPECT_EQ(one.pattern->entries(), 3 * n - 2 + n - 2);  // row 0 is full
  EXPECT_EQ(one.dependencies().colours(n), n);
  EXPECT_FALSE(one.description.structure.dense);  // its order puts that row last
  std::string none = description_of("rod", 2);
  for (std::size_t at = 0; (at = none.find(" dependencies=", at)) != none.npos;) {
    none.erase(at, none.find('"', none.find('"', at) + 1) + 1 - at);
  }
  const auto nothing = layout_of(none);
  EXPECT_EQ(nothing.pattern, nullptr);
  EXPECT_TRUE(nothing.description.structure.dense);
}

}  // namespace
}  // namespace hild::testing
