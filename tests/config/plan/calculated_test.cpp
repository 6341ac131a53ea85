// SPDX-License-Identifier: Apache-2.0
/// Calculated channels of a configuration: what they are, what they compute, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "config/plan/plan.hpp"
#include "config/sections.hpp"

namespace hild::config {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string motor_by_rk4 =
    "frame: {rate: 1 kHz}\nmodel: {type: dc-motor}\nintegrator: {method: rk-4}\n";

Result<Config> load_channels(const std::string& channels, const std::string& more = "") {
  return load_text(motor_by_rk4 + "calculated:\n" + channels + more, "rig.yaml");
}
std::string refused_channels(const std::string& channels, const std::string& more = "") {
  const auto read = load_channels(channels, more);
  return read ? "" : read.error().message;
}
double last_output(model::Stepper& plant, double t, std::vector<double> u) {
  std::vector<double> y(plant.description().outputs.size());
  plant.outputs(t, u, y);
  return y.back();
}

TEST(Calculated, AreTheLastOutputsOfTheModel) {
  auto read = load_channels(
      "  power: {formula: armature_voltage * state.current, unit: kW, where: {state.current: "
      "state:current}}\n"
      "  loss:  {formula: power - torque * shaft_speed, unit: W}\n");
  ASSERT_TRUE(read) << read.error().message;
  const auto outputs = read->model.description.outputs;
  const std::size_t own = outputs.size() - 2;
  EXPECT_EQ(outputs[own].name, "power");
  EXPECT_EQ(outputs[own].unit, "kW");
  EXPECT_EQ(outputs[own + 1].name, "loss");
  plan::Assembly assembly = plan::assemble(std::move(*read));
  ASSERT_EQ(assembly.plant->description().outputs.size(), own + 2);
  // A motor at rest, then with 2 A at 100 rad/s, at 24 V.
  assembly.plant->set_states(std::array{2.0, 100.0});
  std::vector<double> y(own + 2);
  assembly.plant->outputs(0, std::array{24.0, 0.0}, y);
  EXPECT_DOUBLE_EQ(y[own], 0.048);
  double torque = NAN;
  double speed = NAN;
  for (std::size_t i = 0; i < own; ++i) {
    if (outputs[i].name == "torque") torque = y[i];
    if (outputs[i].name == "shaft_speed") speed = y[i];
  }
  EXPECT_EQ(speed, 100);
  EXPECT_NEAR(y[own + 1], 48 - torque * 100, 1e-12) << "of a channel in kW, in W";
}
TEST(Calculated, ConvertsUnitsOnTheWay) {
  auto read =
      load_channels("  slip: {formula: limit - shaft_speed, unit: rpm, where: {limit: 2 rev/s}}\n");
  ASSERT_TRUE(read) << read.error().message;
  plan::Assembly assembly = plan::assemble(std::move(*read));
  assembly.plant->set_states(std::array{0.0, 2 * std::numbers::pi});
  EXPECT_NEAR(last_output(*assembly.plant, 0, {0, 0}), 60, 1e-12);
}
TEST(Calculated, KnowsTheTime) {
  auto read = load_channels(
      "  wave: {formula: amplitude * sin(2 * _pi * time / period), unit: mV, where: {amplitude: 3 "
      "V, period: 8 s}}\n");
  ASSERT_TRUE(read) << read.error().message;
  plan::Assembly assembly = plan::assemble(std::move(*read));
  EXPECT_NEAR(last_output(*assembly.plant, 2, {0, 0}), 3000, 1e-9);
  EXPECT_NEAR(last_output(*assembly.plant, 1, {0, 0}), 3000 / std::numbers::sqrt2, 1e-9);
}
// Where a formula gives no number, that is what is told, or what was declared in its place.
TEST(Calculated, TakesWhatIsDeclaredWhereThereIsNoNumber) {
  for (const bool declared : {false, true}) {
    auto read = load_channels("  ratio: {formula: torque / load_torque" +
                              std::string(declared ? ", otherwise: 7" : "") + "}\n");
    ASSERT_TRUE(read) << read.error().message;
    plan::Assembly assembly = plan::assemble(std::move(*read));
    const double ratio = last_output(*assembly.plant, 0, {0, 0});
    EXPECT_TRUE(declared ? ratio == 7 : std::isnan(ratio)) << ratio;
  }
}
TEST(Calculated, AreThoseOfTheReferenceToo) {
  auto read = load_channels("  twice: {formula: 2 * shaft_speed, unit: rad/s}\n");
  ASSERT_TRUE(read) << read.error().message;
  const auto system = plan::reference_system(*read);
  ASSERT_TRUE(system) << system.error().message;
  std::vector<double> y((*system)->description().outputs.size());
  (*system)->outputs(0, std::array{0.0, 21.0}, std::array{0.0, 0.0}, y);
  EXPECT_EQ(y.back(), 42);
}
TEST(Calculated, OfSeveralModelsSeeThemAll) {
  auto read = load_text(
      "frame: {rate: 1 kHz}\n"
      "models:\n"
      "  a: {type: spring-mass-damper, initial: {velocity: 3 m/s}, integrator: {method: rk-4}}\n"
      "  b: {type: spring-mass-damper, initial: {velocity: 1 m/s}, integrator: {method: rk-4}}\n"
      "calculated:\n"
      "  apart: {formula: \"v - w\", unit: m/s, where: {v: \"state:a.velocity\", w: "
      "\"state:b.velocity\"}}\n",
      "rig.yaml");
  ASSERT_TRUE(read) << read.error().message;
  plan::Assembly assembly = plan::assemble(std::move(*read));
  ASSERT_NE(assembly.plant->models(), nullptr);
  const std::vector<double> u(assembly.plant->description().inputs.size());
  EXPECT_EQ(last_output(*assembly.plant, 0, u), 2);
}
TEST(Calculated, CanBeWatchedAndWired) {
  const auto read = load_channels("  twice: {formula: 2 * shaft_speed, unit: rad/s}\n",
                                  "interlocks: {fast: {output: twice, max: 400 rad/s}}\n"
                                  "devices: {rig: {driver: sim}}\n"
                                  "outputs: {twice: {device: rig, channel: 0, range: -10 V..10 V, "
                                  "scale: 50 rad/s/V, safe: 0 V}}\n");
  EXPECT_TRUE(read) << read.error().message;
}

TEST(Calculated, AreToldByThePlan) {
  auto read = load_channels(
      "  twice: {formula: 2 * shaft_speed, unit: rpm}\n  half: {formula: twice / 4, unit: "
      "rad/s}\n");
  ASSERT_TRUE(read) << read.error().message;
  const plan::Plan plan = plan::make_plan(plan::assemble(std::move(*read)), {}, {});
  EXPECT_THAT(plan::to_text(plan), HasSubstr("  calculated       twice [rpm] = 2 * shaft_speed\n"
                                             "                   half [rad/s] = twice / 4\n"));
  EXPECT_THAT(plan::to_json(plan),
              HasSubstr(R"({"name":"half","formula":"twice / 4","unit":"rad/s"})"));
}

TEST(Calculated, RefusesWhatItCannotCompute) {
  EXPECT_THAT(refused_channels("  p: {formula: armature_voltage + shaft_speed, unit: V}\n"),
              AllOf(StartsWith("rig.yaml:5: calculated.p.formula: "), HasSubstr("of the unit V"),
                    HasSubstr("different units")));
  EXPECT_THAT(refused_channels("  p: {formula: armature_volts * 2, unit: V}\n"),
              AllOf(StartsWith("rig.yaml:5: calculated.p.formula: "), HasSubstr("armature_volts"),
                    HasSubstr("did you mean \"armature_voltage\"")));
  EXPECT_THAT(refused_channels("  p: {formula: \"2 *\", unit: V}\n"),
              HasSubstr("end of expression"));
  EXPECT_THAT(refused_channels("  p: {formula: armature_voltage, unit: volts per}\n"),
              HasSubstr("calculated.p.unit"));
  EXPECT_THAT(refused_channels("  p: {formula: current, unit: A}\n"), HasSubstr("output:current"));
  EXPECT_THAT(refused_channels("  p: {formula: q, unit: A, where: {q: output:curent}}\n"),
              AllOf(StartsWith("rig.yaml:5: calculated.p.where.q: "),
                    HasSubstr("did you mean \"current\"")));
  EXPECT_THAT(refused_channels("  p: {formula: q, unit: A, where: {q: 3 apples}}\n"),
              HasSubstr("calculated.p.where.q"));
  EXPECT_THAT(refused_channels("  p: {formula: q, unit: A, where: {q: 3 A, r: 4 A}}\n"),
              HasSubstr("does not use"));
  EXPECT_THAT(refused_channels("  shaft_speed: {formula: 1}\n"), HasSubstr("already"));
  EXPECT_THAT(refused_channels("  9p: {formula: 1}\n"), HasSubstr("letters"));
  EXPECT_THAT(refused_channels("  p: {formula: 2 * r}\n  r: {formula: 1}\n"),
              HasSubstr("channels before"));
  EXPECT_THAT(refused_channels("  p: {unit: V}\n"), HasSubstr("calculated.p"));
  EXPECT_THAT(refused_channels("  p: {formula: 1, otherwise: 3 V}\n"),
              HasSubstr("calculated.p.otherwise"));
  EXPECT_THAT(refused_channels("  p: {formula: 1, formel: 2}\n"), HasSubstr("formel"));
}
// Each by itself, so that what is wrong in one hides nothing of the others.
TEST(Calculated, TellsOfAllThatIsWrong) {
  EXPECT_THAT(refused_channels("  p: {formula: \"1 +\"}\n  q: {formula: armature_volts}\n"),
              AllOf(HasSubstr("rig.yaml:5:"), HasSubstr("rig.yaml:6:")));
}

// What only follows from a model that is unknown is not told.
TEST(Calculated, OfAnUnknownModelAreNotJudged) {
  const auto read = load_text(
      "frame: {rate: 1 kHz}\nmodel: {type: dc-moto}\nintegrator: {method: rk-4}\n"
      "calculated: {p: {formula: 2 * shaft_speed, unit: rpm}}\n",
      "rig.yaml");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message,
              AllOf(HasSubstr("dc-motor"), ::testing::Not(HasSubstr("calculated"))));
}

}  // namespace
}  // namespace hild::config
