// SPDX-License-Identifier: Apache-2.0
/// \file
/// The step of a model under a method that it lists in `Inlined`: its own inlined_step(), or else
/// one made from its equations, in which the compiler finds what is torn (Cellier, Inline
/// Integration V; numerics/structure). Real-time safe.
#pragma once

#include "hild/model/algebraic.hpp"

namespace hild::model {

namespace detail {

template <class M>
struct AsWritten {
  using Type = M;
};
template <FindsAlgebraic M>
struct AsWritten<M> {
  using Type = typename M::Unsolved;
};

}  // namespace detail

/// Whether the model says that the coefficients of what is linear in its equations depend on its
/// parameters alone.
template <class M>
concept HasConstantCoefficients = requires {
  requires M::constant_coefficients;
};

/// Backward Euler's step by Newton's method from the old state, as ImplicitStep has it. Keeps the
/// factors of what is linear, for steps of the same length with the same parameters, of a model
/// with constant coefficients. They are of the same bits as if they were found anew, so that they
/// are no part of what a run goes on from.
template <class M>
class StepByEquations {
  using Written = typename detail::AsWritten<M>::Type;
  using Equations = InlinedEquations<Written>;
  using Newton = typename numerics::NewtonFor<Equations>::Type;
  using D = Data<M>;
  static constexpr std::size_t nx = M::states.size();

 public:
  /// From x at t to `next` at t + h, with the inputs at t + h.
  template <const numerics::Method& Method>
  void take(M& model, double t, double h, typename D::X x, typename D::U u, typename D::P p,
            typename D::NewX next) noexcept {
    static_assert(Method.passes == 1 && Method.family == numerics::Family::newton,
                  "only backward Euler is inlined from equations");
    const Equations equations{&model, t + h, h, x, u, p};
    std::array<double, Equations::size> v;
    std::copy(x.begin(), x.end(), v.begin());
    const auto iterate = [&] {
      const bool is_kept = keeps(h, p);
      return Newton::solve(equations, std::span(v), Method.iterations, kept_, is_kept);
    };
    if constexpr (FindsAlgebraic<M>) {
      std::copy(model.guess.z.begin(), model.guess.z.end(), v.begin() + nx);
      model.find(iterate);
      std::copy(v.begin() + nx, v.end(), model.guess.z.begin());
    } else {
      iterate();
    }
    std::copy_n(v.begin(), nx, next.begin());
  }

 private:
  // Whether the factors are those of a step of h; from here on they are.
  [[nodiscard]] bool keeps(double h, typename D::P p) noexcept {
    if constexpr (HasConstantCoefficients<M>) {
      if (h == h_ && std::equal(p.begin(), p.end(), p_.begin())) return true;
      h_ = h;
      std::copy(p.begin(), p.end(), p_.begin());
    }
    return false;
  }

  typename Newton::Kept kept_;
  double h_ = 0;  // of no step
  std::array<double, M::parameters.size()> p_{};
};

/// How the model is stepped: by its own inlined_step(), which keeps nothing.
template <class M>
class InlinedStep {
  using D = Data<M>;

 public:
  /// From x at t to `next` at t + h, with the inputs at t + h.
  template <const numerics::Method& Method>
  void take(M& model, double t, double h, typename D::X x, typename D::U u, typename D::P p,
            typename D::NewX next) noexcept {
    model.inlined_step(Method, t, h, x, u, p, next);
  }
};
/// The same without one: by its equations.
template <class M>
requires(!requires(M m, typename Data<M>::X x, typename Data<M>::U u, typename Data<M>::P p,
                   typename Data<M>::NewX next, const numerics::Method& method) {
  m.inlined_step(method, 0.0, 0.0, x, u, p, next);
}) class InlinedStep<M> : public StepByEquations<M> {
};

}  // namespace hild::model
