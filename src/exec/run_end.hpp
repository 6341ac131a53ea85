// SPDX-License-Identifier: Apache-2.0
/// \file
/// Why a run ended, and which limits it reached before. Real-time safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exec/overrun.hpp"
#include "hild/io/options.hpp"

namespace hild::exec {

/// Why a run ended.
enum class End : std::uint8_t {
  duration,
  requested,
  overrun_limit,
  device_failed,
  input_lost,  ///< its newest image was too old, and nothing stands in for it
  model_fault,
  interlock,
  guard_lost,  ///< the guard process has died
  tick_lost,   ///< the device whose ticks the frames follow does not tick any more
  clock_set,   ///< the clock was set that frames are aligned to
  alarm,       ///< one whose `then` is stop became active
};

/// The kinds of model faults, after which the run no longer represents the plant.
enum class Fault : std::uint8_t {
  not_finite,    ///< a state or an output
  implausible,   ///< a state beyond its plausible range
  clamped,       ///< outputs cut to their limits for too long
  inaccurate,    ///< estimated errors of steps stay larger than they may be: `value` of `index`
  not_returned,  ///< the model of number `index` did not return on its worker
};

/// How a run ended.
struct Outcome {
  End end = End::duration;
  /// An overrun limit was reached; the run may have gone on, frozen or with safe outputs.
  bool limit_reached = false;
  Limit limit = Limit::missed;  ///< the first that was reached
  std::int64_t limit_frame = 0;
  Duration stood{};  ///< how long the plant stood still, where that was the limit reached
  Duration age{};    ///< of the newest image of an input that was lost
  bool safe = true;  ///< every output took its safe value
  // The fields below depend on the end. Lost input: `index` is its number. Model fault: the first
  // value that was not finite, or not plausible. Interlock: `index` is its number, `value` what
  // tripped it. Alarm: likewise.
  Fault fault = Fault::not_finite;
  std::int64_t frame = 0;
  SimTime t{};            ///< of the value: the end of the step
  bool in_states = true;  ///< else in the outputs
  std::size_t index = 0;
  double value = 0;
  io::Interval plausible{};        ///< its plausible range
  const char* function = nullptr;  ///< the function of the model that failed, where the model tells
};

/// Collects why a run ends; whoever finds a reason tells it here.
class RunEnd {
 public:
  [[nodiscard]] bool reached() const noexcept { return outcome_.end != End::duration; }
  [[nodiscard]] const Outcome& outcome() const noexcept { return outcome_; }

  void begin_run() noexcept { outcome_ = {}; }
  void request() noexcept { outcome_.end = End::requested; }
  void tell(End why, std::int64_t frame) noexcept {
    outcome_.end = why;
    outcome_.frame = frame;
  }
  /// Ends the run by a model fault; blame_state() or blame_output() then says which value was
  /// wrong.
  void tell(Fault fault, std::int64_t frame, SimTime t) noexcept {
    tell(End::model_fault, frame);
    outcome_.fault = fault;
    outcome_.t = t;
  }
  void blame_state(std::size_t state, double value, const io::Interval& plausible) noexcept {
    outcome_.in_states = true;
    outcome_.index = state;
    outcome_.value = value;
    outcome_.plausible = plausible;
  }
  void blame_output(std::size_t output, double value) noexcept {
    outcome_.in_states = false;
    outcome_.index = output;
    outcome_.value = value;
  }
  void blame_model(std::size_t model) noexcept { outcome_.index = model; }
  void blame_function(const char* of_model) noexcept { outcome_.function = of_model; }
  void tell_interlock(std::size_t which, double value, std::int64_t frame) noexcept {
    tell(End::interlock, frame);
    outcome_.index = which;
    outcome_.value = value;
  }
  void tell_alarm(std::size_t which, double value, std::int64_t frame) noexcept {
    tell(End::alarm, frame);
    outcome_.index = which;
    outcome_.value = value;
  }
  void tell_lost(std::size_t input, Duration age, std::int64_t frame) noexcept {
    tell(End::input_lost, frame);
    outcome_.index = input;
    outcome_.age = age;
  }
  /// Notes that a limit was reached, which need not end the run; only the first is kept.
  void note_limit(Limit limit, std::int64_t frame, Duration stood) noexcept {
    if (outcome_.limit_reached) return;
    outcome_.limit_reached = true;
    outcome_.limit = limit;
    outcome_.limit_frame = frame;
    outcome_.stood = stood;
  }
  void note_safe(bool safe) noexcept { outcome_.safe = safe; }

 private:
  Outcome outcome_;
};

}  // namespace hild::exec
