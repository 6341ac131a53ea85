// SPDX-License-Identifier: Apache-2.0
/// \file
/// A summary of a log in numbers.
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

/// The record of a step that somebody marked.
struct MarkedStep {
  std::int64_t frame = 0;  ///< of the step
  SimTime time{};
  std::uint32_t label = 1;
  std::string text{};  ///< what it was called; empty: nothing
};

struct Summary {
  LogHead head;
  LogScan scan;
  bool every_frame = true;  ///< none was left out on purpose
  std::int64_t frames = 0;  ///< whole records read
  std::int64_t rows = 0;    ///< of signals, where there are no whole records
  double first_t = 0;       ///< of simulated time, in seconds
  double last_t = 0;
  std::int64_t overruns = 0;
  std::array<std::int64_t, io::cause_count> by_cause{};
  std::vector<Overrun> overrun_list;
  exec::Counts counts;  ///< those counters that steps tell
  std::int64_t external_events = 0;
  std::int64_t marks = 0;               ///< steps
  std::vector<MarkedStep> mark_list{};  ///< by whom it was asked: several may be of one step
  std::int64_t keyframes = 0;
  std::array<std::int64_t, io::cap_count> capped{};  ///< steps that reached a cap
  /// For several models, the steps in which each reached any cap, under its name. Only the first
  /// io::most_cappers of them are told apart.
  std::vector<std::pair<std::string, std::int64_t>> capped_by;
  std::vector<Gap> gaps;
  std::array<std::int64_t, 3> missing{};  ///< steps, by the reason of their gap
  /// Steps missing without a gap that says why, as by damage.
  std::int64_t unexplained = 0;
  std::array<exec::Histogram, io::phase_count> phases;
};

/// Whether the value of a counter follows from the steps of a recording.
[[nodiscard]] constexpr bool tells(const exec::CounterInfo& c) noexcept {
  return c.in_step != nullptr || c.counter == &exec::Statistics::slips;
}

/// Called with how far the reading is, 0 ... 1; false ends it early.
using Progress = std::function<bool(double)>;

/// Reads the whole log and checks every byte.
[[nodiscard]] Result<std::unique_ptr<Summary>> summarise(mcap::ByteSource& source,
                                                         const Progress& progress = {});

}  // namespace hild::framelog
