// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model as equations: x' = f(t, x, u), y = g(t, x, u), with its parameters and its events. Who
/// needs only these, references and checks of a model, needs no method; what advances a system by
/// one is a Stepper.
///
/// All values are in the units of the description, times in seconds where they are doubles.
/// Everything but the constructor and set_initial() is real-time safe.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "hild/core/time.hpp"
#include "hild/model/description.hpp"

namespace hild::model {

/// What a system has left undone so far, to stay bounded; each a count of times.
struct CapCounts {
  std::int64_t event_iterations = 0;      ///< events that the model was not done with
  std::int64_t zero_advance = 0;          ///< time events that did not lie ahead: put off by 1 ns
  std::int64_t step_parts = 0;            ///< steps that the model did not complete
  std::int64_t late_answers = 0;          ///< steps abandoned by a model in another process
  std::int64_t algebraic_iterations = 0;  ///< algebraic variables not found within the iterations
  bool owes = false;  ///< no count, but of now: such a model has not answered yet
  bool gone = false;  ///< and never will: its process has ended
};

/// A time that never comes: no time event lies ahead.
inline constexpr SimTime never{std::numeric_limits<std::int64_t>::max()};

/// The equations of a model, whatever it is made of, with its parameters; the state is its
/// caller's. Spans have the sizes and the order of the description's lists, and hold for the call.
class System {
 public:
  using In = std::span<const double>;  ///< numbers to read
  using Out = std::span<double>;       ///< numbers to write

  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  virtual ~System() = default;

  /// What it says of itself; lives as long as the system, and never changes.
  [[nodiscard]] virtual const Description& description() const noexcept = 0;

  /// The states of every start() from now on, in the description's order.
  virtual void set_initial(In states) = 0;
  /// A run begins: puts its initial states, those of the parameters as they are, into `x`. Before
  /// the first one nothing but set_initial() and parameters may be asked for.
  virtual void start(Out x) noexcept = 0;
  /// Sets parameter `index`, in its unit, from the next call on. Limits are not looked at here: the
  /// caller has done so.
  virtual void set_parameter(std::size_t index, double value) noexcept = 0;
  /// What it was set to last; before, its default.
  [[nodiscard]] virtual double parameter(std::size_t index) const noexcept = 0;

  /// Puts the inputs that the system supplies itself, being made of several models, into `u`, all
  /// inputs.
  virtual void connect(double /*t*/, In /*x*/, Out /*u*/) noexcept {}
  /// Puts x' = f(t, x, u) into `dx`, each in units of its state per second.
  virtual void derivatives(double t, In x, In u, Out dx) noexcept = 0;
  /// d dx_i / d x_k at j(i, k), as implicit methods use it; false where there is none. `j` is zero,
  /// and of the description's structure.
  virtual bool jacobian(double /*t*/, In /*x*/, In /*u*/, numerics::Jacobian /*j*/) noexcept {
    return false;
  }
  /// Puts y = g(t, x, u) into `y`.
  virtual void outputs(double t, In x, In u, Out y) noexcept = 0;

  /// State events: g(t, x, u), one value for each event of the description.
  virtual void event_functions(double /*t*/, In /*x*/, In /*u*/, Out /*g*/) noexcept {}
  /// The action of event `index`; may change `x` and parameters.
  virtual void on_event(std::size_t /*index*/, double /*t*/, Out /*x*/, In /*u*/) noexcept {}
  /// The next time event strictly after t, or `never`.
  [[nodiscard]] virtual SimTime next_time_event(SimTime /*t*/) const noexcept { return never; }
  /// The action of the time event at t; may change `x` and parameters.
  virtual void on_time_event(double /*t*/, Out /*x*/, In /*u*/) noexcept {}

  /// What it has cut short so far; null where it never does.
  [[nodiscard]] virtual const CapCounts* cap_counts() const noexcept { return nullptr; }
  /// The function of the model that failed and made all values NaN; null while none has.
  [[nodiscard]] virtual const char* failed_function() const noexcept { return nullptr; }
};

}  // namespace hild::model
