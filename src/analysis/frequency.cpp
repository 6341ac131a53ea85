// SPDX-License-Identifier: Apache-2.0
#include "analysis/frequency.hpp"

#include "hild/numerics/order_conditions.hpp"

namespace hild::analysis {
namespace {

using numerics::Formula;
using numerics::Method;

// A value that is linear in X_n and in h U_n.
struct Linear {
  Complex of_state;
  Complex of_input;
};

// The steady response: X_{n+k} = z^k X_n, z = e^(j omega h).
class Steady {
 public:
  Steady(double omega_h, Complex lambda_h) : omega_h_(omega_h), lambda_h_(lambda_h) {}

  [[nodiscard]] Complex z_to(double steps) const { return std::polar(1.0, omega_h_ * steps); }

  // h F at a state some steps after t_n.
  [[nodiscard]] Linear derivative(const Linear& x, double steps) const {
    return {lambda_h_ * x.of_state, lambda_h_ * x.of_input + z_to(steps)};
  }

  [[nodiscard]] Linear carried(const Formula& f, const std::vector<Linear>& passes) const {
    Linear out{1, 0};
    const auto add = [&](double weight, const Linear& derivative) {
      out.of_state += weight * derivative.of_state;
      out.of_input += weight * derivative.of_input;
    };
    for (std::size_t j = 0; j < passes.size(); ++j) add(f.pass[j].value(), passes[j]);
    for (std::size_t k = 0; k < f.history.size(); ++k) {
      const double steps = -1.0 - static_cast<double>(k);
      add(f.history[k].value(), derivative({z_to(steps), 0}, steps));
    }
    return out;
  }

 private:
  double omega_h_;
  Complex lambda_h_;
};

FrequencyError error_of(Complex ratio) { return {std::abs(ratio) - 1, std::arg(ratio)}; }

}  // namespace

std::optional<FrequencyError> frequency_error(const Method& m, double omega_h, Complex lambda_h) {
  if (m.family != numerics::Family::explicit_passes) return std::nullopt;
  const Steady steady(omega_h, lambda_h);
  std::vector<Linear> passes{steady.derivative({1, 0}, 0)};
  Linear state{};
  for (std::size_t i = 1; i <= static_cast<std::size_t>(m.passes); ++i) {
    const Formula& f = m.formulas[i];
    state = steady.carried(f, passes);
    passes.push_back(steady.derivative(state, f.at.value()));
  }
  // z X = of_state X + of_input
  const Complex response = state.of_input / (steady.z_to(1) - state.of_state);
  return error_of(response * (Complex(0, omega_h) - lambda_h));
}

bool asymptotic_holds(const Method& m) {
  if (m.family != numerics::Family::explicit_passes) return false;
  const Formula& last = m.formulas[static_cast<std::size_t>(m.passes)];
  for (std::size_t j = 1; j < static_cast<std::size_t>(m.passes); ++j) {
    if (last.pass[j] == 0) continue;
    if (!numerics::order_conditions::integrates<double>(m, m.formulas[j], m.order)) return false;
  }
  return true;
}

FrequencyError asymptotic_error(double e, int order, double omega_h, Complex lambda_h) {
  const Complex j_omega(0, omega_h);
  return error_of(1.0 - e * j_omega / (j_omega - lambda_h) * std::pow(j_omega, order));
}

}  // namespace hild::analysis
