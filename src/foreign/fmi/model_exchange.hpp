// SPDX-License-Identifier: Apache-2.0
/// \file
/// An FMU for model exchange in the form the kernels need: derivatives, outputs and event functions
/// at a time and a state, and its events, in the order of calls that the standard allows.
///
/// Event mode is bounded: after as many updates as the caps of the layout allow, hild goes on with
/// the values it has, and counts this, or ends the run. After a call that fails, or when the FMU
/// asks to terminate, all values are NaN, which ends the run; failure() names the call. Real-time
/// safe except start(), as far as the FMU is.
#pragma once

#include <limits>
#include <memory>

#include "foreign/fmi/event_indicators.hpp"
#include "foreign/fmi/inputs.hpp"
#include "foreign/fmi/parameters.hpp"
#include "foreign/fmi/time_and_state.hpp"
#include "foreign/fmi/time_events.hpp"
#include "hild/model/system.hpp"

namespace hild::fmi {

class ModelExchange {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  ModelExchange(std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance);

  [[nodiscard]] const Layout& layout() const noexcept { return *layout_; }

  /// Initialises the FMU with its parameters, again if it was before; x becomes the initial state,
  /// in continuous-time mode.
  void start(Out x) noexcept;

  /// What the FMU has, and what is known of it.
  void transfer(Archive& archive) noexcept;

  void derivatives(double t, In x, In u, Out dx) noexcept;
  /// The parts of derivatives(), for a caller that computes state and derivatives in between and
  /// keeps nothing across the calls of the FMU: go to a time, with new inputs or with those of the
  /// call before; go to a state that will hardly be needed again; read the derivatives there, or
  /// NaN.
  bool arrive(double t, In u) noexcept;
  bool arrive(double t) noexcept;
  [[gnu::always_inline]] bool pass_through(In x) noexcept { return at_.through_state(x, fmu_); }
  [[gnu::always_inline]] bool read_derivatives(Out dx) noexcept { return fmu_.get_derivatives(dx); }
  static void fill_with_nan(Out values) noexcept;
  void outputs(double t, In x, In u, Out y) noexcept;
  void event_functions(double t, In x, In u, Out g) noexcept;
  /// The slope of all derivatives as these states move by `by`, or NaN.
  void directional_derivative(std::span<const ValueReference> states, In by, double t, In x, In u,
                              Out column) noexcept;

  /// Ends a step of the integrator at t, with the inputs that the FMU has, where an event is acted
  /// upon next; that takes care of everything else that is due there. True when the FMU asks for
  /// event mode.
  bool complete_step(double t, In x) noexcept;
  /// Ends a step in which no event is left. True when the FMU had an event of its own there, or an
  /// indicator crossed that nobody acted upon, and x may have changed.
  bool complete_step_without_event(double t, Out x) noexcept;
  /// Moves x along its derivative until event indicator `index` has crossed. A crossing is located
  /// by one interpolation, which may end a little before it, and the FMU acts on crossings only. At
  /// most ten evaluations; false, and x unchanged, where it does not cross.
  bool carry_across(std::size_t index, double t, Out x, In u) noexcept;
  /// Runs event mode at t, with all inputs and parameters; x may change.
  void handle_event(double t, Out x, In u) noexcept;

  /// The parameters; those that change take effect in the next event mode if they are tunable.
  [[nodiscard]] Parameters& parameters() noexcept { return parameters_; }
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const Inputs& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const TimeEvents& time_events() const noexcept { return time_events_; }
  [[nodiscard]] In nominals() const noexcept { return nominals_; }
  [[nodiscard]] const model::CapCounts& cap_counts() const noexcept { return cap_counts_; }
  /// The call that failed; null while none has.
  [[nodiscard]] const char* failure() const noexcept { return fmu_.failure(); }

 private:
  bool place(double t, In x) noexcept;
  bool place(double t, In x, In u) noexcept;
  void read_outputs(double t, In x, In u, Out y) noexcept;
  void iterate_events(double t, Out x, bool starting) noexcept;
  [[nodiscard]] DiscreteUpdate update_discrete_states() noexcept;
  void take_time_event(const DiscreteUpdate& update, double t) noexcept;
  void check_sizes(bool starting) noexcept;
  bool leave_event_mode(const DiscreteUpdate& update, Out x) noexcept;
  bool crossed_unseen(double t, In x) noexcept;

  std::shared_ptr<const Layout> layout_;
  CheckedInstance fmu_;
  TimeAndState at_;
  Inputs inputs_;
  std::vector<Group> read_;
  Parameters parameters_;
  EventIndicators indicators_;
  TimeEvents time_events_;
  std::vector<double> nominals_;
  std::vector<double> moved_, slope_;  // of carry_across()
  model::CapCounts cap_counts_;
};

// ---- what every pass does: in sight of the kernels ----------------------------------------------

// Gives the FMU only what is new to it. Returns whether all calls succeeded so far.
[[gnu::always_inline]] inline bool ModelExchange::place(double t, In x) noexcept {
  return arrive(t) && at_.to_state(x, fmu_);
}
[[gnu::always_inline]] inline bool ModelExchange::place(double t, In x, In u) noexcept {
  return place(t, x) && inputs_.give(u, fmu_);
}

[[gnu::always_inline]] inline bool ModelExchange::arrive(double t) noexcept {
  return !fmu_.failed() && at_.to_time(t, fmu_);
}
[[gnu::always_inline]] inline bool ModelExchange::arrive(double t, In u) noexcept {
  return !fmu_.failed() && inputs_.give(u, fmu_) && at_.to_time(t, fmu_);
}

[[gnu::always_inline]] inline void ModelExchange::outputs(double t, In x, In u, Out y) noexcept {
  for (const auto& o : layout_->state_outputs) y[o.output] = x[o.state];
  if (!read_.empty() || fmu_.failed()) read_outputs(t, x, u, y);
}

[[gnu::always_inline]] inline bool ModelExchange::complete_step(double t, In x) noexcept {
  if (fmu_.failed() || !layout_->needs_completed_step) return false;
  CompletedStep completed;
  if (!place(t, x) || !fmu_.take(fmu_->completed_step(completed), "completed integrator step")) {
    return false;
  }
  if (completed.terminate) fmu_.fail("completed integrator step (it asks to terminate)");
  return completed.enter_event_mode;
}

[[gnu::always_inline]] inline bool ModelExchange::complete_step_without_event(double t,
                                                                              Out x) noexcept {
  const bool asks = complete_step(t, x);
  if (!asks && (indicators_.empty() || !crossed_unseen(t, x))) [[likely]] {
    return false;
  }
  handle_event(t, x, inputs_.held());
  return true;
}

inline void ModelExchange::derivatives(double t, In x, In u, Out dx) noexcept {
  if (!arrive(t, u) || !pass_through(x) || !read_derivatives(dx)) fill_with_nan(dx);
}

}  // namespace hild::fmi
