// SPDX-License-Identifier: Apache-2.0
/// \file
/// The step of a model under a method that it lists in `Inlined`: its own inlined_step(), or else
/// one made from its equations, in which the compiler finds what is torn (Cellier, Inline
/// Integration V; numerics/structure). Real-time safe.
#pragma once

#include "hild/model/algebraic.hpp"

namespace hild::model {

namespace detail {

/// A step from the equations: Newton's method from the old state, as ImplicitStep has it.
template <const numerics::Method& Method, class M>
void step_by_equations(M& model, double t, double h, typename Data<M>::X x, typename Data<M>::U u,
                       typename Data<M>::P p, typename Data<M>::NewX next) noexcept {
  static_assert(Method.passes == 1 && Method.family == numerics::Family::newton,
                "only backward Euler is inlined from equations");
  constexpr std::size_t nx = M::states.size();
  const auto make = [&]<class Own>(Own& own) {
    using Equations = InlinedEquations<Own>;
    std::array<double, Equations::size> v;
    std::copy(x.begin(), x.end(), v.begin());
    const Equations equations{&own, t + h, h, x, u, p};
    const auto newton = [](const Equations& e, std::span<double, Equations::size> all, int count) {
      return numerics::NewtonFor<Equations>::Type::solve(e, all, count);
    };
    if constexpr (FindsAlgebraic<M>) {
      std::copy(model.guess.z.begin(), model.guess.z.end(), v.begin() + nx);
      model.find(newton, equations, std::span(v), Method.iterations);
      std::copy(v.begin() + nx, v.end(), model.guess.z.begin());
    } else {
      newton(equations, std::span(v), Method.iterations);
    }
    std::copy_n(v.begin(), nx, next.begin());
  };
  if constexpr (FindsAlgebraic<M>) {
    make(static_cast<typename M::Unsolved&>(model));
  } else {
    make(model);
  }
}

}  // namespace detail

/// From x at t to `next` at t + h, with the inputs at t + h.
template <const numerics::Method& Method, class M>
void inlined_step(M& model, double t, double h, typename Data<M>::X x, typename Data<M>::U u,
                  typename Data<M>::P p, typename Data<M>::NewX next) noexcept {
  if constexpr (requires { model.inlined_step(Method, t, h, x, u, p, next); }) {
    model.inlined_step(Method, t, h, x, u, p, next);
  } else {
    detail::step_by_equations<Method>(model, t, h, x, u, p, next);
  }
}

}  // namespace hild::model
