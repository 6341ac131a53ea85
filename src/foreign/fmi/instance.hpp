// SPDX-License-Identifier: Apache-2.0
/// \file
/// An instance of an FMU, of version 2.0 or 3.0, behind one interface, which the plants call. Every
/// call is one call of the FMU and returns its status. The FMU's code runs on the caller's thread,
/// and its floating-point control is restored afterwards; hild's own part neither allocates nor
/// throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "foreign/fmi/saved_state.hpp"
#include "hild/numerics/float_control.hpp"

namespace hild::fmi {

using ValueReference = std::uint32_t;

/// The type as which a value is passed. Enumerations are int32 in 2.0 and int64 in 3.0; booleans
/// int and bool.
enum class Type : std::uint8_t {
  float64,
  float32,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean
};

/// Variables of one type that are read or written in one call, arrays with all their elements. hild
/// handles values as doubles: whole numbers beyond 2^53 lose digits.
struct Group {
  Type type = Type::float64;
  std::vector<ValueReference> refs{};
  /// For each value, in the order of the call, its index among hild's inputs, outputs or
  /// parameters.
  std::vector<std::size_t> places{};
  std::vector<double> values{};      ///< buffer for the values
  std::vector<std::uint64_t> raw{};  ///< buffer for the values in their own type

  void add(ValueReference ref, std::size_t first_place, std::size_t count);
  /// Fills the buffer out of all inputs or parameters.
  void gather(std::span<const double> from) noexcept {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = from[places[i]];
  }
};

struct DiscreteUpdate {
  bool again = false;
  bool terminate = false;
  bool nominals_changed = false;
  bool states_changed = false;
  bool timed = false;
  double next_time = 0;
};

struct CompletedStep {
  bool enter_event_mode = false;
  bool terminate = false;
};

struct Advance {
  double reached = 0;  ///< where a step ended that was discarded or returned early
  bool terminate = false;
};

/// The functions that every step calls, called directly.
struct StepFunctions {
  void* component = nullptr;
  // These have the same type in both versions.
  Status (*set_time)(void*, double) = nullptr;
  Status (*set_states)(void*, const double*, std::size_t) = nullptr;
  Status (*get_derivatives)(void*, double*, std::size_t) = nullptr;
  Status (*get_event_indicators)(void*, double*, std::size_t) = nullptr;
  // These are of 2.0; null in 3.0.
  Status (*get_real)(void*, const ValueReference*, std::size_t, double*) = nullptr;
  Status (*set_real)(void*, const ValueReference*, std::size_t, const double*) = nullptr;
  Status (*completed_step_2)(void*, int, int*, int*) = nullptr;
  // These are of 3.0, which counts the values as well; null in 2.0.
  Status (*get_float64)(void*, const ValueReference*, std::size_t, double*, std::size_t) = nullptr;
  Status (*set_float64)(void*, const ValueReference*, std::size_t, const double*,
                        std::size_t) = nullptr;
  Status (*completed_step_3)(void*, bool, bool*, bool*) = nullptr;
};

class Instance {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  /// Without functions for its state it cannot be saved.
  explicit Instance(const StepFunctions& functions, const StateFunctions& of_state = {}) noexcept
      : functions_(functions), state_(functions.component, of_state) {}
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  virtual ~Instance() = default;

  [[nodiscard]] const StepFunctions& functions() const noexcept { return functions_; }
  /// All of its state, in any mode.
  void transfer(Archive& archive) noexcept { state_.transfer(archive); }

  /// Gives structural parameters their values. To be called before all else; also part of every
  /// reset().
  virtual Status configure() noexcept { return Status::ok; }
  virtual Status enter_initialization(double time) noexcept = 0;
  virtual Status exit_initialization() noexcept = 0;
  virtual Status reset() noexcept = 0;

  /// Read into group.values, and write from there.
  Status get(Group& g) noexcept {
    if (g.type != Type::float64) return get_converted(g);
    const std::size_t n = g.refs.size();
    return functions_.get_real != nullptr
               ? numerics::kept_apart(functions_.get_real, functions_.component, g.refs.data(), n,
                                      g.values.data())
               : numerics::kept_apart(functions_.get_float64, functions_.component, g.refs.data(),
                                      n, g.values.data(), g.values.size());
  }
  Status set(Group& g) noexcept {
    if (g.type != Type::float64) return set_converted(g);
    const std::size_t n = g.refs.size();
    return functions_.set_real != nullptr
               ? numerics::kept_apart(functions_.set_real, functions_.component, g.refs.data(), n,
                                      g.values.data())
               : numerics::kept_apart(functions_.set_float64, functions_.component, g.refs.data(),
                                      n, g.values.data(), g.values.size());
  }
  /// Likewise, for any type but float64.
  virtual Status get_converted(Group& group) noexcept = 0;
  virtual Status set_converted(Group& group) noexcept = 0;

  // Model exchange.
  virtual Status enter_event_mode() noexcept = 0;
  virtual Status update_discrete_states(DiscreteUpdate& update) noexcept = 0;
  virtual Status enter_continuous_time_mode() noexcept = 0;
  Status completed_step(CompletedStep& completed) noexcept {
    if (functions_.completed_step_2 == nullptr) {
      return numerics::kept_apart(functions_.completed_step_3, functions_.component, true,
                                  &completed.enter_event_mode, &completed.terminate);
    }
    int event_mode = 0;
    int terminate = 0;
    const Status status = numerics::kept_apart(functions_.completed_step_2, functions_.component, 1,
                                               &event_mode, &terminate);
    completed = {event_mode != 0, terminate != 0};
    return status;
  }
  Status get_event_indicators(Out z) noexcept {
    return numerics::kept_apart(functions_.get_event_indicators, functions_.component, z.data(),
                                z.size());
  }
  virtual Status get_states(Out x) noexcept = 0;
  virtual Status get_nominals(Out nominals) noexcept = 0;
  /// Counts the states and event indicators the FMU has now. In 2.0 their numbers never change:
  /// `count` is left as it is.
  virtual Status count_states(std::size_t& /*count*/) noexcept { return Status::ok; }
  virtual Status count_event_indicators(std::size_t& /*count*/) noexcept { return Status::ok; }
  /// The slope of the derivatives as the states move by `by`.
  virtual Status get_directional_derivative(std::span<const ValueReference> derivatives,
                                            std::span<const ValueReference> states, In by,
                                            Out column) noexcept = 0;

  // Co-simulation.
  virtual Status do_step(double t, double h, Advance& advance) noexcept = 0;

 protected:
  /// To be called before the component is freed.
  void release_state() noexcept { state_.release(); }

 private:
  StepFunctions functions_;
  SavedState state_;
};

}  // namespace hild::fmi
