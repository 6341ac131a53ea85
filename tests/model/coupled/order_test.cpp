// SPDX-License-Identifier: Apache-2.0
/// An oscillator in two halves, x' = v and v' = -x, against cos t: halving the frame divides the
/// error by 2^k, where k is what the connections allow under a method of fourth order.
#include <gtest/gtest.h>

#include "model/coupled/couple.hpp"

namespace hild::testing {
namespace {

struct Case {
  const char* name;
  int degree;
  bool delayed;
  coupled::Rate first, second;
  bool overruns;
  int order;
};

constexpr double length = 6;

// So that steps are doubled; as often as before on a finer grid, for each time that passes.
void overrun_now_and_then(Rig& rig) {
  rig.plant.extra_of = [frame = rig.settings.grid.period()](std::int64_t step) {
    return step % 10 == 5 ? part(frame, 2.3) : Duration{};
  };
}

double error(const Case& c, std::int64_t rate, const numerics::Method& method) {
  const Grid grid = Grid::of_rate_hz(rate);
  auto plant = couple(grid,
                      {{.from = 1, .to = 0, .degree = c.degree, .delayed = c.delayed},
                       {.from = 0, .to = 1, .degree = c.degree}},
                      One{"x", model::make_stepper<Integral>(method), c.first},
                      One{"v", model::make_stepper<Integral>(method), c.second});
  plant->system().set_parameter(1, -1.0);
  Rig rig(std::move(plant), [](double) { return 99.0; });  // what nobody is to see
  rig.settings.grid = grid;
  rig.plant.set_initial(std::array{1.0, 0.0});
  if (c.overruns) overrun_now_and_then(rig);
  const exec::Outcome outcome = rig.run(static_cast<std::int64_t>(length) * rate);
  EXPECT_EQ(outcome.end, exec::End::duration);
  EXPECT_EQ(rig.statistics().doubled_steps.get() > 0, c.overruns);
  double largest = 0;
  for (std::size_t i = 0; i < rig.sampler.writes.size(); ++i) {
    const double t = seconds(i < rig.records.size() ? rig.records[i].t : SimTime{});
    // The last write of a step of slow models is of what they were when their step began.
    const int every = std::max(c.first.every, c.second.every);
    if (i >= rig.records.size() || rig.records[i].frame % every != 0) continue;
    largest = std::max(largest, std::abs(rig.sampler.writes[i].y[0] - std::cos(t)));
    largest = std::max(largest, std::abs(rig.sampler.writes[i].y[1] + std::sin(t)));
  }
  return largest;
}

class CoupledOrder : public ::testing::TestWithParam<Case> {};

TEST_P(CoupledOrder, IsThatOfTheConnections) {
  const Case& c = GetParam();
  const double coarse = error(c, 200, numerics::rk4);
  const double fine = error(c, 400, numerics::rk4);
  const double finer = error(c, 800, numerics::rk4);
  const double wanted = std::exp2(c.order);
  // Twice, so that a ratio met by chance is found out; 3 ms are not yet the limit.
  EXPECT_NEAR(coarse / fine, wanted, 0.12 * wanted) << coarse << " " << fine;
  EXPECT_NEAR(fine / finer, wanted, 0.08 * wanted) << fine << " " << finer;
}

INSTANTIATE_TEST_SUITE_P(
    All, CoupledOrder,
    ::testing::Values(Case{"Hold", 0, false, {}, {}, false, 1},
                      Case{"Linear", 1, false, {}, {}, false, 2},

                      Case{"HoldOverruns", 0, false, {}, {}, true, 1},
                      Case{"LinearOverruns", 1, false, {}, {}, true, 2},

                      Case{"HoldDelayed", 0, true, {}, {}, false, 1},
                      Case{"LinearDelayed", 1, true, {}, {}, false, 2},

                      Case{"LinearSubsteps", 1, false, {.substeps = 4}, {}, false, 2},

                      Case{"HoldSlow", 0, false, {.every = 4}, {}, false, 1},
                      Case{"LinearSlow", 1, false, {.every = 4}, {}, false, 2},

                      Case{"LinearSlowOverruns", 1, false, {.every = 4}, {}, true, 2},
                      Case{"LinearFastAndSlow", 1, false, {.substeps = 5}, {.every = 2}, false, 2}),
    [](const auto& one) { return std::string(one.param.name); });

/// y = t^3.
struct Cube {
  static constexpr std::string_view name = "cube";
  static constexpr std::string_view summary = "the third power of time";
  static constexpr std::array states{model::State{"time"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Cube>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 1; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0] * x[0] * x[0]; }
};

// x1 = t^4/4 and x2 = t^5/20, the integrals of t^3 and of x1. Both begin as flat as a connection
// does that knows one value yet and holds it: what is left is the order within.
double chain_error(int degree, coupled::Rate rate, bool delayed, std::int64_t frames,
                   bool overruns = false) {
  const Grid grid = Grid::of_rate_hz(frames);
  const auto integral = [] { return model::make_stepper<Integral>(numerics::rk4); };
  const auto connection = [&](std::size_t from, std::size_t to) {
    return coupled::Connection{.from = from, .to = to, .degree = degree, .delayed = delayed};
  };
  auto plant = couple(grid, {connection(0, 0), connection(1, 1)},
                      One{"t", model::make_stepper<Cube>(numerics::rk4)},
                      One{"x1", integral(), rate}, One{"x2", integral()});
  Rig rig(std::move(plant), [](double) { return 0.0; });
  rig.settings.grid = grid;
  if (overruns) overrun_now_and_then(rig);
  EXPECT_EQ(rig.run(2 * frames).end, exec::End::duration);
  EXPECT_EQ(rig.statistics().doubled_steps.get() > 0, overruns);
  return std::abs(rig.plant.states()[2] - 32.0 / 20);
}

TEST(CoupledChain, IsOfThirdOrderUnderQuadraticExtrapolation) {
  for (const coupled::Rate rate : {coupled::Rate{}, {.substeps = 3}, {.every = 4}}) {
    for (const bool delayed : {false, true}) {
      const auto error = [&](std::int64_t frames) { return chain_error(2, rate, delayed, frames); };
      const double coarse = error(100);
      const double fine = error(200);
      const double finer = error(400);
      EXPECT_NEAR(coarse / fine, 8, 1) << rate.substeps << rate.every << delayed;
      EXPECT_NEAR(fine / finer, 8, 0.5) << rate.substeps << rate.every << delayed;
    }
  }
}

// Histories are of times, not of frames: the quadratic goes through what was there, when it was.
TEST(CoupledChain, KeepsItsOrderOverDoubledSteps) {
  for (const coupled::Rate rate : {coupled::Rate{}, {.substeps = 3}, {.every = 4}}) {
    const auto error = [&](std::int64_t frames) {
      return chain_error(2, rate, false, frames, true);
    };
    const double coarse = error(100);
    const double fine = error(200);
    const double finer = error(400);
    EXPECT_NEAR(coarse / fine, 8, 1.2) << rate.substeps << rate.every;
    EXPECT_NEAR(fine / finer, 8, 0.6) << rate.substeps << rate.every;
  }
}

// Methods with history keep theirs from step to step.
TEST(CoupledMethods, KeepTheirOrderUnderConnectionsThatAllowIt) {
  const Case c{"", 1, false, {}, {}, false, 2};
  for (const numerics::Method* method : {&numerics::ab2, &numerics::rtam2, &numerics::heun}) {
    const double ratio = error(c, 400, *method) / error(c, 800, *method);
    EXPECT_NEAR(ratio, 4, 0.4) << method->name;
  }
}

}  // namespace
}  // namespace hild::testing
