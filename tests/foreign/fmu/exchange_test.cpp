// SPDX-License-Identifier: Apache-2.0
/// \file
/// Model exchange against exact solutions, and against the native model of the same equations.
#include <cmath>
#include <numbers>

#include "foreign/fmu/fmus.hpp"
#include "hild/model/registry.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(Fmi, OfVersion, ::testing::Values(2, 3));

TEST_P(OfVersion, DescribesItself) {
  const auto vdp = load_fmu("van_der_pol", GetParam());
  const model::Description& d = vdp.description;
  EXPECT_EQ(d.name, "van_der_pol");
  ASSERT_EQ(d.states.size(), 2U);
  EXPECT_EQ(d.states[0].name, "x");
  EXPECT_EQ(d.states[0].start, 2);     // as the FMU starts
  EXPECT_EQ(d.states[1].unit, "s-1");  // "per second" in base units
  ASSERT_EQ(d.inputs.size(), 1U);
  EXPECT_EQ(d.inputs[0].name, "drive");
  EXPECT_EQ(d.inputs[0].unit, "m/s2");
  EXPECT_EQ(d.outputs.size(), 2U);
  ASSERT_EQ(d.parameters.size(), 1U);
  EXPECT_EQ(d.parameters[0].value, 1);
  EXPECT_EQ(d.parameters[0].low, 0);
  EXPECT_EQ(d.parameters[0].high, model::unlimited);
}

// The kernel is one, and so is the formula: equal to the bit, under every explicit method.
TEST_P(OfVersion, StepsAsTheNativeModelDoes) {
  const auto vdp = load_fmu("van_der_pol", GetParam());
  const auto* native = model::find_model("van-der-pol");
  for (const numerics::Method* m : numerics::catalogue()) {
    if (m->implicit()) continue;
    const auto one = vdp.make(*m);
    const auto other = native->make(*m);
    one->system().set_parameter(0, 1.5);
    other->system().set_parameter(0, 1.5);
    one->set_initial(std::array{1.0, 0.5});
    other->set_initial(std::array{1.0, 0.5});
    const std::array u{0.25};
    SimTime t{};
    for (int n = 0; n < 40; ++n, t += 10_ms) {
      one->step(t, 10_ms, u);
      other->step(t, 10_ms, u);
    }
    EXPECT_TRUE(std::ranges::equal(one->states(), other->states())) << m->name;
    // Outputs of a state within the step; the FMU then goes on from where it was.
    std::array<double, 2> y{};
    std::array<double, 2> expected{};
    const std::array x{0.3, 0.7};
    one->system().outputs(0.395, x, u, y);
    other->system().outputs(0.395, x, u, expected);
    EXPECT_EQ(y, expected);
    one->step(t, 10_ms, u);
    other->step(t, 10_ms, u);
    EXPECT_TRUE(std::ranges::equal(one->states(), other->states())) << m->name;
    EXPECT_NE(one->states()[0], 1.0);
  }
}

// By directional derivatives exact, by differences to what those are worth.
TEST_P(OfVersion, JacobiansAreMadeEitherWay) {
  const std::array x{1.3, 0.7};
  const std::array exact{0.0, -2 * 1.3 * 0.7 - 1, 1.0, 1 - 1.3 * 1.3};  // by columns
  for (const bool differences : {false, true}) {
    const auto loaded =
        fmu::load(fmu_file("van_der_pol", GetParam()), {.differences = differences});
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_TRUE(loaded->jacobian.starts_with(differences ? "differences" : "directional"))
        << loaded->jacobian;
    const auto plant = loaded->make(numerics::backward_euler);
    std::array<double, 4> j{};
    ASSERT_TRUE(plant->system().jacobian(0, x, std::array{0.25}, {j.data(), 2, numerics::dense}));
    double worst = 0;
    for (std::size_t i = 0; i < 4; ++i) worst = std::max(worst, std::abs(j[i] - exact[i]));
    if (differences) {
      EXPECT_GT(worst, 1e-15);
      EXPECT_LT(worst, 1e-6);
    } else {
      EXPECT_LT(worst, 1e-15);
    }
  }
}

TEST_P(OfVersion, ImplicitMethodsAgreeWithTheNativeModel) {
  for (const bool differences : {false, true}) {
    const auto vdp = *fmu::load(fmu_file("van_der_pol", GetParam()), {.differences = differences});
    for (const numerics::Method* m : numerics::catalogue()) {
      if (!m->implicit()) continue;
      const auto one = vdp.make(*m);
      const auto other = model::find_model("van-der-pol")->make(*m);
      one->set_initial(std::array{1.0, 0.5});
      other->set_initial(std::array{1.0, 0.5});
      SimTime t{};
      for (int n = 0; n < 40; ++n, t += 10_ms) {
        one->step(t, 10_ms, std::array{0.25});
        other->step(t, 10_ms, std::array{0.25});
      }
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(one->states()[i], other->states()[i], 1e-7) << m->name;
      }
    }
  }
}

TEST_P(OfVersion, OutputsThatAreStatesAreThose) {
  const auto plant = load_fmu("van_der_pol", GetParam()).make(numerics::rk4);
  SimTime t{};
  std::array<double, 2> y{};
  for (int n = 0; n < 3; ++n, t += 10_ms) {
    const int passes = plant->begin(t, 10_ms).count();
    for (int i = 0; i < passes; ++i) {
      ASSERT_TRUE(plant->pass_outputs(i, std::array{0.5}, y));
      plant->pass(i, std::array{0.5});
    }
    EXPECT_NE(y[0], plant->states()[0]);  // of the last stage
    plant->finish();
    plant->outputs(seconds(t + 10_ms), std::array{0.5}, y);
    EXPECT_EQ(y[0], plant->states()[0]);
    EXPECT_EQ(y[1], plant->states()[1]);
  }
}

TEST_P(OfVersion, ResetsToItsInitialStates) {
  const auto plant = load_fmu("van_der_pol", GetParam()).make(numerics::rk4);
  plant->set_initial(std::array{1.0, 0.5});
  plant->step({}, 10_ms, std::array{0.0});
  const double after = plant->states()[0];
  plant->reset();
  EXPECT_EQ(plant->states()[0], 1.0);
  plant->step({}, 10_ms, std::array{0.0});
  EXPECT_EQ(plant->states()[0], after);
}

TEST_P(OfVersion, TunableParametersChangeWhileRunning) {
  const auto plant = load_fmu("van_der_pol", GetParam()).make(numerics::rk4);
  const auto native = model::find_model("van-der-pol")->make(numerics::rk4);
  for (auto* p : {plant.get(), native.get()}) {
    p->set_initial(std::array{1.0, 0.5});
    p->step({}, 10_ms, std::array{0.0});
    p->system().set_parameter(0, 3.0);
    p->step(SimTime{10'000'000}, 10_ms, std::array{0.0});
  }
  EXPECT_TRUE(std::ranges::equal(plant->states(), native->states()));
}

/// Height and speed of the ball after `bounces` impacts, at t.
struct Flight {
  double height, speed;
};
Flight exact_flight(double t, double g, double e, int& bounces) {
  double speed = 0;
  double height = 1;
  double left = t;
  double until = std::sqrt(2 * height / g);
  bounces = 0;
  while (left > until) {
    left -= until;
    speed = e * (g * until - speed);  // upwards
    height = 0;
    until = 2 * speed / g;
    ++bounces;
  }
  return {height + speed * left - g * left * left / 2, speed - g * left};
}

TEST_P(OfVersion, BallBouncesAsTheExactSolution) {
  for (const auto* m : {&numerics::rk4, &numerics::rtrk3, &numerics::ode45}) {
    Rig rig(load_fmu("bouncing_ball", GetParam()).make(*m), [](double) { return 0.0; });
    rig.run(2500);
    int bounces = 0;
    const Flight exact = exact_flight(2.5, 9.80665, 0.8, bounces);
    ASSERT_GT(bounces, 3);
    EXPECT_EQ(output(rig.plant, "impacts", 2.5, {}), bounces) << m->name;
    // Simulated time is in whole nanoseconds, and so are impacts.
    const double off = 1e-9 * bounces * 9.80665 * (1 + 0.8);
    EXPECT_NEAR(rig.plant.states()[0], exact.height, off) << m->name;
    EXPECT_NEAR(rig.plant.states()[1], exact.speed, off) << m->name;
    EXPECT_EQ(rig.statistics().state_events.get(), bounces) << m->name;
  }
}

// The slope is k from 0.1 k to 0.1 (k + 1): at 1 s the sum of 0.1 k below 10.
TEST_P(OfVersion, TimeEventsComeAtTheirTime) {
  Rig rig(load_fmu("stairs", GetParam()).make(numerics::rtam2), [](double) { return 0.0; });
  rig.settings.grid = Grid::of_period(30_ms);  // no event on a tick but every third
  rig.run(40);
  EXPECT_EQ(output(rig.plant, "count", 1.2, {}), 12);
  double exact = 0;
  for (int k = 0; k < 12; ++k) exact += 0.1 * k;
  EXPECT_NEAR(rig.plant.states()[0], exact, 1e-12);
  EXPECT_EQ(rig.statistics().time_events.get(), 12);
}

TEST_P(OfVersion, DiscreteInputsChangeInEventModeOnly) {
  const auto loaded = load_fmu("feedthrough", GetParam());
  const auto plant = loaded.make(numerics::forward_euler);
  const auto& d = plant->description();
  std::vector<double> u;
  for (const auto& input : d.inputs) u.push_back(input.start);
  const auto out = [&](std::string_view name) { return output(*plant, name, 0, u); };
  EXPECT_EQ(out("real out"), 0.5);
  EXPECT_EQ(out("bool out"), 1);
  const double events = out("events");

  // A continuous input needs no event, and every discrete one its own change.
  u[place_of(d.inputs, "real in")] = 0.75;
  plant->step({}, 1_ms, u);
  EXPECT_EQ(out("real out"), 0.75);
  EXPECT_EQ(out("events"), events);
  for (std::size_t i = 0; i < d.inputs.size(); ++i) {
    if (d.inputs[i].name == "real in") continue;
    u[i] = d.inputs[i].name == "bool in" ? 0 : d.inputs[i].start + 2;
  }
  plant->step(SimTime{1'000'000}, 1_ms, u);
  EXPECT_EQ(out("events"), events + 1);
  for (const auto& input : d.inputs) {
    std::string name(input.name);
    name.replace(name.find(" in"), 3, " out");
    EXPECT_EQ(out(name), u[place_of(d.inputs, input.name)]) << name;
  }
  plant->step(SimTime{2'000'000}, 1_ms, u);
  EXPECT_EQ(out("events"), events + 1);
}

// Each type of 3.0 to its bounds, which no other type of the same width or sign holds; whole
// numbers of 64 bits as far as doubles tell them apart.
TEST(Exchange, EveryTypeGoesThrough) {
  const auto plant = load_fmu("feedthrough", 3).make(numerics::forward_euler);
  const auto& d = plant->description();
  EXPECT_EQ(d.inputs.size(), 12U);  // neither bytes nor clocks
  EXPECT_EQ(d.outputs.size(), 14U);
  struct Through {
    const char* type;
    double low, high;
  };
  SimTime t{};
  for (const auto& [type, low, high] : {Through{"Int8", -0x1p7, 0x1p7 - 1},
                                        {"UInt8", 0, 0x1p8 - 1},
                                        {"Int16", -0x1p15, 0x1p15 - 1},
                                        {"UInt16", 0, 0x1p16 - 1},
                                        {"Int32", -0x1p31, 0x1p31 - 1},
                                        {"UInt32", 0, 0x1p32 - 1},
                                        {"Int64", -0x1p63, 0x1p63 - 1024},
                                        {"UInt64", 0, 0x1p63 - 1024},
                                        {"choice", -0x1p53, 0x1p53},
                                        {"bool", 0, 1},
                                        {"step", -0.5, 0x1.fffffep127}}) {
    for (const double value : {low, high}) {
      std::vector<double> u(d.inputs.size());
      u[place_of(d.inputs, fmt::format("{} in", type))] = value;
      plant->step(t, 1_ms, u);
      t += 1_ms;
      EXPECT_EQ(output(*plant, fmt::format("{} out", type), seconds(t), u), value) << type;
    }
  }
}

TEST_P(OfVersion, FixedParametersWaitForTheNextStart) {
  const auto plant = load_fmu("feedthrough", GetParam()).make(numerics::forward_euler);
  const auto& d = plant->description();
  EXPECT_EQ(d.parameters.size(), 2U);  // a string is none
  std::vector<double> u;
  for (const auto& input : d.inputs) u.push_back(input.start);
  const auto sum = [&] {
    plant->step({}, 1_ms, u);
    return output(*plant, "sum", 0, u);
  };
  EXPECT_EQ(sum(), 11);
  plant->system().set_parameter(place_of(d.parameters, "tunable"), 20);
  EXPECT_EQ(sum(), 21);
  plant->system().set_parameter(place_of(d.parameters, "fixed"), 2);
  EXPECT_EQ(sum(), 21);
  plant->reset();
  EXPECT_EQ(sum(), 22);
}

// x'' = -x + u from x = (1, 0): the arrays of 3.0, element by element.
TEST(Exchange, ArraysAreFlattened) {
  const auto loaded = load_fmu("state_space", 3);
  const auto& d = loaded.description;
  ASSERT_EQ(d.states.size(), 2U);
  EXPECT_EQ(d.states[1].name, "x[2]");
  EXPECT_EQ(d.parameters.size(), 6U);
  EXPECT_EQ(d.parameters[place_of(d.parameters, "A[2,1]")].value, -1);
  const auto plant = loaded.make(numerics::rk4);
  SimTime t{};
  for (int n = 0; n < 100; ++n, t += 10_ms) plant->step(t, 10_ms, std::array{0.0});
  EXPECT_NEAR(plant->states()[0], std::cos(1.0), 1e-9);
  EXPECT_NEAR(plant->states()[1], -std::sin(1.0), 1e-9);
  // Four times stiffer, and pushed: x = 1/4 + (cos 1 - 1/4) cos 2t' - sin 1 / 2 sin 2t'.
  plant->system().set_parameter(place_of(d.parameters, "A[2,1]"), -4);
  for (int n = 0; n < 50; ++n, t += 10_ms) plant->step(t, 10_ms, std::array{1.0});
  EXPECT_NEAR(plant->states()[0],
              0.25 + (std::cos(1.0) - 0.25) * std::cos(1.0) - std::sin(1.0) / 2 * std::sin(1.0),
              1e-7);
}

// Three decays of their own in the place of a turn of two; and again after a reset, which takes an
// FMU back to its defaults.
TEST(Exchange, ArraysTakeTheSizesOfTheConfiguration) {
  const auto loaded = fmu::load(fmu_file("state_space", 3), {.structure = {{"n", 3}}});
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto& d = loaded->description;
  ASSERT_EQ(d.states.size(), 3U);
  EXPECT_EQ(d.outputs.size(), 3U);
  ASSERT_EQ(d.parameters.size(), 12U);
  // What the description has for two by two is what it is said to be: row by row, the last goes on.
  EXPECT_EQ(d.parameters[place_of(d.parameters, "A[1,3]")].value, -1);
  EXPECT_EQ(d.parameters[place_of(d.parameters, "A[2,3]")].value, 0);
  const auto plant = loaded->make(numerics::rk4);
  std::array<double, 3> dx{};
  plant->system().derivatives(0, std::array{1.0, 2.0, 4.0}, std::array{0.0}, dx);
  EXPECT_EQ(dx, (std::array{2.0 - 4.0, 0.0, 0.0}));  // so it is in the FMU, too
  for (const char* one : {"A[1,2]", "A[1,3]"})
    plant->system().set_parameter(place_of(d.parameters, one), 0);
  for (const int i : {1, 2, 3}) {
    plant->system().set_parameter(place_of(d.parameters, fmt::format("A[{0},{0}]", i)), -i);
  }
  plant->set_initial(std::array{1.0, 2.0, 3.0});
  for (int again = 0; again < 2; ++again) {
    SimTime t{};
    for (int n = 0; n < 100; ++n, t += 10_ms) plant->step(t, 10_ms, std::array{0.0});
    for (const int i : {1, 2, 3}) {
      EXPECT_NEAR(plant->states()[static_cast<std::size_t>(i) - 1], i * std::exp(-i), 1e-8);
    }
    plant->reset();
  }
}

}  // namespace
}  // namespace hild::testing
