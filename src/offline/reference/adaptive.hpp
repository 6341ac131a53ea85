// SPDX-License-Identifier: Apache-2.0
/// \file
/// Integrates with steps as long as the error allows. Not real-time: the number of passes depends
/// on the problem. Allocates only while constructing.
#pragma once

#include "hild/core/result.hpp"
#include "offline/reference/formula.hpp"

namespace hild::reference {

struct AdaptiveOptions {
  FormulaKind formula = FormulaKind::jack;
  Tolerance tolerance;
  double first_step = 0;                ///< s; 0: estimated from y, f and a trial derivative
  double smallest_step = 0;             ///< s; it is a failure if the error demands a shorter step
  double largest_step = 0;              ///< s; 0: no limit
  std::int64_t max_steps = 10'000'000;  ///< accepted and rejected
};

/// Checks options. Error: a tolerance or a step that makes no sense.
[[nodiscard]] Result<void> check(const AdaptiveOptions& options);

struct Counts {
  std::int64_t accepted = 0;
  std::int64_t rejected = 0;
  std::int64_t evaluations = 0;
  double shortest_step = 0;  ///< of those accepted, s
  double longest_step = 0;
};

class Adaptive {
 public:
  /// `options` have been checked; `ode` outlives this.
  Adaptive(Ode& ode, const AdaptiveOptions& options);

  /// Begins at t with y; also used after a jump of the state or of the derivative.
  [[nodiscard]] Result<void> start(double t, std::span<const double> y);
  /// Makes one accepted step, which ends at `end` (> time()) at the latest. Errors
  /// (ExitCode::fault) say where: the limit of steps, a vanishing step, a value that is not finite.
  [[nodiscard]] Result<void> step(double end);

  /// The begin and the end of the last step, and the state at its end.
  [[nodiscard]] double begin() const { return formula_->begin(); }
  [[nodiscard]] double time() const { return formula_->time(); }
  [[nodiscard]] std::span<const double> state() const { return formula_->state(); }
  /// The state at `t` within the last step.
  void at(double t, std::span<double> y) const;

  [[nodiscard]] Counts counts() const;

 private:
  [[nodiscard]] double estimated_first_step();
  [[nodiscard]] double allowed(std::size_t i) const;
  [[nodiscard]] Result<void> check_step() const;
  [[nodiscard]] std::string where() const;

  Ode& ode_;
  AdaptiveOptions options_;
  std::unique_ptr<Formula> formula_;
  std::vector<double> y_, f_;  // of the estimate
  double h_ = 0;               // the step to try next
  Trial last_trial_;
  Counts counts_;
};

}  // namespace hild::reference
