// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes a plant of a model and a method: virtual once a pass, everything below inlined. With
/// Fixed<method> the two are compiled together; with Chosen the tableau is read at run time. The
/// kernel is the same, and so are the results to the bit.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "hild/model/model.hpp"
#include "hild/model/multirate_stepping.hpp"
#include "hild/model/plant.hpp"
#include "hild/model/registry.hpp"
#include "hild/model/stepping.hpp"

namespace hild::model {

template <class M, class Tableau>
class Integrated final : public Plant {
  static constexpr std::size_t nx = M::states.size();
  static constexpr std::size_t nu = M::inputs.size();
  static constexpr std::size_t ny = M::outputs.size();
  static constexpr std::size_t np = M::parameters.size();
  static constexpr std::size_t ng = Data<M>::events();
  using Stepping = typename SteppingOf<M, Tableau>::Type;
  static constexpr bool explicit_kernel = requires(Stepping & s) { s.finish_early(); };

 public:
  explicit Integrated(Tableau tableau) : step_(tableau) {
    for (std::size_t i = 0; i < np; ++i) parameters_[i] = M::parameters[i].value;
    for (std::size_t i = 0; i < nx; ++i) initial_[i] = M::states[i].start;
    reset();
  }

  [[nodiscard]] const Description& description() const noexcept override { return description_; }
  [[nodiscard]] const numerics::Method& method() const noexcept override { return step_.method(); }
  [[nodiscard]] bool compiled_together() const noexcept override { return Tableau::constant; }

  void set_initial(In states) override {
    std::copy_n(states.begin(), nx, initial_.begin());
    reset();
  }
  void reset() noexcept override { set_states(initial_); }
  void set_states(In states) noexcept override {
    step_.restart();
    std::copy_n(states.begin(), nx, step_.state().begin());
  }
  void set_parameter(std::size_t i, double value) noexcept override { parameters_[i] = value; }
  [[nodiscard]] double parameter(std::size_t i) const noexcept override { return parameters_[i]; }

  void begin(SimTime t, Duration h) noexcept override { step_.begin(t, h); }
  [[nodiscard]] int passes() const noexcept override { return step_.active().passes; }
  [[nodiscard]] double node(int pass) const noexcept override {
    return step_.active().node(pass).value();
  }
  [[nodiscard]] bool starting() const noexcept override { return step_.starting(); }
  void pass(int i, In u) noexcept override {
    step_.pass(i, model_, u.template first<nu>(), parameters_);
  }
  void finish() noexcept override { step_.finish(); }
  // Flattened: model, method and loop become one piece of code.
  [[gnu::flatten]] void advance(SimTime t, Duration h, int steps, In u) noexcept override {
    // Of one's own, parameters are seen not to change: what depends on them alone is computed once.
    const std::array<double, np> p = parameters_;
    step_.advance(t, h, steps, model_, u.template first<nu>(), p);
  }
  bool finish_early() noexcept override {
    if constexpr (explicit_kernel) return step_.finish_early();
    return false;
  }
  bool shorten([[maybe_unused]] double theta) noexcept override {
    if constexpr (explicit_kernel) return step_.shorten(theta);
    return false;
  }
  bool dense([[maybe_unused]] double theta, [[maybe_unused]] Out x) const noexcept override {
    if constexpr (explicit_kernel) return step_.dense(theta, x.template first<nx>());
    return false;
  }
  bool error_estimate([[maybe_unused]] Out error) const noexcept override {
    if constexpr (explicit_kernel) return step_.error_estimate(error.template first<nx>());
    return false;
  }
  void rewind() noexcept override { step_.rewind(); }
  void restart() noexcept override { step_.restart(); }

  [[nodiscard]] In states() const noexcept override { return step_.state(); }
  [[nodiscard]] In start_states() const noexcept override { return step_.start_state(); }
  [[nodiscard]] In start_derivatives() const noexcept override { return step_.start_derivative(); }

  void derivatives(double t, In x, In u, Out dx) noexcept override {
    model_.derivatives(t, x.template first<nx>(), u.template first<nu>(), parameters_,
                       dx.template first<nx>());
  }
  bool jacobian(double t, In x, In u, Out j) noexcept override {
    jacobian_.dense(model_, t, x.template first<nx>(), u.template first<nu>(), parameters_, j);
    return true;
  }
  void outputs(double t, In u, Out y) noexcept override {
    model_.outputs_of(t, std::as_const(step_).state(), u.template first<nu>(), parameters_,
                      y.template first<ny>());
  }
  bool outputs_at(double t, In x, In u, Out y) noexcept override {
    model_.outputs_of(t, x.template first<nx>(), u.template first<nu>(), parameters_,
                      y.template first<ny>());
    return true;
  }
  bool pass_outputs([[maybe_unused]] int pass, [[maybe_unused]] In u,
                    [[maybe_unused]] Out y) noexcept override {
    if constexpr (explicit_kernel) {
      model_.outputs_of(step_.time(pass), step_.stage(pass), u.template first<nu>(), parameters_,
                        y.template first<ny>());
    }
    return explicit_kernel;
  }
  void event_functions([[maybe_unused]] double t, [[maybe_unused]] In x, [[maybe_unused]] In u,
                       [[maybe_unused]] Out g) noexcept override {
    if constexpr (ng > 0) {
      model_.event_functions(t, x.template first<nx>(), u.template first<nu>(), parameters_,
                             g.template first<ng>());
    }
  }
  void on_event([[maybe_unused]] std::size_t index, [[maybe_unused]] double t,
                [[maybe_unused]] In u) noexcept override {
    if constexpr (ng > 0) {
      model_.on_event(index, t, step_.state(), u.template first<nu>(),
                      std::span<double, np>(parameters_));
    }
  }
  [[nodiscard]] SimTime next_time_event([[maybe_unused]] SimTime t) const noexcept override {
    if constexpr (timed) return model_.next_time_event(t, parameters_);
    return never;
  }
  void on_time_event([[maybe_unused]] double t, [[maybe_unused]] In u) noexcept override {
    if constexpr (timed) {
      model_.on_time_event(t, step_.state(), u.template first<nu>(),
                           std::span<double, np>(parameters_));
    }
  }

 private:
  static constexpr bool timed = Data<M>::timed;
  static constexpr Description description_ = describe<M>();

  [[no_unique_address]] M model_{};
  Stepping step_;
  [[no_unique_address]] JacobianOf<M> jacobian_{};
  std::array<double, np> parameters_{};
  std::array<double, nx> initial_{};
};

namespace detail {

template <class M, template <const numerics::Method&> class Tableau,
          const numerics::Method&... Methods>
std::unique_ptr<Plant> make_one_of(const numerics::Method& wanted, CompiledWith<Methods...> /*l*/) {
  std::unique_ptr<Plant> plant;
  [[maybe_unused]] const auto try_one = [&]<const numerics::Method & One>() {
    if (wanted.name != One.name) return false;  // a plug-in has addresses of its own
    plant = std::make_unique<Integrated<M, Tableau<One>>>(Tableau<One>{});
    return true;
  };
  (void)(try_one.template operator()<Methods>() || ...);
  return plant;
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
std::unique_ptr<Plant> make_one_of(const Multirate& wanted, CompiledWithRates<Rates...> /*list*/) {
  std::unique_ptr<Plant> plant;
  [[maybe_unused]] const auto try_one = [&]<Multirate One>() {
    if (!same(wanted, One)) return false;
    plant = std::make_unique<Integrated<M, FixedRates<One>>>(FixedRates<One>{});
    return true;
  };
  (void)(try_one.template operator()<Rates>() || ...);
  return plant;
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
/// method, else with the tableau read at run time.
template <class M>
std::unique_ptr<Plant> make_plant(const numerics::Method& method) {
  auto plant = detail::make_one_of<M, OwnStep>(method, detail::inlined_by<M>());
  if (!plant) plant = detail::make_one_of<M, numerics::Fixed>(method, detail::methods_of<M>());
  if (plant) return plant;
  if (method.implicit()) {
    return std::make_unique<Integrated<M, ChosenImplicit>>(ChosenImplicit(method));
  }
  return std::make_unique<Integrated<M, numerics::Chosen>>(numerics::Chosen(method));
}

/// Compiled together where it lists the rates, else with rates read at run time.
template <class M>
std::unique_ptr<Plant> make_multirate_plant(const Multirate& rates) {
  auto plant = detail::make_one_of<M>(rates, detail::rates_of<M>());
  if (plant) return plant;
  return std::make_unique<Integrated<M, Multirate>>(rates);
}

/// What a model's macro registers.
template <class M>
constexpr Registration registration_of() noexcept {
  Registration r{describe<M>(), &make_plant<M>};
  if constexpr (requires { M::partitions; }) r.make_multirate = &make_multirate_plant<M>;
  return r;
}

// The numbers keep several models apart that are compiled as one file.
#define HILD_MODEL(MODEL) HILD_MODEL_NUMBERED(MODEL, __COUNTER__)
#define HILD_MODEL_NUMBERED(MODEL, NUMBER) HILD_MODEL_NAMED(MODEL, NUMBER)
#define HILD_MODEL_NAMED(MODEL, NUMBER)                                \
  namespace {                                                          \
  const ::hild::model::Registration hild_model_registration_##NUMBER = \
      ::hild::model::registration_of<MODEL>();                         \
  [[maybe_unused]] const bool hild_model_registered_##NUMBER =         \
      ::hild::model::register_model(hild_model_registration_##NUMBER); \
  }                                                                    \
  static_assert(true)

}  // namespace hild::model
