// SPDX-License-Identifier: Apache-2.0
#include "numerics/analysis/frequency.hpp"

#include <Eigen/LU>

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

// The new state of explicit passes, one after the other.
Linear of_passes(const Method& m, const Steady& steady) {
  std::vector<Linear> passes{steady.derivative({1, 0}, 0)};
  Linear state{};
  for (std::size_t i = 1; i <= static_cast<std::size_t>(m.passes); ++i) {
    const Formula& f = m.formulas[i];
    state = steady.carried(f, passes);
    passes.push_back(steady.derivative(state, f.at.value()));
  }
  return state;
}

// The last of implicit stages: X = X_n + A (mu X + h U).
Linear of_stages(const Method& m, const Steady& steady, Complex lambda_h) {
  const Eigen::Index s = m.passes;
  Eigen::MatrixXcd a(s, s);
  Eigen::VectorXcd u(s);
  for (Eigen::Index i = 0; i < s; ++i) {
    const Formula& f = m.formulas[static_cast<std::size_t>(i)];
    u[i] = steady.z_to(f.at.value());
    for (Eigen::Index j = 0; j < s; ++j) a(i, j) = f.pass[static_cast<std::size_t>(j)].value();
  }
  const Eigen::MatrixXcd system = Eigen::MatrixXcd::Identity(s, s) - lambda_h * a;
  const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(system);
  return {lu.solve(Eigen::VectorXcd::Ones(s))[s - 1], lu.solve(a * u)[s - 1]};
}

FrequencyError error_of(Complex ratio) { return {std::abs(ratio) - 1, std::arg(ratio)}; }

}  // namespace

std::optional<FrequencyError> frequency_error(const Method& m, double omega_h, Complex lambda_h) {
  const Steady steady(omega_h, lambda_h);
  const Linear state = m.implicit() ? of_stages(m, steady, lambda_h) : of_passes(m, steady);
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
