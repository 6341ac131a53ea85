// SPDX-License-Identifier: Apache-2.0
/// \file
/// Gain and phase errors: against transfer functions written by hand, against a run of the kernel
/// and against Howe's eq. 16.
#include "numerics/analysis/frequency.hpp"

#include <gtest/gtest.h>

#include "hild/numerics/explicit_step.hpp"
#include "hild/numerics/methods.hpp"
#include "numerics/problem.hpp"

namespace hild::analysis {
namespace {

using numerics::Method;

// Eq. 24: H* = (h/2) (z^2 + (1 + 3/2 mu) z - mu/2) / (z^2 - (1 + mu + 3/4 mu^2) z + mu^2/4).
TEST(Frequency, OfAm2IsHowesTransferFunction) {
  for (const double mu : {-0.2, -0.05}) {
    for (const double omega_h : {0.1, 0.5}) {
      const Complex z = std::polar(1.0, omega_h);
      const Complex h_star = 0.5 * (z * z + (1 + 1.5 * mu) * z - 0.5 * mu) /
                             (z * z - (1 + mu + 0.75 * mu * mu) * z + 0.25 * mu * mu);
      const Complex ratio = h_star * Complex(-mu, omega_h);
      const auto e = frequency_error(numerics::am2, omega_h, mu).value();
      EXPECT_NEAR(e.gain, std::abs(ratio) - 1, 1e-12);
      EXPECT_NEAR(e.phase, std::arg(ratio), 1e-12);
    }
  }
}

// x' = -x + cos(omega t) stepped by the kernel until it is steady; then amplitude and phase by
// correlation over whole periods.
TEST(Frequency, IsWhatTheKernelDoes) {
  constexpr int period = 32;
  const double h = 0.25;
  const double omega_h = 2 * M_PI / period;
  for (const Method* m : numerics::explicit_methods()) {
    numerics::ExplicitStep step{numerics::Static<1>{}, numerics::Chosen(*m)};
    Complex sum = 0;
    for (int n = 0; n < 20 * period; ++n) {
      step.begin(SimTime{} + 250_ms * n, 250_ms);
      if (n >= 18 * period) sum += step.state()[0] * std::polar(1.0, -omega_h * n);
      for (int i = 0; i < step.active().passes; ++i) {
        step.derivative(i)[0] = -step.stage(i)[0] + std::cos(omega_h / h * step.time(i));
      }
      step.finish();
    }
    const Complex measured = sum / static_cast<double>(period) * Complex(1, omega_h / h);
    const auto e = frequency_error(*m, omega_h, -h).value();
    EXPECT_NEAR(std::abs(measured) - 1, e.gain, 1e-9) << m->name;
    EXPECT_NEAR(std::arg(measured), e.phase, 1e-9) << m->name;
  }
}

TEST(Frequency, TheAsymptoteHoldsWhereHoweSaysSo) {
  for (const char* name : {"ab-2", "ab-3", "ab-4", "am-2", "am-3", "am-4", "rtam-2", "rtam-3",
                           "rtam-4", "p-2/pc-3/c-3", "p-3/pc-3/c-3"}) {
    const Method& m = *numerics::find_method(name);
    EXPECT_TRUE(asymptotic_holds(m)) << name;
    const double e_i = error_coefficient(*characteristic(m), m.order, m.passes).value;
    const double w = 0.02;
    const auto exact = frequency_error(m, w, -w).value();
    const auto asymptotic = asymptotic_error(e_i, m.order, w, -w);
    const double size = std::hypot(asymptotic.gain, asymptotic.phase);
    EXPECT_NEAR(exact.gain, asymptotic.gain, 0.15 * size) << name;
    EXPECT_NEAR(exact.phase, asymptotic.phase, 0.15 * size) << name;
  }
  for (const char* name : {"rtrk-2", "rk-3", "rtrk-4", "rk-4", "heun", "ode-45"}) {
    EXPECT_FALSE(asymptotic_holds(*numerics::find_method(name))) << name;
  }
}

}  // namespace
}  // namespace hild::analysis
