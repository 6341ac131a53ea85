// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of multirate and mixed-mode integration, with the protocol of ExplicitStep. Pass j of
/// k is a minor step h/k. A partition of ratio r takes a step over m = k/r of them:
///
///   explicit   x_p += m h/k f(x, u, t) at the start of its step, or AB-2 of it. The derivatives are
///              of a snapshot taken there, a share of the states in each of the m passes, so that no
///              pass carries all of the slow work (by derivatives_of; else all in one pass, another
///              for each partition).
///   implicit   solved in the last of its passes, at the end of the step and after the explicit
///              ones, with their new states: x_p += m h/k f(x_p new, others new, t + h). Not spread.
///
/// (Cellier, Multi-rate Integration VI and VII, Mixed-mode Integration IV.) A step of a frame uses
/// nothing unfinished of the frame before, so that doubled and partial steps are like any other;
/// AB-2 takes the weights of its real spacing. Real-time safe.
#pragma once

#include "hild/model/stepping.hpp"
#include "hild/model/multirate.hpp"

namespace hild::model {

template <class M>
class MultirateStepping {
  static constexpr std::size_t nx = M::states.size();
  static constexpr std::size_t nu = M::inputs.size();
  using D = Data<M>;
  using Vector = std::array<double, nx>;
  using Inputs = std::array<double, nu>;
  static constexpr bool partial = requires(M m, D::X x, D::U u, D::P p, D::DX dx) {
    m.derivatives_of(std::size_t{}, std::size_t{}, 0.0, x, u, p, dx);
  };

 public:
  explicit MultirateStepping(const Multirate& rates)
      : rates_(rates), method_(rates.method()), minors_(rates.minor_steps()) {
    const auto& partitions = M::partitions;
    for (std::size_t p = 0; p < partitions.size(); ++p) {
      for (std::size_t s = 0; s < nx; ++s) {
        for (const auto name : partitions[p].states) {
          if (name == M::states[s].name) parts_[p].state[parts_[p].count++] = s;
        }
      }
    }
  }

  [[nodiscard]] const numerics::Method& method() const noexcept { return method_; }
  [[nodiscard]] const numerics::Method& active() const noexcept { return method_; }
  /// AB-2 begins with a step of forward Euler, which costs no more.
  [[nodiscard]] static constexpr bool starting() noexcept { return false; }
  [[nodiscard]] D::X state() const noexcept { return points_[now_].x; }
  [[nodiscard]] D::NewX state() noexcept { return points_[now_].x; }
  [[nodiscard]] D::X start_state() const noexcept { return points_[finished_ ? 1 - now_ : now_].x; }
  /// f(x_n, t_n) of explicit partitions; of implicit ones the mean slope.
  [[nodiscard]] D::X start_derivative() const noexcept { return slope_; }

  void begin(SimTime t, Duration h) noexcept {
    t_ = seconds(t);
    h_ = seconds(h) / minors_;
    finished_ = false;
    next() = points_[now_];
  }

  void pass(int j, M& model, D::U u, D::P p) noexcept {
    const double t = t_ + j * h_;
    see(j, 0);
    for (std::size_t i = 0; i < rates_.count; ++i) {
      if (implicit(i)) continue;
      if (j % span(i) == 0) remember(i, t, u);
      evaluate_share(i, j % span(i), model, p);
    }
    for (std::size_t i = 0; i < rates_.count; ++i) {
      if (!implicit(i) && (j + 1) % span(i) == 0) advance(i, j + 1 == span(i));
    }
    for (std::size_t i = 0; i < rates_.count; ++i) {
      if (!implicit(i) || (j + 1) % span(i) != 0) continue;
      see(j + 1, 1);
      solve(i, model, t + h_, u, p);
    }
  }

  void finish() noexcept {
    for (std::size_t i = 0; i < rates_.count; ++i) {
      if (!implicit(i)) continue;
      for (const std::size_t s : states_of(i)) {
        slope_[s] = (next().x[s] - points_[now_].x[s]) / (h_ * minors_);
      }
    }
    now_ = 1 - now_;
    finished_ = true;
  }
  void rewind() noexcept {
    if (finished_) now_ = 1 - now_;
    finished_ = false;
  }
  void restart() noexcept {
    finished_ = false;
    points_[now_].spacing.fill(0);
  }

 private:
  struct Part {
    std::array<std::size_t, nx> state{};
    std::size_t count = 0;
    Vector snapshot{};
    Inputs u{};
    double t = 0;
  };
  // All that a finished step leaves to the next; two of them, for rewind().
  struct Point {
    Vector x{};
    Vector before{};                               // f of the last step of each partition
    Vector line{};                                 // slope of that step
    std::array<double, max_partitions> spacing{};  // its length; 0: none to remember
  };

  [[nodiscard]] Point& next() noexcept { return points_[1 - now_]; }
  [[nodiscard]] bool implicit(std::size_t i) const noexcept {
    return rates_.rates[i].method->implicit();
  }
  /// Minor steps of a step of partition i.
  [[nodiscard]] int span(std::size_t i) const noexcept { return minors_ / rates_.rates[i].ratio; }
  [[nodiscard]] std::span<const std::size_t> states_of(std::size_t i) const noexcept {
    return std::span(parts_[i].state).first(parts_[i].count);
  }

  // The state as it is seen at minor step j: slow explicit partitions on their line. At its end
  // (`ended`) those that have just advanced are as they are.
  void see(int j, int ended) noexcept {
    seen_ = next().x;
    if (rates_.interface == Interface::hold) return;
    for (std::size_t i = 0; i < rates_.count; ++i) {
      const int into = j % span(i);
      if (implicit(i) || (into == 0 && ended != 0) || next().spacing[i] == 0) continue;
      for (const std::size_t s : states_of(i)) seen_[s] += into * h_ * next().line[s];
    }
  }

  void remember(std::size_t i, double t, D::U u) noexcept {
    parts_[i].snapshot = seen_;
    parts_[i].t = t;
    for (std::size_t k = 0; k < nu; ++k) parts_[i].u[k] = u[k];
  }

  // The derivatives of a share of the partition's states, in pass `c` of its step.
  void evaluate_share(std::size_t i, int c, M& model, D::P p) noexcept {
    const Part& part = parts_[i];
    if constexpr (partial) {
      const auto m = static_cast<std::size_t>(span(i));
      const auto share = static_cast<std::size_t>(c);
      std::size_t from = part.count * share / m;
      const std::size_t end = part.count * (share + 1) / m;
      while (from < end) {
        std::size_t to = from + 1;  // neighbours among the model's states in one call
        while (to < end && part.state[to] == part.state[to - 1] + 1) ++to;
        model.derivatives_of(part.state[from], part.state[to - 1] + 1, part.t,
                             typename D::X(part.snapshot), part.u, p, typename D::DX(f_));
        from = to;
      }
    } else {
      if (c != static_cast<int>(i) % span(i)) return;
      Vector all{};
      model.derivatives(part.t, typename D::X(part.snapshot), part.u, p, typename D::DX(all));
      for (const std::size_t s : states_of(i)) f_[s] = all[s];
    }
  }

  void advance(std::size_t i, bool first) noexcept {
    const double h = h_ * span(i);
    Point& to = next();
    const bool two = rates_.rates[i].method->history == 1 && to.spacing[i] != 0;
    const double back = two ? h / (2 * to.spacing[i]) : 0;
    for (const std::size_t s : states_of(i)) {
      if (first) slope_[s] = f_[s];
      const double slope = two ? (1 + back) * f_[s] - back * to.before[s] : f_[s];
      to.x[s] = to.x[s] + h * slope;
      to.before[s] = f_[s];
      to.line[s] = slope;
    }
    to.spacing[i] = h;
  }

  // Newton's method for the partition's new states, the others as they are seen.
  void solve(std::size_t i, M& model, double t, D::U u, D::P p) noexcept {
    const double h = h_ * span(i);
    const auto states = states_of(i);
    const std::size_t n = states.size();
    const Vector old = seen_;
    Vector all{};
    for (int k = 0; k < rates_.rates[i].method->iterations; ++k) {
      values_.fill(0);
      numerics::Jacobian j(values_.data(), nx, JacobianOf<M>::structure);
      jacobian_(model, t, typename D::X(seen_), u, p, typename D::DX(all), j);
      for (std::size_t c = 0; c < n; ++c) {
        for (std::size_t r = 0; r < n; ++r) {
          system_.at(r, c, n, numerics::dense) =
              (r == c ? 1.0 : 0.0) - h * std::as_const(j)(states[r], states[c]);
        }
        b_[c] = h * all[states[c]] - (seen_[states[c]] - old[states[c]]);
      }
      system_.solve(n, numerics::dense, std::span(b_.data(), n));
      for (std::size_t r = 0; r < n; ++r) seen_[states[r]] += b_[r];
    }
    for (const std::size_t s : states) next().x[s] = seen_[s];
  }

  Multirate rates_;
  numerics::Method method_;
  int minors_;
  std::array<Part, max_partitions> parts_{};
  std::array<Point, 2> points_{};
  Vector seen_{};
  Vector f_{};
  Vector slope_{};
  Vector b_{};
  std::array<double, JacobianOf<M>::structure.room(nx)> values_{};
  numerics::LinearSystem<std::array<double, nx * nx>> system_{{}};
  [[no_unique_address]] JacobianOf<M> jacobian_{};
  double t_ = 0;
  double h_ = 0;
  std::size_t now_ = 0;
  bool finished_ = false;
};

template <class M>
struct SteppingOf<M, Multirate> {
  using Type = MultirateStepping<M>;
};

}  // namespace hild::model
