// SPDX-License-Identifier: Apache-2.0
/// \file
/// Converts a log into files that other programs read.
#pragma once

#include <optional>
#include <span>

#include "recording/framelog/summary.hpp"

namespace hild::convert {

struct ExportOptions {
  std::vector<std::string> signals;  ///< words of choose(); empty: all signals
  framelog::ReadOptions range;
};

struct Exported {
  std::int64_t rows = 0;
  framelog::LogScan scan;
};

/// Writes comma-separated values, a line for each tick: `time [s],input.u [V],state.x [m],output.y
/// [m]`, as `hild simulate` writes them. Values not known at a tick are left empty: there are no
/// outputs before the first step, and no inputs after the last. An empty file name is standard
/// output.
[[nodiscard]] Result<Exported> export_csv(mcap::ByteSource& log, const std::string& file,
                                          const ExportOptions& options,
                                          const framelog::Progress& progress = {});

/// Writes HDF5: one group each for inputs, states, outputs, timing and counts, with `t`, `tick` and
/// a dataset for each signal, units as attributes; the gaps; the description of the run as
/// attributes of the root.
[[nodiscard]] Result<Exported> export_hdf5(mcap::ByteSource& log, const std::string& file,
                                           const ExportOptions& options,
                                           const framelog::Progress& progress = {});

/// Writes a timeline for Perfetto (ui.perfetto.dev): Chrome's trace format, with the phases of each
/// frame as slices.
[[nodiscard]] Result<Exported> export_timeline(mcap::ByteSource& log, const std::string& file,
                                               const framelog::ReadOptions& range,
                                               const framelog::Progress& progress = {});

/// A run of several on one timeline.
struct TimelineOf {
  mcap::ByteSource* log = nullptr;
  std::string name{};              ///< of the node
  std::optional<MonoTime> zero{};  ///< of the timeline, on its clock; none: its first step
};

/// The same of several, a process each, on one time. `scan` is that of the last.
[[nodiscard]] Result<Exported> export_timelines(std::span<const TimelineOf> runs,
                                                const std::string& file,
                                                const framelog::ReadOptions& range,
                                                const framelog::Progress& progress = {});

}  // namespace hild::convert
