// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plots a signal over time with characters.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/report/plot_frame.hpp"
#include "cli/report/text.hpp"
#include "hild/model/description.hpp"
#include "recording/record/trace.hpp"

namespace hild::report {

struct PlotPoint {
  double t = 0;  ///< s
  double low = 0;
  double high = 0;
  double middle = 0;
};

struct PlottedSignal {
  std::string name;
  std::string unit;
  std::vector<PlotPoint> points;  ///< in the order of time
  double latest = 0;
};

/// The signals of a trace; `outputs` describes its outputs.
[[nodiscard]] std::vector<PlottedSignal> signals_of(const record::Trace& trace,
                                                    std::span<const model::Output> outputs);

/// Legend, plot and time axis; every line ends in a newline.
[[nodiscard]] std::string line_plot(const PlottedSignal& signal, const Style& style,
                                    PlotSize size = {});

}  // namespace hild::report
