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

#include <bit>
#include <cstdint>
#include <limits>
#include <memory>

#include "foreign/fmi/layout.hpp"
#include "hild/core/time.hpp"
#include "hild/model/system.hpp"

namespace hild::fmi {

class ModelExchange {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  ModelExchange(std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance);

  [[nodiscard]] const Layout& layout() const noexcept { return *layout_; }

  /// Initialises the FMU with these parameters, again if it was before; x becomes the initial
  /// state, in continuous-time mode.
  void start(In parameters, Out x) noexcept;

  /// What the FMU has, and what is known of it.
  void transfer(Archive& archive) noexcept;

  void derivatives(double t, In x, In u, Out dx) noexcept;
  /// The parts of derivatives(), for a caller that computes state and derivatives in between and
  /// keeps nothing across the calls of the FMU: go to a time, with new inputs or with those of the
  /// call before; go to a state that will hardly be needed again; read the derivatives there, or
  /// NaN.
  bool arrive(double t, In u) noexcept;
  bool arrive(double t) noexcept;
  bool pass_through(In x) noexcept;
  bool read_derivatives(Out dx) noexcept;
  static void fill_with_nan(Out values) noexcept;
  void outputs(double t, In x, In u, Out y) noexcept;
  void event_functions(double t, In x, In u, Out g) noexcept;
  /// The Jacobian in the way the layout says: J(i, k) at j[i * nx + k], dx being the derivatives at
  /// x.
  void jacobian(double t, In x, In u, In dx, Out j) noexcept;
  /// The Jacobian by directional derivatives; and by differences, with steps scaled by the nominal
  /// values, in as many evaluations as the layout has colours.
  void jacobian_by_directions(double t, In x, In u, Out j) noexcept;
  void jacobian_by_differences(double t, In x, In u, In dx, Out j) noexcept;

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
  [[nodiscard]] bool discrete_inputs_changed(In u) const noexcept;
  /// Sets a parameter, which takes effect in the next event mode. Fixed parameters wait for
  /// start().
  void set_parameter(std::size_t index, double value) noexcept;
  [[nodiscard]] bool parameters_waiting() const noexcept { return waiting_; }

  /// The FMU's next time event; model::never where there is none. One that does not lie after t is
  /// due a nanosecond later.
  [[nodiscard]] SimTime next_time_event(SimTime t) const noexcept;
  /// The exact time of the FMU's next time event if that is the one at t (within rounding); else t.
  [[nodiscard]] double exact_time(double t) const noexcept;

  /// The inputs that the FMU has at present.
  [[nodiscard]] In inputs() const noexcept { return held_; }
  /// The call that failed; null while none has.
  [[nodiscard]] const char* failure() const noexcept { return failure_; }
  [[nodiscard]] In nominals() const noexcept { return nominals_; }
  [[nodiscard]] const model::CapCounts& cap_counts() const noexcept { return cap_counts_; }

 private:
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  bool take(Status status, const char* call) noexcept;
  bool set_time(double t) noexcept;
  bool stand(In x) noexcept;
  bool place(double t, In x) noexcept;
  bool place(double t, In x, In u) noexcept;
  void read_outputs(double t, In x, In u, Out y) noexcept;
  [[nodiscard]] bool stands_at(In x) const noexcept;
  [[nodiscard]] bool moved(In u) const noexcept;
  bool set_inputs(In u) noexcept;
  void forget_place() noexcept {
    t_ = nan;
    stands_ = false;
    for (GivenInput& input : given_) input.value = nan;
  }
  void set_groups(std::vector<Group>& groups, In u) noexcept;
  void set_parameters(bool starting) noexcept;
  void iterate_events(Out x, bool starting) noexcept;
  void take_time_event(const DiscreteUpdate& update) noexcept;
  void check_sizes(bool starting) noexcept;
  [[nodiscard]] bool crossed(std::size_t index) const noexcept;
  bool crossed_unseen(double t, In x) noexcept;

  // A continuous input as the FMU has it; NaN, which differs from everything: unknown.
  struct GivenInput {
    std::size_t place = 0;
    double value = nan;
  };

  std::shared_ptr<const Layout> layout_;
  std::unique_ptr<Instance> instance_;
  StepFunctions functions_;  // a copy of the instance's, for speed
  std::vector<Group> continuous_;
  std::vector<GivenInput> given_;  // the inputs in all of those groups
  std::vector<Group> discrete_;
  std::vector<Group> read_;
  std::vector<Group> parameter_groups_;
  std::vector<unsigned char> changed_;  // for each group of parameters
  std::vector<double> parameters_;
  std::vector<double> nominals_;
  std::vector<double> held_;  // inputs as the FMU has them
  std::vector<double> x_;     // the state the FMU is at, valid if stands_
  std::vector<double> moved_, there_, column_;
  std::vector<double> z_;
  std::vector<signed char> sides_;  // of the indicators at the last event: 1 above 0, else -1
  double t_ = 0;                    // NaN, which differs from everything: unknown
  double next_time_ = 0;
  bool timed_ = false;
  bool stands_ = false;
  bool started_ = false;
  bool waiting_ = false;
  int not_ahead_ = 0;  // time events in a row that did not lie ahead
  model::CapCounts cap_counts_;
  const char* failure_ = nullptr;
};

// ---- what every pass does: in sight of the kernels ----------------------------------------------

// Whether the call succeeded; the first that did not is remembered.
inline bool ModelExchange::take(Status status, const char* call) noexcept {
  if (good(status)) [[likely]] {
    return true;
  }
  if (failure_ == nullptr) failure_ = call;
  return false;
}

// To the bit: -0 is not 0. One by one, as they were stored: the first one differs, mostly.
inline bool ModelExchange::stands_at(In x) const noexcept {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(x[i]) != std::bit_cast<std::uint64_t>(x_[i])) return false;
  }
  return true;
}

// Mostly they have not, in the passes of a step.
[[gnu::always_inline]] inline bool ModelExchange::moved(In u) const noexcept {
  for (const GivenInput& input : given_) {
    if (u[input.place] != input.value) [[unlikely]] {
      return true;
    }
  }
  return false;
}

inline bool ModelExchange::set_inputs(In u) noexcept {
  GivenInput* told = given_.data();
  for (Group& g : continuous_) {
    double* value = g.values.data();
    for (const std::size_t p : g.places) *value++ = held_[p] = (told++)->value = u[p];
    if (!take(instance_->set(g), "set inputs")) return false;
  }
  return true;
}

[[gnu::always_inline]] inline bool ModelExchange::set_time(double t) noexcept {
  if (t == t_) return true;
  t_ = t;
  return take(numerics::kept_apart(functions_.set_time, functions_.component, t), "set time");
}

[[gnu::always_inline]] inline bool ModelExchange::stand(In x) noexcept {
  if (stands_ && stands_at(x)) return true;
  stands_ = true;
  for (std::size_t i = 0; i < x.size(); ++i) x_[i] = x[i];
  return take(numerics::kept_apart(functions_.set_states, functions_.component, x.data(), x.size()),
              "set continuous states");
}

// Gives the FMU only what is new to it. Returns whether all calls succeeded so far.
[[gnu::always_inline]] inline bool ModelExchange::place(double t, In x) noexcept {
  return failure_ == nullptr && set_time(t) && stand(x);
}
[[gnu::always_inline]] inline bool ModelExchange::place(double t, In x, In u) noexcept {
  return place(t, x) && (!moved(u) || set_inputs(u));
}

[[gnu::always_inline]] inline bool ModelExchange::arrive(double t) noexcept {
  return failure_ == nullptr && set_time(t);
}
[[gnu::always_inline]] inline bool ModelExchange::arrive(double t, In u) noexcept {
  return failure_ == nullptr && (!moved(u) || set_inputs(u)) && set_time(t);
}

[[gnu::always_inline]] inline bool ModelExchange::pass_through(In x) noexcept {
  if (stands_ && stands_at(x)) [[unlikely]] {
    return true;
  }
  stands_ = false;
  return take(numerics::kept_apart(functions_.set_states, functions_.component, x.data(), x.size()),
              "set continuous states");
}

[[gnu::always_inline]] inline void ModelExchange::outputs(double t, In x, In u, Out y) noexcept {
  for (const auto& o : layout_->state_outputs) y[o.output] = x[o.state];
  if (!read_.empty() || failure_ != nullptr) read_outputs(t, x, u, y);
}

[[gnu::always_inline]] inline bool ModelExchange::complete_step(double t, In x) noexcept {
  if (failure_ != nullptr || !layout_->needs_completed_step) return false;
  CompletedStep completed;
  if (!place(t, x) || !take(instance_->completed_step(completed), "completed integrator step")) {
    return false;
  }
  if (completed.terminate) failure_ = "completed integrator step (it asks to terminate)";
  return completed.enter_event_mode;
}

[[gnu::always_inline]] inline bool ModelExchange::complete_step_without_event(double t,
                                                                              Out x) noexcept {
  const bool asks = complete_step(t, x);
  if (!asks && (z_.empty() || !crossed_unseen(t, x))) [[likely]] {
    return false;
  }
  handle_event(t, x, held_);
  return true;
}

inline bool ModelExchange::discrete_inputs_changed(In u) const noexcept {
  for (const Group& g : discrete_) {
    for (const std::size_t p : g.places) {
      if (u[p] != held_[p]) return true;
    }
  }
  return false;
}

[[gnu::always_inline]] inline bool ModelExchange::read_derivatives(Out dx) noexcept {
  return take(
      numerics::kept_apart(functions_.get_derivatives, functions_.component, dx.data(), dx.size()),
      "get derivatives");
}

inline void ModelExchange::derivatives(double t, In x, In u, Out dx) noexcept {
  if (!arrive(t, u) || !pass_through(x) || !read_derivatives(dx)) fill_with_nan(dx);
}

}  // namespace hild::fmi
