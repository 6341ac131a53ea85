// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether methods keep what the accuracy bounds claim: each is run at its bound on a spring with a
/// mass, free and driven, and compared with the solution that can be written down.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "hild/model/registry.hpp"
#include "hild/numerics/catalogue.hpp"
#include "offline/advise/window.hpp"

namespace hild::advise {
namespace {

constexpr double accuracy = 1e-3;
constexpr double omega = 10;  // rad/s, of the undamped spring

/// x'' + 2 zeta omega x' + omega^2 x = u.
struct Spring {
  double zeta;

  [[nodiscard]] Complex lambda() const {
    return omega * Complex(-zeta, std::sqrt(1 - zeta * zeta));
  }
  [[nodiscard]] std::vector<Complex> modes() const { return {lambda(), std::conj(lambda())}; }
  /// Of the position; that of the velocity is j w times as much.
  [[nodiscard]] Complex response(double w) const {
    return 1.0 / Complex(omega * omega - w * w, 2 * zeta * omega * w);
  }
  [[nodiscard]] std::unique_ptr<model::Stepper> plant(const numerics::Method& method) const {
    auto plant = model::find_model("spring-mass-damper")->make(method);
    const auto& parameters = plant->description().parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto name = parameters[i].name;
      plant->system().set_parameter(i, name == "mass"        ? 1
                                       : name == "stiffness" ? omega * omega
                                                             : 2 * zeta * omega);
    }
    return plant;
  }
};

Upper bounds_of(const numerics::Method& m, const Demand& demand, Sampled sampled) {
  return weigh(m, {}, demand, sampled);
}

// The error of the root that a method makes of the mode, from one late step of a run: the part of
// the state in that mode, v - omega^2 x / lambda, is multiplied by e^(lambda* h).
double root_error_of(const numerics::Method& m, const Spring& spring, double h) {
  const auto plant = spring.plant(m);
  plant->set_initial(std::vector<double>{1, 0});
  const Duration step = from_seconds(h);
  const Complex lambda = spring.lambda();
  const auto part = [&] {
    return plant->states()[1] - omega * omega / lambda * plant->states()[0];
  };
  SimTime t{};
  Complex before;
  for (int n = 0; n < 40; ++n, t += step) {
    before = part();
    plant->step(t, step, std::vector<double>{0});
  }
  return std::abs(std::log(part() / before) / (lambda * seconds(step)) - 1.0);
}

TEST(Claimed, ErrorOfAModeIsWhatARunHas) {
  for (const numerics::Method* m : numerics::catalogue()) {
    for (const double zeta : {0.0, 0.3}) {
      const Spring spring{zeta};
      const Demand demand{.accuracy = accuracy, .modes = spring.modes()};
      const double h = bounds_of(*m, demand, {}).modes;
      ASSERT_GT(h, 0) << m->name;
      ASSERT_LT(h, 1) << m->name;
      const double measured = root_error_of(*m, spring, h);
      EXPECT_NEAR(measured, accuracy, 0.01 * accuracy) << m->name << " zeta " << zeta;
    }
  }
}

/// What pass i of a method takes for u(t) = e^(j w t) within a step from 0.
using Taken = Complex (*)(const numerics::Method& m, int i, double w, double h);

Complex at_node(const numerics::Method& m, int i, double w, double h) {
  return std::polar(1.0, w * h * m.node(i).value());
}

// The steady responses of both states, by a run with the cosine and one with the sine.
std::array<Complex, 2> steady(const numerics::Method& m, const Spring& spring, double w, double h,
                              Taken taken) {
  const Duration step = from_seconds(h);
  const double length = seconds(step);
  std::array<Complex, 2> x{};
  const auto steps = static_cast<int>(std::ceil(16 / (spring.zeta * omega * length)));
  for (const Complex part : {Complex(1, 0), Complex(0, 1)}) {
    const auto plant = spring.plant(m);
    plant->set_initial(std::vector<double>{0, 0});
    SimTime t{};
    for (int n = 0; n < steps; ++n, t += step) {
      const auto& passes = plant->begin(t, step);
      for (int i = 0; i < passes.count(); ++i) {
        const Complex u =
            std::polar(1.0, w * n * length) *
            (passes.starting
                 ? std::polar(1.0, w * length * passes.nodes[static_cast<std::size_t>(i)])
                 : taken(m, i, w, length));
        const double value = part.real() * u.real() + part.imag() * u.imag();
        plant->pass(i, std::vector<double>{value});
      }
      plant->finish();
    }
    for (std::size_t k = 0; k < 2; ++k) x[k] += part * plant->states()[k];
  }
  for (Complex& value : x) value *= std::polar(1.0, -w * steps * length);
  return x;
}

double response_error_of(const numerics::Method& m, const Spring& spring, double w, double h,
                         Taken taken) {
  const auto x = steady(m, spring, w, h, taken);
  const Complex position = spring.response(w);
  return std::max(std::abs(x[0] / position - 1.0),
                  std::abs(x[1] / (Complex(0, w) * position) - 1.0));
}

// Of the spring, damped by a third, with a force up to its resonance.
struct Driven {
  Spring spring{0.3};
  std::vector<double> a{0, 1, -omega* omega, -2 * 0.3 * omega};
  std::vector<double> b{0, 1};
  Demand demand{.accuracy = accuracy,
                .input = omega,
                .responses = responses_of({.a = a, .b = b, .n = 2}, omega)};

  /// The largest error over all frequencies that are judged.
  [[nodiscard]] double measured(const numerics::Method& m, double h, Taken taken) const {
    double worst = 0;
    for (const Response& r : demand.responses) {
      worst = std::max(worst, response_error_of(m, spring, r.omega, h, taken));
    }
    return worst;
  }
};

TEST(Claimed, ErrorOfAResponseIsWhatARunHas) {
  const Driven driven;
  ASSERT_GE(driven.demand.responses.size(), 5U);
  for (const numerics::Method* m : numerics::catalogue()) {
    const double h = bounds_of(*m, driven.demand, {}).inputs;
    ASSERT_GT(h, 0) << m->name;
    ASSERT_LT(h, 1) << m->name;
    EXPECT_NEAR(driven.measured(*m, h, at_node), accuracy, 0.01 * accuracy) << m->name;
  }
}

TEST(Claimed, ErrorWithInputsHeldFromTheTickIsWhatARunHas) {
  const Driven driven;
  const Taken held = [](const numerics::Method&, int, double, double) { return Complex(1); };
  for (const numerics::Method* m : numerics::catalogue()) {
    const double h = bounds_of(*m, driven.demand, {.by = exec::Sampling::frame}).sampling;
    bool later = false;
    for (int i = 0; i < m->passes; ++i) later = later || m->node(i).value() > 0;
    ASSERT_EQ(std::isfinite(h), later) << m->name;
    if (!later) continue;
    EXPECT_NEAR(driven.measured(*m, h, held), accuracy, 0.01 * accuracy) << m->name;
  }
}

TEST(Claimed, ErrorWithInputsCarriedOnIsWhatARunHas) {
  const Driven driven;
  // The line through the images at the release, min(c, i/s), and 1/s before.
  const Taken line = [](const numerics::Method& m, int i, double w, double h) {
    const double s = m.passes;
    const double c = m.node(i).value();
    const double r = std::min(c, i / s);
    const Complex newest = std::polar(1.0, w * h * r);
    const Complex before = std::polar(1.0, w * h * (r - 1 / s));
    return newest + (newest - before) * (c - r) * s;
  };
  int judged = 0;
  for (const numerics::Method* m : numerics::catalogue()) {
    const Sampled sampled{.by = exec::Sampling::extrapolate, .degree = 1};
    const double h = bounds_of(*m, driven.demand, sampled).sampling;
    ASSERT_EQ(std::isfinite(h), !m->real_time()) << m->name;
    if (m->real_time()) continue;
    ++judged;
    EXPECT_NEAR(driven.measured(*m, h, line), accuracy, 0.01 * accuracy) << m->name;
  }
  EXPECT_GT(judged, 5);
}

TEST(Responses, OfADiagonalModelAreThoseOfItsModes) {
  const std::vector<double> a{-3, 0, 0, -50};
  const std::vector<double> b{2, -7};
  const auto whole = responses_of({.a = a, .b = b, .n = 2}, 10);
  const Demand summed{.input = 10, .responses = whole};
  const Demand apart{.input = 10,
                     .responses = responses_by_mode(std::vector<Complex>{-3, -50}, 10)};
  for (const char* name : {"ab-2", "rtam-3", "rtrk-4"}) {
    const auto& m = *numerics::find_method(name);
    EXPECT_NEAR(bounds_of(m, summed, {}).inputs, bounds_of(m, apart, {}).inputs, 1e-9) << name;
  }
}

// x'' + 2 zeta 10 x' + 100 x = u, up to omega.
std::vector<double> judged_at(double zeta, double up_to) {
  const std::vector<double> a{0, 1, -100, -20 * zeta};
  const std::vector<double> b{0, 1};
  std::vector<double> all;
  for (const Response& r : responses_of({.a = a, .b = b, .n = 2}, up_to)) all.push_back(r.omega);
  std::ranges::sort(all);
  return all;
}

TEST(Responses, AreJudgedAtAResonanceUnlessNoRunMeetsIt) {
  EXPECT_EQ(judged_at(0.01, 10).back(), 7) << "damped by 1 %";
  EXPECT_EQ(judged_at(0, 10).back(), 7);
  EXPECT_EQ(judged_at(0.03, 10).back(), 10);
  const auto all = judged_at(0.05, 30);
  EXPECT_TRUE(std::ranges::any_of(all, [](double w) {
    return std::abs(w - 10 * std::sqrt(1 - 0.05 * 0.05)) < 1e-9;
  })) << "between the parts of the band";
}

TEST(AccurateTo, FollowsAPowerWhereRoundingWouldHideIt) {
  const auto square = [](double h) { return 3 * h * h; };
  EXPECT_NEAR(accurate_to(square, 1e-3, 2), std::sqrt(1e-3 / 3), 1e-12);
  EXPECT_NEAR(accurate_to(square, 1e-12, 2), std::sqrt(1e-12 / 3), 1e-15);
  EXPECT_EQ(accurate_to(square, 1e-3, 0), unbounded);
  EXPECT_EQ(accurate_to([](double) { return 0.0; }, 1e-3, 2), unbounded);
}

}  // namespace
}  // namespace hild::advise
