// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds how far a recorded run is from the true solution of its model under its inputs, and why.
/// The same run is made again and again, each time without one of the causes of the error; the
/// differences between these runs add up to the whole error:
///
///   the record
///     | overruns   late steps, doubled steps
///   every step in time, its images as late as they were taken
///     | lateness   images not taken at their nominal time
///   in time, sampled as configured
///     | sampling   inputs held or extrapolated over a step
///   every pass with its input
///     | events     located by one interpolation, at most so many a frame
///   events at their instants
///     | method     of its order, with steps of its length
///   the reference: adaptive, within its tolerance
#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "config/plan/assembly.hpp"
#include "offline/reference/adaptive.hpp"
#include "offline/replay/source.hpp"

namespace hild::replay {

enum class Share : std::uint8_t { total, overruns, lateness, sampling, events, method };
inline constexpr std::array<std::string_view, 6> share_names{"total",    "overruns", "lateness",
                                                             "sampling", "events",   "method"};

/// The error of one state, over the ends of all recorded steps, in its unit.
struct StateError {
  double largest = 0;
  double rms = 0;
};

struct ErrorSplit {
  /// The error of each state, for each share.
  std::array<std::vector<StateError>, share_names.size()> shares;
  std::vector<double> range;  ///< of each state in the reference: largest less smallest value
  std::int64_t steps = 0;
  std::int64_t state_events = 0;  ///< in the reference
  reference::Counts reference;
};

struct SplitOptions {
  reference::AdaptiveOptions reference;  ///< checked
  std::function<bool(double part)> go_on = [](double) { return true; };
};

/// Splits the error. Error: a record that does not begin with the first step or has gaps, a run
/// that was steered by more than parameters, or a reference that fails.
[[nodiscard]] Result<ErrorSplit> split_error(const plan::Assembly& assembly, StepSource& source,
                                             const SplitOptions& options = {});

}  // namespace hild::replay
