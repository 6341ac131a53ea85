// SPDX-License-Identifier: Apache-2.0
/// \file
/// Decides whether a plan fits its frame, by one formula:
///
///   finish = wake + io + max_i (r_i h + (s - i) p) + e p + a + y + m
///
/// r_i are the releases in parts of the frame, p is the cost of a pass (with its device read where
/// it takes a sample of its own), e is the number of passes that an event adds (event_passes),
/// without waiting, a is the cost of its action, y that of the outputs, and m that of an image for
/// readers, or of as much of it as a frame takes.
///
/// In one case an event waits: where passes take samples of their own, a time event cuts the step
/// into two steps, each with its own releases. With the event at theta h the first ends at
///
///   A = wake + io + max_i (theta r_i h + (s - i) p),
///
/// and the second, with the s' passes and releases r'_j of the starter, at
///
///   max (A + s' p, wake + max_j ((theta + (1 - theta) r'_j) h + (s' - j) p)) + a.
///
/// That grows with theta, up to h + s' p and more: an event shortly before the end of a frame makes
/// the step late on any machine. So a plan must allow the earliest one (theta = 0), and reports the
/// latest one it allows.
#pragma once

#include <vector>

#include "exec/settings.hpp"
#include "hild/core/time.hpp"
#include "hild/model/stepper.hpp"

namespace hild::plan {

/// The costs of the parts of a frame.
struct Costs {
  Duration wake{};     ///< wake latency
  Duration io{};       ///< a device call
  Duration pass{};     ///< an evaluation of the derivatives and what the kernel adds
  Duration outputs{};  ///< outputs, meters and record
  Duration images{};   ///< what an image for readers takes of a frame at most
  Duration action{};   ///< of an event in addition to its passes: event functions, what it does
};

enum class Events { none, time, state };

/// The shape of a step.
struct Shape {
  std::vector<double> releases;  ///< of each pass, in parts of the frame
  bool reads = false;            ///< passes after the first take samples of their own
  Events events = Events::none;
  /// The releases of a step after a restart; those of the method where it has no starter.
  std::vector<double> starter_releases{0.0};
  bool dense = false;  ///< the method has states within the step
  /// Derivatives that are evaluated for the cubic through the states of a step: those at its end,
  /// and those at its start where the method does not.
  int cubic = 0;
  std::vector<double> dense_outputs{};  ///< in parts of the frame; each is a device call
  /// Whether outputs at theta go out a step late, as nothing is known of a step before its last
  /// pass.
  [[nodiscard]] bool delayed(double theta) const noexcept;
  /// Of several models: a time event cuts the step of one, which is then taken after those of the
  /// others, with samples that were taken already.
  bool cut_alone = false;
  /// Whether a time event leaves a second part of the step that waits for samples of its own.
  [[nodiscard]] bool cut_waits() const noexcept {
    return reads && events == Events::time && !cut_alone;
  }
};

/// The shape of `method` under a sampling.
[[nodiscard]] Shape shape_of(const numerics::Method& method, exec::Sampling sampling,
                             Events events);
/// The kind of events a model has.
[[nodiscard]] Events events_of(const model::Stepper& plant);

/// The number of passes that an event adds to the step it lies in. A state event: the derivatives
/// at the end of the step, the step again up to the event (neither where the method is dense), and
/// a step to the end, which after the restart is the starter's. A time event cuts the step in two,
/// of which the second is the starter's; of one of several models both come after the passes, and
/// are taken to cost what those of all models do. The action and the event functions are not
/// counted, nor is what the starter needs beyond the method in the steps that follow.
[[nodiscard]] int event_passes(const Shape& shape);

/// When the work of a frame ends, counted from its tick. The frame has an event where the model has
/// any; a time event whose second part waits is taken to lie at the beginning.
[[nodiscard]] Duration finish(const Shape& shape, const Costs& costs, Duration frame);
/// Likewise with a time event at theta, in parts of the frame. Precondition: the shape's cut waits.
[[nodiscard]] Duration finish_cut(const Shape& shape, const Costs& costs, Duration frame,
                                  double theta);
/// The last theta at which such an event does not make the step late; below 0 where none fits.
[[nodiscard]] double latest_cut(const Shape& shape, const Costs& costs, Duration frame);
/// The work of a frame without events, as a share of the frame.
[[nodiscard]] double utilisation(const Shape& shape, const Costs& costs, Duration frame);
/// The largest share of the frame that passes may take so that the plan, events included, still
/// fits: with state events and under `frame` sampling 28.6 % for RTAM-2, 30 % for RK-3, 31.2 % for
/// RTRK-4 and 12.5 % for AB-4, which RTRK-4 starts; under `stage` sampling 16.7 % for RTAM-2,
/// 12.5 % for RK-3 and 8.3 % for RTRK-4, since only time after the last release counts.
[[nodiscard]] double utilisation_limit(const Shape& shape);
/// The share of the frame that the budget allows a model with such events.
[[nodiscard]] double budget_for(const exec::BudgetSettings& budget, Events events);

}  // namespace hild::plan
