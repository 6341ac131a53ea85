// SPDX-License-Identifier: Apache-2.0
/// \file
/// A log in numbers: what there is to say of the run it is of.
#pragma once

#include "exec/statistics.hpp"
#include "recording/framelog/reader.hpp"
#include "recording/record/flight_recorder.hpp"

namespace hild::framelog {

/// A step that ended late, with what is known of it.
struct Overrun {
  io::FrameHeader header;
  int next_span = 0;              ///< frames the next step covered; 0: not known
  double utilisation_before = 0;  ///< share of the frame that work took, over up to 100 steps
  std::vector<record::StepTimes> before{};  ///< up to 16 steps before it that are in the log
};

struct Summary {
  LogHead head;
  LogScan scan;
  bool every_frame = true;  ///< none was left out of purpose
  std::int64_t frames = 0;  ///< whole records read
  std::int64_t rows = 0;    ///< of signals, where there are no whole records
  double first_t = 0;       ///< of simulated time, in seconds
  double last_t = 0;
  std::int64_t overruns = 0;
  std::array<std::int64_t, io::cause_count> by_cause{};
  std::vector<Overrun> overrun_list;
  exec::Counts counts;  ///< of those that a step tells
  std::int64_t external_events = 0;
  std::int64_t marks = 0;
  std::array<std::int64_t, io::cap_count> capped{};  ///< steps that reached a cap
  /// Of several models the steps in which each reached any, under its name. Only the first
  /// io::most_cappers of them are told apart.
  std::vector<std::pair<std::string, std::int64_t>> capped_by;
  std::vector<Gap> gaps;
  std::array<std::int64_t, 3> missing{};  ///< steps, by the reason of their gap
  std::int64_t unexplained = 0;           ///< missing without a gap that says why, as of damage
  std::array<exec::Histogram, io::phase_count> phases;
};

/// Whether the steps of a recording tell what a counter was.
[[nodiscard]] constexpr bool tells(const exec::CounterInfo& c) noexcept {
  return c.in_step != nullptr || c.counter == &exec::Statistics::slips;
}

/// Told how far it is, 0 ... 1; false ends the reading early.
using Progress = std::function<bool(double)>;

/// Reads all of it, every byte checked.
[[nodiscard]] Result<std::unique_ptr<Summary>> summarise(mcap::ByteSource& source,
                                                         const Progress& progress = {});

}  // namespace hild::framelog
