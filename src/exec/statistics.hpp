// SPDX-License-Identifier: Apache-2.0
/// \file
/// Statistics of a run, in constant memory. Read by anyone at any time: every number is consistent
/// in itself, though numbers read one after the other may be a frame apart. The loop writes what it
/// counts; most histograms are made from its records.
#pragma once

#include <array>

#include "exec/histogram.hpp"
#include "exec/transaction.hpp"
#include "hild/io/frame_record.hpp"

namespace hild::exec {

/// Counts of changes from outside. Each deferral counts, so that one change may count several
/// times.
struct EventCounts {
  rt::Counter served;
  rt::Counter deferred;
  rt::Counter refused;
  rt::Counter prepare_ns;  ///< what one change costs, by the present estimate of admission
  rt::Counter commit_ns;
};

struct Statistics {
  rt::Counter frames;  ///< ticks that have passed
  rt::Counter steps;
  rt::Counter sim_time_ns;
  rt::Counter overruns;
  std::array<rt::Counter, io::cause_count> by_cause{};
  rt::Counter late_wakes;
  rt::Counter doubled_steps;
  rt::Counter slips;
  rt::Counter frozen_frames;
  rt::Counter late_samples;    ///< taken later than late_wake after the time they were meant for
  rt::Counter lost_inputs;     ///< times the newest image of an input was too old
  rt::Counter missing_ticks;   ///< of a device that the frames follow
  rt::Counter stray_ticks;     ///< its images that were off the grid by more than they may be
  rt::Counter followed_ticks;  ///< its images that were ticks
  rt::Counter tick_drift_ppb;  ///< how much longer than a frame its period is,
  rt::Counter tick_jitter_ns;  ///< and how far its images are off the grid, root mean square
  rt::Counter clock_steps;     ///< times the clock was set on which the grid stands
  rt::Counter phase_error_ns;  ///< what the last tick was late by on it
  rt::Counter state_events;
  rt::Counter state_events_deferred;  ///< beyond max_events, left to the next frame
  rt::Counter time_events;
  std::array<rt::Counter, io::cap_count> capped{};  ///< steps in which each cap was reached
  /// The same for each of several models, the first ones only.
  std::array<std::array<rt::Counter, io::cap_count>, io::most_cappers> capped_by{};
  rt::Counter taken_back;           ///< models that a worker had not begun in time
  rt::Counter completed_early;      ///< steps by the single-pass companion of their method
  rt::Counter intermediate_writes;  ///< device calls that put out a state within a step
  rt::Counter dense_left_out;       ///< such outputs that made room for the next ones
  rt::Counter jump_restarts;        ///< histories dropped because an input jumped
  std::array<EventCounts, event_classes> events_by_class{};
  rt::Counter events_served;  ///< the sums over all classes
  rt::Counter events_deferred;
  rt::Counter events_refused;
  rt::Counter clamped_frames;     ///< frames whose write cut some output to its limits
  rt::Counter clamp_stretches;    ///< uninterrupted stretches of such frames
  rt::Counter clamped_since{-1};  ///< the frame the present stretch began at; -1: there is none
  /// The frame since which the model owes an answer; -1: it does not.
  rt::Counter unanswered_since{-1};
  rt::Counter model_gone;  ///< 1: the process of the model has ended
  /// Times the outputs were made safe because the plant stood still.
  rt::Counter standstills;
  rt::Counter stood_frame;       ///< the frame in which it last did,
  rt::Counter stood_ns;          ///< how long it had stood by then,
  rt::Counter stood_for;         ///< and why: a Limit
  rt::Counter inaccurate_steps;  ///< whose estimated error had stayed larger than it may be;
  rt::Counter inaccurate_frame;  ///< of the last of them the frame it is known from,
  rt::Counter inaccurate_state;  ///< the number of the state,
  rt::Counter inaccurate_ppb;    ///< and its error in 1e-9 of its size
  rt::Counter records_dropped;
  rt::Counter keyframes;           ///< made
  rt::Counter keyframes_left_out;  ///< that never fitted into the slack, or were not taken out
  rt::Counter over_budget;         ///< steps whose work exceeded the configured utilisation

  Histogram wake;  ///< wake latency at ticks and releases

  // Made from the records, by FrameTimes.
  /// Estimated error of a step in 1e-9 of the largest value its state has had (ErrorWatch).
  Histogram local_error;
  Histogram work;      ///< a frame's phases without wake, wait, slack and idle
  Histogram margin;    ///< time left to the deadline, 0 when late
  Histogram lateness;  ///< of overruns only
  std::array<Histogram, io::phase_count> phases{};
  /// Of the first passes of a step; what further ones take is in the phase.
  std::array<Histogram, 64> passes{};
};

// ---- what there is to say of counters ----------------------------------------------------------

using CounterOf = rt::Counter Statistics::*;

/// How a counter is presented: metrics, status, reports and logs all use this description. To add a
/// counter: its member above, its entry below, and where it is counted.
struct CounterInfo {
  enum class Notice : std::uint8_t { always, when_any, alarming };

  CounterOf counter;
  std::string_view name;   ///< in JSON
  std::string_view words;  ///< in tables for people
  std::string_view help;
  Notice notice = Notice::when_any;
  std::string_view metric{};  ///< name of the metric where it is not "hild_NAME_total"
  std::string_view brief{};   ///< shorter words, beneath the counter before it in a table
  /// What one recorded step adds to it; null: it cannot be told from a recording.
  std::int64_t (*in_step)(const io::FrameHeader& h) noexcept = nullptr;

  /// The words in a table of all counters.
  [[nodiscard]] constexpr std::string_view in_table() const noexcept {
    return brief.empty() ? words : brief;
  }
};

inline constexpr std::array counters = [] {
  using enum CounterInfo::Notice;
  using S = Statistics;
  using H = io::FrameHeader;
  using n = std::int64_t;
  return std::to_array<CounterInfo>({
      {&S::frames, "frames", "frames", "Ticks that have passed.", always},
      {&S::steps, "steps", "steps", "Steps computed.", always},
      {.counter = &S::late_wakes,
       .name = "late_wakes",
       .words = "late wakes",
       .help = "Wake-ups later than late_wake.",
       .notice = always,
       .in_step = [](const H& h) noexcept -> n { return h.late_wake ? 1 : 0; }},
      {.counter = &S::doubled_steps,
       .name = "doubled_steps",
       .words = "doubled steps",
       .help = "Steps over two frames.",
       .notice = always,
       .in_step = [](const H& h) noexcept -> n { return h.span > 1 ? 1 : 0; }},
      {&S::slips, "slips", "slips (frames)", "Frames given up.", alarming,
       "hild_slipped_frames_total"},
      {.counter = &S::frozen_frames,
       .name = "frozen_frames",
       .words = "frozen frames",
       .help = "Frames the plant was held in.",
       .notice = alarming,
       .in_step = [](const H& h) noexcept -> n { return h.frozen ? 1 : 0; }},
      {&S::late_samples, "late_samples", "late samples",
       "Samples taken later than late_wake after the time they were meant for."},
      {&S::lost_inputs, "lost_inputs", "lost inputs",
       "Times the newest image of an input was older than its max_latency.", alarming},
      {&S::missing_ticks, "missing_ticks", "missing ticks",
       "Frames in which the device that they follow had no new image, so that hild's own clock "
       "stood "
       "in.",
       alarming},
      {&S::stray_ticks, "stray_ticks", "stray ticks",
       "Images of the device that frames follow which came at another time than they should, by "
       "more "
       "than frame.tolerance.",
       alarming},
      {&S::clock_steps, "clock_steps", "clock steps",
       "Times the clock was set that frames are aligned to.", alarming},
      {.counter = &S::completed_early,
       .name = "completed_early",
       .words = "completed early",
       .help = "Steps completed by the single-pass companion of their method.",
       .in_step = [](const H& h) noexcept -> n { return h.early ? 1 : 0; }},
      {&S::intermediate_writes, "intermediate_writes", "writes within",
       "Device calls that put out a state within a step."},
      {.counter = &S::dense_left_out,
       .name = "dense_left_out",
       .words = "outputs within a step left out",
       .help = "Outputs within a step that made room for the next ones.",
       .brief = "  left out"},
      {&S::jump_restarts, "jump_restarts", "restarts",
       "Histories dropped because an input jumped."},
      {.counter = &S::state_events,
       .name = "state_events",
       .words = "state events",
       .help = "State events processed.",
       .in_step = [](const H& h) noexcept -> n { return h.state_events; }},
      {.counter = &S::state_events_deferred,
       .name = "state_events_deferred",
       .words = "state events put off",
       .help = "State events beyond max_events, left to the next frame.",
       .notice = alarming,
       .brief = "  put off"},
      {&S::time_events, "time_events", "time events", "Time events processed."},
      {&S::standstills, "standstills", "standstills",
       "Times the outputs were made safe since the plant stood still.", alarming},
      {&S::inaccurate_steps, "inaccurate_steps", "inaccurate steps",
       "Steps whose estimated error had been larger than accuracy.limit for longer than a jump "
       "takes.",
       alarming},
      {&S::over_budget, "over_budget", "over budget",
       "Steps whose work exceeded the configured utilisation.", when_any,
       "hild_over_budget_steps_total"},
      {&S::taken_back, "taken_back", "taken back",
       "Parts of steps that a worker had not begun in time, and the frame thread took."},
      {&S::records_dropped, "records_dropped", "records lost", "Frame records nobody took in time.",
       alarming},
      {&S::keyframes, "keyframes", "keyframes", "Keyframes made for the recording."},
      {.counter = &S::keyframes_left_out,
       .name = "keyframes_left_out",
       .words = "keyframes left out",
       .help = "Keyframes that never fitted into the slack, or that nobody took in time.",
       .brief = "  left out"},
  });
}();

/// The values of all listed counters at one moment.
class Counts {
 public:
  Counts() noexcept = default;
  explicit Counts(const Statistics& s) noexcept {
    for (std::size_t i = 0; i < counters.size(); ++i) values_[i] = (s.*counters[i].counter).get();
  }
  /// The value of a listed counter.
  [[nodiscard]] std::int64_t operator[](CounterOf which) const noexcept {
    return values_[at(which)];
  }
  [[nodiscard]] std::int64_t& operator[](CounterOf which) noexcept { return values_[at(which)]; }
  /// Adds what one recorded step counts.
  void add(const io::FrameHeader& h) noexcept {
    for (std::size_t i = 0; i < counters.size(); ++i) {
      if (counters[i].in_step != nullptr) values_[i] += counters[i].in_step(h);
    }
  }

 private:
  static std::size_t at(CounterOf which) noexcept {
    std::size_t i = 0;
    while (i + 1 < counters.size() && counters[i].counter != which) ++i;
    return i;
  }
  std::array<std::int64_t, counters.size()> values_{};
};

}  // namespace hild::exec
