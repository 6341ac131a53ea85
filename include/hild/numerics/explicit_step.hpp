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
#include <vector>

#include "hild/core/time.hpp"
#include "hild/numerics/coefficients.hpp"

namespace hild::numerics {

template <std::size_t N>
struct Static {
  using Vector = std::array<double, N>;
  using View = std::span<const double, N>;
  using Target = std::span<double, N>;
  static constexpr std::size_t size() noexcept { return N; }
  static Vector vector() noexcept { return {}; }
};

class Dynamic {
 public:
  using Vector = std::vector<double>;
  using View = std::span<const double>;
  using Target = std::span<double>;
  explicit Dynamic(std::size_t n) noexcept : n_(n) {}
  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  [[nodiscard]] Vector vector() const { return Vector(n_); }

 private:
  std::size_t n_;
};

template <const Method& M>
struct Fixed {
  static constexpr bool constant = true;
  static constexpr Coefficients uniform = uniform_coefficients(M);
  [[nodiscard]] static constexpr const Method& method() noexcept { return M; }
};

class Chosen {
 public:
  static constexpr bool constant = false;
  explicit Chosen(const Method& m) noexcept : method_(&m) {}
  [[nodiscard]] const Method& method() const noexcept { return *method_; }

 private:
  const Method* method_;
};

template <class Space, class Tableau>
class ExplicitStep {
 public:
  using View = typename Space::View;
  using Target = typename Space::Target;

  ExplicitStep(Space space, Tableau tableau) : space_(space), tableau_(tableau) {
    for (auto& x : x_) x = space_.vector();
    stage_ = space_.vector();
    for (auto& f : first_) f = space_.vector();
    for (auto& f : later_) f = space_.vector();
    uniform_ = uniform_weights(method());
    if (method().starter != nullptr) starter_ = uniform_weights(*method().starter);
    if (method().anytime != nullptr) anytime_ = uniform_weights(*method().anytime);
  }

  [[nodiscard]] const Method& method() const noexcept { return tableau_.method(); }
  /// The method of the step begun: the starter until the history is full.
  [[nodiscard]] const Method& active() const noexcept { return *active_; }
  [[nodiscard]] bool starting() const noexcept { return active_ != &method(); }

  /// The state now: x(t_n) before a step, x(t_n + h) after finish().
  [[nodiscard]] View state() const noexcept { return View(x_[now_]); }
  [[nodiscard]] Target state() noexcept { return Target(x_[now_]); }
  /// The state the last step began with; valid from begin() to the next begin().
  [[nodiscard]] View start_state() const noexcept { return View(x_[finished_ ? 1 - now_ : now_]); }
  /// F_0 of the last step.
  [[nodiscard]] View start_derivative() const noexcept { return View(first_[head_]); }

  void begin(SimTime t, Duration h) noexcept {
    commit();
    t_ = t;
    length_ = h;
    h_ = seconds(h);
    const Method& m = method();
    if constexpr (one_step) return;  // always at work, with its own weights
    if (known_ < m.history) {
      active_ = m.starter;
      weights_ = &starter_;
    } else {
      active_ = &m;
      weights_ = evenly_spaced() ? &uniform_ : &renewed(m, uniform_);
    }
  }

  [[nodiscard]] double time(int pass) const noexcept {
    return seconds(t_) + weights_->value.node[static_cast<std::size_t>(pass)] * h_;
  }

  /// The state at which pass i is to be evaluated.
  [[nodiscard]] View stage(int pass) noexcept {
    if (pass == 0) return state();
    apply(static_cast<std::size_t>(pass), stage_);
    return View(stage_);
  }

  /// Where the derivatives of pass i belong.
  [[nodiscard]] Target derivative(int pass) noexcept {
    return pass == 0 ? Target(first_[head_]) : Target(later_[static_cast<std::size_t>(pass - 1)]);
  }

  /// The new state. The old one remains until the next begin(), for rewind().
  void finish() noexcept {
    apply(static_cast<std::size_t>(active_->passes), x_[1 - now_]);
    now_ = 1 - now_;
    finished_ = true;
  }

  /// `steps` whole steps of length h from t, each as begin(), the passes and finish() take it, with
  /// derivatives(t, x, dx) evaluated by the kernel; what can be asked afterwards, or taken back, is
  /// of the last of them.
  template <class Derivatives>
  void advance(SimTime t, Duration h, int steps, Derivatives&& derivatives) noexcept {
    if constexpr (one_step && fixed_size) {
      if (steps > 0) advance_straight(t, h, steps, derivatives, EachPass{});
    } else {
      for (int n = 0; n < steps; ++n, t += h) {
        begin(t, h);
        const int passes = active().passes;
        for (int i = 0; i < passes; ++i) derivatives(time(i), stage(i), derivative(i));
        finish();
      }
    }
  }

  /// The new state after pass 0 alone, by the method's single-pass companion: the anytime step.
  /// False, and nothing done, where there is none or a starter is at work.
  bool finish_early() noexcept {
    const Method* const companion = method().anytime;
    if (companion == nullptr || starting()) return false;
    combine(weights_ == &uniform_ ? anytime_ : renewed(*companion, anytime_), 1, x_[1 - now_]);
    now_ = 1 - now_;
    finished_ = true;
    return true;
  }

  /// Ends the step just finished at the part theta of it, by the method's dense result. False, and
  /// nothing done, where there is none.
  bool shorten(double theta) noexcept { return dense(theta, Target(x_[now_])); }

  /// h sum_i (c_i - chat_i) F_i of the step just finished: an estimate of its error, of the size
  /// h^(embedded order + 1); `out` has the size of the state. False, and `out` untouched, when no
  /// step is finished or the method has no embedded result.
  bool error_estimate(Target out) const noexcept {
    const Method& m = *active_;
    if (!finished_ || m.embedded.order == 0) return false;
    weigh(error_weights(m), out);
    for (std::size_t s = 0; s < space_.size(); ++s) out[s] *= h_;
    return true;
  }

  /// The state at the part theta (0 ... 1) of the step just finished, of the order of the method's
  /// dense result. False, and `out` untouched, when there is none.
  bool dense(double theta, Target out) const noexcept {
    const Method& m = *active_;
    if (!finished_ || m.dense.order == 0) return false;
    weigh(dense_weights(m, theta), out);
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
    known_ = 0;
  }

 private:
  static constexpr bool fixed_size = requires { Space::size(); };
  // Known to the compiler to have no history: the bookkeeping of one vanishes.
  static constexpr bool one_step = [] {
    if constexpr (Tableau::constant) return Tableau::method().history == 0;
    return false;
  }();
  using EachPass = decltype([] {
    if constexpr (Tableau::constant) {
      return std::make_index_sequence<static_cast<std::size_t>(Tableau::method().passes)>{};
    } else {
      return std::index_sequence<>{};
    }
  }());
  // Derivatives kept: at the starts of steps, and of the later passes of this one.
  static constexpr std::size_t slots = [] {
    if constexpr (Tableau::constant) return static_cast<std::size_t>(Tableau::method().history) + 1;
    return max_history + 1;
  }();
  static constexpr std::size_t later_passes = [] {
    if constexpr (Tableau::constant) {
      constexpr const Method& m = Tableau::method();
      const int most = m.starter == nullptr ? m.passes : std::max(m.passes, m.starter->passes);
      return std::max(std::size_t{1}, static_cast<std::size_t>(most) - 1);
    }
    return max_passes - 1;
  }();

  // The derivative at the start of a finished step joins the history when the next one begins.
  void commit() noexcept {
    if (!finished_) return;
    finished_ = false;
    if constexpr (one_step) return;
    stamp_[head_] = t_;
    head_ = head_ + 1 == slots ? 0 : head_ + 1;
    if (known_ + 1 < static_cast<int>(slots)) ++known_;
  }

  [[nodiscard]] std::size_t before(std::size_t k) const noexcept {
    return head_ > k ? head_ - 1 - k : head_ + slots - 1 - k;
  }

  [[nodiscard]] bool evenly_spaced() const noexcept {
    SimTime t = t_;
    for (int k = 0; k < method().history; ++k) {
      const SimTime earlier = stamp_[before(static_cast<std::size_t>(k))];
      if (t - earlier != length_) return false;
      t = earlier;
    }
    return true;
  }

  // A derivative that a formula uses, of a pass of this step or of a step before, with its weight
  // in parts of the last one's.
  struct Term {
    std::size_t index = 0;
    bool earlier = false;
    double share = 0;
  };
  // What is left of a formula without what is zero. The new state is
  //   x + h weight (share_0 F_0 + ... + F_last),
  // summed in this order: a multiplication less than with a weight each, and none by a share of 1.
  struct Terms {
    std::array<Term, max_passes + max_history> term{};
    std::size_t count = 0;
    double weight = 0;  // of the last
  };
  // A method's weights on a grid.
  struct Weights {
    Coefficients value;
    std::array<Terms, max_passes + 1> formula;
  };

  // Terms of formula i that are not zero, always in the order F_0, F_1, ..., F_{n-1}, ...
  static constexpr Terms terms_of(const Coefficients& c, std::size_t i) noexcept {
    Terms t;
    for (std::size_t j = 0; j < max_passes; ++j) {
      if (c.pass[i][j] != 0) t.term[t.count++] = {j, false, c.pass[i][j]};
    }
    for (std::size_t k = 0; k < max_history; ++k) {
      if (c.history[i][k] != 0) t.term[t.count++] = {k, true, c.history[i][k]};
    }
    t.weight = t.term[t.count - 1].share;
    for (std::size_t k = 0; k < t.count; ++k) t.term[k].share /= t.weight;
    return t;
  }
  static void find_terms(const Method& m, Weights& w) noexcept {
    for (std::size_t i = 1; i <= static_cast<std::size_t>(m.passes); ++i) {
      w.formula[i] = terms_of(w.value, i);
    }
  }
  static Weights uniform_weights(const Method& m) noexcept {
    Weights w{uniform_coefficients(m), {}};
    find_terms(m, w);
    return w;
  }

  // The weights of `m` on the grid of this step, from those on a uniform one.
  [[nodiscard]] const Weights& renewed(const Method& m, const Weights& from) noexcept {
    std::array<double, max_history> age{};
    const auto needed = static_cast<std::size_t>(m.history);
    for (std::size_t k = 0; k < needed; ++k) {
      age[k] = static_cast<double>((t_ - stamp_[before(k)]).ns) / static_cast<double>(length_.ns);
    }
    renewed_.value = from.value;
    renew(m, std::span(age.data(), needed), renewed_.value);
    find_terms(m, renewed_);
    return renewed_;
  }

  // sum_i weight_i F_i, over the passes in their order.
  void weigh(const PassWeights& weight, Target out) const noexcept {
    const double* f = first_[head_].data();
    for (std::size_t s = 0; s < space_.size(); ++s) out[s] = weight[0] * f[s];
    for (std::size_t i = 1; i < static_cast<std::size_t>(active_->passes); ++i) {
      f = later_[i - 1].data();
      for (std::size_t s = 0; s < space_.size(); ++s) out[s] += weight[i] * f[s];
    }
  }

  [[nodiscard]] const double* values(const Term& t) const noexcept {
    if (t.earlier) return first_[before(t.index)].data();
    return t.index == 0 ? first_[head_].data() : later_[t.index - 1].data();
  }

  // Formula i with the weights of the step. Constants of the compiler where they apply.
  void apply(std::size_t i, typename Space::Vector& out) noexcept {
    if constexpr (Tableau::constant) {
      if (one_step || weights_ == &uniform_) return apply_constant<1>(i, out);
    }
    combine(*weights_, i, out);
  }

  // Formulas of few terms each have a loop of their own.
  void combine(const Weights& weights, std::size_t i, typename Space::Vector& out) const noexcept {
    const Terms& terms = weights.formula[i];
    std::array<const double*, max_passes + max_history> f{};
    for (std::size_t k = 0; k < terms.count; ++k) f[k] = values(terms.term[k]);
    const double scale = h_ * terms.weight;
    const auto few = [&]<std::size_t... K>(std::index_sequence<K...>) {
      form<K...>(space_.size(), scale, {terms.term[K].share...}, {f[K]...}, x_[now_].data(),
                 out.data());
    };
    switch (terms.count) {
      case 1:
        return few(std::make_index_sequence<1>{});
      case 2:
        return few(std::make_index_sequence<2>{});
      case 3:
        return few(std::make_index_sequence<3>{});
      case 4:
        return few(std::make_index_sequence<4>{});
      default:
        break;
    }
    const double* x = x_[now_].data();
    for (std::size_t s = 0; s < space_.size(); ++s) {
      double sum = terms.term[0].share * f[0][s];
      for (std::size_t k = 1; k < terms.count; ++k) sum += terms.term[k].share * f[k][s];
      out[s] = x[s] + scale * sum;
    }
  }

  template <std::size_t I>
  static constexpr Terms constant_terms = terms_of(Tableau::uniform, I);

  template <std::size_t I>
  void apply_constant(std::size_t i, typename Space::Vector& out) noexcept {
    if constexpr (I <= static_cast<std::size_t>(Tableau::method().passes)) {
      if (i != I) return apply_constant<I + 1>(i, out);
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        form<K...>(space_.size(), h_ * constant_terms<I>.weight,
                   {constant_terms<I>.term[K].share...}, {values(constant_terms<I>.term[K])...},
                   x_[now_].data(), out.data());
      }
      (std::make_index_sequence<constant_terms<I>.count>{});
    }
  }

  template <std::size_t First, std::size_t... K>
  static void form(std::size_t n, double scale, const std::array<double, sizeof...(K) + 1>& share,
                   const std::array<const double*, sizeof...(K) + 1>& f, const double* x,
                   double* out) noexcept {
    for (std::size_t s = 0; s < n; ++s) {
      double sum = share[0] * f[0][s];
      ((sum += share[K] * f[K][s]), ...);
      out[s] = x[s] + scale * sum;
    }
  }

  // Steps of a method without history and of a size that the compiler knows: no variable of them
  // is anybody else's before the end, so that what it can it keeps in registers.
  template <class Derivatives, std::size_t... I>
  void advance_straight(SimTime t, Duration h, int steps, Derivatives& derivatives,
                        std::index_sequence<I...> /*passes*/) noexcept {
    using Vector = typename Space::Vector;
    const double length = seconds(h);
    const Coefficients& c = Tableau::uniform;
    Vector x = x_[now_];
    Vector old;
    Vector stage;
    // Few derivatives may stay in registers; many are written where they belong.
    constexpr bool few = Space::size() <= 4;
    std::array<Vector, few ? sizeof...(I) : 0> local;
    const auto f = [&](std::size_t i) -> Vector& {
      if constexpr (few) return local[i];
      return i == 0 ? first_[0] : later_[i - 1];
    };
    const auto formula = [&]<std::size_t At>(std::integral_constant<std::size_t, At> /*i*/,
                                             Vector& out) {
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        form<K...>(Space::size(), length * constant_terms<At>.weight,
                   {constant_terms<At>.term[K].share...},
                   {f(constant_terms<At>.term[K].index).data()...}, x.data(), out.data());
      }
      (std::make_index_sequence<constant_terms<At>.count>{});
    };
    const auto pass = [&]<std::size_t At>(std::integral_constant<std::size_t, At> i) {
      const double at = seconds(t) + c.node[At] * length;
      if constexpr (At == 0) {
        derivatives(at, View(x), Target(f(0)));
      } else {
        formula(i, stage);
        derivatives(at, View(stage), Target(f(At)));
      }
    };
    for (int n = 0; n < steps; ++n, t += h) {
      (pass(std::integral_constant<std::size_t, I>{}), ...);
      if (n + 1 == steps) old = x;
      formula(std::integral_constant<std::size_t, sizeof...(I)>{}, x);
    }
    t_ = t + -h;
    length_ = h;
    h_ = length;
    x_[now_] = old;
    now_ = 1 - now_;
    x_[now_] = x;
    if constexpr (few) {
      first_[0] = local[0];
      for (std::size_t i = 1; i < sizeof...(I); ++i) later_[i - 1] = local[i];
    }
    finished_ = true;
  }

  [[no_unique_address]] Space space_;
  [[no_unique_address]] Tableau tableau_;
  std::array<typename Space::Vector, 2> x_;
  typename Space::Vector stage_;
  std::array<typename Space::Vector, slots> first_;         // F_0 of this step and of those before
  std::array<typename Space::Vector, later_passes> later_;  // F_1 ... of this step
  std::array<SimTime, slots> stamp_{};
  Weights uniform_;
  Weights starter_;
  Weights anytime_;
  Weights renewed_;
  const Method* active_ = &tableau_.method();
  const Weights* weights_ = &uniform_;
  SimTime t_{};
  Duration length_{};
  double h_ = 0;
  std::size_t head_ = 0;
  std::size_t now_ = 0;
  int known_ = 0;
  bool finished_ = false;
};

}  // namespace hild::numerics
