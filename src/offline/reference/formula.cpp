// SPDX-License-Identifier: Apache-2.0
#include "offline/reference/formula.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hild::reference {

Formula::Formula(Ode& ode, Tolerance tolerance)
    : y0_(ode.size()),
      f0_(ode.size()),
      y1_(ode.size()),
      f1_(ode.size()),
      result_(ode.size()),
      ode_(ode),
      tolerance_(tolerance),
      absolute_(ode.size()) {
  for (std::size_t i = 0; i < absolute_.size(); ++i) {
    absolute_[i] = tolerance.absolute * ode.nominal(i);
  }
}

void Formula::evaluate(double t, std::span<const double> y, std::span<double> dy) {
  ++evaluations_;
  ode_.derivatives(t, y, dy);
}

void Formula::start(double t, std::span<const double> y) {
  t0_ = t1_ = t;
  std::ranges::copy(y, y1_.begin());
  evaluate(t, y1_, f1_);
}

void Formula::accept() {
  t0_ = t1_;
  t1_ = end_;
  y0_.swap(y1_);
  f0_.swap(f1_);
  y1_.swap(result_);
  evaluate(t1_, y1_, f1_);
}

Trial Formula::judge(std::span<const double> error, std::span<const double> allowed) const {
  Trial trial;
  for (std::size_t i = 0; i < size(); ++i) {
    const double ratio = std::abs(error[i]) / allowed[i];
    if (!std::isfinite(ratio) || !std::isfinite(result_[i])) {
      return {std::numeric_limits<double>::infinity(), i, false};
    }
    if (ratio > trial.error) trial = {ratio, i, true};
  }
  return trial;
}

std::string_view to_string(FormulaKind kind) {
  return kind == FormulaKind::jack ? "jack" : "ode-45";
}

std::unique_ptr<Formula> make_formula(FormulaKind kind, Ode& ode, Tolerance tolerance) {
  return kind == FormulaKind::jack ? make_jack(ode, tolerance) : make_ode45(ode, tolerance);
}

}  // namespace hild::reference
