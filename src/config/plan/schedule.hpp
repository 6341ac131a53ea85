// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which model is run where and when within a frame, where some are run beside others.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "config/plan/placement.hpp"
#include "exec/settings.hpp"

namespace hild::plan {

/// A model's part of a step, or of those passes that have one release: medians.
struct ModelSpan {
  std::size_t model = 0;
  int worker = exec::ModelWorkers::here;
  Duration start{};  ///< from the tick
  Duration took{};

  [[nodiscard]] Duration end() const noexcept { return start + took; }
};

/// The placement of models, and their spans in the order of their starts.
struct Schedule {
  Placement placement;
  std::vector<ModelSpan> spans;

  /// The work of models on a worker, as a share of the frame; `here`: on the frame thread.
  [[nodiscard]] double utilisation(int worker, Duration frame) const;
};

/// Rehearses it with a plant whose models are run by `crew`: some hundred steps, whose waits for
/// releases are left out and put back. Call on a thread scheduled like the frame thread. The plant
/// is reset afterwards.
[[nodiscard]] Schedule rehearse_schedule(model::Stepper& plant, Crew& crew,
                                         const exec::Settings& settings);

/// What a schedule warns of: workers that are late or in the way of one another.
[[nodiscard]] std::vector<std::string> warnings_of(const Schedule& schedule,
                                                   const config::Frame& frame);

/// A chart, a line a span, beneath a line for each CPU; `models` are their names.
[[nodiscard]] std::string chart(const Schedule& schedule, std::span<const std::string_view> models,
                                const config::Frame& frame, Duration period);
[[nodiscard]] boost::json::value to_json(const Schedule& schedule,
                                         std::span<const std::string_view> models, int frame_cpu,
                                         Duration period);

}  // namespace hild::plan
