// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a plan fits its frame, in one formula:
///
///   finish = wake + io + max_i (r_i h + (s - i) p) + events
///
/// r_i are the releases in parts of the frame, p is the cost of a pass (with its device read where
/// it takes a sample of its own), and `events` is two more steps without waiting for plans with
/// state events, one for plans with time events.
#pragma once

#include <vector>

#include "exec/settings.hpp"
#include "hild/core/time.hpp"
#include "hild/model/plant.hpp"

namespace hild::plan {

/// What the parts of a frame cost.
struct Costs {
  Duration wake{};     ///< wake latency
  Duration io{};       ///< a device call
  Duration pass{};     ///< an evaluation of the derivatives and what the kernel adds
  Duration outputs{};  ///< outputs, meters and record
};

enum class Events { none, time, state };

/// The shape of a step.
struct Shape {
  std::vector<double> releases;  ///< of each pass, in parts of the frame
  bool reads = false;            ///< passes after the first take samples of their own
  Events events = Events::none;
  bool dense = false;  ///< the method has states within the step, and saves one after an event
};

/// The shape of `method` under a sampling.
[[nodiscard]] Shape shape_of(const numerics::Method& method, exec::Sampling sampling,
                             Events events);
/// What kinds of events a model has.
[[nodiscard]] Events events_of(const model::Plant& plant);

/// When the work of a frame ends, after its tick.
[[nodiscard]] Duration finish(const Shape& shape, const Costs& costs, Duration frame);
/// Work of a frame without events, as a share of it.
[[nodiscard]] double utilisation(const Shape& shape, const Costs& costs, Duration frame);
/// The largest share of the frame that passes may take so that the plan, events included, still
/// fits: 33 % for any method under `frame` sampling with state events, but 20 % for RTAM-2, 14 %
/// for RK-3 and 9 % for RTRK-4 under `stage` sampling, since only time after the last release
/// counts.
[[nodiscard]] double utilisation_limit(const Shape& shape);
/// The share the budget allows a model with such events.
[[nodiscard]] double budget_for(const exec::BudgetSettings& budget, Events events);

}  // namespace hild::plan
