// SPDX-License-Identifier: Apache-2.0
#include "offline/reference/simulation.hpp"

#include <algorithm>

#include "offline/reference/crossings.hpp"

namespace hild::reference {
namespace {

constexpr int most_events_at_once = 100;

/// The double nearest to the instant, as one would write it: 0.35, where a product with 1e-9 gives
/// 0.35000000000000003.
double instant(SimTime t) { return static_cast<double>(t.ns) / 1e9; }

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
        row_(x_.size()),
        u_(system.description().inputs.size()),
        y_(system.description().outputs.size()) {}

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
    events_at_once_ = t_ - last_event_ <= 1e-12 * std::max(1e-3, t_) ? events_at_once_ + 1 : 0;
    last_event_ = t_;
    if (events_at_once_ > most_events_at_once) return without_end();
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
    for (;; ++next_row_) {
      const double at = instant(SimTime{} + run_.rows.tick(next_row_));
      if (at > length || (inclusive ? at > t : at >= t)) return;
      solution_.at(at, row_);
      row(at, inclusive ? x_ : row_);
    }
  }

  void row(double t, std::span<const double> x) {
    std::ranges::copy(driven_.inputs(t), u_.begin());
    system_.connect(t, x, u_);
    system_.outputs(t, x, u_, y_);
    observer_.row(t, u_, x, y_);
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
  std::vector<double> x_, row_, u_, y_;
  SimTime now_{};  // the last whole nanosecond not after t_
  double t_ = 0;
  SimTime next_time_event_{};
  std::int64_t next_row_ = 0;
  double last_event_ = -1;
  int events_at_once_ = 0;
  bool stopped_ = false;
};

}  // namespace

Result<void> simulate(model::System& system, const Inputs& inputs, const SimulationRun& run,
                      Observer& observer, Summary& summary) {
  return Simulation(system, inputs, run, observer, summary).go();
}

}  // namespace hild::reference
