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
  Steady(const Method& method, double omega_h, Complex lambda_h, std::span<const Complex> inputs)
      : method_(method), omega_h_(omega_h), lambda_h_(lambda_h), inputs_(inputs) {}

  [[nodiscard]] Complex z_to(double steps) const { return std::polar(1.0, omega_h_ * steps); }
  [[nodiscard]] Linear state() const { return method_.implicit() ? of_stages() : of_passes(); }

 private:
  // Of pass i, in units of that at the start of the step.
  [[nodiscard]] Complex input(std::size_t i) const {
    return inputs_.empty() ? z_to(method_.node(static_cast<int>(i)).value()) : inputs_[i];
  }

  // h F at a state, with an input.
  [[nodiscard]] Linear derivative(const Linear& x, Complex input) const {
    return {lambda_h_ * x.of_state, lambda_h_ * x.of_input + input};
  }

  [[nodiscard]] Linear carried(const Formula& f, std::span<const Linear> passes) const {
    Linear out{1, 0};
    const auto add = [&](double weight, const Linear& derivative) {
      out.of_state += weight * derivative.of_state;
      out.of_input += weight * derivative.of_input;
    };
    for (std::size_t j = 0; j < passes.size(); ++j) add(f.pass[j].value(), passes[j]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(method_.history); ++k) {
      const Complex then = z_to(-1.0 - static_cast<double>(k));
      add(f.history[k].value(), derivative({then, 0}, then * input(0)));
    }
    return out;
  }

  // The new state of explicit passes, one after the other.
  [[nodiscard]] Linear of_passes() const {
    std::array<Linear, numerics::max_passes> passes{};
    const auto count = static_cast<std::size_t>(method_.passes);
    Linear state{1, 0};
    for (std::size_t i = 0; i < count; ++i) {
      passes[i] = derivative(state, input(i));
      state = carried(method_.formulas[i + 1], {passes.data(), i + 1});
    }
    return state;
  }

  // The last of implicit stages: X = X_n + A (mu X + h U).
  [[nodiscard]] Linear of_stages() const {
    const Eigen::Index s = method_.passes;
    Eigen::MatrixXcd a(s, s);
    Eigen::VectorXcd u(s);
    for (Eigen::Index i = 0; i < s; ++i) {
      const Formula& f = method_.formulas[static_cast<std::size_t>(i)];
      u[i] = input(static_cast<std::size_t>(i));
      for (Eigen::Index j = 0; j < s; ++j) a(i, j) = f.pass[static_cast<std::size_t>(j)].value();
    }
    const Eigen::MatrixXcd system = Eigen::MatrixXcd::Identity(s, s) - lambda_h_ * a;
    const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(system);
    return {lu.solve(Eigen::VectorXcd::Ones(s))[s - 1], lu.solve(a * u)[s - 1]};
  }

  const Method& method_;
  double omega_h_;
  Complex lambda_h_;
  std::span<const Complex> inputs_;
};

FrequencyError error_of(Complex ratio) { return {std::abs(ratio) - 1, std::arg(ratio)}; }

}  // namespace

Complex response_ratio(const Method& m, double omega_h, Complex lambda_h,
                       std::span<const Complex> inputs) {
  const Steady steady(m, omega_h, lambda_h, inputs);
  const Linear state = steady.state();
  // z X = of_state X + of_input
  const Complex response = state.of_input / (steady.z_to(1) - state.of_state);
  return response * (Complex(0, omega_h) - lambda_h);
}

std::optional<FrequencyError> frequency_error(const Method& m, double omega_h, Complex lambda_h) {
  if (m.family == numerics::Family::multirate) return std::nullopt;
  return error_of(response_ratio(m, omega_h, lambda_h));
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
