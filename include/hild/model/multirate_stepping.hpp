// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of multirate and mixed-mode integration, with the protocol of ExplicitStep. Pass j of
/// k is a minor step h/k. A partition of ratio r takes a step over m = k/r of them:
///
///   explicit   x_p += m h/k f(x, u, t) at the start of its step, or AB-2 of it. The derivatives
///              are of a snapshot taken there, a share of the states in each of the m passes, so
///              that no pass carries all of the slow work (by derivatives_of; else all in one
///              pass, another for each partition).
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

#include <algorithm>
#include <span>

#include "hild/model/stepping.hpp"
#include "hild/model/unrolled_frames.hpp"

namespace hild::model {

/// The kernel for model M. Vectors have the model's sizes; times are in seconds.
template <class M, class Rates>
class MultirateStepping {
  static constexpr std::size_t nx = M::states.size();
  static constexpr std::size_t nu = M::inputs.size();
  using D = Data<M>;
  using Steps = PartitionSteps<M, Rates>;
  using Vector = typename Steps::Vector;
  using Part = typename Steps::Part;
  using Point = typename Steps::Point;
  using Inputs = std::array<double, nu>;

 public:
  /// Rates must have passed check_rates(). The state is zero until it is written.
  explicit MultirateStepping(const Rates& rates)
      : steps_(rates), method_(Steps::settings(rates).method()) {}

  /// The rates as one method (Multirate::method()); lives as long as the kernel.
  [[nodiscard]] const numerics::Method& method() const noexcept { return method_; }
  /// The method of the step begun: always method().
  [[nodiscard]] const numerics::Method& active() const noexcept { return method_; }
  /// AB-2 begins with a step of forward Euler, which costs no more.
  [[nodiscard]] static constexpr bool starting() noexcept { return false; }
  /// The state now: x(t_n) before a step, x(t_n + h) after finish().
  [[nodiscard]] typename D::X state() const noexcept { return points_[now_].x; }
  /// The same, to be written between steps; restart() follows.
  [[nodiscard]] typename D::NewX state() noexcept { return points_[now_].x; }
  /// The state the last step began with; valid from begin() to the next begin().
  [[nodiscard]] typename D::X start_state() const noexcept {
    return points_[finished_ ? 1 - now_ : now_].x;
  }
  /// f(x_n, t_n); empty where some partition is implicit, and does not evaluate it.
  [[nodiscard]] std::span<const double> start_derivative() const noexcept {
    const auto parts = std::span(table().part).first(table().count);
    if (std::ranges::any_of(parts, &Part::implicit)) return {};
    return slope_;
  }

  /// A frame of length h > 0 from t begins: all partitions begin a step.
  void begin(SimTime t, Duration h) noexcept {
    t_ = seconds(t);
    h_ = seconds(h) / table().minors;
    finished_ = false;
    next() = points_[now_];
    for (PartProgress& part : std::span(progress_).first(table().count)) {
      part.at = 0;
      part.first = true;
    }
  }

  /// Minor step j, 0 ... k - 1 in this order, with the inputs at t + j h/k.
  void pass(int j, M& model, typename D::U u, typename D::P p) noexcept {
    const double t = t_ + j * h_;
    const auto at = [&](std::size_t i) { return progress_[i].at; };
    const Vector& x = steps_.seen(next(), h_, at, seen_);
    for (std::size_t i = 0; i < table().count; ++i) {
      const Part& part = table().part[i];
      PartProgress& now = progress_[i];
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
      PartProgress& now = progress_[i];
      if (++now.at < table().part[i].span) continue;
      now.at = 0;
      solves = solves || table().part[i].implicit;
      if (!table().part[i].implicit) {
        if (now.first) steps_.take_slope(i, f_, slope_);
        now.first = false;
        steps_.move(i, h_, f_, next());
      }
    }
    if (!solves) return;
    for (std::size_t i = 0; i < table().count; ++i) {
      if (!table().part[i].implicit || progress_[i].at != 0) continue;
      steps_.solve(i, model, t + h_, u, p, h_, at, next());
    }
  }

  /// After all passes: the new state. The old one remains until the next begin(), for rewind().
  void finish() noexcept {
    now_ = 1 - now_;
    finished_ = true;
  }

  /// `steps` whole frames of length h > 0 from t with inputs that hold, to the bit as begin(), the
  /// passes and finish() take them; rewind() then goes back to the start of the last. None: nothing
  /// is done.
  void advance(SimTime t, Duration h, int steps, M& model, typename D::U u,
               typename D::P p) noexcept {
    if constexpr (Rates::constant) {
      if (steps <= 0) return;
      const auto held = detail::copy_of(u);
      const auto parameters = detail::copy_of(p);
      UnrolledFrames<M, Rates> frames{steps_, points_[now_], next(), slope_};
      t_ = seconds(frames.take(t, h, steps, model, held, parameters));
      h_ = seconds(h) / table().minors;
      now_ = 1 - now_;
      finished_ = true;
    } else {
      detail::advance_by_passes(*this, t, h, steps, model, u, p);
    }
  }

  /// Back to the start of the frame just finished, what AB-2 and lines remember included.
  void rewind() noexcept {
    if (finished_) now_ = 1 - now_;
    finished_ = false;
  }
  /// Forgets the derivatives of steps before: the state or the derivatives have jumped.
  void restart() noexcept {
    finished_ = false;
    points_[now_].spacing.fill(0);
  }
  /// What is to go on, as ExplicitStep has it; a pass is a minor step.
  void transfer(Archive& archive, int made) noexcept {
    steps_.transfer(archive, points_[now_]);
    archive(slope_);
    if (archive.loads()) finished_ = false;
    if (made < 0) return;
    archive(t_, h_);
    steps_.transfer(archive, next());
    for (std::size_t i = 0; i < table().count; ++i) transfer(archive, i);
  }

 private:
  // Where a partition is in its step.
  struct PartProgress {
    int at = 0;         // minor steps into its step
    bool first = true;  // of the frame
    Vector snapshot{};
    Inputs u{};
    double t = 0;
  };

  // Where a partition is in its step: of an explicit one what it began with, and the derivatives
  // that its passes have evaluated.
  void transfer(Archive& archive, std::size_t i) noexcept {
    const Part& part = table().part[i];
    PartProgress& now = progress_[i];
    archive.number(now.at, 0, part.span - 1, "minor steps of a partition");
    archive(now.first);
    if (part.implicit || (now.at == 0 && !archive.measures())) return;
    archive(now.t, now.snapshot, now.u);
    const std::size_t to =
        archive.measures() ? part.shared.count : part.share[static_cast<std::size_t>(now.at)];
    for (std::size_t r = 0; r < to; ++r) {
      for (std::size_t s = part.shared.run[r].first; s < part.shared.run[r].last; ++s) {
        archive(f_[s]);
      }
    }
  }

  [[nodiscard]] const auto& table() const noexcept { return steps_.table(); }
  [[nodiscard]] Point& next() noexcept { return points_[1 - now_]; }

  static void remember(PartProgress& now, double t, const Vector& x, typename D::U u) noexcept {
    now.snapshot = x;
    now.t = t;
    for (std::size_t k = 0; k < nu; ++k) now.u[k] = u[k];
  }

  // The derivatives of a share of the partition's states.
  void evaluate_share(const Part& part, int share, M& model, double t, const Vector& x,
                      typename D::U u, typename D::P p) noexcept {
    const auto c = static_cast<std::size_t>(share);
    const std::size_t from = part.share[c];
    const auto runs = std::span(part.shared.run).subspan(from, part.share[c + 1] - from);
    Steps::evaluate(part, runs, model, t, x, u, p, f_);
  }

  [[no_unique_address]] Steps steps_;
  numerics::Method method_;
  std::array<PartProgress, max_partitions> progress_{};
  std::array<Point, 2> points_{};  // two of them, for rewind()
  Vector seen_{};
  Vector f_{};
  Vector slope_{};
  double t_ = 0;
  double h_ = 0;
  std::size_t now_ = 0;
  bool finished_ = false;
};

/// Rates that are read at run time.
template <class M>
struct SteppingOf<M, Multirate> {
  using Type = MultirateStepping<M, Multirate>;  ///< the kernel
};
/// Rates that the compiler knows.
template <class M, Multirate Rates>
struct SteppingOf<M, FixedRates<Rates>> {
  using Type = MultirateStepping<M, FixedRates<Rates>>;  ///< the kernel
};

}  // namespace hild::model
