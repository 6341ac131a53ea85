// SPDX-License-Identifier: Apache-2.0
/// \file
/// The progress of a run in one line.
#pragma once

#include <optional>
#include <string>

#include "cli/report/text.hpp"
#include "exec/statistics.hpp"
#include "hild/core/grid.hpp"

namespace hild::report {

struct Progress {
  double t_s = 0;                    ///< frames that have passed, as time
  std::optional<double> duration_s;  ///< none: the run ends on request
  std::int64_t frames = 0;
  std::int64_t overruns = 0;
  std::int64_t late_wakes = 0;
  double utilisation = 0;  ///< mean so far
};

[[nodiscard]] Progress progress_of(const exec::Statistics& statistics, const Grid& grid,
                                   std::optional<Duration> duration);

/// "t  3.0 s / 10 s  [###.......]  frames 3000  overruns 0  late wakes 2  utilisation 12 %",
/// without a newline. A narrow style gets "util" and a shorter bar.
[[nodiscard]] std::string progress_line(const Progress& progress, const Style& style);

}  // namespace hild::report
