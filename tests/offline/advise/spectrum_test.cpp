// SPDX-License-Identifier: Apache-2.0
/// \file
/// Modes, participation and the split they suggest.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "hild/model/registry.hpp"
#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/methods/stiff.hpp"
#include "offline/advise/modes.hpp"
#include "offline/advise/partition.hpp"
#include "offline/advise/trajectory.hpp"
#include "support/plate.hpp"

namespace hild::advise {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

TEST(Spectrum, OfAnOscillatorWithALagBesideIt) {
  // x'' = -4 x and y' = -30 y.
  const std::vector<double> j{0, 1, 0, -4, 0, 0, 0, 0, -30};
  const Spectrum s = spectrum(j, 3);
  ASSERT_EQ(s.lambda.size(), 3U);
  EXPECT_DOUBLE_EQ(s.lambda[0].real(), -30);
  EXPECT_EQ(s.lambda[1].real(), 0) << "rounding is taken off";
  EXPECT_DOUBLE_EQ(std::abs(s.lambda[1].imag()), 2);
  EXPECT_THAT(s.share[0], ElementsAre(0, 0, 1));
  EXPECT_THAT(s.share[1], ElementsAre(DoubleNear(0.5, 1e-12), DoubleNear(0.5, 1e-12), 0));
}

TEST(Spectrum, SharesOfATriangleAreThoseOfItsDiagonal) {
  // Left and right eigenvectors leave only the diagonal, however strong the coupling.
  const Spectrum s = spectrum(std::vector<double>{-1, 50, 0, -100}, 2);
  EXPECT_THAT(s.share[0], ElementsAre(DoubleNear(0, 1e-12), DoubleNear(1, 1e-12)));
  EXPECT_THAT(s.share[1], ElementsAre(DoubleNear(1, 1e-12), DoubleNear(0, 1e-12)));
}

TEST(Spectrum, OfAMatrixWithoutAllEigenvectorsIsFinite) {
  const Spectrum s = spectrum(std::vector<double>{-1, 1, 0, -1}, 2);
  for (const auto& mode : s.share) EXPECT_NEAR(mode[0] + mode[1], 1, 1e-12);
}

// A plate of 1024 pieces, whose eigenvalues are known.
TEST(Spectrum, OfALargeMatrixHasItsEdges) {
  using Plate = test::Plate<32>;
  const auto plant = model::make_stepper<Plate>(numerics::libe);
  const std::vector<double> x(Plate::n, 1.0);
  const SparseMatrix j = jacobian_of(plant->system(), 0, x, {});
  EXPECT_EQ(j.nonZeros(), static_cast<Eigen::Index>(Plate::pattern.entries()));
  const Spectrum s = spectrum(j);
  EXPECT_FALSE(s.whole);
  EXPECT_NEAR(s.lambda.front().real(), Plate::lambda(32, 32), -1e-4 * Plate::lambda(32, 32));
  std::vector<double> slowest;
  const std::vector<std::pair<int, int>> modes{{1, 1}, {1, 2}, {2, 2}, {1, 3}, {2, 3}};
  slowest.reserve(modes.size());
  for (const auto& [a, b] : modes) slowest.push_back(Plate::lambda(a, b));
  for (std::size_t i = 0; i < slowest.size(); ++i) {
    const Complex found = s.lambda[s.lambda.size() - 1 - i];
    EXPECT_NEAR(found.real(), slowest[i], -1e-4 * slowest[i]) << i;
    EXPECT_EQ(found.imag(), 0) << i;
  }
}

// 400 oscillators beside one another: undamped from 1 to 400 rad/s, and a thousand times as fast
// ones that are damped.
TEST(Spectrum, OfALargeMatrixHasWhatOscillatesFastest) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < 400; ++k) {
    entries.emplace_back(2 * k, 2 * k + 1, k + 1);
    entries.emplace_back(2 * k + 1, 2 * k, -(k + 1));
    entries.emplace_back(800 + k, 800 + k, -1000.0 - k);
  }
  SparseMatrix j(1200, 1200);
  j.setFromTriplets(entries.begin(), entries.end());
  const Spectrum s = spectrum(j);
  const auto near = [&](Complex wanted) {
    return std::ranges::any_of(
        s.lambda, [&](Complex l) { return std::abs(l - wanted) < 1e-3 * std::abs(wanted); });
  };
  EXPECT_TRUE(near({-1399, 0}));
  EXPECT_TRUE(near({0, 400}));
  EXPECT_TRUE(near({0, -400}));
  EXPECT_TRUE(near({0, 1}));
  EXPECT_EQ(std::abs(s.lambda.back().real()), 0);
}

// There is a gap between the edges that were found, and none between the modes.
TEST(Split, IsNotMadeFromEdges) {
  const std::vector<Spectrum> whole{{.lambda = {-1000, -1}, .share = {{1, 0}, {0, 1}}}};
  EXPECT_TRUE(split_of(whole));
  std::vector<Spectrum> edges = whole;
  edges[0].whole = false;
  EXPECT_FALSE(split_of(edges));
}

TEST(Modes, TellHowStiffAModelIs) {
  const std::vector<Spectrum> points{{.lambda = {-5000, -100, {-3, 4}, {-3, -4}, 0}, .share = {}},
                                     {.lambda = {-5000.1, -100, {1, 1}, {1, -1}, 0}, .share = {}}};
  const Modes m = modes_of(points);
  EXPECT_DOUBLE_EQ(m.fastest, 5000.1);
  EXPECT_DOUBLE_EQ(m.slowest, std::sqrt(2));
  EXPECT_DOUBLE_EQ(m.stiffness, 5000.1 / 3);
  EXPECT_TRUE(m.stiff());
  EXPECT_TRUE(m.grows);
  EXPECT_DOUBLE_EQ(*m.least_damping, -1 / std::sqrt(2));
  EXPECT_EQ(m.distinct.size(), 4U) << "5000 and 5000.1 are alike";
}

TEST(Modes, OfOneSpeedAreNotStiff) {
  const std::vector<Spectrum> points{{.lambda = {-900, -1}, .share = {}}};
  EXPECT_FALSE(modes_of(points).stiff());
  const std::vector<Spectrum> integrators{{.lambda = {0, 0}, .share = {}}};
  EXPECT_EQ(modes_of(integrators).fastest, 0);
  EXPECT_EQ(modes_of(integrators).stiffness, 1);
}

TEST(Spectrum, HasTheSharesOfBothModesOfAPair) {
  // Of x'' + x' + 100 x = 0: |v w| is |lambda| over |lambda - conj lambda| for both states.
  const std::vector<double> jacobian{0, 1, 0, -100, -1, 0, 0, 0, -3};
  const Spectrum s = spectrum(jacobian, 3);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_NEAR(s.share[i][0], 0.5, 1e-9);
    EXPECT_NEAR(s.share[i][1], 0.5, 1e-9);
    EXPECT_NEAR(s.share[i][2], 0, 1e-9);
  }
  EXPECT_NEAR(s.share[2][2], 1, 1e-9);
}

TEST(Modes, ThatMatterAreThoseWithinTheBand) {
  const std::vector<Complex> lambda{-100, -10, -1};
  EXPECT_THAT(modes_within(lambda, 50), ElementsAre(Complex(-10), Complex(-1)));
  EXPECT_THAT(modes_within(lambda, 0.1), ElementsAre(Complex(-1))) << "the slowest always";
  EXPECT_THAT(modes_within({}, 1), ElementsAre());
}

// ---- the split ---------------------------------------------------------------------------------

// The circuit with load, at rest and where its oscillator is far out.
std::vector<Spectrum> circuit() {
  const auto* model = model::find_model("oscillator-load");
  const auto plant = model->make(*numerics::find_method("forward-euler"));
  std::vector<double> x(13);
  std::vector<Spectrum> points;
  for (const double u : {0.1, 3.0, 7.0}) {
    x[1] = u;
    points.push_back(spectrum(jacobian_of(plant->system(), 0, x, std::vector<double>{0})));
  }
  return points;
}

TEST(Split, OfTheCircuitIsCelliersLoadAndTheRest) {
  const auto points = circuit();
  EXPECT_TRUE(modes_of(points).stiff());
  const auto split = split_of(points);
  ASSERT_TRUE(split);
  EXPECT_THAT(split->fast, ElementsAre(12U));
  EXPECT_EQ(split->slow.size(), 12U);
  // -1 / (R_l C_l)
  EXPECT_NEAR(split->fastest_fast, 1e6, 10);
  EXPECT_LT(split->fastest_slow, 1e4);
  EXPECT_GT(split->ratio(), 100);
  EXPECT_GT(split->edge(), split->fastest_slow);
  EXPECT_LT(split->edge(), split->slowest_fast);
}

TEST(Split, BecomesRatesOfTheModelsPartitions) {
  const auto& description = model::find_model("oscillator-load")->description;
  const auto rates = rates_of(*split_of(circuit()), description);
  ASSERT_TRUE(rates);
  EXPECT_TRUE(model::check_rates(description, *rates));
  ASSERT_EQ(rates->count, 3U);
  EXPECT_EQ(rates->rates[0].method->name, "ab-2");
  EXPECT_EQ(rates->rates[1].method->name, "ab-2");
  EXPECT_EQ(rates->rates[2].method->name, "libe") << "no ratio reaches 1e6";
}

TEST(Split, WithinReachOfARatioStaysExplicit) {
  const auto& description = model::find_model("oscillator-line")->description;
  Split split{
      .fast = {0, 1}, .slow = {}, .fastest_slow = 100, .slowest_fast = 1100, .fastest_fast = 1150};
  const auto rates = rates_of(split, description);
  ASSERT_TRUE(rates);
  EXPECT_EQ(rates->rates[0].method->name, "ab-2");
  EXPECT_EQ(rates->rates[0].ratio, 12);
  EXPECT_EQ(rates->rates[1].ratio, 1);
  split.fast = {0};
  EXPECT_FALSE(rates_of(split, description)) << "u_C is in the partition of i_L";
  EXPECT_FALSE(rates_of(split, model::find_model("dc-motor")->description));
}

TEST(Split, NeedsAGapOfTen) {
  const std::vector<Spectrum> near{{.lambda = {-99, -10}, .share = {{1, 0}, {0, 1}}}};
  EXPECT_FALSE(split_of(near));
  const std::vector<Spectrum> far{{.lambda = {-101, -10}, .share = {{1, 0}, {0, 1}}}};
  const auto split = split_of(far);
  ASSERT_TRUE(split);
  EXPECT_THAT(split->fast, ElementsAre(0U));
  EXPECT_EQ(split->ratio(), 11);
}

TEST(Blocks, BoundAFrameByEachPartition) {
  // Two lags that are not coupled, -1000 with two steps of forward Euler a frame, and -10.
  static constexpr std::array<std::string_view, 1> a{"a"};
  static constexpr std::array<std::string_view, 1> b{"b"};
  static constexpr std::array states{model::State{"a"}, model::State{"b"}};
  static constexpr std::array partitions{model::Partition{"fast", a}, model::Partition{"slow", b}};
  const model::Description model{
      .name = "two", .summary = "", .states = states, .partitions = partitions};
  const auto* euler = numerics::find_method("forward-euler");
  const model::Multirate rates{.rates = {{{euler, 2}, {euler, 1}}}, .count = 2};
  const std::vector<Point> points{
      {.t = 0, .jacobian = Eigen::Matrix2d{{-1000, 0}, {0, -10}}.sparseView()}};
  const Upper upper = by_blocks(rates, model, points, {.demand = {.accuracy = 1e-3}, .band = 20});
  EXPECT_NEAR(upper.stability, 4e-3, 1e-11) << "2 ms a step";
  // Forward Euler: z = 1 - r.
  const double r = 10 * upper.modes;
  EXPECT_NEAR(-std::log1p(-r) / r - 1, 1e-3, 1e-9) << "the fast part lies beyond the band";
}

// ---- the band ----------------------------------------------------------------------------------

std::vector<double> samples(double (*f)(double), double rate, std::size_t n) {
  std::vector<double> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(f(static_cast<double>(i) / rate));
  return all;
}

constexpr double turn = 2 * std::numbers::pi;

TEST(Band, OfASineIsItsFrequency) {
  const auto sine = samples([](double t) { return 3 + std::sin(turn * 50 * t); }, 1024, 1024);
  EXPECT_NEAR(*band_of(sine, 1024), 50, 1.01) << "the window is a bin broader to each side";
}

TEST(Band, OfTwoIsTheHigherIfItCarriesAnything) {
  const auto both =
      samples([](double t) { return std::sin(turn * 10 * t) + 0.3 * std::sin(turn * 100 * t); },
              1024, 1024);
  EXPECT_NEAR(*band_of(both, 1024), 100, 1.01);
  const auto faint =
      samples([](double t) { return std::sin(turn * 10 * t) + 0.03 * std::sin(turn * 100 * t); },
              1024, 1024);
  EXPECT_NEAR(*band_of(faint, 1024), 10, 1.01);
}

TEST(Band, OfConstantsAndNoiseIsNone) {
  EXPECT_FALSE(band_of(std::vector<double>(64, 5.0), 1000));
  EXPECT_FALSE(
      band_of(samples([](double t) { return 5 + 1e-3 * std::sin(turn * t); }, 64, 64), 64));
  std::vector<double> noise;
  std::uint32_t seed = 1;
  for (int i = 0; i < 1024; ++i) {
    seed = seed * 1664525 + 1013904223;
    noise.push_back(static_cast<double>(seed >> 8U));
  }
  EXPECT_FALSE(band_of(noise, 1000));
  EXPECT_FALSE(band_of(std::vector<double>{1, 2, 3}, 1000));
}

}  // namespace
}  // namespace hild::advise
