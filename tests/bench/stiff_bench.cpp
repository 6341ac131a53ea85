// SPDX-License-Identifier: Apache-2.0
/// Steps of Cellier's circuit with load (thirteen states) by stiff methods: dense and tridiagonal,
/// torn and not, and what Eigen takes for one dense factorisation and solution of the same system.
#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>

#include "hild/model/registry.hpp"
#include "hild/numerics/methods.hpp"
#include "hild/numerics/methods/stiff.hpp"
#include "support/circuit.hpp"

namespace {

using namespace hild;

constexpr Duration h{100'000};

template <const numerics::Method& M>
std::unique_ptr<model::Plant> dense() {
  using Together = numerics::Fixed<M>;
  return std::make_unique<model::Integrated<test::Circuit<true>, Together>>(Together{});
}

void steps(benchmark::State& state, model::Plant& plant) {
  const std::array u{0.0};
  SimTime t{};
  for (auto _ : state) {
    plant.begin(t, h);
    for (int i = 0; i < plant.passes(); ++i) plant.pass(i, u);
    plant.finish();
    t += h;
    benchmark::DoNotOptimize(plant.states().data());
    benchmark::ClobberMemory();
  }
}

void steps(benchmark::State& state, const numerics::Method& method) {
  steps(state, *model::find_model("oscillator-load")->make(method));
}

void libe_dense(benchmark::State& state) { steps(state, *dense<numerics::libe>()); }
BENCHMARK(libe_dense);

void libe_tridiagonal(benchmark::State& state) { steps(state, numerics::libe); }
BENCHMARK(libe_tridiagonal);

void newton_dense(benchmark::State& state) { steps(state, *dense<numerics::backward_euler>()); }
BENCHMARK(newton_dense);

void newton_torn(benchmark::State& state) { steps(state, numerics::backward_euler); }
BENCHMARK(newton_torn);

// A millisecond of it, by forward Euler at a tenth and the load implicitly; and the line without
// its load at one rate and at two.
void millisecond(benchmark::State& state, model::Plant& plant, int frames) {
  const std::array u{0.0};
  SimTime t{};
  for (auto _ : state) {
    for (int f = 0; f < frames; ++f) {
      plant.begin(t, Duration(1_ms) / frames);
      for (int i = 0; i < plant.passes(); ++i) plant.pass(i, u);
      plant.finish();
      t += Duration(1_ms) / frames;
    }
    benchmark::DoNotOptimize(plant.states().data());
    benchmark::ClobberMemory();
  }
}

model::Rate euler(int ratio) { return {&numerics::forward_euler, ratio}; }

void line_single(benchmark::State& state) {
  millisecond(state, *model::find_model("oscillator-line")->make(numerics::forward_euler), 10);
}
BENCHMARK(line_single);

void line_multirate(benchmark::State& state) {
  const model::Multirate rates{{euler(10), euler(1)}, 2};
  millisecond(state, *model::find_model("oscillator-line")->make_multirate(rates), 1);
}
BENCHMARK(line_multirate);

void load_mixed(benchmark::State& state) {
  const model::Multirate rates{{euler(10), euler(1), {&numerics::backward_euler, 1}}, 3};
  millisecond(state, *model::find_model("oscillator-load")->make_multirate(rates), 1);
}
BENCHMARK(load_mixed);

/// Two fast and ten slow states of derivatives that cost something, as those of a model with
/// characteristic curves do; a chain.
struct Costly {
  static constexpr std::string_view name = "costly", summary = "saturating chain";
  static constexpr std::array states{model::State{"a"}, model::State{"b"}, model::State{"c"},
                                     model::State{"d"}, model::State{"e"}, model::State{"f"},
                                     model::State{"g"}, model::State{"h"}, model::State{"i"},
                                     model::State{"j"}, model::State{"k"}, model::State{"l"}};
  static constexpr std::array<std::string_view, 2> fast{"a", "b"};
  static constexpr std::array<std::string_view, 10> slow{"c", "d", "e", "f", "g",
                                                         "h", "i", "j", "k", "l"};
  static constexpr std::array partitions{model::Partition{"fast", fast},
                                         model::Partition{"slow", slow}};
  static constexpr std::array<model::Input, 1> inputs{};
  static constexpr std::array<model::Output, 1> outputs{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Costly>;
  static void derivatives(double t, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    derivatives_of(0, 12, t, x, u, p, dx);
  }
  static void derivatives_of(std::size_t first, std::size_t last, double, D::X x, D::U u, D::P,
                             D::DX dx) noexcept {
    for (std::size_t i = first; i < last; ++i) {
      const double before = i > 0 ? x[i - 1] : u[0] + 1;
      const double curve = std::tanh(std::sinh(0.5 * x[i]) * std::exp(-x[i] * x[i]));
      dx[i] = 100 * (std::tanh(before) - std::atan(std::pow(1 + curve * curve, x[i]) - 1) - x[i]);
    }
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[11]; }
};

void costly_single(benchmark::State& state) {
  using Together = numerics::Fixed<numerics::forward_euler>;
  model::Integrated<Costly, Together> plant(Together{});
  millisecond(state, plant, 10);
}
BENCHMARK(costly_single);

void costly_multirate(benchmark::State& state) {
  model::Integrated<Costly, model::Multirate> plant({{euler(10), euler(1)}, 2});
  millisecond(state, plant, 1);
}
BENCHMARK(costly_multirate);

/// A rod in sixty-four sections with heat sources that fade: each is warmed by its neighbours.
template <numerics::Structure S>
struct Rod {
  static constexpr std::string_view name = "rod", summary = "heat conduction";
  static constexpr std::size_t n = 64;
  static constexpr std::array<model::State, n> states{};
  static constexpr std::array<model::Input, 1> inputs{};
  static constexpr std::array<model::Output, 1> outputs{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr auto structure = S;
  using D = model::Data<Rod>;
  static void derivatives(double, D::X x, D::U u, D::P, D::DX dx) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
      const double before = i > 0 ? x[i - 1] : u[0];
      const double after = i + 1 < n ? x[i + 1] : 0;
      dx[i] = 1e5 * (before - 2 * x[i] + after) + 1 - x[i] * x[i];
    }
  }
  static void jacobian(double, D::X x, D::U, D::P, D::J j) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) j(i, i - 1) = 1e5;
      j(i, i) = -2e5 - 2 * x[i];
      if (i + 1 < n) j(i, i + 1) = 1e5;
    }
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[n / 2]; }
};

template <numerics::Structure S>
void rod(benchmark::State& state) {
  using Together = numerics::Fixed<numerics::libe>;
  model::Integrated<Rod<S>, Together> plant(Together{});
  steps(state, plant);
}
void rod_dense(benchmark::State& state) { rod<numerics::dense>(state); }
void rod_tridiagonal(benchmark::State& state) { rod<numerics::tridiagonal>(state); }
BENCHMARK(rod_dense);
BENCHMARK(rod_tridiagonal);

// One (I - h J) d = h f, of fixed size, given J and f.
void eigen_dense(benchmark::State& state) {
  using Matrix = Eigen::Matrix<double, 13, 13>;
  using Vector = Eigen::Matrix<double, 13, 1>;
  const auto plant = dense<numerics::libe>();
  Eigen::Matrix<double, 13, 13, Eigen::RowMajor> j;
  Vector f;
  const std::array u{0.0};
  plant->jacobian(0, plant->states(), u, std::span(j.data(), 169));
  plant->derivatives(0, plant->states(), u, std::span(f.data(), 13));
  Matrix m = Matrix::Identity() - seconds(h) * j;
  Vector b = seconds(h) * f;
  Eigen::PartialPivLU<Matrix> lu;
  for (auto _ : state) {
    benchmark::DoNotOptimize(m);
    benchmark::DoNotOptimize(b);
    lu.compute(m);
    Vector d = lu.solve(b);
    benchmark::DoNotOptimize(d);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(eigen_dense);

}  // namespace

BENCHMARK_MAIN();
