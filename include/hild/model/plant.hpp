// SPDX-License-Identifier: Apache-2.0
/// \file
/// A plant: a model with the method that advances it, as the executive sees it. A step is
/// begin(), passes() times pass(i, u), finish(); whoever calls decides when, and with which inputs.
/// Who has inputs that hold calls step() or advance() instead: the same, without a call a pass.
/// The plant never sees a clock and never calls upward. Live run, replay, offline run and partial
/// steps around an event are the same calls made by someone else.
///
/// All values are in the units of the description. Everything but the constructor and
/// set_initial() is real-time safe.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "hild/core/time.hpp"
#include "hild/model/description.hpp"
#include "hild/numerics/method.hpp"

namespace hild::model {

/// What a plant has left undone so far, to stay bounded; each a count of times.
struct CapCounts {
  std::int64_t event_iterations = 0;  ///< events that the model was not done with
  std::int64_t zero_advance = 0;      ///< time events that did not lie ahead: put off by 1 ns
  std::int64_t step_parts = 0;        ///< steps that the model did not complete
  std::int64_t late_answers = 0;      ///< steps abandoned by a plant in another process
  bool owes = false;                  ///< no count, but of now: such a plant has not answered yet
  bool gone = false;                  ///< and never will: its process has ended
};

class Plant {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  Plant() = default;
  Plant(const Plant&) = delete;
  Plant& operator=(const Plant&) = delete;
  virtual ~Plant() = default;

  [[nodiscard]] virtual const Description& description() const noexcept = 0;
  [[nodiscard]] virtual const numerics::Method& method() const noexcept = 0;
  /// Whether model and method were compiled together (inline integration).
  [[nodiscard]] virtual bool compiled_together() const noexcept = 0;

  /// Initial states, in the description's order. Takes effect at once and at every reset().
  virtual void set_initial(In states) = 0;
  /// Back to the initial states, with no history.
  virtual void reset() noexcept = 0;
  /// States as given, with no history: those of a snapshot.
  virtual void set_states(In states) noexcept = 0;
  virtual void set_parameter(std::size_t index, double value) noexcept = 0;
  [[nodiscard]] virtual double parameter(std::size_t index) const noexcept = 0;

  /// Whether some inputs are supplied by the plant itself: it is made of several models.
  [[nodiscard]] virtual bool connects() const noexcept { return false; }
  /// A step from t is to begin: puts those inputs into `u`, all inputs, whose others are as sampled
  /// at t. What is changed of them afterwards is what the models are given, held over the step.
  virtual void connect(SimTime /*t*/, Out /*u*/) noexcept {}
  /// Within the step: puts what connect() gave into `u`, whose others were sampled anew.
  virtual void reconnect(Out /*u*/) const noexcept {}
  /// Steps after which the work of a step repeats; at most 1000.
  [[nodiscard]] virtual int cycle() const noexcept { return 1; }

  /// A step from t over h > 0 begins. passes() and node() then hold for it: the first steps of a
  /// multistep method, and those after restart(), are a starter's.
  virtual void begin(SimTime t, Duration h) noexcept = 0;
  [[nodiscard]] virtual int passes() const noexcept = 0;
  /// Where pass i takes its inputs: t + node(i) h.
  [[nodiscard]] virtual double node(int pass) const noexcept = 0;
  [[nodiscard]] virtual bool starting() const noexcept = 0;
  virtual void pass(int pass, In u) noexcept = 0;
  virtual void finish() noexcept = 0;
  /// Instead of finish(), after pass 0 alone: completes the step by the method's single-pass
  /// companion. False, and nothing done, where there is none.
  virtual bool finish_early() noexcept { return false; }
  /// After finish(): ends the step at the part theta (0 ... 1) of it, by the method's dense result;
  /// dense() puts that state into `x` instead. False, and nothing done, where there is none.
  virtual bool shorten(double /*theta*/) noexcept { return false; }
  virtual bool dense(double /*theta*/, Out /*x*/) const noexcept { return false; }
  /// After finish(): the estimated error of the step, state by state. False where there is none.
  virtual bool error_estimate(Out /*error*/) const noexcept { return false; }
  /// `steps` whole steps of length h > 0 from t, with inputs that hold: of the same results, to the
  /// bit, as begin(), the passes and finish() of each, in one call.
  virtual void advance(SimTime t, Duration h, int steps, In u) noexcept {
    for (int n = 0; n < steps; ++n, t += h) {
      begin(t, h);
      for (int i = 0; i < passes(); ++i) pass(i, u);
      finish();
    }
  }
  void step(SimTime t, Duration h, In u) noexcept { advance(t, h, 1, u); }
  /// Undoes finish(): the state and the history are those at the start of the step.
  virtual void rewind() noexcept = 0;
  /// Forgets the derivatives of earlier steps.
  virtual void restart() noexcept = 0;

  /// The state now; after finish(), that at the end of the step.
  [[nodiscard]] virtual In states() const noexcept = 0;
  /// The state and its derivative at the start of the last step, between finish() and begin().
  [[nodiscard]] virtual In start_states() const noexcept = 0;
  [[nodiscard]] virtual In start_derivatives() const noexcept = 0;

  virtual void derivatives(double t, In x, In u, Out dx) noexcept = 0;
  /// d dx_i / d x_k at j[i * nx + k], as implicit methods use it; false where there is none.
  virtual bool jacobian([[maybe_unused]] double t, [[maybe_unused]] In x, [[maybe_unused]] In u,
                        [[maybe_unused]] Out j) noexcept {
    return false;
  }
  /// Outputs at time t for the state now.
  virtual void outputs(double t, In u, Out y) noexcept = 0;

  /// Outputs at time t for another state. False, and nothing done, where only those of the state
  /// now can be had.
  virtual bool outputs_at(double /*t*/, In /*x*/, In /*u*/, Out /*y*/) noexcept { return false; }
  /// Outputs at the node of a pass, for the state it is about to be evaluated at. False, and
  /// nothing done, where the method has no such state.
  virtual bool pass_outputs(int /*pass*/, In /*u*/, Out /*y*/) noexcept { return false; }

  /// State events: g(t, x, u), one value for each event of the description.
  virtual void event_functions(double t, In x, In u, Out g) noexcept = 0;
  /// The action of event `index`; may change states (of the end of the step) and parameters.
  virtual void on_event(std::size_t index, double t, In u) noexcept = 0;
  /// The next time event strictly after t, or `never`.
  [[nodiscard]] virtual SimTime next_time_event(SimTime t) const noexcept = 0;
  virtual void on_time_event(double t, In u) noexcept = 0;

  /// Where the plant counts what it cut short, for as long as it lives; null where nothing is.
  [[nodiscard]] virtual const CapCounts* cap_counts() const noexcept { return nullptr; }

  /// Of one of several models (Description::parts); null: it cuts nothing short.
  [[nodiscard]] virtual const CapCounts* cap_counts_of(std::size_t /*part*/) const noexcept {
    return nullptr;
  }
  /// Of several models a bit for each of the first 32 that has this event, or the time event after
  /// t. None of one model.
  [[nodiscard]] virtual std::uint32_t event_by(std::size_t /*index*/) const noexcept { return 0; }
  [[nodiscard]] virtual std::uint32_t time_event_by(SimTime /*t*/) const noexcept { return 0; }
  /// The function of the model that failed and made all values NaN; null while none has.
  [[nodiscard]] virtual const char* failed_function() const noexcept { return nullptr; }
};

inline constexpr SimTime never{std::numeric_limits<std::int64_t>::max()};

}  // namespace hild::model
