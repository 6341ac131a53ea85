// SPDX-License-Identifier: Apache-2.0
/// Steps of Cellier's circuit with load (thirteen states) by stiff methods: dense and tridiagonal,
/// torn and not, and what Eigen takes for one dense factorisation and solution of the same system.
#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <array>
#include <cmath>

#include "bench/cases.hpp"
#include "hild/model/registry.hpp"
#include "hild/numerics/methods.hpp"
#include "hild/numerics/methods/stiff.hpp"
#include "support/circuit.hpp"
#include "support/circuit_equations.hpp"
#include "support/plate.hpp"

namespace {

using namespace hild;
using bench::Work;

constexpr Duration h{100'000};

template <const numerics::Method& M>
std::unique_ptr<model::Stepper> dense() {
  using Together = numerics::Fixed<M>;
  return std::make_unique<model::Integrated<test::Circuit<true>, Together>>(Together{});
}

/// Steps, or frames, as many at once.
Work advance(std::shared_ptr<model::Stepper> plant, Duration each) {
  return [plant = std::move(plant), each, t = SimTime{}](int count) mutable {
    const std::array u{0.0};
    plant->advance(t, each, count, u);
    t += each * count;
    benchmark::DoNotOptimize(plant->states().data());
    benchmark::ClobberMemory();
  };
}

Work steps_of(const numerics::Method& method) {
  return advance(model::find_model("oscillator-load")->make(method), h);
}

// A millisecond, by one rate: ten steps of a tenth.
Work ten_steps(std::shared_ptr<model::Stepper> plant) {
  return [work = advance(std::move(plant), 100_us)](int count) { work(10 * count); };
}

constexpr auto k10 =
    model::by_rates({{&numerics::forward_euler, 10}, {&numerics::forward_euler, 1}});
constexpr auto k10_load = model::by_rates({{&numerics::forward_euler, 10},
                                           {&numerics::forward_euler, 1},
                                           {&numerics::backward_euler, 1}});

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

/// Thirteen masses of heat, each of which warms every other: no element of its Jacobian is zero.
struct Mesh {
  static constexpr std::string_view name = "mesh", summary = "heat between all of thirteen";
  static constexpr std::size_t n = 13;
  static constexpr std::array<model::State, n> states{};
  static constexpr std::array<model::Input, 1> inputs{};
  static constexpr std::array<model::Output, 1> outputs{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Mesh>;
  static void derivatives(double, D::X x, D::U u, D::P, D::DX dx) noexcept {
    double all = u[0];
    for (std::size_t i = 0; i < n; ++i) all += x[i];
    for (std::size_t i = 0; i < n; ++i) dx[i] = 1e3 * all - 3e4 * x[i] + 1 - x[i] * x[i];
  }
  static void jacobian(double, D::X x, D::U, D::P, D::J j) noexcept {
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t r = 0; r < n; ++r) j(r, c) = 1e3;
      j(c, c) = 1e3 - 3e4 - 2 * x[c];
    }
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

/// The circuit from its equations, of which nothing is said.
struct Varying : test::CircuitEquations {
  static constexpr bool constant_coefficients = false;
};

template <class M>
Work libe_of() {
  using Together = numerics::Fixed<numerics::libe>;
  return advance(std::make_shared<model::Integrated<M, Together>>(Together{}), h);
}

// One (I - h J) d = h f, of fixed size, given J and f.
Work eigen_of(std::unique_ptr<model::Stepper> plant) {
  using Matrix = Eigen::Matrix<double, 13, 13>;
  using Vector = Eigen::Matrix<double, 13, 1>;
  Matrix j = Matrix::Zero();
  Vector f;
  const std::array u{0.0};
  plant->system().jacobian(0, plant->states(), u, {j.data(), 13, numerics::dense});
  plant->system().derivatives(0, plant->states(), u, std::span(f.data(), 13));
  return [m = Matrix(Matrix::Identity() - seconds(h) * j),
          b = Vector(seconds(h) * f)](int count) mutable {
    Eigen::PartialPivLU<Matrix> lu;
    for (int n = 0; n < count; ++n) {
      benchmark::DoNotOptimize(m);
      benchmark::DoNotOptimize(b);
      lu.compute(m);
      Vector d = lu.solve(b);
      benchmark::DoNotOptimize(d);
      benchmark::ClobberMemory();
    }
  };
}

// A matrix of which no element is zero, and far from singular.
Eigen::MatrixXd full(Eigen::Index n) {
  return Eigen::MatrixXd::NullaryExpr(n, n, [n](Eigen::Index i, Eigen::Index k) {
    return std::sin(static_cast<double>((i * n + k) * 7 % 1009)) + (i == k ? 3 : 0);
  });
}

// One matrix of 400 rows, written anew, factorised and solved.
constexpr std::size_t rows = 400;
Work large_dense() {
  auto system =
      std::make_shared<numerics::LinearSystem<std::vector<double>>>(rows, numerics::dense);
  return [system, m = full(rows), b = std::vector<double>(rows)](int count) mutable {
    for (int n = 0; n < count; ++n) {
      std::copy_n(m.data(), m.size(), &system->at(0, 0, rows, numerics::dense));
      std::ranges::fill(b, 1.0);
      system->solve(rows, numerics::dense, b);
      benchmark::DoNotOptimize(b.data());
      benchmark::ClobberMemory();
    }
  };
}
Work eigen_large() {
  return [m = full(rows), lu = Eigen::PartialPivLU<Eigen::MatrixXd>(rows),
          b = Eigen::VectorXd(rows)](int count) mutable {
    for (int n = 0; n < count; ++n) {
      lu.compute(m);
      b = lu.solve(Eigen::VectorXd::Ones(rows));
      benchmark::DoNotOptimize(b.data());
      benchmark::ClobberMemory();
    }
  };
}

// A plate of ten thousand pieces, five places a row.
using Plate = test::Plate<100>;

// One I - h J factorised over an analysed pattern, and one solution.
Work eigen_sparse() {
  Eigen::SparseMatrix<double> m(Plate::n, Plate::n);
  std::vector<Eigen::Triplet<double>> all;
  for (const auto& p : Plate::pattern.places()) {
    const bool diagonal = p.row == p.column;
    all.emplace_back(static_cast<int>(p.row), static_cast<int>(p.column),
                     (diagonal ? 1 : 0) - seconds(h) * Plate::k * (diagonal ? -4 : 1));
  }
  m.setFromTriplets(all.begin(), all.end());
  auto lu = std::make_shared<Eigen::SparseLU<Eigen::SparseMatrix<double>>>();
  lu->analyzePattern(m);
  return [lu, m, b = Eigen::VectorXd(Eigen::VectorXd::Ones(Plate::n))](int count) mutable {
    for (int n = 0; n < count; ++n) {
      benchmark::DoNotOptimize(m.valuePtr());
      lu->factorize(m);
      Eigen::VectorXd d = lu->solve(b);
      benchmark::DoNotOptimize(d.data());
      benchmark::ClobberMemory();
    }
  };
}

}  // namespace

int main(int count, char** arguments) {
  const auto* line = model::find_model("oscillator-line");
  using Euler = numerics::Fixed<numerics::forward_euler>;
  using Rates = model::FixedRates<k10>;
  bench::Cases cases;
  cases.add("libe_dense", [] { return advance(dense<numerics::libe>(), h); })
      .add("libe_tridiagonal", [] { return steps_of(numerics::libe); })
      .add("eigen_dense", [] { return eigen_of(dense<numerics::libe>()); })
      .add("libe_full", libe_of<Mesh>)
      .add("eigen_full", [] { return eigen_of(model::make_stepper<Mesh>(numerics::libe)); })
      .add("newton_dense", [] { return advance(dense<numerics::backward_euler>(), h); })
      .add("newton_torn", [] { return steps_of(numerics::backward_euler); })
      .add("newton_found",
           [] {
             return advance(model::make_stepper<test::CircuitEquations>(numerics::backward_euler),
                            h);
           })
      .add("newton_varying",
           [] { return advance(model::make_stepper<Varying>(numerics::backward_euler), h); })
      .add("rod_dense", libe_of<Rod<numerics::dense>>)
      .add("rod_tridiagonal", libe_of<Rod<numerics::tridiagonal>>)
      .add("dense_400", large_dense, 1)
      .add("eigen_400", eigen_large, 1)
      .add("plate_sparse", libe_of<Plate>, 1)
      .add("eigen_sparse", eigen_sparse, 1)
      .add("line_single", [=] { return ten_steps(line->make(numerics::forward_euler)); })
      .add("line_multirate", [=] { return advance(line->make_multirate(k10), 1_ms); })
      .add("load_mixed",
           [] {
             return advance(model::find_model("oscillator-load")->make_multirate(k10_load), 1_ms);
           })
      .add("costly_single",
           [] { return ten_steps(std::make_shared<model::Integrated<Costly, Euler>>(Euler{})); })
      .add("costly_multirate", [] {
        return advance(std::make_shared<model::Integrated<Costly, Rates>>(Rates{}), 1_ms);
      });
  return cases.main(count, arguments);
}
