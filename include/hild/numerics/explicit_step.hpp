// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one kernel of all explicit methods: Runge-Kutta, Adams-Bashforth and predictor-correctors.
/// It holds the state, the derivatives of the step and of the steps before with their times, and
/// evaluates the formulas of method.hpp. It never calls the model: the caller asks for the state
/// of a pass, evaluates the derivatives there and stores them.
///
/// Two template arguments, one code, so that results are equal to the bit:
///   Space   Static<N> (arrays) or Dynamic (sizes fixed at construction)
///   Tableau Fixed<method> (weights are constants of the compiler) or Chosen (read at run time)
///
/// Multistep methods keep the time of every derivative. Where the spacing is uniform the printed
/// weights hold; after a doubled or a partial step they are renewed from the times, so that the
/// order is kept. Until the history is full the method's starter, a one-step method, steps in.
///
/// advance() takes whole steps at once, of the same results: where model, method and size are known
/// to the compiler it is straight code on local variables, without a trace of the bookkeeping.
///
/// Real-time safe after construction; work is bounded by passes * states.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "hild/numerics/derivative_history.hpp"
#include "hild/numerics/unrolled_steps.hpp"

namespace hild::numerics {

/// A step is begin(); for each pass i of active().passes the model's derivatives at time(i) and
/// stage(i), written to derivative(i), in the order of the passes; finish(). Stage i may be asked
/// for once the passes before it are written. It points into itself, so it is not to be copied or
/// moved; what it hands out are views of its own memory.
template <class Space, class Tableau>
class ExplicitStep {
  using DerivativeHistory = numerics::DerivativeHistory<Space, Tableau>;

 public:
  /// Known to the compiler to have no history: the bookkeeping of one vanishes.
  static constexpr bool one_step = [] {
    if constexpr (Tableau::constant) return Tableau::method().history == 0;
    return false;
  }();

  using View = typename Space::View;      ///< states or derivatives, to be read
  using Target = typename Space::Target;  ///< states or derivatives, to be written

  /// A state of zeros without history. Allocates where the space is Dynamic.
  ExplicitStep(Space space, Tableau tableau) : space_(space), tableau_(tableau), f_(space) {
    for (auto& x : x_) x = space_.vector();
    stage_ = space_.vector();
    all_weights_.uniform = uniform_weights(method());
    if (method().starter != nullptr) all_weights_.starter = uniform_weights(*method().starter);
    if (method().anytime != nullptr) all_weights_.anytime = uniform_weights(*method().anytime);
  }

  /// The method asked for.
  [[nodiscard]] const Method& method() const noexcept { return tableau_.method(); }
  /// The method of the step begun: the starter until the history is full.
  [[nodiscard]] const Method& active() const noexcept { return *active_; }
  /// Whether the step begun is one of the starter's, whose passes and nodes are others.
  [[nodiscard]] bool starting() const noexcept { return !one_step && active_ != &method(); }

  /// The state now: x(t_n) before a step, x(t_n + h) after finish().
  [[nodiscard]] View state() const noexcept { return space_.view(x_[now_]); }
  /// The same, to be set between steps: restart() belongs to it.
  [[nodiscard]] Target state() noexcept { return space_.target(x_[now_]); }
  /// The state the last step began with; valid from begin() to the next begin().
  [[nodiscard]] View start_state() const noexcept {
    return space_.view(x_[finished_ ? 1 - now_ : now_]);
  }
  /// F_0 of the last step.
  [[nodiscard]] View start_derivative() const noexcept { return space_.view(f_.start()); }

  /// Begins a step of length h > 0 from t. The step before, unless taken back, joins the history;
  /// on a grid that is not uniform the weights are renewed.
  void begin(SimTime t, Duration h) noexcept {
    place(t, h);
    if constexpr (one_step) return;  // always at work, with its own weights
    choose();
  }

  /// The time of pass i of the step begun, in seconds of the run.
  [[nodiscard]] double time(int pass) const noexcept {
    const auto i = static_cast<std::size_t>(pass);
    if constexpr (one_step) return start_ + Tableau::uniform.node[i] * h_;
    return start_ + weights_->value.node[i] * h_;
  }

  /// The state at which pass i is to be evaluated.
  [[nodiscard]] [[gnu::always_inline]] View stage(int pass) noexcept {
    if (pass == 0) return state();
    apply(static_cast<std::size_t>(pass), stage_);
    return space_.view(stage_);
  }

  /// Where the derivatives of pass i belong.
  [[nodiscard]] Target derivative(int pass) noexcept { return space_.target(f_.of(pass)); }

  /// Pass i of the step begun: derivatives(t, x, dx) evaluated at time(i) and stage(i). After all
  /// of them it is finish_evaluated() that completes the step.
  template <class Derivatives>
  [[gnu::always_inline]] void evaluate(int pass, Derivatives derivatives) noexcept {
    if constexpr (Tableau::constant) {
      if (goes_by_constants()) {
        return evaluate_one(static_cast<std::size_t>(pass), derivatives,
                            std::make_index_sequence<all_passes>{});
      }
    }
    derivatives(time(pass), stage(pass), derivative(pass));
  }
  /// After evaluate() of each pass, instead of finish().
  void finish_evaluated() noexcept {
    if (!goes_by_constants()) form_new_state();
    complete();
  }

  /// The new state. The old one remains until the next begin(), for rewind().
  void finish() noexcept {
    form_new_state();
    complete();
  }

  /// A whole step of length h from t, as begin(), the passes and finish() take it, with
  /// derivatives(t, x, dx) evaluated by the kernel. Whether it is one of the method and not of its
  /// starter.
  template <class Derivatives>
  [[gnu::always_inline]] bool take(SimTime t, Duration h, Derivatives derivatives) noexcept {
    if constexpr (Tableau::constant) {
      place(t, h);
      if (one_step || goes_evenly()) {
        active_ = &method();
        weights_ = &all_weights_.uniform;
        take_even(derivatives, std::make_index_sequence<all_passes>{});
        return true;
      }
      take_placed(derivatives);
    } else {
      begin(t, h);
      take_begun(derivatives);
    }
    return !starting();
  }

  /// `steps` whole steps of length h from t, each as begin(), the passes and finish() take it, with
  /// derivatives(t, x, dx) evaluated by the kernel; what can be asked afterwards, or taken back, is
  /// of the last of them.
  template <class Derivatives>
  void advance(SimTime t, Duration h, int steps, Derivatives&& derivatives) noexcept {
    constexpr bool straight = fixed_size && Tableau::constant;
    // The first steps may be of the starter, or their grid uneven; what follows an even one is
    // even.
    for (bool even = straight && one_step; !even && steps > 0; --steps, t += h) {
      begin(t, h);
      take_begun(derivatives);
      even = straight && !starting() && weights_ == &all_weights_.uniform;
    }
    if constexpr (straight) {
      if (steps > 0) advance_straight(t, h, steps, derivatives);
    }
  }

  /// The new state after pass 0 alone, by the method's single-pass companion: the anytime step.
  /// False, and nothing done, where there is none or a starter is at work.
  bool finish_early() noexcept {
    const Method* const companion = method().anytime;
    if (companion == nullptr || starting()) return false;
    combine(weights_ == &all_weights_.uniform ? all_weights_.anytime
                                              : renewed(*companion, all_weights_.anytime),
            1, x_[1 - now_]);
    complete();
    return true;
  }

  /// h sum_i (c_i - chat_i) F_i of the step just finished: an estimate of its error, of the size
  /// h^(embedded order + 1); `out` has the size of the state. False, and `out` untouched, when no
  /// step is finished or the method has no embedded result.
  bool error_estimate(Target out) const noexcept {
    const Method& m = *active_;
    if (!finished_ || m.embedded.order == 0) return false;
    f_.weigh(error_weights(m), m.passes, out);
    for (std::size_t s = 0; s < space_.size(); ++s) out[s] *= h_;
    return true;
  }

  /// The state at the part theta (0 ... 1) of the step just finished, of the order of the method's
  /// dense result. False, and `out` untouched, when there is none.
  bool dense(double theta, Target out) const noexcept {
    const Method& m = *active_;
    if (!finished_ || m.dense.order == 0) return false;
    f_.weigh(dense_weights(m, theta), m.passes, out);
    const View x = start_state();
    for (std::size_t s = 0; s < space_.size(); ++s) out[s] = x[s] + h_ * out[s];
    return true;
  }

  /// Back to the start of the step just finished, history included.
  void rewind() noexcept {
    if (!finished_) return;
    now_ = 1 - now_;
    finished_ = false;
  }

  /// Forgets the history: what follows a jump of the state or of the derivatives.
  void restart() noexcept {
    finished_ = false;
    f_.forget();
  }

  /// What is to go on: between two steps (`made` < 0) what the next one begins with, else the step
  /// begun as well, of which so many passes were made. After loading there is no finished step to
  /// take back, or to ask of.
  void transfer(Archive& archive, int made) noexcept {
    const int earlier = method().history;
    archive(x_[now_]);
    if (made >= 0) {
      archive(t_);
      archive.number(length_.ns, 1, Archive::longest_ns, "the length of a step in ns");
      f_.transfer(archive, earlier, made);
      if (archive.loads()) {
        resume();
        if (made == active_->passes) form_new_state();  // as the last of them may have done
      }
    } else if (earlier > 0) {
      archive(finished_, t_);
      f_.transfer(archive, earlier, finished_ || archive.measures() ? 1 : 0);
    } else if (archive.loads()) {
      finished_ = false;
    }
  }

 private:
  static constexpr bool fixed_size = requires { Space::size(); };
  // Of what the compiler knows.
  static constexpr std::size_t all_passes = [] {
    if constexpr (Tableau::constant) return static_cast<std::size_t>(Tableau::method().passes);
    return std::size_t{0};
  }();
  // Of the method on a uniform grid, of its starter, of its companion there; and on the grid at
  // hand.
  struct AllWeights {
    Weights uniform, starter, anytime, renewed;
  };
  // A step begins there.
  void place(SimTime t, Duration h) noexcept {
    commit();
    t_ = t;
    start_ = seconds(t);
    if (h == length_) return;
    length_ = h;
    h_ = seconds(h);
  }
  // Whether the step begun has the weights of the compiler: its last pass forms the new state, too.
  [[nodiscard]] bool goes_by_constants() const noexcept {
    if constexpr (Tableau::constant) return one_step || weights_ == &all_weights_.uniform;
    return false;
  }
  // The new state was formed.
  void complete() noexcept {
    now_ = 1 - now_;
    finished_ = true;
  }
  // Whether it is one of the method itself, on an even grid.
  [[nodiscard]] bool goes_evenly() const noexcept {
    const int history = method().history;
    return f_.known() >= history && f_.evenly_spaced(t_, length_, history);
  }
  // The method of the step begun, and its weights on this grid.
  void choose() noexcept {
    const Method& m = method();
    if (f_.known() < m.history) {
      active_ = m.starter;
      weights_ = &all_weights_.starter;
    } else {
      active_ = &m;
      const bool even = f_.evenly_spaced(t_, length_, m.history);
      weights_ = even ? &all_weights_.uniform : &renewed(m, all_weights_.uniform);
    }
  }
  // As if the step had begun here.
  void resume() noexcept {
    start_ = seconds(t_);
    h_ = seconds(length_);
    finished_ = false;
    if constexpr (!one_step) choose();
  }
  // The derivative at the start of a finished step joins the history when the next one begins.
  void commit() noexcept {
    if (!finished_) return;
    finished_ = false;
    if constexpr (one_step) return;
    f_.keep(t_);
  }

  // The weights of `m` on the grid of this step, from those on a uniform one.
  [[nodiscard]] const Weights& renewed(const Method& m, const Weights& from) noexcept {
    std::array<double, max_history> age{};
    const auto ages = std::span(age).first(static_cast<std::size_t>(m.history));
    f_.ages(t_, length_, ages);
    all_weights_.renewed.value = from.value;
    renew(m, ages, all_weights_.renewed.value);
    all_weights_.renewed.find_terms(m);
    return all_weights_.renewed;
  }

  void form_new_state() noexcept {
    if constexpr (one_step) {
      form_even<all_passes>(x_[1 - now_]);
    } else {
      apply(static_cast<std::size_t>(active_->passes), x_[1 - now_]);
    }
  }
  // Formula i with the weights of the step. Constants of the compiler where they apply.
  [[gnu::always_inline]] void apply(std::size_t i, typename Space::Vector& out) noexcept {
    if constexpr (Tableau::constant) {
      if (goes_by_constants()) return apply_constant<1>(i, out);
      return apply_renewed(i, out);
    }
    combine(*weights_, i, out);
  }
  // Of a starter, or on an uneven grid. Kept out of the code of the steps that most are.
  [[gnu::noinline]] void apply_renewed(std::size_t i, typename Space::Vector& out) noexcept {
    combine(*weights_, i, out);
  }

  void combine(const Weights& weights, std::size_t i, typename Space::Vector& out) const noexcept {
    const Terms& terms = weights.formula[i];
    form(
        space_.size(), h_, terms, [&](const Term& t) { return f_.of(t); }, x_[now_].data(),
        out.data());
  }

  template <std::size_t I>
  [[gnu::always_inline]] void apply_constant(std::size_t i, typename Space::Vector& out) noexcept {
    if constexpr (I <= all_passes) {
      if (i != I) return apply_constant<I + 1>(i, out);
      form_even<I>(out);
    }
  }
  // Formula I with the weights of an even grid.
  template <std::size_t I>
  [[gnu::always_inline]] void form_even(typename Space::Vector& out) noexcept {
    form<Tableau, I>(
        space_.size(), h_, [&](const Term& t) { return f_.of(t); }, x_[now_].data(), out.data());
  }

  // Pass I of the step begun, by constants of the compiler. What is formed for it is used from the
  // registers it was formed in.
  template <std::size_t I, class Derivatives>
  [[gnu::always_inline]] void evaluate_even(Derivatives& derivatives) noexcept {
    if constexpr (I > 0) form_even<I>(stage_);
    derivatives(start_ + Tableau::uniform.node[I] * h_,
                I == 0 ? std::as_const(*this).state() : space_.view(stage_),
                derivative(static_cast<int>(I)));
    if constexpr (I + 1 == all_passes) form_even<all_passes>(x_[1 - now_]);
  }
  // The one of them that is `pass`.
  template <class Derivatives, std::size_t... I>
  [[gnu::always_inline]] void evaluate_one(std::size_t pass, Derivatives& derivatives,
                                           std::index_sequence<I...> /*passes*/) noexcept {
    static_cast<void>(((pass == I && (evaluate_even<I>(derivatives), true)) || ...));
  }
  template <class Derivatives, std::size_t... I>
  [[gnu::always_inline]] void take_even(Derivatives& derivatives,
                                        std::index_sequence<I...> /*passes*/) noexcept {
    (evaluate_even<I>(derivatives), ...);
    complete();
  }
  // The same of any method, by what is read at run time.
  template <class Derivatives>
  [[gnu::always_inline]] void take_begun(Derivatives& derivatives) noexcept {
    const int passes = active().passes;
    for (int i = 0; i < passes; ++i) derivatives(time(i), stage(i), derivative(i));
    finish();
  }
  // Of a starter, or on an uneven grid: kept out of the code of the steps that most are.
  template <class Derivatives>
  [[gnu::noinline]] void take_placed(Derivatives derivatives) noexcept {
    choose();
    take_begun(derivatives);
  }

  template <class Derivatives>
  void advance_straight(SimTime t, Duration h, int steps, Derivatives& derivatives) noexcept {
    using Straight = UnrolledSteps<Tableau, Space::size(), typename DerivativeHistory::Later>;
    commit();
    auto& old = x_[now_];
    auto& x = x_[1 - now_];
    x = old;
    typename Straight::Earlier earlier;
    f_.copy_earlier(earlier);
    // The times of those that will be the last ones before the last step.
    const int known = method().history;
    for (int n = std::max(0, steps - 1 - known); n < steps - 1; ++n) f_.keep(t + h * n);
    Straight straight{x, old, f_.start(), f_.later, earlier};
    t_ = straight.take(t, h, steps, derivatives);
    f_.set_earlier(earlier);
    length_ = h;
    start_ = seconds(t_);
    h_ = seconds(h);
    now_ = 1 - now_;
    finished_ = true;
  }

  [[no_unique_address]] Space space_;
  [[no_unique_address]] Tableau tableau_;
  std::array<typename Space::Vector, 2> x_;
  typename Space::Vector stage_;
  DerivativeHistory f_;
  AllWeights all_weights_;
  const Method* active_ = &tableau_.method();
  const Weights* weights_ = &all_weights_.uniform;
  SimTime t_{};
  Duration length_{};
  double start_ = 0;
  double h_ = 0;
  std::size_t now_ = 0;
  bool finished_ = false;
};

}  // namespace hild::numerics
