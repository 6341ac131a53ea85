// SPDX-License-Identifier: Apache-2.0
#include "fmi/exchange.hpp"

#include <algorithm>

#include "fmi/model_exchange.hpp"
#include "hild/numerics/explicit_step.hpp"
#include "hild/numerics/implicit_step.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::fmi {
namespace {

using numerics::Chosen;
using numerics::Dynamic;
using In = std::span<const double>;
using Out = std::span<double>;

/// The kernels with the FMU behind them.
template <class Tableau>
struct Explicit : numerics::ExplicitStep<Dynamic, Tableau> {
  using Base = numerics::ExplicitStep<Dynamic, Tableau>;
  static constexpr bool explicit_kernel = true;
  Explicit(std::size_t nx, std::size_t /*nu*/, const numerics::Method& m)
      : Base(Dynamic(nx), tableau(m)) {}
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
  // State and place are found when they are due: kept over the FMU's calls they cost more.
  template <class Arrive>
  [[gnu::always_inline]] void evaluate_at(int i, ModelExchange& fmu, Arrive arrive) noexcept {
    if (arrive() && fmu.pass_through(Base::stage(i)) && fmu.read_derivatives(Base::derivative(i)))
        [[likely]] {
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

struct Implicit : numerics::ImplicitStep<Dynamic, Chosen> {
  static constexpr bool explicit_kernel = false;
  Implicit(std::size_t nx, std::size_t nu, const numerics::Method& m)
      : ImplicitStep(Dynamic(nx), Chosen(m)), rows_(nx * nx) {
    for (auto& u : u_) u.resize(nu);
  }
  // Inputs of every pass are kept: further iterations evaluate all stages again.
  void evaluate(int i, ModelExchange& fmu, In u) noexcept {
    std::ranges::copy(u, u_[static_cast<std::size_t>(i)].begin());
    ImplicitStep::pass(i, [&](int stage, double t, In x, Out dx, numerics::Jacobian j) noexcept {
      const In held = u_[static_cast<std::size_t>(stage)];
      fmu.derivatives(t, x, held, dx);
      fmu.jacobian(t, x, held, dx, rows_);
      for (std::size_t r = 0; r < x.size(); ++r) {
        for (std::size_t c = 0; c < x.size(); ++c) j(r, c) = rows_[r * x.size() + c];
      }
    });
  }

 private:
  std::array<std::vector<double>, numerics::max_stages> u_;
  std::vector<double> rows_;
};

template <class Step>
class Exchange final : public model::Plant {
 public:
  Exchange(std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance,
           const numerics::Method& method)
      : fmu_(std::move(layout), std::move(instance)),
        step_(nx(), nu(), method),
        dx_(nx()),
        scratch_(nx()) {
    for (const auto& p : fmu_.layout().parameters) parameters_.push_back(p.value);
    for (const auto& s : fmu_.layout().states) initial_.push_back(s.start);
    reset();
  }

  [[nodiscard]] const model::Description& description() const noexcept override {
    return fmu_.layout().description;
  }
  [[nodiscard]] const numerics::Method& method() const noexcept override { return step_.method(); }
  [[nodiscard]] bool compiled_together() const noexcept override { return false; }

  // What differs from the description was asked for; the rest follows from the parameters.
  void set_initial(In states) override {
    std::ranges::copy(states, initial_.begin());
    reset();
  }
  void reset() noexcept override {
    fmu_.start(parameters_, scratch_);
    for (std::size_t i = 0; i < nx(); ++i) {
      if (initial_[i] != fmu_.layout().states[i].start) scratch_[i] = initial_[i];
    }
    set_states(scratch_);
  }
  void set_states(In states) noexcept override {
    step_.restart();
    unaccepted_ = false;
    std::ranges::copy(states, step_.state().begin());
  }
  void set_parameter(std::size_t i, double value) noexcept override {
    parameters_[i] = value;
    fmu_.set_parameter(i, value);
  }
  [[nodiscard]] double parameter(std::size_t i) const noexcept override { return parameters_[i]; }

  // Only now is the step before known to stand: no event was left in it.
  void begin(SimTime t, Duration h) noexcept override {
    if (unaccepted_) accept(seconds(t));
    if (fmu_.parameters_waiting()) {
      fmu_.handle_event(seconds(t), step_.state(), fmu_.inputs());
      step_.restart();
    }
    step_.begin(t, h);
    start_ = seconds(t);
  }
  [[nodiscard]] int passes() const noexcept override { return step_.active().passes; }
  [[nodiscard]] double node(int pass) const noexcept override {
    return step_.active().node(pass).value();
  }
  [[nodiscard]] bool starting() const noexcept override { return step_.starting(); }
  void pass(int i, In u) noexcept override {
    // Discrete inputs change at the start of a step; what they change there ends the history with
    // the step, whose passes are under way.
    if (i == 0 && fmu_.discrete_inputs_changed(u)) [[unlikely]] {
      change_discrete_inputs(u);
    }
    step_.evaluate(i, fmu_, u);
  }
  void finish() noexcept override {
    step_.finish();
    unaccepted_ = true;
  }
  [[gnu::flatten]] void advance(SimTime t, Duration h, int steps, In u) noexcept override {
    for (; steps > 0; --steps, t += h) {
      begin(t, h);
      pass(0, u);
      if constexpr (Step::explicit_kernel) {
        step_.evaluate_later(fmu_);
      } else {
        for (int i = 1; i < passes(); ++i) pass(i, u);
      }
      finish();
    }
  }
  bool finish_early() noexcept override {
    if constexpr (Step::explicit_kernel) return unaccepted_ = step_.finish_early();
    return false;
  }
  bool shorten([[maybe_unused]] double theta) noexcept override {
    if constexpr (Step::explicit_kernel) return step_.shorten(theta);
    return false;
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
    unaccepted_ = false;
  }
  void restart() noexcept override { step_.restart(); }

  [[nodiscard]] In states() const noexcept override { return step_.state(); }
  [[nodiscard]] In start_states() const noexcept override { return step_.start_state(); }
  [[nodiscard]] In start_derivatives() const noexcept override { return step_.start_derivative(); }

  void derivatives(double t, In x, In u, Out dx) noexcept override {
    fmu_.derivatives(t, x, u, dx);
  }
  bool jacobian(double t, In x, In u, Out j) noexcept override {
    fmu_.derivatives(t, x, u, dx_);
    fmu_.jacobian(t, x, u, dx_, j);
    return true;
  }
  void outputs(double t, In u, Out y) noexcept override { fmu_.outputs(t, states(), u, y); }
  bool outputs_at(double t, In x, In u, Out y) noexcept override {
    fmu_.outputs(t, x, u, y);
    return true;
  }
  bool pass_outputs([[maybe_unused]] int pass, [[maybe_unused]] In u,
                    [[maybe_unused]] Out y) noexcept override {
    if constexpr (Step::explicit_kernel) {
      fmu_.outputs(step_.time(pass), step_.stage(pass), u, y);
    }
    return Step::explicit_kernel;
  }
  void event_functions(double t, In x, In u, Out g) noexcept override {
    fmu_.event_functions(t, x, u, g);
  }
  void on_event(std::size_t index, double t, In u) noexcept override {
    fmu_.carry_across(index, t, step_.state(), u);
    act(t, t, u);
  }
  [[nodiscard]] SimTime next_time_event(SimTime t) const noexcept override {
    return fmu_.next_time_event(t);
  }
  void on_time_event(double t, In u) noexcept override { act(t, fmu_.exact_time(t), u); }
  [[nodiscard]] const model::CapCounts* cap_counts() const noexcept override {
    return &fmu_.cap_counts();
  }
  [[nodiscard]] const char* failed_function() const noexcept override { return fmu_.failure(); }

 private:
  [[nodiscard]] std::size_t nx() const noexcept { return fmu_.layout().states.size(); }
  [[nodiscard]] std::size_t nu() const noexcept { return fmu_.layout().inputs.size(); }

  [[gnu::noinline]] void change_discrete_inputs(In u) noexcept {
    fmu_.handle_event(start_, step_.state(), u);
    forget_history_ = true;
  }
  void accept(double t) noexcept {
    unaccepted_ = false;
    if (fmu_.complete_step_without_event(t, step_.state()) || forget_history_) step_.restart();
    forget_history_ = false;
  }
  // Event mode once, whatever it is for. Who calls restarts the method.
  void act(double step_end, double t, In u) noexcept {
    if (unaccepted_) fmu_.complete_step(step_end, step_.state());
    unaccepted_ = false;
    forget_history_ = false;
    fmu_.handle_event(t, step_.state(), u);
  }

  ModelExchange fmu_;
  Step step_;
  std::vector<double> parameters_;
  std::vector<double> initial_;
  std::vector<double> dx_;
  std::vector<double> scratch_;
  double start_ = 0;
  bool unaccepted_ = false;  // a finished step that may still be taken back
  bool forget_history_ = false;
};

}  // namespace

std::unique_ptr<model::Plant> make_exchange(std::shared_ptr<const Layout> layout,
                                            std::unique_ptr<Instance> instance,
                                            const numerics::Method& method) {
  if (method.implicit()) {
    return std::make_unique<Exchange<Implicit>>(std::move(layout), std::move(instance), method);
  }
  // Those that are mostly used have weights that the compiler knows; the bits are the same.
  std::unique_ptr<model::Plant> plant;
  const auto try_one = [&]<const numerics::Method & One>() {
    if (plant != nullptr || method.name != One.name) return;
    plant = std::make_unique<Exchange<Explicit<numerics::Fixed<One>>>>(std::move(layout),
                                                                       std::move(instance), method);
  };
  try_one.template operator()<numerics::rk4>();
  try_one.template operator()<numerics::rtam2>();
  try_one.template operator()<numerics::ab2>();
  if (plant != nullptr) return plant;
  return std::make_unique<Exchange<Explicit<Chosen>>>(std::move(layout), std::move(instance),
                                                      method);
}

}  // namespace hild::fmi
