// SPDX-License-Identifier: Apache-2.0
/// Every method keeps its order in the loop: with every tenth step an overrun that is cured by a
/// doubled step, with late samples, driven by an input, and from a start without history.
/// Expectations are exact solutions: halving the frame divides the error by 2^order.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/fakes.hpp"
#include "exec/plants.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::testing {
namespace {

/// x' = -x + u with u = 2 + sin(3 t), x(0) = 1; the exact solution by variation of constants.
double input(double t) { return 2 + std::sin(3 * t); }
double exact(double t) {
  const double particular = (std::sin(3 * t) - 3 * std::cos(3 * t)) / 10;
  return 2 + particular + (1 - 2 + 0.3) * std::exp(-t);
}

struct Measured {
  double error = 0;
  std::int64_t doubled = 0;
  std::int64_t late_samples = 0;
};

/// Simulates 4 s; with `overruns`, every tenth step takes 2.3 frames and the next is doubled. The
/// error is the largest of all outputs written, each against the time it belongs to.
template <class Model>
Measured measure(const numerics::Method& method, exec::Sampling sampling, std::int64_t rate,
                 bool overruns, double (*solution)(double)) {
  Rig rig(model::make_stepper<Model>(method), input);
  rig.settings.grid = Grid::of_rate_hz(rate);
  rig.settings.sampling = sampling;
  rig.settings.extrapolation = 2;
  std::vector<double> initial(Model::states.size(), 0.0);
  initial[0] = 1;
  rig.plant.set_initial(initial);
  const Duration frame = rig.settings.grid.period();
  if (overruns) {
    rig.plant.extra_of = [=](std::int64_t step) {
      return step % 10 == 5 ? part(frame, 2.3) : Duration{};
    };
  }
  rig.run(4 * rate);
  EXPECT_EQ(rig.statistics().sim_time_ns.get(), 4'000'000'000);
  double error = 0;
  for (std::size_t i = 0; i < rig.records.size(); ++i) {
    const double y = rig.sampler.writes[i].y[0];
    error = std::max(error, std::abs(y - solution(seconds(rig.records[i].t))));
  }
  return {error, rig.statistics().doubled_steps.get(), rig.statistics().late_samples.get()};
}

struct OrderCase {
  const numerics::Method* method;
  exec::Sampling sampling;
  bool overruns;
};

std::string order_name(const ::testing::TestParamInfo<OrderCase>& info) {
  std::string name(info.param.method->name);
  std::erase_if(name, [](char c) { return c == '-' || c == '/'; });
  name += info.param.sampling == exec::Sampling::stage ? "_stage" : "_extrapolate";
  return name + (info.param.overruns ? "_overruns" : "");
}

class Order : public ::testing::TestWithParam<OrderCase> {};

std::vector<OrderCase> cases() {
  std::vector<OrderCase> all;
  for (const auto* m : numerics::catalogue()) {
    for (const bool overruns : {false, true}) {
      const auto sampling = m->real_time() ? exec::Sampling::stage : exec::Sampling::extrapolate;
      all.push_back({m, sampling, overruns});
    }
  }
  return all;
}

/// A quadratic through the newest inputs gives three orders. In the first step there is but one
/// sample, and a first pass that lies ahead of it can only hold that: two orders.
int attainable(const OrderCase& c) {
  if (c.sampling != exec::Sampling::extrapolate) return c.method->order;
  return std::min(c.method->order, c.method->node(0) == 0 ? 3 : 2);
}

double order_of(const Measured& coarse, const Measured& fine) {
  return std::log2(coarse.error / fine.error);
}

// Above the rounding of times to nanoseconds, some 1e-12 in the state.
TEST_P(Order, IsKeptForAnInputDrivenSystem) {
  const auto [method, sampling, overruns] = GetParam();
  const std::int64_t rate = method->order >= 4 ? 20 : method->order == 3 ? 40 : 80;
  const Measured coarse = measure<Lag>(*method, sampling, rate, overruns, exact);
  const Measured fine = measure<Lag>(*method, sampling, 2 * rate, overruns, exact);
  EXPECT_GT(order_of(coarse, fine), attainable(GetParam()) - 0.35)
      << coarse.error << " -> " << fine.error;
  if (overruns) {
    EXPECT_GT(fine.doubled, 10);
    EXPECT_GT(fine.late_samples, 10);
  }
}

TEST_P(Order, IsKeptForTheOscillator) {
  const auto [method, sampling, overruns] = GetParam();
  const std::int64_t rate = method->order >= 4 ? 20 : method->order == 3 ? 40 : 80;
  const Measured coarse = measure<Oscillator>(*method, sampling, rate, overruns, std::cos);
  const Measured fine = measure<Oscillator>(*method, sampling, 2 * rate, overruns, std::cos);
  EXPECT_GT(order_of(coarse, fine), method->order - 0.35) << coarse.error << " -> " << fine.error;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Order, ::testing::ValuesIn(cases()), order_name);

// With weights of the uniform grid a doubled step would cost the order (design: 9e-4 against 9e-10
// for AB-4): the loop must be closer to the second than to the first.
TEST(DoubledSteps, CostAb4NothingOfItsOrder) {
  const Measured with =
      measure<Oscillator>(numerics::ab4, exec::Sampling::frame, 200, true, std::cos);
  EXPECT_GT(with.doubled, 60);
  EXPECT_LT(with.error, 1e-8);
}

// RK-4 needs inputs from the future: extrapolated quadratically it is of third order or better in
// a driven system, held over the frame it is of first.
TEST(Extrapolation, IsBetterThanHoldingTheInput) {
  const auto at = [](exec::Sampling sampling, std::int64_t rate) {
    return measure<Lag>(numerics::rk4, sampling, rate, false, exact);
  };
  EXPECT_GT(order_of(at(exec::Sampling::extrapolate, 40), at(exec::Sampling::extrapolate, 80)),
            2.65);
  const double held = order_of(at(exec::Sampling::frame, 40), at(exec::Sampling::frame, 80));
  EXPECT_GT(held, 0.8);
  EXPECT_LT(held, 1.2);
}

// u(tau) used as u(t) would cost AB-2 an order: late samples must be brought back.
TEST(LateSteps, HaveSamplesThatAreBroughtBackToTheirNominalTime) {
  const Measured on_time = measure<Lag>(numerics::ab2, exec::Sampling::stage, 80, false, exact);
  const Measured late = measure<Lag>(numerics::ab2, exec::Sampling::stage, 80, true, exact);
  EXPECT_GT(late.late_samples, 20);
  EXPECT_LT(late.error, 10 * on_time.error);
}

// ---- samples that are a little late, as all of a real run are ----------------------------------

/// The error in the steady state of x' = 10 (u - x), of which every sample is some parts in a
/// hundred of a frame late: 4 on average, from 1 to 7.
double error_when_woken_late(const numerics::Method& method, exec::Sampling sampling,
                             std::int64_t rate, double late, exec::Samples samples) {
  Rig rig(method, input);
  rig.settings.grid = Grid::of_rate_hz(rate);
  rig.settings.sampling = sampling;
  rig.settings.samples = samples;
  rig.plant.system().set_parameter(0, 10);
  const Duration frame = rig.settings.grid.period();
  rig.sampler.on_call = [&, frame](int call) {
    rig.clock.delay_next_wake(part(frame, late * (0.25 + 0.25 * static_cast<double>(call % 7))));
  };
  rig.run(4 * rate);
  double error = 0;
  for (std::size_t i = 0; i < rig.records.size(); ++i) {
    const double t = seconds(rig.records[i].t);
    const double exact = 2 + (100 * std::sin(3 * t) - 30 * std::cos(3 * t)) / 109;
    if (t > 3) error = std::max(error, std::abs(rig.sampler.writes[i].y[0] - exact));
  }
  return error;
}

class LateSamples : public ::testing::TestWithParam<const numerics::Method*> {};

TEST_P(LateSamples, CostNothingOfTheOrderAndLittleOfTheAccuracy) {
  const numerics::Method& method = *GetParam();
  const auto sampling = method.passes > 1 ? exec::Sampling::stage : exec::Sampling::frame;
  const auto error = [&](std::int64_t rate, double late, exec::Samples samples) {
    return error_when_woken_late(method, sampling, rate, late, samples);
  };
  constexpr auto true_time = exec::Samples::true_time;
  const double coarse = error(160, 0.04, true_time);
  const double fine = error(320, 0.04, true_time);
  EXPECT_GT(std::log2(coarse / fine), 3.5) << coarse << " -> " << fine;
  EXPECT_LT(fine, 1.2 * error(320, 0, true_time));
  // Used as they were taken, whatever the method they are of first order.
  const double taken = error(320, 0.04, exec::Samples::as_taken);
  EXPECT_NEAR(std::log2(error(160, 0.04, exec::Samples::as_taken) / taken), 1, 0.2);
  EXPECT_GT(taken, 1e5 * fine);
}

INSTANTIATE_TEST_SUITE_P(FourthOrder, LateSamples,
                         ::testing::Values(&numerics::rtrk4, &numerics::rtam4, &numerics::ab4),
                         [](const auto& info) {
                           std::string name(info.param->name);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace hild::testing
