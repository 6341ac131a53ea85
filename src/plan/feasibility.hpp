// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a plan fits its frame, in one formula:
///
///   finish = wake + io + max_i (r_i h + (s - i) p) + e p
///
/// r_i are the releases in parts of the frame, p is the cost of a pass (with its device read where
/// it takes a sample of its own), and e is what an event adds (event_passes), without waiting.
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
  int starter_passes = 1;  ///< of a step after a restart: those of the method where none starts it
  bool dense = false;      ///< the method has states within the step
  bool cubic = false;      ///< else they are interpolated, by the derivatives at the end
  std::vector<double> dense_outputs{};  ///< in parts of the frame; each is a device call
  /// Whether those at theta go out a step late: nothing is known of a step before its last pass.
  [[nodiscard]] bool delayed(double theta) const noexcept;
};

/// The shape of `method` under a sampling.
[[nodiscard]] Shape shape_of(const numerics::Method& method, exec::Sampling sampling,
                             Events events);
/// What kinds of events a model has.
[[nodiscard]] Events events_of(const model::Plant& plant);

/// Passes that an event adds to the step it lies in. A state event: the derivatives at the end of
/// the step, the step again up to the event (neither where the method is dense), and a step to the
/// end, which after the restart is the starter's. A time event cuts the step in two, of which the
/// second is the starter's. The action and the event functions are not among them, nor is what the
/// starter needs beyond the method in the steps that follow.
[[nodiscard]] int event_passes(const Shape& shape);

/// When the work of a frame ends, after its tick.
[[nodiscard]] Duration finish(const Shape& shape, const Costs& costs, Duration frame);
/// Work of a frame without events, as a share of it.
[[nodiscard]] double utilisation(const Shape& shape, const Costs& costs, Duration frame);
/// The largest share of the frame that passes may take so that the plan, events included, still
/// fits: with state events and under `frame` sampling 28.6 % for RTAM-2, 30 % for RK-3, 31.2 % for
/// RTRK-4 and 12.5 % for AB-4, which RTRK-4 starts; under `stage` sampling 16.7 % for RTAM-2,
/// 12.5 % for RK-3 and 8.3 % for RTRK-4, since only time after the last release counts.
[[nodiscard]] double utilisation_limit(const Shape& shape);
/// The share the budget allows a model with such events.
[[nodiscard]] double budget_for(const exec::BudgetSettings& budget, Events events);

}  // namespace hild::plan
