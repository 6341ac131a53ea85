// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which kernel steps a model: the explicit one, the implicit one with the model's Jacobian, or the
/// model's own inlined step. All have the protocol of ExplicitStep; those of this file evaluate the
/// model in their pass(i, model, u, p), and in advance(), which takes whole steps with inputs that
/// hold. Real-time safe.
#pragma once

#include <array>
#include <utility>

#include "hild/model/jacobian_of.hpp"
#include "hild/numerics/explicit_step.hpp"
#include "hild/numerics/implicit_step.hpp"

namespace hild::model {

namespace detail {

template <std::size_t N>
std::array<double, N> copy_of(std::span<const double, N> values) noexcept {
  std::array<double, N> copy{};
  for (std::size_t i = 0; i < N; ++i) copy[i] = values[i];
  return copy;
}

/// Whole steps by the passes of a kernel that needs nothing more.
template <class Step, class M, class U, class P>
void advance_by_passes(Step& step, SimTime t, Duration h, int steps, M& model, U u, P p) noexcept {
  for (int n = 0; n < steps; ++n, t += h) {
    step.begin(t, h);
    const int passes = step.active().passes;
    for (int i = 0; i < passes; ++i) step.pass(i, model, u, p);
    step.finish();
  }
}

}  // namespace detail

/// An implicit method with its tableau read at run time.
class ChosenImplicit : public numerics::Chosen {
  using Chosen::Chosen;
};

/// A method of which the model brings its own step.
template <const numerics::Method& Own>
struct OwnStep : numerics::Fixed<Own> {
  static_assert(Own.passes == 1 && Own.history == 0, "an inlined step has one pass, no history");
};

template <class M, class Tableau>
class ExplicitStepping
    : public numerics::ExplicitStep<numerics::Static<M::states.size()>, Tableau> {
  using Base = numerics::ExplicitStep<numerics::Static<M::states.size()>, Tableau>;
  using D = Data<M>;

 public:
  explicit ExplicitStepping(Tableau tableau) : Base({}, tableau) {}

  void pass(int i, M& model, typename D::U u, typename D::P p) noexcept {
    model.derivatives(this->time(i), this->stage(i), u, p, this->derivative(i));
  }
  void advance(SimTime t, Duration h, int steps, M& model, typename D::U u,
               typename D::P p) noexcept {
    // Of its own: what a step writes is then known not to change them.
    const auto held = detail::copy_of(u);
    const auto parameters = detail::copy_of(p);
    Base::advance(t, h, steps, [&](double at, typename D::X x, typename D::DX dx) noexcept {
      model.derivatives(at, x, held, parameters, dx);
    });
  }
};

template <class M, class Tableau>
class ImplicitStepping : public numerics::ImplicitStep<numerics::Static<M::states.size()>, Tableau,
                                                       JacobianOf<M>::structure> {
  using Base =
      numerics::ImplicitStep<numerics::Static<M::states.size()>, Tableau, JacobianOf<M>::structure>;
  using D = Data<M>;

 public:
  explicit ImplicitStepping(Tableau tableau) : Base({}, tableau) {}

  void pass(int i, M& model, typename D::U u, typename D::P p) noexcept {
    auto& kept = u_[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = u[k];
    Base::pass(
        i, [&](int stage, double t, typename D::X x, typename D::DX dx, typename D::J j) noexcept {
          jacobian_(model, t, x, u_[static_cast<std::size_t>(stage)], p, dx, j);
        });
  }
  void advance(SimTime t, Duration h, int steps, M& model, typename D::U u,
               typename D::P p) noexcept {
    detail::advance_by_passes(*this, t, h, steps, model, u, p);
  }

 private:
  // Of every pass: further iterations evaluate all stages again.
  std::array<std::array<double, M::inputs.size()>, numerics::max_stages> u_{};
  [[no_unique_address]] JacobianOf<M> jacobian_{};
};

template <class M, class Tableau>
class OwnStepping {
  static constexpr std::size_t nx = M::states.size();
  using D = Data<M>;
  using State = std::array<double, nx>;

 public:
  explicit OwnStepping(Tableau /*method*/) noexcept {}

  [[nodiscard]] static constexpr const numerics::Method& method() noexcept {
    return Tableau::method();
  }
  [[nodiscard]] static constexpr const numerics::Method& active() noexcept { return method(); }
  [[nodiscard]] static constexpr bool starting() noexcept { return false; }
  [[nodiscard]] typename D::X state() const noexcept { return x_[now_]; }
  [[nodiscard]] typename D::NewX state() noexcept { return x_[now_]; }
  [[nodiscard]] typename D::X start_state() const noexcept {
    return x_[finished_ ? 1 - now_ : now_];
  }
  /// The mean slope of the step, which is as good as a method of first order.
  [[nodiscard]] typename D::X start_derivative() const noexcept { return slope_; }

  void begin(SimTime t, Duration h) noexcept {
    t_ = seconds(t);
    h_ = seconds(h);
    finished_ = false;
  }
  void pass(int /*i*/, M& model, typename D::U u, typename D::P p) noexcept {
    model.inlined_step(method(), t_, h_, std::as_const(*this).state(), u, p,
                       typename D::NewX(x_[1 - now_]));
  }
  void advance(SimTime t, Duration h, int steps, M& model, typename D::U u,
               typename D::P p) noexcept {
    detail::advance_by_passes(*this, t, h, steps, model, u, p);
  }
  void finish() noexcept {
    for (std::size_t i = 0; i < nx; ++i) slope_[i] = (x_[1 - now_][i] - x_[now_][i]) / h_;
    now_ = 1 - now_;
    finished_ = true;
  }
  void rewind() noexcept {
    if (finished_) now_ = 1 - now_;
    finished_ = false;
  }
  void restart() noexcept { finished_ = false; }

 private:
  std::array<State, 2> x_{};
  State slope_{};
  double t_ = 0;
  double h_ = 0;
  std::size_t now_ = 0;
  bool finished_ = false;
};

template <class M, class Tableau>
struct SteppingOf {
  using Type = ExplicitStepping<M, Tableau>;
};
template <class M>
struct SteppingOf<M, ChosenImplicit> {
  using Type = ImplicitStepping<M, ChosenImplicit>;
};
template <class M, const numerics::Method& One>
requires(One.implicit()) struct SteppingOf<M, numerics::Fixed<One>> {
  using Type = ImplicitStepping<M, numerics::Fixed<One>>;
};
template <class M, const numerics::Method& Own>
struct SteppingOf<M, OwnStep<Own>> {
  using Type = OwnStepping<M, OwnStep<Own>>;
};

}  // namespace hild::model
