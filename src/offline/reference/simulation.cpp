// SPDX-License-Identifier: Apache-2.0
#include "offline/reference/simulation.hpp"

#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <limits>
#include <numeric>
#include <optional>

namespace hild::reference {
namespace {

constexpr int most_events_at_once = 100;

/// The double nearest to the instant, as one would write it: 0.35, where a product with 1e-9 gives
/// 0.35000000000000003.
double instant(SimTime t) { return static_cast<double>(t.ns) / 1e9; }

// ---- state events ------------------------------------------------------------------------------

// Where a step is looked at, in parts of it. Close to the start, since a function that starts at
// zero, as after an event, must be seen to leave before it may have come back; close to both ends,
// since a turn is seen from both of its sides.
constexpr std::array looks{0.0, 1e-6, 1e-3, 0.1, 0.2, 0.3,      0.4,
                           0.5, 0.6,  0.7,  0.8, 0.9, 1 - 1e-3, 1 - 1e-6};

/// Finds state events without a deadline: every step is examined in several places, and, where an
/// event function turns between them on its way to zero, at the turning point too, which may lie
/// beyond zero. A crossing is bracketed on the results within the step until no double lies
/// between. What counts as a crossing is defined in exec/state_events.hpp.
class Crossings {
 public:
  explicit Crossings(DrivenSystem& driven) : driven_(driven) {
    const std::size_t n = driven.system().description().events.size();
    side_.assign(n, Side::unknown);
    fired_.assign(n, 0);
    g_.assign(n, 0.0);
    after_.assign(n, 0.0);
    x_.assign(driven.size(), 0.0);
  }

  /// Notes on which side of zero every event function is, before the first step.
  void start(double t, std::span<const double> x) {
    driven_.event_functions(t, x, g_);
    std::ranges::transform(g_, side_.begin(), side_of);
  }

  /// Whether an input that jumped at `t` moved an event function across; such functions are then
  /// fired().
  [[nodiscard]] bool jumped(double t, std::span<const double> x) {
    driven_.event_functions(t, x, g_);
    if (mark(g_)) return true;
    follow(g_);
    return false;
  }

  /// The first crossing within the last step of `solution`, in (begin, end]; the functions that
  /// cross there are then fired(). Without one, the end of the step becomes the start of the next.
  [[nodiscard]] std::optional<double> find(const Adaptive& solution) {
    if (size() == 0) return std::nullopt;
    look_at(solution);
    find_turns(solution);
    auto turn = turns_.begin();
    double before = solution.begin();
    for (std::size_t k = 1; k < looks_.size(); ++k) {
      for (; turn != turns_.end() && *turn < looks_[k]; before = *turn++) {
        solution.at(*turn, x_);
        driven_.event_functions(*turn, x_, g_);
        if (mark(g_)) return bracket(solution, before, *turn);
        follow(g_);
      }
      std::ranges::copy(std::span(seen_).subspan(k * size(), size()), g_.begin());
      if (mark(g_)) return bracket(solution, before, looks_[k]);
      follow(g_);
      before = looks_[k];
    }
    return std::nullopt;
  }

  /// Carries out the actions of the functions that fired, at `t` with state `x`, which they change.
  void act(double t, std::span<double> x) {
    driven_.event_functions(t, x, g_);
    const auto u = driven_.inputs(t);
    for (std::size_t i = 0; i < size(); ++i) {
      if (fired(i)) driven_.system().on_event(i, t, x, u);
    }
    driven_.event_functions(t, x, after_);
    for (std::size_t i = 0; i < size(); ++i) {
      if (after_[i] != g_[i]) {
        side_[i] = side_of(after_[i]);
      } else if (fired(i)) {
        // The action left it where it was: it has crossed.
        side_[i] = side_[i] == Side::above ? Side::below : Side::above;
      }
    }
  }

  [[nodiscard]] bool fired(std::size_t i) const { return fired_[i] != 0; }
  [[nodiscard]] std::size_t size() const { return side_.size(); }

 private:
  enum class Side : std::int8_t { below = -1, unknown = 0, above = 1 };
  static Side side_of(double g) {
    return g > 0 ? Side::above : g < 0 ? Side::below : Side::unknown;
  }

  bool crosses(std::size_t i, double g) const {
    return model::crosses(driven_.system().description().events[i].crossing,
                          static_cast<double>(side_[i]), g);
  }

  bool mark(const std::vector<double>& g) {
    bool any = false;
    for (std::size_t i = 0; i < g.size(); ++i) {
      fired_[i] = crosses(i, g[i]) ? 1 : 0;
      any = any || fired_[i] != 0;
    }
    return any;
  }

  void follow(const std::vector<double>& g) {
    for (std::size_t i = 0; i < g.size(); ++i) {
      if (g[i] != 0) side_[i] = side_of(g[i]);
    }
  }

  // All functions at all looks, a row for each.
  void look_at(const Adaptive& solution) {
    const double begin = solution.begin();
    const double length = solution.time() - begin;
    looks_.clear();
    for (const double look : looks) looks_.push_back(begin + look * length);
    looks_.push_back(solution.time());
    seen_.resize(looks_.size() * size());
    for (std::size_t k = 0; k < looks_.size(); ++k) {
      solution.at(looks_[k], x_);
      driven_.event_functions(looks_[k], x_, std::span(seen_).subspan(k * size(), size()));
    }
  }

  // Where a function that approaches zero, as the looks show it, and withdraws has been beyond it
  // in between.
  void find_turns(const Adaptive& solution) {
    turns_.clear();
    for (std::size_t k = 1; k + 1 < looks_.size(); ++k) {
      for (std::size_t i = 0; i < size(); ++i) {
        const double sign = seen_[k * size() + i] > 0 ? 1 : -1;
        const double before = sign * seen_[(k - 1) * size() + i];
        const double here = sign * seen_[k * size() + i];
        const double after = sign * seen_[(k + 1) * size() + i];
        const bool turns = here <= before && here <= after && before != after;
        if (here > 0 && turns) find_turn(solution, i, sign, looks_[k - 1], looks_[k + 1]);
      }
    }
    std::ranges::sort(turns_);
  }

  void find_turn(const Adaptive& solution, std::size_t i, double sign, double low, double high) {
    const auto at = [&](double part) { return low + part * (high - low); };
    const auto distance = [&](double part) {
      solution.at(at(part), x_);
      driven_.event_functions(at(part), x_, g_);
      return sign * g_[i];
    };
    constexpr int bits = std::numeric_limits<double>::digits / 2;
    const auto [part, least] = boost::math::tools::brent_find_minima(distance, 0.0, 1.0, bits);
    if (least <= 0) turns_.push_back(at(part));
  }

  // Nothing has crossed at `low`, something has at `high`. Halving ends where no double is between.
  double bracket(const Adaptive& solution, double low, double high) {
    for (;;) {
      const double middle = std::midpoint(low, high);
      if (middle <= low || middle >= high) break;
      solution.at(middle, x_);
      driven_.event_functions(middle, x_, g_);
      (mark(g_) ? high : low) = middle;
    }
    solution.at(high, x_);
    driven_.event_functions(high, x_, g_);
    (void)mark(g_);
    return high;
  }

  DrivenSystem& driven_;
  std::vector<Side> side_;
  std::vector<std::uint8_t> fired_;
  std::vector<double> g_, after_, x_;
  std::vector<double> looks_, seen_;  // instants of the present step, and the functions there
  std::vector<double> turns_;         // instants between them at which a function is beyond zero
};

// ---- the run -----------------------------------------------------------------------------------

class Simulation {
 public:
  Simulation(model::System& system, const Inputs& inputs, const SimulationRun& run,
             Observer& observer, Summary& summary)
      : system_(system),
        inputs_(inputs),
        run_(run),
        observer_(observer),
        summary_(summary),
        driven_(system, inputs),
        solution_(driven_, run.options),
        crossings_(driven_),
        x_(system.description().states.size()),
        rows_{.x = x_,
              .u = std::vector<double>(system.description().inputs.size()),
              .y = std::vector<double>(system.description().outputs.size())} {}

  Result<void> go() {
    system_.start(x_);
    driven_.enter({});
    crossings_.start(0, x_);
    auto ended = pieces();
    summary_.counts = solution_.counts();
    summary_.states = x_;
    return ended;
  }

 private:
  // What is told of at regular instants.
  struct Rows {
    std::vector<double> x, u, y;
    std::int64_t next = 0;
  };
  // Events that follow one another with no time between them.
  struct AtOnce {
    double at = -1;
    int events = 0;
  };

  // From break to break: inputs that jump or bend, time events, the end.
  Result<void> pieces() {
    const SimTime end = SimTime{} + run_.duration;
    while (now_ < end && !stopped_) {
      const SimTime next = std::min({end, inputs_.next_break(driven_.piece()), next_time_event()});
      if (next_time_event_ <= now_) return backwards();
      if (auto done = piece(next); !done) return done;
      if (stopped_ || now_ < next) continue;  // an event may have moved the next break
      const bool timed = next == next_time_event_;
      driven_.enter(next);
      if (timed) time_event();
      if (auto acted = input_events(); !acted) return acted;
    }
    if (!stopped_) rows_until(instant(end), true);
    return {};
  }

  SimTime next_time_event() { return next_time_event_ = system_.next_time_event(now_); }

  // What a model says wrongly must not keep the run at one instant for ever.
  [[nodiscard]] Result<void> backwards() const {
    return fail(ExitCode::fault,
                "t = {:.9g} s: the next time event of {} is at {:.9g} s; it must lie after the "
                "instant asked for",
                t_, system_.description().name, instant(next_time_event_));
  }

  // Until `next`, or the first state event before it.
  Result<void> piece(SimTime next) {
    const double until = instant(next);
    if (auto started = solution_.start(t_, x_); !started) return started;
    while (t_ < until) {
      if (auto stepped = solution_.step(until); !stepped) {
        summary_.end = solution_.time();
        return stepped;
      }
      const auto event = crossings_.find(solution_);
      rows_until(event.value_or(solution_.time()), false);
      t_ = event.value_or(solution_.time());
      summary_.end = t_;
      solution_.at(t_, x_);
      if (!observer_.go_on(t_, solution_.counts())) {
        stopped_ = true;
        return {};
      }
      if (event) {
        now_ = t_ < until ? std::clamp(SimTime{static_cast<std::int64_t>(t_ * 1e9)}, now_, next)
                          : next;
        return act();
      }
    }
    now_ = next;
    return {};
  }

  Result<void> act() {
    at_once_.events = t_ - at_once_.at <= 1e-12 * std::max(1e-3, t_) ? at_once_.events + 1 : 0;
    at_once_.at = t_;
    if (at_once_.events > most_events_at_once) return without_end();
    crossings_.act(t_, x_);
    for (std::size_t i = 0; i < crossings_.size(); ++i) {
      if (!crossings_.fired(i)) continue;
      ++summary_.state_events;
      observer_.state_event(t_, i, x_);
    }
    return {};
  }

  [[nodiscard]] Result<void> without_end() const {
    std::size_t i = 0;
    while (i + 1 < crossings_.size() && !crossings_.fired(i)) ++i;
    return fail(ExitCode::fault,
                "event `{}` of {} fires again and again at t = {:.9g} s; its action must leave "
                "zero, or bring what moves to rest",
                system_.description().events[i].name, system_.description().name, t_);
  }

  void time_event() {
    system_.on_time_event(t_, x_, driven_.inputs(t_));
    ++summary_.time_events;
    observer_.time_event(t_);
  }

  // What the inputs or a time event moved across at this instant.
  Result<void> input_events() {
    if (!crossings_.jumped(t_, x_)) return {};
    return act();
  }

  // All rows before t, or until t.
  void rows_until(double t, bool inclusive) {
    const double length = instant(SimTime{} + run_.duration);
    for (;; ++rows_.next) {
      const double at = instant(SimTime{} + run_.rows.tick(rows_.next));
      if (at > length || (inclusive ? at > t : at >= t)) return;
      solution_.at(at, rows_.x);
      row(at, inclusive ? x_ : rows_.x);
    }
  }

  void row(double t, std::span<const double> x) {
    std::ranges::copy(driven_.inputs(t), rows_.u.begin());
    system_.connect(t, x, rows_.u);
    system_.outputs(t, x, rows_.u, rows_.y);
    observer_.row(t, rows_.u, x, rows_.y);
    ++summary_.rows;
  }

  model::System& system_;
  const Inputs& inputs_;
  const SimulationRun& run_;
  Observer& observer_;
  Summary& summary_;
  DrivenSystem driven_;
  Adaptive solution_;
  Crossings crossings_;
  std::vector<double> x_;
  Rows rows_;
  SimTime now_{};  // the last whole nanosecond not after t_
  double t_ = 0;
  SimTime next_time_event_{};
  AtOnce at_once_;
  bool stopped_ = false;
};

}  // namespace

Result<void> simulate(model::System& system, const Inputs& inputs, const SimulationRun& run,
                      Observer& observer, Summary& summary) {
  return Simulation(system, inputs, run, observer, summary).go();
}

}  // namespace hild::reference
