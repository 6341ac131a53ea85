// SPDX-License-Identifier: Apache-2.0
/// Which of five hypotheses is true, by Bayes: multiple-model estimation (D. T. Magill, Optimal
/// Adaptive Estimation of Sampled Stochastic Processes, IEEE Trans. AC-10, 1965). A sample of
/// misfit m, a sum of squares of standard deviations, is exp(-m/2) times as likely as one that
/// fits, and counts less as it ages:
///   l' = -m / (2 period) - l / memory        p_k = a_k exp(l_k) / sum of all, a of what is usual
#include <algorithm>
#include <cmath>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace {

namespace model = hild::model;
using model::Input;
using model::Output;
using model::State;

struct Isolation {
  static constexpr std::string_view name = "isolation",
                                    summary = "which of five hypotheses is true, by Bayes";
  static constexpr std::size_t n = 5;

  enum { period, memory, prior };
  static constexpr std::array states{State{"nominal"}, State{"stuck"}, State{"drift"},
                                     State{"friction"}, State{"actuator"}};
  static constexpr std::array inputs{Input{"nominal"}, Input{"stuck"}, Input{"drift"},
                                     Input{"friction"}, Input{"actuator"}};
  static constexpr std::array outputs{Output{"p_nominal"},  Output{"p_stuck"},    Output{"p_drift"},
                                      Output{"p_friction"}, Output{"p_actuator"}, Output{"named"}};
  static constexpr std::array parameters{
      model::Parameter{"period", "s", 2e-3, 1e-9},  // of the samples
      model::Parameter{"memory", "s", 0.2, 1e-6},
      model::Parameter{"prior", "1", 1e-3, 1e-12, 0.2}};  // of each fault, before anything was seen
  using Methods = model::CompiledWith<hild::numerics::rk4>;
  using D = model::Data<Isolation>;
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    // No single sample says more than one of six standard deviations.
    for (std::size_t k = 0; k < n; ++k)
      dx[k] = -std::min(u[k], 36.0) / (2 * p[period]) - x[k] / p[memory];
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P p, D::Y y) noexcept {
    const double best = *std::max_element(x.begin(), x.end());
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k)
      sum += y[k] = (k == 0 ? 1 - 4 * p[prior] : p[prior]) * std::exp(x[k] - best);
    for (std::size_t k = 0; k < n; ++k) y[k] /= sum;
    y[n] = static_cast<double>(std::max_element(y.begin(), y.begin() + n) - y.begin());
  }
};

HILD_MODEL(Isolation);

}  // namespace
