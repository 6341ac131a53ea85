// SPDX-License-Identifier: Apache-2.0
/// \file
/// Problems for implicit methods, and a step over them.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/implicit_step.hpp"
#include "hild/numerics/methods/stiff.hpp"

namespace hild::numerics::test {

/// Nonlinear, time-dependent and driven by u = sin 3t:
/// x0' = -x0^2 + cos t + u, x1' = x0 x1 sin t - x1.
struct Driven {
  template <class X, class Dx>
  void operator()(int /*stage*/, double t, X x, Dx dx, Jacobian j) const {
    const double u = std::sin(3 * t);
    dx[0] = -x[0] * x[0] + std::cos(t) + u;
    dx[1] = x[0] * x[1] * std::sin(t) - x[1];
    j(0, 0) = -2 * x[0];
    j(1, 0) = x[1] * std::sin(t);
    j(1, 1) = x[0] * std::sin(t) - 1;
  }
};

template <class Step, class Problem>
void advance(Step& step, SimTime t, Duration h, const Problem& problem) {
  step.begin(t, h);
  for (int i = 0; i < step.active().passes; ++i) step.pass(i, problem);
  step.finish();
}

/// x' = lambda x with a Jacobian that is wrong by a factor.
struct Linear {
  double lambda;
  double believed;  ///< what the Jacobian says
  template <class X, class Dx>
  void operator()(int /*stage*/, double /*t*/, X x, Dx dx, Jacobian j) const {
    dx[0] = lambda * x[0];
    j(0, 0) = believed;
  }
};

/// x(h) / x(0).
inline double growth(const Method& m, const Linear& problem, Duration h = 1_ms) {
  ImplicitStep step{Static<1>{}, Chosen(m)};
  step.state()[0] = 1;
  advance(step, {}, h, problem);
  return step.state()[0];
}

inline std::vector<const Method*> implicit_methods() {
  std::vector<const Method*> methods;
  for (const Method* m : catalogue()) {
    if (m->implicit()) methods.push_back(m);
  }
  return methods;
}

}  // namespace hild::numerics::test
