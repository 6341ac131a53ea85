// SPDX-License-Identifier: Apache-2.0
#include "offline/reference/adaptive.hpp"

#include <algorithm>
#include <cmath>

namespace hild::reference {
namespace {

constexpr double factor_when_not_finite = 0.1;
// A step that would leave less than this part of itself to the end goes there instead.
constexpr double sliver = 1e-9;

}  // namespace

Result<void> check(const AdaptiveOptions& o) {
  const auto positive_or_zero = [](double v) { return std::isfinite(v) && v >= 0; };
  if (!positive_or_zero(o.tolerance.relative) || !positive_or_zero(o.tolerance.absolute) ||
      o.tolerance.relative + o.tolerance.absolute == 0) {
    return fail("tolerances: relative {:g}, absolute {:g}; expected at least 0, one of them more",
                o.tolerance.relative, o.tolerance.absolute);
  }
  if (o.tolerance.absolute == 0 && o.tolerance.relative < 1e-15) {
    return fail("a relative tolerance of {:g} is finer than a double; expected 1e-15 or more",
                o.tolerance.relative);
  }
  for (const double h : {o.first_step, o.smallest_step, o.largest_step}) {
    if (!positive_or_zero(h)) return fail("a step of {:g} s; expected at least 0 s", h);
  }
  if (o.largest_step > 0 && o.smallest_step > o.largest_step) {
    return fail("the smallest step {:g} s is longer than the largest {:g} s", o.smallest_step,
                o.largest_step);
  }
  if (o.max_steps < 1) return fail("a limit of {} steps; expected at least 1", o.max_steps);
  return {};
}

Adaptive::Adaptive(Ode& ode, const AdaptiveOptions& options)
    : ode_(ode),
      options_(options),
      formula_(make_formula(options.formula, ode, options.tolerance)),
      y_(ode.size()),
      f_(ode.size()) {}

Result<void> Adaptive::start(double t, std::span<const double> y) {
  formula_->start(t, y);
  const auto derivative = formula_->derivative();
  for (std::size_t i = 0; i < derivative.size(); ++i) {
    if (std::isfinite(derivative[i]) && std::isfinite(y[i])) continue;
    return fail(ExitCode::fault, "t = {:.9g} s: state `{}` is {} and its derivative {}", t,
                ode_.state_name(i), y[i], derivative[i]);
  }
  h_ = options_.first_step > 0 ? options_.first_step : estimated_first_step();
  return {};
}

double Adaptive::allowed(std::size_t i) const {
  const double tiny = 1e-30;
  return options_.tolerance.relative * std::abs(state()[i]) + formula_->absolute(i) + tiny;
}

// After Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.4, but with
// a time scale, T = |y'| / |y''|, so that no unit matters: the error of a step, some
// h |y'| (h/T)^(p-1), is to be a tenth of what is allowed.
double Adaptive::estimated_first_step() {
  const auto y = state();
  const auto f = formula_->derivative();
  double size = 0;
  double slope = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    size = std::max(size, std::abs(y[i]) / allowed(i));
    slope = std::max(slope, std::abs(f[i]) / allowed(i));
  }
  const double first = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;
  for (std::size_t i = 0; i < y.size(); ++i) y_[i] = y[i] + first * f[i];
  formula_->evaluate(time() + first, y_, f_);
  double bend = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    bend = std::max(bend, std::abs(f_[i] - f[i]) / allowed(i) / first);
  }
  if (!std::isfinite(slope) || !std::isfinite(bend)) return 1e-3 * first;
  if (slope == 0 || bend == 0) return 100 * first;
  const double p = formula_->error_power();
  return std::min(100 * first, std::pow(0.1 * std::pow(slope / bend, p - 1) / slope, 1 / p));
}

Result<void> Adaptive::step(double end) {
  for (;;) {
    const double t = time();
    if (options_.largest_step > 0) h_ = std::min(h_, options_.largest_step);
    if (auto possible = check_step(); !possible) return possible;
    const bool last = t + h_ * (1 + sliver) >= end;
    const Trial trial = last_trial_ = formula_->attempt(last ? end : t + h_, h_);
    const double tried = last ? end - t : h_;
    if (trial.error <= 1) {
      formula_->accept();
      ++counts_.accepted;
      counts_.longest_step = std::max(counts_.longest_step, tried);
      counts_.shortest_step =
          counts_.accepted == 1 ? tried : std::min(counts_.shortest_step, tried);
      const double next = formula_->grown(tried, trial.error);
      // A step cut short to end there says nothing against the length it had.
      h_ = last ? std::max(next, h_) : next;
      return {};
    }
    ++counts_.rejected;
    h_ = trial.finite ? formula_->shrunk(tried, trial.error) : factor_when_not_finite * tried;
  }
}

std::string Adaptive::where() const {
  const Trial& trial = last_trial_;
  return fmt::format("t = {:.9g} s: h = {:.3g} s, and the error of state `{}` (now {:.6g}) was {}",
                     time(), h_, ode_.state_name(trial.worst), state()[trial.worst],
                     trial.finite ? fmt::format("{:.3g} tolerances", trial.error) : "not finite");
}

Result<void> Adaptive::check_step() const {
  if (counts_.accepted + counts_.rejected >= options_.max_steps) {
    return fail(ExitCode::fault,
                "{} steps were not enough at {}; allow more steps or a larger tolerance, or take a "
                "method for stiff models",
                options_.max_steps, where());
  }
  if (time() + h_ == time() || !(h_ > 0)) {
    return fail(ExitCode::fault,
                "the step vanishes at {}; the solution may end there (a pole, a jump without an "
                "event), or the tolerance is beyond a double",
                where());
  }
  if (h_ < options_.smallest_step) {
    return fail(ExitCode::fault,
                "the step falls below the smallest, {:g} s, at {}; allow a smaller step or a "
                "larger tolerance",
                options_.smallest_step, where());
  }
  return {};
}

void Adaptive::at(double t, std::span<double> y) const {
  if (t >= time()) {
    std::ranges::copy(state(), y.begin());
    return;
  }
  formula_->within((t - begin()) / (time() - begin()), y);
}

Counts Adaptive::counts() const {
  Counts counts = counts_;
  counts.evaluations = formula_->evaluations();
  return counts;
}

}  // namespace hild::reference
