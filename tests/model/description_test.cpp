// SPDX-License-Identifier: Apache-2.0
/// \file
/// What every built-in model must say of itself, and under which methods it can be made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "hild/core/units.hpp"
#include "hild/model/registry.hpp"
#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/methods.hpp"
#include "hild/numerics/methods/stiff.hpp"
#include "model/advance.hpp"

namespace hild::test {
namespace {

TEST(Registry, HasTheBuiltInModelsInOrder) {
  std::vector<std::string_view> names;
  for (const auto* m : model::models()) names.push_back(m->description.name);
  EXPECT_THAT(names, testing::ElementsAre("bouncing-ball", "dc-motor", "ferroresonance",
                                          "oscillator-line", "oscillator-load", "pendulum",
                                          "spring-mass-damper", "two-link-arm", "van-der-pol"));
  for (const auto name : names) EXPECT_EQ(model::find_model(name)->description.name, name);
  EXPECT_EQ(model::find_model("dc-moto"), nullptr);
  EXPECT_EQ(model::find_model(""), nullptr);
}

class Every : public testing::TestWithParam<const model::Registration*> {
 protected:
  [[nodiscard]] static const model::Description& description() { return GetParam()->description; }
};

template <class Table>
std::set<std::string_view> unique_names(const Table& table) {
  std::set<std::string_view> names;
  for (const auto& row : table) {
    EXPECT_FALSE(row.name.empty());
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " occurs twice";
    const auto factor = conversion_factor(row.unit, row.unit);
    EXPECT_TRUE(factor && *factor == 1) << row.name << ": " << row.unit;
  }
  return names;
}

TEST_P(Every, DescribesItselfCompletely) {
  const auto& d = description();
  EXPECT_FALSE(d.summary.empty());
  EXPECT_FALSE(d.states.empty());
  EXPECT_FALSE(d.outputs.empty());
  unique_names(d.states);
  unique_names(d.inputs);
  unique_names(d.outputs);
  unique_names(d.parameters);
  for (const auto& p : d.parameters) {
    EXPECT_LT(p.low, p.high) << p.name;
    EXPECT_GE(p.value, p.low) << p.name;
    EXPECT_LE(p.value, p.high) << p.name;
  }
}

TEST_P(Every, StartsAsItsDescriptionSays) {
  const auto plant = GetParam()->make(numerics::rk4);
  const auto& d = plant->description();
  EXPECT_EQ(d.name, description().name);
  ASSERT_EQ(plant->states().size(), d.states.size());
  for (std::size_t i = 0; i < d.states.size(); ++i) {
    EXPECT_EQ(plant->states()[i], d.states[i].start) << d.states[i].name;
  }
  for (std::size_t i = 0; i < d.parameters.size(); ++i) {
    EXPECT_EQ(plant->system().parameter(i), d.parameters[i].value) << d.parameters[i].name;
  }
}

// A derivative at the edge of what a parameter may be is still a number.
TEST_P(Every, HasFiniteDerivativesAtTheLimitsOfItsParameters) {
  const auto plant = GetParam()->make(numerics::rk4);
  const auto& d = plant->description();
  const std::vector<double> x(d.states.size(), 0.5);
  const std::vector<double> u(d.inputs.size(), 0.25);
  std::vector<double> dx(x.size());
  for (std::size_t i = 0; i < d.parameters.size(); ++i) {
    for (const double edge : {d.parameters[i].low, d.parameters[i].high}) {
      if (!std::isfinite(edge)) continue;
      plant->system().set_parameter(i, edge);
      plant->system().derivatives(0, x, u, dx);
      for (const double v : dx) EXPECT_TRUE(std::isfinite(v)) << d.parameters[i].name << edge;
    }
    plant->system().set_parameter(i, d.parameters[i].value);
  }
}

TEST_P(Every, RunsUnderEveryMethodFromItsStartAndAgain) {
  for (const auto* method : numerics::catalogue()) {
    // The load's pole at -1e6 1/s takes explicit methods to steps of AB-4's 0.3 us.
    const bool stiff = description().name == "oscillator-load" && !method->implicit();
    const Duration time = stiff ? 2_ms : 20_ms;
    const Duration step = stiff ? Duration{200} : 100_us;
    Advance a(description().name, *method);
    EXPECT_EQ(&a.plant().method(), method);
    a.run(time, step);
    const std::vector<double> reached(a.plant().states().begin(), a.plant().states().end());
    for (const double x : reached) EXPECT_TRUE(std::isfinite(x)) << method->name;
    a.plant().reset();
    Advance again(description().name, *method);
    again.run(time, step);
    EXPECT_TRUE(std::ranges::equal(again.plant().states(), reached)) << method->name;
    const auto start = a.plant().states();
    for (std::size_t i = 0; i < start.size(); ++i) {
      EXPECT_EQ(start[i], description().states[i].start) << method->name;
    }
  }
}

const auto name_of = [](const auto& info) {
  std::string name(info.param->description.name);
  std::erase(name, '-');
  return name;
};
INSTANTIATE_TEST_SUITE_P(Model, Every,
                         testing::ValuesIn(model::models().begin(), model::models().end()),
                         name_of);

TEST(CompiledTogether, WithTheMethodsAModelLists) {
  const auto together = [](std::string_view model, const numerics::Method& method) {
    return model::find_model(model)->make(method)->compiled_together();
  };
  EXPECT_TRUE(together("dc-motor", numerics::rtam2));
  EXPECT_TRUE(together("van-der-pol", numerics::ab2));
  EXPECT_FALSE(together("dc-motor", numerics::ab4));
  EXPECT_FALSE(together("pendulum", numerics::rk4));
  EXPECT_TRUE(together("oscillator-load", numerics::libe));
  EXPECT_TRUE(together("oscillator-load", numerics::backward_euler));
  EXPECT_FALSE(together("oscillator-load", numerics::radau_iia));
  EXPECT_FALSE(together("pendulum", numerics::libe));
}

}  // namespace
}  // namespace hild::test
