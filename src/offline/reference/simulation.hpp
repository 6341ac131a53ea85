// SPDX-License-Identifier: Apache-2.0
/// \file
/// A reference run: a system with its inputs from simulated time 0, by an adaptive formula. Breaks
/// of the inputs, time events and state events end a step exactly and begin a new solution; rows at
/// given times are taken from within the steps and shorten none.
#pragma once

#include "hild/core/grid.hpp"
#include "offline/reference/adaptive.hpp"
#include "offline/reference/inputs.hpp"

namespace hild::reference {

struct SimulationRun {
  Duration duration;        ///< > 0
  Grid rows;                ///< a row at each tick from 0 to the duration
  AdaptiveOptions options;  ///< checked
};

/// Receives what happens during a run. Times are simulated, in seconds.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// A row at a tick; where something jumps there, the values after it.
  virtual void row(double t, std::span<const double> u, std::span<const double> x,
                   std::span<const double> y) = 0;
  /// State event `index` has acted; `x` are the states after it.
  virtual void state_event(double /*t*/, std::size_t /*index*/, std::span<const double> /*x*/) {}
  virtual void time_event(double /*t*/) {}
  /// Called after every step. False ends the run there.
  virtual bool go_on(double /*t*/, const Counts& /*counts*/) { return true; }
};

struct Summary {
  Counts counts;
  std::int64_t rows = 0;
  std::int64_t state_events = 0;
  std::int64_t time_events = 0;
  double end = 0;              ///< simulated time reached, s
  std::vector<double> states;  ///< reached
};

/// Runs from the system's initial states. `summary` is filled as far as the run came. Error
/// (ExitCode::fault): see Adaptive, and events without end.
[[nodiscard]] Result<void> simulate(model::System& system, const Inputs& inputs,
                                    const SimulationRun& run, Observer& observer, Summary& summary);

}  // namespace hild::reference
