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
/// AB-2 takes the weights of its real spacing.
///
/// Rates is Multirate (read at run time) or FixedRates (the compiler knows who steps when). With
/// the latter advance(), which may do slow work at once, is straight code, of the same bits.
/// Real-time safe.
#pragma once

#include "hild/model/multirate.hpp"
#include "hild/model/stepping.hpp"

namespace hild::model {

namespace detail {

/// Which states the partitions of a model have, and when they step.
template <class M>
struct Partitioning {
  static constexpr std::size_t nx = M::states.size();
  // Neighbouring states.
  struct Run {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  struct Runs {
    std::array<Run, nx> run{};
    std::size_t count = 0;

    constexpr void add(std::size_t s, bool apart) noexcept {
      if (!apart && run[count - 1].last == s) {
        ++run[count - 1].last;
      } else {
        run[count++] = {s, s + 1};
      }
    }
    [[nodiscard]] constexpr const Run* begin() const noexcept { return run.data(); }
    [[nodiscard]] constexpr const Run* end() const noexcept { return run.data() + count; }
  };
  struct Part {
    std::array<std::size_t, nx> state{};
    std::size_t count = 0;
    int span = 1;        // minor steps in a step
    int iterations = 0;  // of an implicit one
    bool implicit = false;
    bool two = false;  // takes the derivative of the step before
    Runs all;
    Runs shared;                                     // by shares, each for a pass
    std::array<std::size_t, max_ratio + 1> share{};  // where the runs of a share begin
  };

  std::array<Part, max_partitions> part{};
  std::size_t count = 0;
  int minors = 1;
  bool extrapolates = false;

  // `partial`: states can be evaluated alone. Else all are at once, each partition's in another
  // pass.
  constexpr Partitioning(const Multirate& rates, bool partial) noexcept
      : count(rates.count),
        minors(rates.minor_steps()),
        extrapolates(rates.interface == Interface::extrapolate) {
    for (std::size_t i = 0; i < count; ++i) {
      Part& p = part[i];
      for (std::size_t s = 0; s < nx; ++s) {
        for (const auto name : M::partitions[i].states) {
          if (name == M::states[s].name) p.state[p.count++] = s;
        }
      }
      p.span = minors / rates.rates[i].ratio;
      p.implicit = rates.rates[i].method->implicit();
      p.iterations = rates.rates[i].method->iterations;
      p.two = rates.rates[i].method->history == 1;
      for (std::size_t k = 0; k < p.count; ++k) p.all.add(p.state[k], k == 0);
      share_out(p, static_cast<int>(i), partial);
    }
  }

  /// Whether a partition's last slope is asked for later.
  [[nodiscard]] constexpr bool remembers(const Part& p) const noexcept {
    return !p.implicit && (p.two || extrapolates);
  }

 private:
  static constexpr void share_out(Part& p, int index, bool partial) noexcept {
    for (int c = 0; c < p.span; ++c) {
      const auto cut = [&](int share) -> std::size_t {
        if (!partial) return share > index % p.span ? p.count : 0;
        return p.count * static_cast<std::size_t>(share) / static_cast<std::size_t>(p.span);
      };
      p.share[static_cast<std::size_t>(c)] = p.shared.count;
      for (std::size_t k = cut(c); k < cut(c + 1); ++k) p.shared.add(p.state[k], k == cut(c));
    }
    p.share[static_cast<std::size_t>(p.span)] = p.shared.count;
  }
};

}  // namespace detail

template <class M, class Rates>
class MultirateStepping {
  static constexpr std::size_t nx = M::states.size();
  static constexpr std::size_t nu = M::inputs.size();
  using D = Data<M>;
  using Vector = std::array<double, nx>;
  using Inputs = std::array<double, nu>;
  using Partitioning = detail::Partitioning<M>;
  using Part = typename Partitioning::Part;
  static constexpr bool partial = requires(M m, D::X x, D::U u, D::P p, D::DX dx) {
    m.derivatives_of(std::size_t{}, std::size_t{}, 0.0, x, u, p, dx);
  };

 public:
  explicit MultirateStepping(const Rates& rates)
      : table_(rates), method_(settings(rates).method()) {}

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
    h_ = seconds(h) / table().minors;
    finished_ = false;
    next() = points_[now_];
    for (Progress& part : progress()) {
      part.at = 0;
      part.first = true;
    }
  }

  void pass(int j, M& model, D::U u, D::P p) noexcept {
    const double t = t_ + j * h_;
    const auto at = [&](std::size_t i) { return progress_[i].at; };
    const Vector& x = seen(next(), h_, at, seen_);
    for (std::size_t i = 0; i < table().count; ++i) {
      const Part& part = table().part[i];
      Progress& now = progress_[i];
      if (part.implicit) continue;
      if (part.span == 1) {
        evaluate_share(part, 0, model, t, x, u, p);
        continue;
      }
      if (now.at == 0) remember(now, t, x, u);
      evaluate_share(part, now.at, model, now.t, now.snapshot, now.u, p);
    }
    bool solves = false;
    for (std::size_t i = 0; i < table().count; ++i) {
      Progress& now = progress_[i];
      if (++now.at < table().part[i].span) continue;
      now.at = 0;
      solves = solves || table().part[i].implicit;
      if (!table().part[i].implicit) {
        if (now.first) take_slope(i, f_, slope_);
        now.first = false;
        move(i, h_, f_, next());
      }
    }
    if (!solves) return;
    for (std::size_t i = 0; i < table().count; ++i) {
      if (!table().part[i].implicit || progress_[i].at != 0) continue;
      solve(i, model, t + h_, u, p, h_, at, next());
    }
  }

  void finish() noexcept {
    take_mean_slopes(points_[now_].x, next().x, slope_);
    now_ = 1 - now_;
    finished_ = true;
  }

  void advance(SimTime t, Duration h, int steps, M& model, D::U u, D::P p) noexcept {
    if constexpr (Rates::constant) {
      const auto held = detail::copy_of(u);
      const auto parameters = detail::copy_of(p);
      if (steps > 0) advance_straight(t, h, steps, model, held, parameters);
    } else {
      detail::advance_by_passes(*this, t, h, steps, model, u, p);
    }
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
  // Where a partition is in its step.
  struct Progress {
    int at = 0;         // minor steps into its step
    bool first = true;  // of the frame
    Vector snapshot{};
    Inputs u{};
    double t = 0;
  };
  // All that a finished step leaves to the next; two of them, for rewind().
  struct Point {
    Vector x{};
    Vector before{};                               // f of the last step of each partition
    Vector line{};                                 // slope of that step
    std::array<double, max_partitions> spacing{};  // length of it; 0: none to remember
  };
  struct ReadTable {
    explicit ReadTable(const Rates& rates) : value(settings(rates), partial) {}
    [[nodiscard]] const Partitioning& operator()() const noexcept { return value; }
    Partitioning value;
  };
  struct ConstantTable {
    explicit ConstantTable(const Rates& /*rates*/) noexcept {}
    [[nodiscard]] constexpr const Partitioning& operator()() const noexcept { return value; }
    static constexpr Partitioning value{Rates::value, partial};
  };
  using Table = std::conditional_t<Rates::constant, ConstantTable, ReadTable>;

  [[nodiscard]] static constexpr Multirate settings(const Rates& rates) noexcept {
    if constexpr (Rates::constant) {
      return Rates::value;
    } else {
      return rates;
    }
  }
  [[nodiscard]] const Partitioning& table() const noexcept { return table_(); }
  [[nodiscard]] static constexpr const Partitioning& parts() noexcept {
    return ConstantTable::value;
  }
  [[nodiscard]] Point& next() noexcept { return points_[1 - now_]; }
  [[nodiscard]] std::span<Progress> progress() noexcept {
    return std::span(progress_).first(table().count);
  }
  [[nodiscard]] static std::span<const std::size_t> states_of(const Part& part) noexcept {
    return std::span(part.state).first(part.count);
  }

  // The state as it is seen at(i) minor steps into each partition's step: slow explicit partitions
  // on their line.
  template <class At>
  const Vector& seen(const Point& to, double h, At at, Vector& out) const noexcept {
    if (!table().extrapolates) return to.x;
    out = to.x;
    for (std::size_t i = 0; i < table().count; ++i) {
      const Part& part = table().part[i];
      if (part.implicit || at(i) == 0 || to.spacing[i] == 0) continue;
      for (const std::size_t s : states_of(part)) out[s] += at(i) * h * to.line[s];
    }
    return out;
  }

  static void remember(Progress& now, double t, const Vector& x, D::U u) noexcept {
    now.snapshot = x;
    now.t = t;
    for (std::size_t k = 0; k < nu; ++k) now.u[k] = u[k];
  }

  // The derivatives of a share of the partition's states.
  void evaluate_share(const Part& part, int share, M& model, double t, const Vector& x, D::U u,
                      D::P p) noexcept {
    const auto c = static_cast<std::size_t>(share);
    const std::size_t from = part.share[c];
    evaluate(part, std::span(part.shared.run).subspan(from, part.share[c + 1] - from), model, t, x,
             u, p, f_);
  }
  template <class Runs>
  static void evaluate(const Part& part, const Runs& runs, M& model, double t, const Vector& x,
                       D::U u, D::P p, Vector& f) noexcept {
    if constexpr (partial) {
      for (const auto& run : runs) {
        model.derivatives_of(run.first, run.last, t, typename D::X(x), u, p, typename D::DX(f));
      }
    } else {
      if (runs.begin() == runs.end()) return;
      Vector all{};
      model.derivatives(t, typename D::X(x), u, p, typename D::DX(all));
      for (const std::size_t s : states_of(part)) f[s] = all[s];
    }
  }

  void take_slope(std::size_t i, const Vector& f, Vector& slope) const noexcept {
    for (const auto& run : table().part[i].all) {
      for (std::size_t s = run.first; s < run.last; ++s) slope[s] = f[s];
    }
  }
  void take_mean_slopes(const Vector& from, const Vector& to, Vector& slope) const noexcept {
    for (std::size_t i = 0; i < table().count; ++i) {
      if (!table().part[i].implicit) continue;
      for (const std::size_t s : states_of(table().part[i])) {
        slope[s] = (to[s] - from[s]) / (h_ * table().minors);
      }
    }
  }

  // A step of an explicit partition.
  void move(std::size_t i, double minor, const Vector& f, Point& to) const noexcept {
    const Part& part = table().part[i];
    const double h = minor * part.span;
    if (!table().remembers(part)) {
      for (const auto& run : part.all) {
        for (std::size_t s = run.first; s < run.last; ++s) to.x[s] = to.x[s] + h * f[s];
      }
      return;
    }
    double& spacing = to.spacing[i];
    const double back = part.two && spacing != 0 ? h / (2 * spacing) : 0;
    for (const auto& run : part.all) {
      for (std::size_t s = run.first; s < run.last; ++s) {
        const double slope = back == 0 ? f[s] : (1 + back) * f[s] - back * to.before[s];
        to.x[s] = to.x[s] + h * slope;
        to.before[s] = f[s];
        to.line[s] = slope;
      }
    }
    spacing = h;
  }

  // Newton's method for the partition's new states, the others as they are seen.
  template <class At>
  void solve(std::size_t i, M& model, double t, D::U u, D::P p, double minor, At at,
             Point& to) noexcept {
    const Part& part = table().part[i];
    const double h = minor * part.span;
    const auto states = states_of(part);
    const std::size_t n = states.size();
    Vector extrapolated;
    const Vector old = seen(to, minor, at, extrapolated);
    Vector moved = old;
    Vector all{};
    for (int k = 0; k < part.iterations; ++k) {
      values_.fill(0);
      numerics::Jacobian j(values_.data(), nx, JacobianOf<M>::structure);
      jacobian_(model, t, typename D::X(moved), u, p, typename D::DX(all), j);
      for (std::size_t c = 0; c < n; ++c) {
        for (std::size_t r = 0; r < n; ++r) {
          system_.at(r, c, n, numerics::dense) =
              (r == c ? 1.0 : 0.0) - h * std::as_const(j)(states[r], states[c]);
        }
        b_[c] = h * all[states[c]] - (moved[states[c]] - old[states[c]]);
      }
      system_.solve(n, numerics::dense, std::span(b_.data(), n));
      for (std::size_t r = 0; r < n; ++r) moved[states[r]] += b_[r];
    }
    for (const std::size_t s : states) to.x[s] = moved[s];
  }

  // Frames with inputs that hold, each unrolled over its minor steps. The work of a slow partition
  // is done where its step begins: nothing that it depends on changes before its end.
  void advance_straight(SimTime t, Duration h, int steps, M& model, D::U u, D::P p) noexcept {
    constexpr auto minors = std::make_index_sequence<static_cast<std::size_t>(parts().minors)>{};
    constexpr auto every = std::make_index_sequence<parts().count>{};
    constexpr bool remembers = [] {
      for (const Part& part : parts().part) {
        if (parts().remembers(part)) return true;
      }
      return false;
    }();
    h_ = seconds(h) / parts().minors;
    const double minor = h_;
    Point to;
    Point old;
    const auto copy = [](const Point& from, Point& into) {
      if constexpr (remembers) {
        into = from;
      } else {
        into.x = from.x;
      }
    };
    copy(points_[now_], to);
    Vector f;
    Vector slope = slope_;
    Vector scratch;
    double begun = 0;
    const auto minor_step = [&]<std::size_t J>(std::integral_constant<std::size_t, J> /*j*/) {
      constexpr int now = static_cast<int>(J);
      const double at = begun + now * minor;
      const auto into = [](std::size_t i) { return now % parts().part[i].span; };
      const auto after = [](std::size_t i) { return (now + 1) % parts().part[i].span; };
      const Vector& x = seen(to, minor, into, scratch);
      const auto evaluate_one = [&]<std::size_t I>(std::integral_constant<std::size_t, I> /*i*/) {
        constexpr const Part& part = parts().part[I];
        if constexpr (!part.implicit && now % part.span == 0) {
          evaluate(part, part.all, model, at, x, u, p, f);
        }
      };
      const auto move_one = [&]<std::size_t I>(std::integral_constant<std::size_t, I> /*i*/) {
        constexpr const Part& part = parts().part[I];
        if constexpr (!part.implicit && (now + 1) % part.span == 0) {
          if constexpr (now + 1 == part.span) take_slope(I, f, slope);
          move(I, minor, f, to);
        }
      };
      const auto solve_one = [&]<std::size_t I>(std::integral_constant<std::size_t, I> /*i*/) {
        constexpr const Part& part = parts().part[I];
        if constexpr (part.implicit && (now + 1) % part.span == 0) {
          solve(I, model, at + minor, u, p, minor, after, to);
        }
      };
      const auto each = [&]<std::size_t... I>(std::index_sequence<I...>, auto&& what) {
        (what(std::integral_constant<std::size_t, I>{}), ...);
      };
      each(every, evaluate_one);
      each(every, move_one);
      each(every, solve_one);
    };
    for (int n = 0; n < steps; ++n, t += h) {
      begun = seconds(t);
      if (n + 1 == steps) copy(to, old);
      [&]<std::size_t... J>(std::index_sequence<J...>) {
        (minor_step(std::integral_constant<std::size_t, J>{}), ...);
      }
      (minors);
    }
    t_ = begun;
    take_mean_slopes(old.x, to.x, slope);
    slope_ = slope;
    copy(old, points_[now_]);
    now_ = 1 - now_;
    copy(to, points_[now_]);
    finished_ = true;
  }

  [[no_unique_address]] Table table_;
  numerics::Method method_;
  std::array<Progress, max_partitions> progress_{};
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
  using Type = MultirateStepping<M, Multirate>;
};
template <class M, Multirate Rates>
struct SteppingOf<M, FixedRates<Rates>> {
  using Type = MultirateStepping<M, FixedRates<Rates>>;
};

}  // namespace hild::model
