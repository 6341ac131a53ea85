// SPDX-License-Identifier: Apache-2.0
/// Steps that are taken whole, each model by itself, against the passes of all in the order of
/// their nodes: whatever is connected to what, the bits are equal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hild/numerics/catalogue.hpp"
#include "model/coupled/couple.hpp"

namespace hild::testing {
namespace {

/// Two to six models of any rate, under any method that is not implicit, each fed by any of them or
/// by none.
std::unique_ptr<coupled::CoupledStepper> composed(unsigned seed) {
  Chance chance(seed);
  std::vector<const numerics::Method*> methods;
  for (const numerics::Method* m : numerics::catalogue()) {
    if (!m->implicit()) methods.push_back(m);
  }
  const std::size_t n = 2 + chance.below(5);
  std::vector<coupled::Part> parts;
  std::vector<std::unique_ptr<model::Stepper>> plants;
  std::vector<coupled::Connection> connections;
  for (std::size_t i = 0; i < n; ++i) {
    const numerics::Method& method = *methods[chance.below(methods.size())];
    coupled::Rate rate;
    if (chance.one_in(3)) rate.every = 2 + static_cast<int>(chance.below(4));
    if (rate.every == 1 && chance.one_in(3)) rate.substeps = 2 + static_cast<int>(chance.below(3));
    plants.push_back(model::make_stepper<Curved>(method));
    plants.back()->system().set_parameter(0, 100.0 + 37.0 * static_cast<double>(i));
    parts.push_back({Name("m" + std::to_string(i)), plants.back()->description(), &method, rate});
    if (chance.one_in(4)) continue;
    connections.push_back(connection_by(chance, n, i));
  }
  return std::make_unique<coupled::CoupledStepper>(
      std::make_shared<coupled::Composition>(std::move(parts), std::move(connections)),
      std::move(plants), kilohertz);
}

/// Forty frames, some of them doubled, in some of which an input is falsified.
std::vector<double> run(coupled::CoupledStepper& plant, unsigned seed, bool whole) {
  Chance chance(seed);
  std::vector<double> seen;
  for (std::int64_t frame = 0; frame < 40;) {
    const std::int64_t span = chance.one_in(5) ? 2 : 1;
    const SimTime t = SimTime{} + kilohertz.tick(frame);
    const Duration h = SimTime{} + kilohertz.tick(frame + span) - t;
    std::vector<double> u(plant.description().inputs.size(), 0.1 * static_cast<double>(frame));
    plant.models()->connect(t, u);
    if (chance.one_in(6)) u[chance.below(u.size())] = 2.0;
    if (whole) {
      static_cast<void>(plant.models()->step_connected(t, h, u));
    } else {
      const int passes = plant.begin(t, h).count();
      for (int i = 0; i < passes; ++i) plant.pass(i, u);
      plant.finish();
    }
    seen.insert(seen.end(), plant.states().begin(), plant.states().end());
    frame += span;
  }
  return seen;
}

TEST(WholeSteps, AreThoseOfThePassesWhateverIsComposed) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const auto whole = composed(seed);
    const auto by_passes = composed(seed);
    EXPECT_EQ(run(*whole, seed, true), run(*by_passes, seed, false)) << "seed " << seed;
  }
}

// Of which a starter's can be told, and how many there are.
TEST(WholeSteps, TellTheirPasses) {
  auto whole = couple(kilohertz, {}, One{"a", model::make_stepper<Curved>(numerics::ab3)},
                      One{"b", model::make_stepper<Curved>(numerics::rk4), {.substeps = 3}});
  auto by_passes = couple(kilohertz, {}, One{"a", model::make_stepper<Curved>(numerics::ab3)},
                          One{"b", model::make_stepper<Curved>(numerics::rk4), {.substeps = 3}});
  bool started = false;
  for (int n = 0; n < 6; ++n) {
    const SimTime t = SimTime{} + kilohertz.tick(n);
    std::vector<double> u(2, 1.0);
    whole->models()->connect(t, u);
    const model::Passes& passes = whole->models()->step_connected(t, 1_ms, u);
    by_passes->models()->connect(t, u);
    const model::Passes& expected = by_passes->begin(t, 1_ms);
    EXPECT_EQ(passes.nodes, expected.nodes) << n;
    EXPECT_EQ(passes.starting, expected.starting) << n;
    started = started || passes.starting;
    for (int i = 0; i < expected.count(); ++i) by_passes->pass(i, u);
    by_passes->finish();
    EXPECT_FALSE(n == 5 && passes.starting);
  }
  EXPECT_TRUE(started);
}

}  // namespace
}  // namespace hild::testing
