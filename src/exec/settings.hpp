// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a run is to behave: the part of the configuration the executive itself obeys.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "exec/tai_grid.hpp"
#include "exec/tick_follower.hpp"
#include "hild/core/grid.hpp"
#include "hild/core/time.hpp"

namespace hild::exec {

/// How passes get their inputs.
enum class Sampling {
  frame,        ///< one sample at the tick, held over the step
  stage,        ///< a fresh sample at each release t_n + c_i h
  extrapolate,  ///< a sample at t_n + min(c_i, i/s) h, carried on to t_n + c_i h
  behind,       ///< the plant runs `lag` behind real time, its outputs are carried on by as much
};

/// The degree of what stands for inputs beyond their newest image, where nobody says.
[[nodiscard]] constexpr int usual_extrapolation(Sampling sampling) noexcept {
  return sampling == Sampling::extrapolate || sampling == Sampling::behind ? 1 : 0;
}

/// What a sample that was taken a little after its nominal time stands for.
enum class Samples {
  true_time,  ///< the inputs at its own time: those of the nominal time lie before it
  as_taken,   ///< the inputs at its nominal time: whatever the method, of first order
};

/// When outputs are written.
enum class OutputTime {
  at_tick,  ///< in the device call of the tick they belong to: constant latency
  early,    ///< as soon as they are known
};

/// What follows a step that ended late.
enum class OverrunPolicy {
  double_step,  ///< steps of two frames until the run is in step again
  slip,         ///< the grid moves by whole frames
  stop,         ///< the run ends safely
};

/// What follows when an overrun limit is reached, or the plant stands still.
enum class LimitAction { carry_on, freeze, safe_stop };

struct OverrunSettings {
  OverrunPolicy policy = OverrunPolicy::double_step;
  int max_debt = 8;  ///< frames; lag beyond it becomes a slip
  /// Frames that missed their result, among the last `window`: a step that was late or that its
  /// model did not answer, and each frame that slipped.
  std::optional<double> limit_percent;
  int window = 1000;               ///< steps and slipped frames
  std::optional<int> consecutive;  ///< such frames in a row
  LimitAction then = LimitAction::safe_stop;
  std::int64_t startup_grace = 100;  ///< first steps, not counted against the limits
  /// Without a frame, or without an answer of the model, this long: the plant stands still, and
  /// whatever `then` says its outputs become safe. 0: as long as it likes.
  Duration standstill{};
};

/// What follows where outputs are cut to their limits without a break.
struct Clamping {
  bool stop = false;  ///< the run ends safely, else it is only told
  Duration after{};   ///< of such a stretch
};

/// What the estimated errors of steps may be for longer than a jump of an input makes them, as
/// parts of the size of their state.
struct Accuracy {
  double limit = 1e-2;  ///< above 0; infinite: it may be anything
  bool stop = false;    ///< beyond it the run ends safely, else it is only told
};

/// Shares of the frame that work may take.
struct BudgetSettings {
  double utilisation = 0.80;
  double with_time_events = 0.40;
  double with_state_events = 0.20;
};

/// When keyframes are made, where a run is recorded.
struct KeyframeSettings {
  std::int64_t every = 0;     ///< frames from one to the next; 0: none unasked
  std::int64_t look = 0;      ///< frames between two looks for whether one is asked for; 0: none
  Duration cost{};            ///< of one, as a rehearsal measured it
  Duration guard = 5'000_ns;  ///< slack that one leaves over
  int max_deferrals = 1000;   ///< frames without enough slack, after which one is left out
};

struct Settings {
  Grid grid = Grid::of_rate_hz(1000);
  std::optional<Follow> follow{};  ///< a device; none: the grid is its own
  std::optional<Align> align{};    ///< likewise on TAI, not both
  Duration late_wake = 100'000_ns;
  Sampling sampling = Sampling::frame;
  Samples samples = Samples::true_time;
  /// Degree of what stands for inputs beyond their newest image: 0 hold, 1 linear, 2 quadratic, 3
  /// cubic; none: as is usual for the sampling.
  std::optional<int> extrapolation{};
  /// Images that are read before the first tick, a frame apart, so that inputs have a history from
  /// the first step on; nothing is put out meanwhile.
  int images_before = 0;
  Duration lag{};  ///< under `behind`: max(c_i - i/s) h (Bernstein)
  OutputTime outputs = OutputTime::at_tick;
  bool anytime = false;                 ///< complete steps early rather than late
  bool intermediate_outputs = false;    ///< also those at the nodes within the step (Howe, fig. 10)
  std::vector<double> dense_outputs{};  ///< parts of a step at whose ends there are outputs too
  int snapshot_every = 0;  ///< frames from one image for readers to the next, at least; 0: none
  int max_events = 4;      ///< state events processed in one frame
  OverrunSettings overrun;
  Clamping clamping{};
  Accuracy accuracy{};
  BudgetSettings budget;
  KeyframeSettings keyframes{};

  /// Whether ticks move from one frame to the next, by what is known outside alone.
  [[nodiscard]] constexpr bool grid_moves() const noexcept { return follow || align; }
  /// Frames are where the run begins.
  constexpr void keep_own_grid() noexcept {
    follow.reset();
    align.reset();
  }

  [[nodiscard]] constexpr int extrapolation_under(Sampling any) const noexcept {
    return extrapolation.value_or(usual_extrapolation(any));
  }

  /// Whether steps are taken in one call each: inputs hold, and nothing is done within them.
  [[nodiscard]] bool takes_whole() const noexcept {
    return sampling == Sampling::frame && !anytime;
  }
};

}  // namespace hild::exec
