// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/rows.hpp"

#include <algorithm>

#include "recording/record/words.hpp"

namespace hild::framelog {
namespace {

struct Timing {
  std::string_view name, unit;
  double (*get)(const io::FrameHeader&);
};

/// Before the phases, and after them.
constexpr std::array first_timings{
    Timing{"step", "", [](const io::FrameHeader& h) { return static_cast<double>(h.step); }},
    Timing{"lateness", "us", [](const io::FrameHeader& h) { return microseconds(h.lateness); }},
    Timing{"start", "us", [](const io::FrameHeader& h) { return microseconds(h.start - h.due); }},
};
constexpr std::array last_timings{
    Timing{"span", "", [](const io::FrameHeader& h) { return double{1} * h.span; }},
    Timing{"slipped", "", [](const io::FrameHeader& h) { return double{1} * h.slipped; }},
    Timing{"passes_run", "", [](const io::FrameHeader& h) { return double{1} * h.passes; }},
    Timing{"state_events", "", [](const io::FrameHeader& h) { return double{1} * h.state_events; }},
    Timing{"external_events", "",
           [](const io::FrameHeader& h) { return double{1} * h.external_events; }},
    Timing{"mark", "", [](const io::FrameHeader& h) { return double{1} * h.mark; }},
    Timing{"cause", "", [](const io::FrameHeader& h) { return static_cast<double>(h.cause); }},
    Timing{"overrun", "", [](const io::FrameHeader& h) { return record::is_overrun(h) ? 1.0 : 0; }},
    Timing{"late_wake", "", [](const io::FrameHeader& h) { return h.late_wake ? 1.0 : 0; }},
    Timing{"starter", "", [](const io::FrameHeader& h) { return h.starter ? 1.0 : 0; }},
    Timing{"frozen", "", [](const io::FrameHeader& h) { return h.frozen ? 1.0 : 0; }},
    Timing{"early", "", [](const io::FrameHeader& h) { return h.early ? 1.0 : 0; }},
    Timing{"error", "1", [](const io::FrameHeader& h) { return 1e-9 * h.error_ppb; }},
};
constexpr std::size_t timings = first_timings.size() + io::phase_count + last_timings.size();

}  // namespace

Rows::Rows(const StepShape& shape, const ClockBase& clock) : clock_(clock) {
  const auto signals = [&](LogPart part, const SignalGroup& group) {
    columns_[static_cast<std::size_t>(part)] = group.selection();
    for (const auto& place : group.places(true)) {
      from_[static_cast<std::size_t>(part)].push_back(place.from);
    }
  };
  signals(LogPart::inputs, shape.inputs);
  signals(LogPart::outputs, shape.outputs);
  signals(LogPart::states, shape.states);
  signals(LogPart::counts, shape.counts);
  auto& timing = columns_[static_cast<std::size_t>(LogPart::timing)];
  const auto add = [&](const Timing& t) {
    timing.push_back({std::string(t.name), std::string(t.unit)});
  };
  std::ranges::for_each(first_timings, add);
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    timing.push_back({std::string(io::to_string(static_cast<io::Phase>(p))), "us"});
  }
  std::ranges::for_each(last_timings, add);
  std::size_t most = timings;
  for (const auto& from : from_) most = std::max(most, from.size());
  row_.resize(most);
}

std::vector<SignalName> Rows::columns(LogPart part) const {
  return columns_[static_cast<std::size_t>(part)];
}

std::span<const double> Rows::timing(const io::FrameHeader& h) {
  std::size_t n = 0;
  for (const Timing& t : first_timings) row_[n++] = t.get(h);
  for (const Duration phase : h.phases) row_[n++] = microseconds(phase);
  for (const Timing& t : last_timings) row_[n++] = t.get(h);
  return std::span(row_).first(n);
}

}  // namespace hild::framelog
