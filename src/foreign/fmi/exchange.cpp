// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/exchange.hpp"

#include <algorithm>
#include <utility>

#include "foreign/fmi/jacobian.hpp"
#include "hild/numerics/explicit_step.hpp"
#include "hild/numerics/float_control.hpp"
#include "hild/numerics/implicit_step.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::fmi {
namespace {

using numerics::Chosen;
using numerics::Dynamic;
using In = std::span<const double>;
using Out = std::span<double>;

/// In the place of patterns that are known when a stepper is made.
const numerics::Pattern any_pattern;

/// The kernels with the FMU behind them.
template <class Tableau>
struct Explicit : numerics::ExplicitStep<Dynamic, Tableau> {
  using Base = numerics::ExplicitStep<Dynamic, Tableau>;
  static constexpr bool explicit_kernel = true;
  Explicit(const Layout& layout, const numerics::Method& m)
      : Base(Dynamic(layout.states.size()), tableau(m)) {}
  [[gnu::always_inline]] void evaluate(int i, ModelExchange& fmu, In u) noexcept {
    evaluate_at(i, fmu, [&] { return fmu.arrive(Base::time(i), u); });
  }
  /// The passes after the first, of a step whose inputs hold.
  void evaluate_later(ModelExchange& fmu) noexcept {
    const auto later = [&](int i) {
      evaluate_at(i, fmu, [&] { return fmu.arrive(Base::time(i)); });
    };
    if constexpr (Base::one_step) {
      [&]<int... I>(std::integer_sequence<int, I...>) { (later(I + 1), ...); }
      (std::make_integer_sequence<int, Tableau::method().passes - 1>{});
    } else {
      for (int i = 1; i < Base::active().passes; ++i) later(i);
    }
  }

 private:
  // The state is formed first, by the usual rounding. The place is found when it is due: kept over
  // the FMU's calls it costs more.
  template <class Arrive>
  [[gnu::always_inline]] void evaluate_at(int i, ModelExchange& fmu, Arrive arrive) noexcept {
    const In x = Base::stage(i);
    const numerics::FloatControl kept;  // over all its calls
    if (arrive() && fmu.pass_through(x) && fmu.read_derivatives(Base::derivative(i))) [[likely]] {
      return;
    }
    ModelExchange::fill_with_nan(Base::derivative(i));
  }
  static Tableau tableau([[maybe_unused]] const numerics::Method& m) {
    if constexpr (Tableau::constant) {
      return {};
    } else {
      return Tableau(m);
    }
  }
};

/// With the Jacobian dense, or of a pattern, which is the FMU's own.
template <numerics::Structure S>
struct Implicit : numerics::ImplicitStep<Dynamic, Chosen, S> {
  using Base = numerics::ImplicitStep<Dynamic, Chosen, S>;
  static constexpr bool explicit_kernel = false;
  Implicit(const Layout& layout, const numerics::Method& m)
      : Base(Dynamic(layout.states.size()), Chosen(m), layout.description.structure),
        jacobian_(layout) {
    for (auto& u : u_) u.resize(layout.inputs.size());
  }
  // Inputs of every pass are kept: further iterations evaluate all stages again.
  void evaluate(int i, ModelExchange& fmu, In u) noexcept {
    std::ranges::copy(u, u_[static_cast<std::size_t>(i)].begin());
    Base::pass(i, [&](int stage, double t, In x, Out dx, numerics::Jacobian j) noexcept {
      const In held = u_[static_cast<std::size_t>(stage)];
      fmu.derivatives(t, x, held, dx);
      jacobian_.at(fmu, t, x, held, dx, j);
    });
  }
  void transfer(Archive& archive, int made) noexcept {
    Base::transfer(archive, made);
    for (int p = 0; p < made; ++p) archive(u_[static_cast<std::size_t>(p)]);
  }

 private:
  std::array<std::vector<double>, numerics::max_stages> u_;
  FmuJacobian jacobian_;
};

/// The FMU's equations.
class ExchangeSystem final : public model::System {
 public:
  ExchangeSystem(std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance)
      : fmu_(std::move(layout), std::move(instance)),
        jacobian_(fmu_.layout()),
        dx_(fmu_.layout().states.size()) {
    for (const auto& s : fmu_.layout().states) initial_.push_back(s.start);
  }

  [[nodiscard]] ModelExchange& fmu() noexcept { return fmu_; }
  [[nodiscard]] const Layout& layout() const noexcept { return fmu_.layout(); }

  /// A step has ended, which may still be taken back.
  [[nodiscard]] bool unaccepted() const noexcept { return unaccepted_; }
  void step_finished() noexcept { unaccepted_ = true; }
  void forget_step() noexcept { unaccepted_ = false; }
  /// It stands: no event was left in it. True when x may have changed.
  bool accept_step(double t, Out x) noexcept {
    unaccepted_ = false;
    return fmu_.complete_step_without_event(t, x);
  }

  void transfer(Archive& archive) noexcept {
    fmu_.transfer(archive);
    archive(unaccepted_);
  }

  [[nodiscard]] const model::Description& description() const noexcept override {
    return layout().description;
  }
  // What differs from the description was asked for; the rest follows from the parameters.
  void set_initial(In states) override { std::ranges::copy(states, initial_.begin()); }
  void start(Out x) noexcept override {
    unaccepted_ = false;
    fmu_.start(x);
    for (std::size_t i = 0; i < initial_.size(); ++i) {
      if (initial_[i] != layout().states[i].start) x[i] = initial_[i];
    }
  }
  void set_parameter(std::size_t i, double value) noexcept override {
    fmu_.parameters().change(i, value);
  }
  [[nodiscard]] double parameter(std::size_t i) const noexcept override {
    return fmu_.parameters()[i];
  }

  void derivatives(double t, In x, In u, Out dx) noexcept override {
    const numerics::FloatControl kept;
    fmu_.derivatives(t, x, u, dx);
  }
  bool jacobian(double t, In x, In u, numerics::Jacobian j) noexcept override {
    fmu_.derivatives(t, x, u, dx_);
    jacobian_.at(fmu_, t, x, u, dx_, j);
    return true;
  }
  void outputs(double t, In x, In u, Out y) noexcept override { fmu_.outputs(t, x, u, y); }
  void event_functions(double t, In x, In u, Out g) noexcept override {
    const numerics::FloatControl kept;
    fmu_.event_functions(t, x, u, g);
  }
  void on_event(std::size_t index, double t, Out x, In u) noexcept override {
    fmu_.carry_across(index, t, x, u);
    act(t, t, x, u);
  }
  [[nodiscard]] SimTime next_time_event(SimTime t) const noexcept override {
    return fmu_.time_events().next(t);
  }
  void on_time_event(double t, Out x, In u) noexcept override {
    act(t, fmu_.time_events().exact(t), x, u);
  }
  [[nodiscard]] const model::CapCounts* cap_counts() const noexcept override {
    return &fmu_.cap_counts();
  }
  [[nodiscard]] const char* failed_function() const noexcept override { return fmu_.failure(); }

 private:
  // Event mode once, whatever it is for.
  void act(double step_end, double t, Out x, In u) noexcept {
    if (std::exchange(unaccepted_, false)) fmu_.complete_step(step_end, x);
    fmu_.handle_event(t, x, u);
  }

  ModelExchange fmu_;
  FmuJacobian jacobian_;
  std::vector<double> initial_;
  std::vector<double> dx_;
  bool unaccepted_ = false;  // a finished step that may still be taken back
};

template <class Step>
class Exchange final : public model::Stepper {
 public:
  Exchange(std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance,
           const numerics::Method& method)
      : Stepper(system_),
        system_(std::move(layout), std::move(instance)),
        step_(system_.layout(), method),
        passes_(model::passes_of(step_.method(), false)) {
    if (step_.method().starter != nullptr) {
      starter_ = model::passes_of(*step_.method().starter, true);
    }
    reset();
  }

  [[nodiscard]] const numerics::Method& method() const noexcept override { return step_.method(); }

  // Only now is the step before known to stand: no event was left in it.
  const model::Passes& begin(SimTime t, Duration h) noexcept override {
    start_ = seconds(t);
    if (system_.unaccepted()) accept();
    if (fmu().parameters().waiting()) {
      fmu().handle_event(start_, step_.state(), fmu().inputs().held());
      step_.restart();
    }
    step_.begin(t, h);
    return step_.starting() ? starter_ : passes_;
  }
  void pass(int i, In u) noexcept override {
    // Discrete inputs change at the start of a step; what they change there ends the history with
    // the step, whose passes are under way.
    if (i == 0 && fmu().inputs().discrete_changed(u)) [[unlikely]] {
      change_discrete_inputs(u);
    }
    step_.evaluate(i, fmu(), u);
  }
  void finish() noexcept override {
    step_.finish();
    system_.step_finished();
  }
  [[gnu::flatten]] const model::Passes& advance(SimTime t, Duration h, int steps,
                                                In u) noexcept override {
    const model::Passes* passes = nullptr;
    do {
      passes = &begin(t, h);
      pass(0, u);
      if constexpr (Step::explicit_kernel) {
        step_.evaluate_later(fmu());
      } else {
        for (int i = 1; i < passes->count(); ++i) pass(i, u);
      }
      finish();
      t += h;
    } while (--steps > 0);
    return *passes;
  }
  bool finish_early() noexcept override {
    if constexpr (Step::explicit_kernel) {
      if (!step_.finish_early()) return false;
      system_.step_finished();
      return true;
    }
    return false;
  }
  bool pass_outputs([[maybe_unused]] int pass, [[maybe_unused]] In u,
                    [[maybe_unused]] Out y) noexcept override {
    if constexpr (Step::explicit_kernel) {
      fmu().outputs(step_.time(pass), step_.stage(pass), u, y);
    }
    return Step::explicit_kernel;
  }
  bool dense([[maybe_unused]] double theta, [[maybe_unused]] Out x) const noexcept override {
    if constexpr (Step::explicit_kernel) return step_.dense(theta, x);
    return false;
  }
  bool error_estimate([[maybe_unused]] Out error) const noexcept override {
    if constexpr (Step::explicit_kernel) return step_.error_estimate(error);
    return false;
  }
  void rewind() noexcept override {
    step_.rewind();
    system_.forget_step();
  }
  void restart(model::Restart from) noexcept override {
    step_.restart();
    forget_history_ = false;
    if (from != model::Restart::here) system_.forget_step();
  }

  void transfer(Archive& archive, int made) noexcept override {
    system_.transfer(archive);
    step_.transfer(archive, made);
    archive(start_, forget_history_);
  }
  [[nodiscard]] Out states() noexcept override { return step_.state(); }
  void outputs(double t, In u, Out y) noexcept override {
    const numerics::FloatControl kept;
    fmu().outputs(t, std::as_const(step_).state(), u, y);
  }
  [[nodiscard]] StepStart step_start() const noexcept override {
    return {step_.start_state(), step_.start_derivative()};
  }

 private:
  [[nodiscard]] ModelExchange& fmu() noexcept { return system_.fmu(); }

  [[gnu::noinline]] void change_discrete_inputs(In u) noexcept {
    fmu().handle_event(start_, step_.state(), u);
    forget_history_ = true;
  }
  void accept() noexcept {
    const numerics::FloatControl kept;
    if (system_.accept_step(start_, step_.state()) || forget_history_) step_.restart();
    forget_history_ = false;
  }

  ExchangeSystem system_;
  Step step_;
  model::Passes passes_, starter_;
  double start_ = 0;
  bool forget_history_ = false;
};

}  // namespace

std::unique_ptr<model::System> exchange_system(std::shared_ptr<const Layout> layout,
                                               std::unique_ptr<Instance> instance) {
  return std::make_unique<ExchangeSystem>(std::move(layout), std::move(instance));
}

std::unique_ptr<model::Stepper> make_exchange(std::shared_ptr<const Layout> layout,
                                              std::unique_ptr<Instance> instance,
                                              const numerics::Method& method) {
  if (method.implicit()) {
    if (layout->description.structure.dense) {
      return std::make_unique<Exchange<Implicit<numerics::dense>>>(std::move(layout),
                                                                   std::move(instance), method);
    }
    return std::make_unique<Exchange<Implicit<numerics::sparse(any_pattern)>>>(
        std::move(layout), std::move(instance), method);
  }
  // Those that are mostly used have weights that the compiler knows; the bits are the same.
  std::unique_ptr<model::Stepper> stepper;
  const auto try_one = [&]<const numerics::Method & One>() {
    if (stepper != nullptr || method.name != One.name) return;
    stepper = std::make_unique<Exchange<Explicit<numerics::Fixed<One>>>>(
        std::move(layout), std::move(instance), method);
  };
  try_one.template operator()<numerics::rk4>();
  try_one.template operator()<numerics::rtam2>();
  try_one.template operator()<numerics::ab2>();
  if (stepper != nullptr) return stepper;
  return std::make_unique<Exchange<Explicit<Chosen>>>(std::move(layout), std::move(instance),
                                                      method);
}

}  // namespace hild::fmi
