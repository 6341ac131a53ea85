// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes rows of numbers, one for a tick, from the signals and the timing of steps.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "recording/framelog/step_decoder.hpp"

namespace hild::framelog {

/// The signals of one kind at one instant.
struct Row {
  std::int64_t tick = 0;  ///< in frames of simulated time
  double t = 0;           ///< in seconds of simulated time
  std::span<const double> values{};
};

class Rows {
 public:
  Rows(const StepShape& shape, const ClockBase& clock);

  /// The columns of a row of that part; empty where it has none.
  [[nodiscard]] std::vector<SignalName> columns(LogPart part) const;

  /// Calls take(part, row) for each part that the step has and wanted(part) asks for. Inputs and
  /// timing belong to its start, outputs and states to its end. In a held frame no pass is run and
  /// time does not advance: its values are those of the step's start.
  template <class Wanted, class Take>
  void each(const StoredStep& step, Wanted wanted, Take take) {
    const io::FrameHeader& h = step.record.header();
    // Divided, so that 3 ms read 0.003.
    const auto row = [&](LogPart part, bool at_end, std::span<const double> values) {
      const bool later = at_end && !h.frozen;
      const SimTime t = later ? clock_.end_of(h) : h.t;
      const std::int64_t tick = later ? h.frame + h.span : h.frame;
      if (!values.empty()) take(part, Row{tick, static_cast<double>(t.ns) / 1e9, values});
    };
    const auto asked = [&](LogPart part, bool there) { return there && wanted(part); };
    const io::FrameView& record = step.record;
    if (asked(LogPart::inputs, step.inputs)) {
      row(LogPart::inputs, false, chosen(LogPart::inputs, record.inputs(0)));
    }
    if (asked(LogPart::counts, step.counts)) {
      row(LogPart::counts, false,
          chosen(LogPart::counts, record.image_counts(record.tick_image())));
    }
    if (asked(LogPart::timing, step.timing)) row(LogPart::timing, false, timing(h));
    if (asked(LogPart::outputs, step.results)) {
      row(LogPart::outputs, true, chosen(LogPart::outputs, record.outputs()));
    }
    if (asked(LogPart::states, step.results)) {
      row(LogPart::states, true, chosen(LogPart::states, record.states()));
    }
  }

 private:
  template <class Value>
  std::span<const double> chosen(LogPart part, std::span<const Value> values) {
    const auto& from = from_[static_cast<std::size_t>(part)];
    for (std::size_t i = 0; i < from.size(); ++i) row_[i] = static_cast<double>(values[from[i]]);
    return std::span(row_).first(from.size());
  }
  std::span<const double> timing(const io::FrameHeader& h);

  ClockBase clock_;
  std::array<std::vector<SignalName>, part_count> columns_;
  std::array<std::vector<std::size_t>, part_count>
      from_;  ///< the place in the record of each column
  std::vector<double> row_;
};

}  // namespace hild::framelog
