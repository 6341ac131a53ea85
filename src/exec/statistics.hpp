// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a run has been so far, at constant memory. Written by the loop, read by anyone at any
/// time: every number is whole, though numbers read one after the other may be a frame apart.
#pragma once

#include <array>

#include "exec/histogram.hpp"
#include "exec/transaction.hpp"
#include "hild/io/frame_record.hpp"

namespace hild::exec {

/// Changes from outside: each deferral counts.
struct EventCounts {
  rt::Counter served;
  rt::Counter deferred;
  rt::Counter refused;
  rt::Counter prepare_ns;  ///< what one is taken to cost, as admission sees it now
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
  rt::Counter late_samples;  ///< brought back to their nominal time
  rt::Counter state_events;
  rt::Counter state_events_deferred;  ///< beyond max_events, left to the next frame
  rt::Counter time_events;
  std::array<rt::Counter, io::cap_count> capped{};  ///< steps in which each cap was reached
  /// The same, of several models by each of the first.
  std::array<std::array<rt::Counter, io::cap_count>, io::most_cappers> capped_by{};
  rt::Counter completed_early;      ///< steps by the single-pass companion of their method
  rt::Counter intermediate_writes;  ///< device calls that put out a state within a step
  rt::Counter dense_left_out;       ///< such outputs that made room for the next ones
  rt::Counter jump_restarts;        ///< histories dropped because an input jumped
  std::array<EventCounts, event_classes> events_by_class{};
  rt::Counter events_served;  ///< the sums over all classes
  rt::Counter events_deferred;
  rt::Counter events_refused;
  rt::Counter clamped_frames;        ///< whose write had to cut some output to its limits
  rt::Counter clamp_stretches;       ///< rows of such frames
  rt::Counter clamped_since{-1};     ///< the frame the present row began with; -1: there is none
  rt::Counter unanswered_since{-1};  ///< the frame its model owes an answer from; -1: it does not
  rt::Counter model_gone;            ///< 1: the process of the model has ended
  rt::Counter standstills;           ///< times the outputs were made safe since the plant stood
  rt::Counter stood_frame;           ///< in which that was last,
  rt::Counter stood_ns;              ///< how long it had stood by then,
  rt::Counter stood_for;             ///< and why: a Limit
  rt::Counter records_dropped;
  rt::Counter over_budget;  ///< steps whose work exceeded the configured utilisation

  Histogram wake;      ///< wake latency at ticks and releases
  Histogram work;      ///< a step's phases without wake, wait, slack and idle
  Histogram margin;    ///< time left to the deadline, 0 when late
  Histogram lateness;  ///< of overruns only
  /// Estimated error of a step in 1e-9 of the largest value its state has had: methods with an
  /// embedded pair.
  Histogram local_error;
  std::array<Histogram, io::phase_count> phases{};
  std::array<Histogram, io::max_slots> passes{};
};

}  // namespace hild::exec
