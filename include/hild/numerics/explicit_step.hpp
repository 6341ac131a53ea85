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
/// Real-time safe after construction; work is bounded by passes * states.
#pragma once

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
    uniform_ = uniform_coefficients(method());
    if (method().starter != nullptr) starter_ = uniform_coefficients(*method().starter);
    if (method().anytime != nullptr) anytime_ = uniform_coefficients(*method().anytime);
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
    if (known_ < m.history) {
      active_ = m.starter;
      coefficients_ = &starter_;
    } else {
      active_ = &m;
      coefficients_ = evenly_spaced() ? &uniform_ : &renewed(m, uniform_);
    }
  }

  [[nodiscard]] double time(int pass) const noexcept {
    return seconds(t_) + coefficients_->node[static_cast<std::size_t>(pass)] * h_;
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

  /// The new state after pass 0 alone, by the method's single-pass companion: the anytime step.
  /// False, and nothing done, where there is none or a starter is at work.
  bool finish_early() noexcept {
    const Method* const companion = method().anytime;
    if (companion == nullptr || starting()) return false;
    combine(coefficients_ == &uniform_ ? anytime_ : renewed(*companion, anytime_), 1, x_[1 - now_]);
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
  static constexpr std::size_t slots = max_history + 1;

  // The derivative at the start of a finished step joins the history when the next one begins.
  void commit() noexcept {
    if (!finished_) return;
    finished_ = false;
    stamp_[head_] = t_;
    head_ = (head_ + 1) % slots;
    if (known_ < static_cast<int>(max_history)) ++known_;
  }

  [[nodiscard]] std::size_t before(std::size_t k) const noexcept {
    return (head_ + slots - 1 - k) % slots;
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

  // The weights of `m` on the grid of this step, from those on a uniform one.
  [[nodiscard]] const Coefficients& renewed(const Method& m, const Coefficients& from) noexcept {
    std::array<double, max_history> age{};
    const auto needed = static_cast<std::size_t>(m.history);
    for (std::size_t k = 0; k < needed; ++k) {
      age[k] = static_cast<double>((t_ - stamp_[before(k)]).ns) / static_cast<double>(length_.ns);
    }
    renewed_ = from;
    renew(m, std::span(age.data(), needed), renewed_);
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

  // A derivative that a formula uses: of a pass of this step, or of a step before.
  struct Term {
    std::size_t index = 0;
    bool earlier = false;
    double weight = 0;
  };
  struct Terms {
    std::array<Term, max_passes + max_history> term{};
    std::size_t count = 0;
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
    return t;
  }

  [[nodiscard]] const double* values(const Term& t) const noexcept {
    if (t.earlier) return first_[before(t.index)].data();
    return t.index == 0 ? first_[head_].data() : later_[t.index - 1].data();
  }

  // Formula i with the coefficients of the step. Constants of the compiler where they apply.
  void apply(std::size_t i, typename Space::Vector& out) noexcept {
    if constexpr (Tableau::constant) {
      if (coefficients_ == &uniform_) return apply_constant<1>(i, out);
    }
    combine(*coefficients_, i, out);
  }

  void combine(const Coefficients& coefficients, std::size_t i,
               typename Space::Vector& out) const noexcept {
    const Terms terms = terms_of(coefficients, i);
    std::array<const double*, max_passes + max_history> f{};
    for (std::size_t k = 0; k < terms.count; ++k) f[k] = values(terms.term[k]);
    const double* x = x_[now_].data();
    for (std::size_t s = 0; s < space_.size(); ++s) {
      double sum = terms.term[0].weight * f[0][s];
      for (std::size_t k = 1; k < terms.count; ++k) sum += terms.term[k].weight * f[k][s];
      out[s] = x[s] + h_ * sum;
    }
  }

  template <std::size_t I>
  void apply_constant(std::size_t i, typename Space::Vector& out) noexcept {
    if constexpr (I <= static_cast<std::size_t>(Tableau::method().passes)) {
      if (i != I) return apply_constant<I + 1>(i, out);
      static constexpr Terms terms = terms_of(Tableau::uniform, I);
      apply_terms<terms>(std::make_index_sequence<terms.count - 1>{}, out);
    }
  }

  // The same sum as above, in the same order, unrolled.
  template <const Terms& T, std::size_t... K>
  void apply_terms(std::index_sequence<K...> /*later terms*/,
                   typename Space::Vector& out) const noexcept {
    const double* const x = x_[now_].data();
    const double* const f0 = values(T.term[0]);
    [[maybe_unused]] const std::array<const double*, sizeof...(K)> f{values(T.term[K + 1])...};
    for (std::size_t s = 0; s < space_.size(); ++s) {
      double sum = T.term[0].weight * f0[s];
      ((sum += T.term[K + 1].weight * f[K][s]), ...);
      out[s] = x[s] + h_ * sum;
    }
  }

  [[no_unique_address]] Space space_;
  [[no_unique_address]] Tableau tableau_;
  std::array<typename Space::Vector, 2> x_;
  typename Space::Vector stage_;
  std::array<typename Space::Vector, slots> first_;  // F_0 of this step and of those before
  std::array<typename Space::Vector, max_passes - 1> later_;  // F_1 ... of this step
  std::array<SimTime, slots> stamp_{};
  Coefficients uniform_;
  Coefficients starter_;
  Coefficients anytime_;
  Coefficients renewed_;
  const Method* active_ = &tableau_.method();
  const Coefficients* coefficients_ = &uniform_;
  SimTime t_{};
  Duration length_{};
  double h_ = 0;
  std::size_t head_ = 0;
  std::size_t now_ = 0;
  int known_ = 0;
  bool finished_ = false;
};

}  // namespace hild::numerics
