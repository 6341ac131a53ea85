// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes a system of a model, and a stepper of a model and a method: virtual once a pass,
/// everything below inlined. With Fixed<method> the two are compiled together; with Chosen the
/// tableau is read at run time. The kernel is the same, and so are the results to the bit.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "hild/model/kept_members.hpp"
#include "hild/model/model.hpp"
#include "hild/model/multirate_stepping.hpp"
#include "hild/model/registry.hpp"
#include "hild/model/stepper.hpp"
#include "hild/model/stepping.hpp"

namespace hild::model {

/// The equations of a model, with its parameters and initial states. Nothing is checked: indices
/// and sizes are those of the description.
template <class M>
class SystemOf final : public System {
  static constexpr std::size_t nx = M::states.size();
  static constexpr std::size_t nu = M::inputs.size();
  static constexpr std::size_t ny = M::outputs.size();
  static constexpr std::size_t np = M::parameters.size();
  static constexpr std::size_t ng = Data<M>::events();
  static constexpr bool timed = Data<M>::timed;

 public:
  /// Parameters at their defaults, states at their start values. `alone`: no stepper goes on from
  /// what it is asked.
  explicit SystemOf(bool alone = true) : alone_(alone) {
    for (std::size_t i = 0; i < np; ++i) parameters_[i] = M::parameters[i].value;
    for (std::size_t i = 0; i < nx; ++i) initial_[i] = M::states[i].start;
  }

  /// The model itself, which may keep state in members.
  [[nodiscard]] M& model() noexcept { return model_; }
  /// All parameters as they are now, in the description's order.
  [[nodiscard]] const std::array<double, np>& parameters() const noexcept { return parameters_; }

  /// Its parameters, and what the model keeps in members.
  void transfer(Archive& archive) noexcept {
    archive(parameters_);
    transfer_kept(archive, model_);
  }

  [[nodiscard]] const Description& description() const noexcept override { return description_; }
  void set_initial(In states) override { std::copy_n(states.begin(), nx, initial_.begin()); }
  void start(Out x) noexcept override { std::copy_n(initial_.begin(), nx, x.begin()); }
  void set_parameter(std::size_t i, double value) noexcept override {
    parameters_[i] = value;
    forget();
  }
  [[nodiscard]] double parameter(std::size_t i) const noexcept override { return parameters_[i]; }

  void derivatives(double t, In x, In u, Out dx) noexcept override {
    const Aside<M> aside(model_, alone_);
    model_.derivatives(t, x.template first<nx>(), u.template first<nu>(), parameters_,
                       dx.template first<nx>());
  }
  bool jacobian(double t, In x, In u, numerics::Jacobian j) noexcept override {
    const Aside<M> aside(model_, alone_);
    std::array<double, nx> dx{};
    jacobian_(model_, t, x.template first<nx>(), u.template first<nu>(), parameters_, dx, j);
    return true;
  }
  void outputs(double t, In x, In u, Out y) noexcept override {
    const Aside<M> aside(model_, alone_);
    model_.outputs_of(t, x.template first<nx>(), u.template first<nu>(), parameters_,
                      y.template first<ny>());
  }
  void event_functions([[maybe_unused]] double t, [[maybe_unused]] In x, [[maybe_unused]] In u,
                       [[maybe_unused]] Out g) noexcept override {
    if constexpr (ng > 0) {
      const Aside<M> aside(model_, alone_);
      model_.event_functions(t, x.template first<nx>(), u.template first<nu>(), parameters_,
                             g.template first<ng>());
    }
  }
  void on_event([[maybe_unused]] std::size_t index, [[maybe_unused]] double t,
                [[maybe_unused]] Out x, [[maybe_unused]] In u) noexcept override {
    if constexpr (ng > 0) {
      model_.on_event(index, t, x.template first<nx>(), u.template first<nu>(),
                      std::span<double, np>(parameters_));
      forget();
    }
  }
  [[nodiscard]] SimTime next_time_event([[maybe_unused]] SimTime t) const noexcept override {
    if constexpr (timed) return model_.next_time_event(t, parameters_);
    return never;
  }
  void on_time_event([[maybe_unused]] double t, [[maybe_unused]] Out x,
                     [[maybe_unused]] In u) noexcept override {
    if constexpr (timed) {
      model_.on_time_event(t, x.template first<nx>(), u.template first<nu>(),
                           std::span<double, np>(parameters_));
      forget();
    }
  }
  [[nodiscard]] const CapCounts* cap_counts() const noexcept override {
    if constexpr (FindsAlgebraic<M>) return &model_.counts;
    return nullptr;
  }
  /// Algebraic variables may be anywhere from here on.
  void forget() noexcept {
    if constexpr (FindsAlgebraic<M>) model_.guess.far = true;
  }

 private:
  static constexpr Description description_ = describe<M>();

  [[no_unique_address]] M model_{};
  [[no_unique_address]] JacobianOf<M> jacobian_{};
  std::array<double, np> parameters_{};
  std::array<double, nx> initial_{};
  bool alone_;
};

/// The equations of a model, and a method that advances them. Tableau is what SteppingOf knows a
/// kernel for. Allocates in its constructor only.
template <class M, class Tableau>
class Integrated final : public Stepper {
  static constexpr std::size_t nx = M::states.size();
  static constexpr std::size_t nu = M::inputs.size();
  static constexpr std::size_t ny = M::outputs.size();
  static constexpr std::size_t np = M::parameters.size();
  using Stepping = typename SteppingOf<M, Tableau>::Type;
  static constexpr bool explicit_kernel = requires(Stepping & s) { s.finish_early(); };
  static constexpr bool one_step = [] {
    if constexpr (requires { Stepping::one_step; }) return Stepping::one_step;
    return false;
  }();

 public:
  /// At the initial states, as after reset().
  explicit Integrated(Tableau tableau)
      : Stepper(system_, Tableau::constant),
        step_(tableau),
        passes_(passes_of(step_.method(), false)) {
    if (step_.method().starter != nullptr) starter_ = passes_of(*step_.method().starter, true);
    reset();
  }

  [[nodiscard]] const numerics::Method& method() const noexcept override { return step_.method(); }

  const Passes& begin(SimTime t, Duration h) noexcept override {
    guess_.keep(system_.model());
    step_.begin(t, h);
    return passes();
  }
  void pass(int i, In u) noexcept override {
    step_.pass(i, system_.model(), u.template first<nu>(), system_.parameters());
  }
  void finish() noexcept override { step_.finish(); }
  const Passes& advance(SimTime t, Duration h, int steps, In u) noexcept override {
    if constexpr (!one_step) {
      if (steps == 1) return take(t, h, u);  // too few to be worth copies
    }
    return take_many(t, h, steps, u);
  }
  bool finish_early() noexcept override {
    if constexpr (explicit_kernel) return step_.finish_early();
    return false;
  }
  bool pass_outputs([[maybe_unused]] int pass, [[maybe_unused]] In u,
                    [[maybe_unused]] Out y) noexcept override {
    if constexpr (explicit_kernel) {
      const Aside<M> aside(system_.model());
      system_.model().outputs_of(step_.time(pass), step_.stage(pass), u.template first<nu>(),
                                 system_.parameters(), y.template first<ny>());
    }
    return explicit_kernel;
  }
  bool dense([[maybe_unused]] double theta, [[maybe_unused]] Out x) const noexcept override {
    if constexpr (explicit_kernel) return step_.dense(theta, x.template first<nx>());
    return false;
  }
  bool error_estimate([[maybe_unused]] Out error) const noexcept override {
    if constexpr (explicit_kernel) return step_.error_estimate(error.template first<nx>());
    return false;
  }
  void rewind() noexcept override {
    step_.rewind();
    guess_.restore(system_.model());
  }
  void restart(Restart /*from*/) noexcept override {
    step_.restart();
    system_.forget();
  }

  // Cold: it is to take no part in what the rest is compiled to.
  [[gnu::cold]] void transfer(Archive& archive, int made) noexcept override {
    system_.transfer(archive);
    step_.transfer(archive, made);
    if (made >= 0) guess_.transfer(archive);
  }

  [[nodiscard]] Out states() noexcept override { return step_.state(); }
  // In one call: every frame asks for them.
  void outputs(double t, In u, Out y) noexcept override {
    const Aside<M> aside(system_.model());
    system_.model().outputs_of(t, std::as_const(step_).state(), u.template first<nu>(),
                               system_.parameters(), y.template first<ny>());
  }
  [[nodiscard]] StepStart step_start() const noexcept override {
    return {step_.start_state(), step_.start_derivative()};
  }

 private:
  // Flattened: model, method and loop become one piece of code; each by itself, or what the one
  // keeps in registers the other has to save.
  [[gnu::noinline, gnu::flatten]] const Passes& take(SimTime t, Duration h, In u) noexcept {
    if constexpr (explicit_kernel) {
      guess_.keep(system_.model());
      const bool own =
          step_.take(t, h, system_.model(), u.template first<nu>(), system_.parameters());
      return own ? passes_ : starter_;
    } else {
      begin(t, h);
      for (int i = 0; i < passes().count(); ++i) pass(i, u);
      finish();
      return passes();
    }
  }
  [[gnu::noinline, gnu::flatten]] const Passes& take_many(SimTime t, Duration h, int steps,
                                                          In u) noexcept {
    // Of one's own, parameters are seen not to change: what depends on them alone is computed once.
    const std::array<double, np> p = system_.parameters();
    if constexpr (FindsAlgebraic<M>) {  // the last step may be taken back
      step_.advance(t, h, steps - 1, system_.model(), u.template first<nu>(), p);
      t += h * (steps - 1);
      steps = 1;
      guess_.keep(system_.model());
    }
    step_.advance(t, h, steps, system_.model(), u.template first<nu>(), p);
    return passes();
  }
  // Of the step begun last.
  [[nodiscard]] const Passes& passes() const noexcept {
    return step_.starting() ? starter_ : passes_;
  }

  SystemOf<M> system_{false};
  Stepping step_;
  Passes passes_, starter_;
  [[no_unique_address]] StepGuess<M> guess_{};
};

namespace detail {

template <class M, template <const numerics::Method&> class Tableau,
          const numerics::Method&... Methods>
std::unique_ptr<Stepper> make_one_of(const numerics::Method& wanted,
                                     CompiledWith<Methods...> /*l*/) {
  std::unique_ptr<Stepper> stepper;
  [[maybe_unused]] const auto try_one = [&]<const numerics::Method & One>() {
    if (wanted.name != One.name) return false;  // a plug-in has addresses of its own
    stepper = std::make_unique<Integrated<M, Tableau<One>>>(Tableau<One>{});
    return true;
  };
  (void)(try_one.template operator()<Methods>() || ...);
  return stepper;
}

template <class M>
constexpr auto methods_of() noexcept {
  if constexpr (requires { typename M::Methods; }) {
    return typename M::Methods{};
  } else {
    return CompiledWith<>{};
  }
}

template <class M, Multirate... Rates>
std::unique_ptr<Stepper> make_one_of(const Multirate& wanted,
                                     CompiledWithRates<Rates...> /*list*/) {
  std::unique_ptr<Stepper> stepper;
  [[maybe_unused]] const auto try_one = [&]<Multirate One>() {
    if (!same(wanted, One)) return false;
    stepper = std::make_unique<Integrated<M, FixedRates<One>>>(FixedRates<One>{});
    return true;
  };
  (void)(try_one.template operator()<Rates>() || ...);
  return stepper;
}

template <class M>
constexpr auto rates_of() noexcept {
  if constexpr (requires { typename M::Rates; }) {
    return typename M::Rates{};
  } else {
    return CompiledWithRates<>{};
  }
}

template <class M>
constexpr auto inlined_by() noexcept {
  if constexpr (requires { typename M::Inlined; }) {
    return typename M::Inlined{};
  } else {
    return CompiledWith<>{};
  }
}

}  // namespace detail

/// The model's own step where it has one for the method, else compiled together where it lists the
/// method, else with the tableau read at run time: then `method` must outlive the stepper. It is
/// not of the multirate family.
template <class Model>
std::unique_ptr<Stepper> make_stepper(const numerics::Method& method) {
  using M = WithoutAlgebraic<Model>;
  auto stepper = detail::make_one_of<M, OwnStep>(method, detail::inlined_by<M>());
  if (!stepper) stepper = detail::make_one_of<M, numerics::Fixed>(method, detail::methods_of<M>());
  if (stepper) return stepper;
  if (method.implicit()) {
    return std::make_unique<Integrated<M, ChosenImplicit>>(ChosenImplicit(method));
  }
  return std::make_unique<Integrated<M, numerics::Chosen>>(numerics::Chosen(method));
}

/// Compiled together where it lists the rates, else with rates read at run time. They have passed
/// check_rates(); only of a model with partitions.
template <class Model>
std::unique_ptr<Stepper> make_multirate_stepper(const Multirate& rates) {
  using M = WithoutAlgebraic<Model>;
  auto stepper = detail::make_one_of<M>(rates, detail::rates_of<M>());
  if (stepper) return stepper;
  return std::make_unique<Integrated<M, Multirate>>(rates);
}

/// What a model's macro registers.
template <class M>
constexpr Registration registration_of() noexcept {
  Registration r{
      describe<M>(),
      []() -> std::unique_ptr<System> { return std::make_unique<SystemOf<WithoutAlgebraic<M>>>(); },
      &make_stepper<M>,
  };
  if constexpr (requires { M::partitions; }) r.make_multirate = &make_multirate_stepper<M>;
  return r;
}

/// Registers struct MODEL (model.hpp) as a model before main() begins, or while a plug-in is
/// loaded. At namespace scope of one .cpp file, followed by a semicolon; in a plug-in exactly once.
#define HILD_MODEL(MODEL) HILD_MODEL_NUMBERED(MODEL, __COUNTER__)
/// A step of HILD_MODEL(), not for use by itself: the number keeps several models apart that are
/// compiled as one file.
#define HILD_MODEL_NUMBERED(MODEL, NUMBER) HILD_MODEL_NAMED(MODEL, NUMBER)
/// The last step of HILD_MODEL(), not for use by itself.
#define HILD_MODEL_NAMED(MODEL, NUMBER)                                \
  namespace {                                                          \
  const ::hild::model::Registration hild_model_registration_##NUMBER = \
      ::hild::model::registration_of<MODEL>();                         \
  [[maybe_unused]] const bool hild_model_registered_##NUMBER =         \
      ::hild::model::register_model(hild_model_registration_##NUMBER); \
  }                                                                    \
  static_assert(true)

}  // namespace hild::model
