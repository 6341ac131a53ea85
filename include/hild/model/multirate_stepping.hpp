// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of multirate and mixed-mode integration, with the protocol of ExplicitStep. Pass j of
/// k is a minor step h/k. A partition of ratio r takes a step over m = k/r of them:
///
///   explicit   x_p += m h/k f(x, u, t) at the start of its step, or AB-2 of it. The derivatives
///   are
///              of a snapshot taken there, a share of the states in each of the m passes, so that
///              no pass carries all of the slow work (by derivatives_of; else all in one pass,
///              another for each partition).
///   implicit   solved in the last of its passes, at the end of the step and after the explicit
///              ones, with their new states: x_p += m h/k f(x_p new, others new, t + h). Not
///              spread.
///
/// (Cellier, Multi-rate Integration VI and VII, Mixed-mode Integration IV.) A step of a frame uses
/// nothing unfinished of the frame before, so that doubled and partial steps are like any other;
/// AB-2 takes the weights of its real spacing. Real-time safe.
#pragma once

#include "hild/model/multirate.hpp"
#include "hild/model/stepping.hpp"

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
    for (std::size_t i = 0; i < rates_.count; ++i) {
      Part& part = parts_[i];
      for (std::size_t s = 0; s < nx; ++s) {
        for (const auto name : M::partitions[i].states) {
          if (name == M::states[s].name) part.state[part.count++] = s;
        }
      }
      part.span = minors_ / rates_.rates[i].ratio;
      part.implicit = rates_.rates[i].method->implicit();
      part.two = rates_.rates[i].method->history == 1;
      share_out(part, static_cast<int>(i));
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
    for (Part& part : parts()) {
      part.at = 0;
      part.first = true;
      part.spacing[1 - now_] = part.spacing[now_];
    }
  }

  void pass(int j, M& model, D::U u, D::P p) noexcept {
    const double t = t_ + j * h_;
    const Vector& x = seen();
    for (Part& part : parts()) {
      if (part.implicit) continue;
      if (part.span == 1) {
        evaluate(part, 0, model, t, x, u, p);
        continue;
      }
      if (part.at == 0) remember(part, t, x, u);
      evaluate(part, part.at, model, part.t, part.snapshot, part.u, p);
    }
    bool solves = false;
    for (Part& part : parts()) {
      if (++part.at < part.span) continue;
      part.at = 0;
      solves = solves || part.implicit;
      if (!part.implicit) advance(part);
    }
    if (!solves) return;
    for (std::size_t i = 0; i < rates_.count; ++i) {
      if (parts_[i].implicit && parts_[i].at == 0) solve(i, model, t + h_, u, p);
    }
  }

  void finish() noexcept {
    for (const Part& part : parts()) {
      if (!part.implicit) continue;
      for (const std::size_t s : states_of(part)) {
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
    for (Part& part : parts()) part.spacing[now_] = 0;
  }

 private:
  struct Run {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  struct Part {
    std::array<std::size_t, nx> state{};
    std::size_t count = 0;
    int span = 1;  // minor steps in a step
    bool implicit = false;
    bool two = false;                                // takes the derivative of the step before
    std::array<Run, nx> run{};                       // neighbours among its states, by shares
    std::array<std::size_t, max_ratio + 1> share{};  // where the runs of a share begin
    std::array<double, 2> spacing{};  // length of its last step, as the points; 0: none to remember

    int at = 0;         // minor steps into its step
    bool first = true;  // of the frame
    Vector snapshot{};
    Inputs u{};
    double t = 0;
  };
  // All that a finished step leaves to the next; two of them, for rewind().
  struct Point {
    Vector x{};
    Vector before{};  // f of the last step of each partition
    Vector line{};    // slope of that step
  };

  [[nodiscard]] Point& next() noexcept { return points_[1 - now_]; }
  [[nodiscard]] std::span<Part> parts() noexcept { return std::span(parts_).first(rates_.count); }
  [[nodiscard]] static std::span<const std::size_t> states_of(const Part& part) noexcept {
    return std::span(part.state).first(part.count);
  }

  // Without partial derivatives all are evaluated at once, each partition's in another pass.
  static void share_out(Part& part, int index) noexcept {
    std::size_t runs = 0;
    for (int c = 0; c < part.span; ++c) {
      const auto cut = [&](int share) -> std::size_t {
        if (!partial) return share > index % part.span ? part.count : 0;
        return part.count * static_cast<std::size_t>(share) / static_cast<std::size_t>(part.span);
      };
      const auto begin = cut(c);
      part.share[static_cast<std::size_t>(c)] = runs;
      for (std::size_t k = begin; k < cut(c + 1); ++k) {
        const std::size_t s = part.state[k];
        if (k > begin && part.run[runs - 1].last == s) {
          ++part.run[runs - 1].last;
        } else {
          part.run[runs++] = {s, s + 1};
        }
      }
    }
    part.share[static_cast<std::size_t>(part.span)] = runs;
  }

  // The state as it is seen now: slow explicit partitions on their line.
  const Vector& seen() noexcept {
    if (rates_.interface == Interface::hold) return next().x;
    seen_ = next().x;
    for (const Part& part : parts()) {
      if (part.implicit || part.at == 0 || part.spacing[1 - now_] == 0) continue;
      for (const std::size_t s : states_of(part)) seen_[s] += part.at * h_ * next().line[s];
    }
    return seen_;
  }

  void remember(Part& part, double t, const Vector& x, D::U u) noexcept {
    part.snapshot = x;
    part.t = t;
    for (std::size_t k = 0; k < nu; ++k) part.u[k] = u[k];
  }

  // The derivatives of a share of the partition's states.
  void evaluate(const Part& part, int share, M& model, double t, const Vector& x, D::U u,
                D::P p) noexcept {
    const auto c = static_cast<std::size_t>(share);
    if constexpr (partial) {
      for (std::size_t r = part.share[c]; r < part.share[c + 1]; ++r) {
        model.derivatives_of(part.run[r].first, part.run[r].last, t, typename D::X(x), u, p,
                             typename D::DX(f_));
      }
    } else {
      if (part.share[c] == part.share[c + 1]) return;
      Vector all{};
      model.derivatives(t, typename D::X(x), u, p, typename D::DX(all));
      for (const std::size_t s : states_of(part)) f_[s] = all[s];
    }
  }

  void advance(Part& part) noexcept {
    const double h = h_ * part.span;
    Point& to = next();
    double& spacing = part.spacing[1 - now_];
    const double back = part.two && spacing != 0 ? h / (2 * spacing) : 0;
    if (part.first) {
      for (const std::size_t s : states_of(part)) slope_[s] = f_[s];
      part.first = false;
    }
    if (!part.two && rates_.interface == Interface::hold) {  // nothing to remember
      for (const std::size_t s : states_of(part)) to.x[s] = to.x[s] + h * f_[s];
      return;
    }
    for (const std::size_t s : states_of(part)) {
      const double slope = back == 0 ? f_[s] : (1 + back) * f_[s] - back * to.before[s];
      to.x[s] = to.x[s] + h * slope;
      to.before[s] = f_[s];
      to.line[s] = slope;
    }
    spacing = h;
  }

  // Newton's method for the partition's new states, the others as they are seen.
  void solve(std::size_t i, M& model, double t, D::U u, D::P p) noexcept {
    const double h = h_ * parts_[i].span;
    const auto states = states_of(parts_[i]);
    const std::size_t n = states.size();
    const Vector old = seen();
    seen_ = old;
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
