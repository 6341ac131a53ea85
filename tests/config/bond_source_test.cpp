// SPDX-License-Identifier: Apache-2.0
/// Bonds as models of a configuration, and what is refused with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/sections.hpp"
#include "fakes.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::config {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Result<Config> load_bond(const std::string& bond, const std::string& more = "") {
  return load_text("frame: {rate: 3 kHz}\nmodel: {bond: {" + bond + "}}\n" + more, "rig.yaml");
}
std::string problem(const std::string& bond, const std::string& more = "") {
  const auto read = load_bond(bond, more);
  return read ? "" : read.error().message;
}

TEST(BondSource, ConvertsTheUnitsOfItsStiffness) {
  const auto read = load_bond("effort: kN, displacement: mm, stiffness: 4e5 N/m");
  ASSERT_TRUE(read) << read.error().message;
  const model::Description& d = read->model.description;
  EXPECT_EQ(d.inputs[0].unit, "mm/s");
  EXPECT_EQ(d.outputs[0].unit, "kN");
  EXPECT_EQ(d.outputs[1].unit, "J") << "kN mm";
  ASSERT_EQ(d.parameters.size(), 1U);
  EXPECT_EQ(d.parameters[0].unit, "kN/mm");
  EXPECT_NEAR(d.parameters[0].value, 0.4, 1e-15);
  EXPECT_EQ(read->method, "forward-euler") << "of one pass, in which there is nothing to integrate";
}
// Of a shaft, of a cable: N m rad and V C are joules. K W is none.
TEST(BondSource, GivesEnergyInJoulesWhereItIsOne) {
  const auto shaft = load_bond("effort: N m, displacement: rad, stiffness: 1 N m/deg");
  ASSERT_TRUE(shaft) << shaft.error().message;
  EXPECT_EQ(shaft->model.description.outputs[1].unit, "J");
  EXPECT_EQ(shaft->model.description.inputs[1].unit, "rad/s");
  EXPECT_NEAR(shaft->model.description.parameters[0].value, 57.295779513082, 1e-9);
  const auto cable = load_bond("effort: V, displacement: C, stiffness: 2 V/(mA s)");
  ASSERT_TRUE(cable) << cable.error().message;
  EXPECT_EQ(cable->model.description.outputs[1].unit, "J");
  const auto heat = load_bond("effort: K, displacement: J, stiffness: 1 K/J");
  ASSERT_TRUE(heat) << heat.error().message;
  EXPECT_EQ(heat->model.description.outputs[1].unit, "K J");
}

// The wave of an end at rest after a step of a frame is K times the delay times 2 f h / h.
TEST(BondSource, AnEndHasTheDelayOfTwoFramesUnlessOneIsGiven) {
  const auto wave = [](const Config& config) {
    const auto stepper = config.model.make(*numerics::find_method("forward-euler"));
    stepper->reset();
    stepper->step({}, {333'333}, std::array{1.0, 0.0});
    std::array<double, 3> y{};
    stepper->outputs(0, std::array{1.0, 0.0}, y);
    return y[2];
  };
  const std::string end = "effort: N, displacement: m, stiffness: 3 N/m, end: a";
  const auto usual = load_bond(end);
  const auto given = load_bond(end + ", delay: 5 ms");
  ASSERT_TRUE(usual && given);
  EXPECT_NEAR(wave(*usual), 2 * 3 * 2.0 / 3000, 1e-8);
  EXPECT_NEAR(wave(*given), 2 * 3 * 5e-3, 1e-7);
  EXPECT_EQ(usual->model.type, "bond-end");
}

TEST(BondSource, RefusesWithPlaceAndExpectation) {
  const std::string spring = "effort: N, displacement: m, ";
  EXPECT_THAT(problem(spring + "stiffness: 0 N/m"),
              AllOf(StartsWith("rig.yaml:2"), HasSubstr("stiffness"), HasSubstr("more than 0")));
  EXPECT_THAT(problem(spring + "stiffness: 1 N/s"), HasSubstr("N/m"));
  EXPECT_THAT(problem("effort: N, displacement: metre stick, stiffness: 1"),
              AllOf(HasSubstr("model.bond.displacement"), HasSubstr("a unit, rad say")));
  EXPECT_THAT(problem("displacement: m, stiffness: 1 N/m"), HasSubstr("effort"));
  EXPECT_THAT(problem(spring + "stiffness: 1 N/m, delay: 1 ms"),
              HasSubstr("both its ends here, whose delay is a frame; leave it out"));
  EXPECT_THAT(problem(spring + "stiffness: 1 N/m, end: a, delay: 0 s"),
              HasSubstr("a time above 0"));
  EXPECT_THAT(problem(spring + "stiffness: 1 N/m, end: c"), HasSubstr("both"));
  EXPECT_THAT(problem(spring + "stiffness: 1 N/m, damping: 3"), HasSubstr("damping"));
  EXPECT_THAT(problem(spring + "stiffness: 1 N/m", "integrator: {method: rk-4}\n"),
              HasSubstr("a bond, which has nothing to integrate"));
}
TEST(BondSource, RefusesARateOfItsOwnAndAProcess) {
  const auto of_several = [](const std::string& key) {
    const auto read = load_text(
        "frame: {rate: 1 kHz}\nmodels:\n  rod: {bond: {effort: N, displacement: m, stiffness: 1 "
        "N/m}, " +
            key + "}\n",
        "rig.yaml");
    return read ? "" : read.error().message;
  };
  EXPECT_THAT(of_several("every: 2"), AllOf(StartsWith("rig.yaml:3"), HasSubstr("a step a frame")));
  EXPECT_THAT(of_several("substeps: 2"), HasSubstr("beside `bond`"));
  EXPECT_THAT(of_several("process: own"), HasSubstr("beside `bond`, which has no code"));
}

}  // namespace
}  // namespace hild::config
