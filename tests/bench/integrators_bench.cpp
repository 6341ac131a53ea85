// SPDX-License-Identifier: Apache-2.0
/// Steps a second by RK-4 on Van der Pol's oscillator: model and method compiled together, as the
/// frame loop calls them, and the loop a person would write by hand.
#include <benchmark/benchmark.h>

#include <array>

#include "hild/model/registry.hpp"
#include "hild/numerics/catalogue.hpp"

namespace {

constexpr hild::Duration h{1'000'000};

void by_hild(benchmark::State& state) {
  const auto plant =
      hild::model::find_model("van-der-pol")->make(*hild::numerics::find_method("rk-4"));
  if (!plant->compiled_together()) return state.SkipWithError("not compiled together");
  const std::array u{0.0};
  hild::SimTime t{};
  for (auto _ : state) {
    plant->begin(t, h);
    for (int i = 0; i < plant->passes(); ++i) plant->pass(i, u);
    plant->finish();
    t += h;
    benchmark::DoNotOptimize(plant->states().data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(by_hild);

using State = std::array<double, 2>;

State derivative(const State& x, double mu, double drive) noexcept {
  return {x[1], mu * (1.0 - x[0] * x[0]) * x[1] - x[0] + drive};
}

State moved(const State& x, double by, const State& f) noexcept {
  return {x[0] + by * f[0], x[1] + by * f[1]};
}

void by_hand(benchmark::State& state) {
  State x{2.0, 0.0};
  double mu = 1.0;
  double drive = 0.0;
  const double step = hild::seconds(h);
  benchmark::DoNotOptimize(mu);
  for (auto _ : state) {
    benchmark::DoNotOptimize(drive);
    const State f0 = derivative(x, mu, drive);
    const State f1 = derivative(moved(x, step / 2, f0), mu, drive);
    const State f2 = derivative(moved(x, step / 2, f1), mu, drive);
    const State f3 = derivative(moved(x, step, f2), mu, drive);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += step / 6 * (f0[i] + 2 * f1[i] + 2 * f2[i] + f3[i]);
    }
    benchmark::DoNotOptimize(x);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(by_hand);

}  // namespace

BENCHMARK_MAIN();
