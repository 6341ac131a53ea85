// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which kernel steps a model: the explicit one, the implicit one with the model's Jacobian, or the
/// model's own inlined step. All have the protocol of ExplicitStep; those of this file evaluate the
/// model in their pass(i, model, u, p), and in advance(), which takes whole steps with inputs that
/// hold. Real-time safe.
#pragma once

#include <array>
#include <utility>

#include "hild/model/inlined.hpp"
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
  static constexpr const numerics::Method& own = Own;  ///< the method
};

/// ExplicitStep of the model: any method that is not implicit.
template <class M, class Tableau>
class ExplicitStepping
    : public numerics::ExplicitStep<numerics::Static<M::states.size()>, Tableau> {
  using Base = numerics::ExplicitStep<numerics::Static<M::states.size()>, Tableau>;
  using D = Data<M>;

 public:
  /// The state is zero until it is written.
  explicit ExplicitStepping(Tableau tableau) : Base({}, tableau) {}

  /// Evaluates the derivatives of pass i, with the inputs at its node.
  void pass(int i, M& model, typename D::U u, typename D::P p) noexcept {
    this->evaluate(i, [&model, u, p](double at, typename D::X x, typename D::DX dx) noexcept {
      model.derivatives(at, x, u, p, dx);
    });
  }
  /// The new state. The old one remains until the next begin(), for rewind().
  void finish() noexcept { this->finish_evaluated(); }
  /// A whole step of length h > 0 from t with inputs that hold, to the bit as begin(), the passes
  /// and finish() take it. Whether it is one of the method and not of its starter.
  bool take(SimTime t, Duration h, M& model, typename D::U u, typename D::P p) noexcept {
    return Base::take(t, h, [&model, u, p](double at, typename D::X x, typename D::DX dx) noexcept {
      model.derivatives(at, x, u, p, dx);
    });
  }
  /// `steps` whole steps of length h > 0 from t with inputs that hold, to the bit as begin(), the
  /// passes and finish() take them.
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

/// ImplicitStep of the model, with its Jacobian by the best means it offers.
template <class M, class Tableau>
class ImplicitStepping : public numerics::ImplicitStep<numerics::Static<M::states.size()>, Tableau,
                                                       JacobianOf<M>::structure> {
  using Base =
      numerics::ImplicitStep<numerics::Static<M::states.size()>, Tableau, JacobianOf<M>::structure>;
  using D = Data<M>;

 public:
  /// The state is zero until it is written.
  explicit ImplicitStepping(Tableau tableau) : Base({}, tableau) {}

  /// Evaluates derivatives and Jacobian of pass i, with the inputs at its node; the last pass
  /// solves for the new state.
  void pass(int i, M& model, typename D::U u, typename D::P p) noexcept {
    auto& kept = u_[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = u[k];
    Base::pass(
        i, [&](int stage, double t, typename D::X x, typename D::DX dx, typename D::J j) noexcept {
          jacobian_(model, t, x, u_[static_cast<std::size_t>(stage)], p, dx, j);
        });
  }
  /// `steps` whole steps of length h > 0 from t with inputs that hold: begin(), the passes and
  /// finish() of each.
  void advance(SimTime t, Duration h, int steps, M& model, typename D::U u,
               typename D::P p) noexcept {
    detail::advance_by_passes(*this, t, h, steps, model, u, p);
  }
  /// What is to go on, as ExplicitStep has it.
  void transfer(Archive& archive, int made) noexcept {
    Base::transfer(archive, made);
    for (int p = 0; p < made; ++p) archive(u_[static_cast<std::size_t>(p)]);
  }

 private:
  // Of every pass: further iterations evaluate all stages again.
  std::array<std::array<double, M::inputs.size()>, numerics::max_stages> u_{};
  [[no_unique_address]] JacobianOf<M> jacobian_{};
};

/// The model's inlined step, its own or from its equations, of one pass. Tableau is OwnStep.
template <class M, class Tableau>
class OwnStepping {
  static constexpr std::size_t nx = M::states.size();
  using D = Data<M>;
  using State = std::array<double, nx>;

 public:
  /// The state is zero until it is written.
  explicit OwnStepping(Tableau /*method*/) noexcept {}

  /// The method of which the model brings the step.
  [[nodiscard]] static constexpr const numerics::Method& method() noexcept {
    return Tableau::method();
  }
  /// Each step is taken by the method itself: it needs no starter.
  [[nodiscard]] static constexpr const numerics::Method& active() noexcept { return method(); }
  /// Whether a starter is at work: never.
  [[nodiscard]] static constexpr bool starting() noexcept { return false; }
  /// The state now: x(t_n) before a step, x(t_n + h) after finish().
  [[nodiscard]] typename D::X state() const noexcept { return x_[now_]; }
  /// The same, to be written between steps; restart() follows.
  [[nodiscard]] typename D::NewX state() noexcept { return x_[now_]; }
  /// The state the last step began with; valid from begin() to the next begin().
  [[nodiscard]] typename D::X start_state() const noexcept {
    return x_[finished_ ? 1 - now_ : now_];
  }
  /// Empty: what a model does in its own step is not known.
  [[nodiscard]] static std::span<const double> start_derivative() noexcept { return {}; }

  /// A step of length h > 0 from t begins.
  void begin(SimTime t, Duration h) noexcept {
    t_ = seconds(t);
    h_ = seconds(h);
    finished_ = false;
  }
  /// The whole step, by the model, with the inputs at the method's node.
  void pass(int /*i*/, M& model, typename D::U u, typename D::P p) noexcept {
    inlined_.template take<Tableau::own>(model, t_, h_, std::as_const(*this).state(), u, p,
                                         typename D::NewX(x_[1 - now_]));
  }
  /// `steps` whole steps of length h > 0 from t with inputs that hold: begin(), pass() and finish()
  /// of each.
  void advance(SimTime t, Duration h, int steps, M& model, typename D::U u,
               typename D::P p) noexcept {
    detail::advance_by_passes(*this, t, h, steps, model, u, p);
  }
  /// The new state. The old one remains until the next pass, for rewind().
  void finish() noexcept {
    now_ = 1 - now_;
    finished_ = true;
  }
  /// Back to the start of the step just finished.
  void rewind() noexcept {
    if (finished_) now_ = 1 - now_;
    finished_ = false;
  }
  /// The state was written or has jumped: there is no finished step to take back any more.
  void restart() noexcept { finished_ = false; }
  /// What is to go on, as ExplicitStep has it.
  void transfer(Archive& archive, int made) noexcept {
    archive(x_[now_]);
    if (made >= 0) archive(t_, h_);
    if (made > 0) archive(x_[1 - now_]);
    if (archive.loads()) finished_ = false;
  }

 private:
  std::array<State, 2> x_{};
  double t_ = 0;
  double h_ = 0;
  std::size_t now_ = 0;
  bool finished_ = false;
  [[no_unique_address]] InlinedStep<M> inlined_;
};

/// The kernel for a model and what it is to be stepped by: unless said otherwise below and in
/// multirate_stepping.hpp, the explicit one.
template <class M, class Tableau>
struct SteppingOf {
  using Type = ExplicitStepping<M, Tableau>;  ///< the kernel
};
/// An implicit method that is read at run time.
template <class M>
struct SteppingOf<M, ChosenImplicit> {
  using Type = ImplicitStepping<M, ChosenImplicit>;  ///< the kernel
};
/// An implicit method that the compiler knows.
template <class M, const numerics::Method& One>
requires(One.implicit()) struct SteppingOf<M, numerics::Fixed<One>> {
  using Type = ImplicitStepping<M, numerics::Fixed<One>>;  ///< the kernel
};
/// A method of which the model brings its own step.
template <class M, const numerics::Method& Own>
struct SteppingOf<M, OwnStep<Own>> {
  using Type = OwnStepping<M, OwnStep<Own>>;  ///< the kernel
};

}  // namespace hild::model
