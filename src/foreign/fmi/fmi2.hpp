// SPDX-License-Identifier: Apache-2.0
/// \file
/// The functions and types of FMI 2.0 that hild calls, declared from the standard's text (2.0.4,
/// chapters 2.1 to 4.2) for Linux.
#pragma once

#include <cstddef>

#include "foreign/fmi/instance.hpp"

namespace hild::fmi::v2 {

using Component = void*;
using Boolean = int;
enum class Kind : int { model_exchange, co_simulation };
enum class StatusKind : int { do_step, pending, last_successful_time, terminated };

using Logger = void (*)(void* environment, const char* instance, int status, const char* category,
                        const char* message, ...);

struct Callbacks {
  Logger logger;
  void* (*allocate)(std::size_t count, std::size_t size);
  void (*release)(void* block);
  void (*step_finished)(void* environment, int status);
  void* environment;
};
static_assert(sizeof(Callbacks) == 5 * sizeof(void*));

struct EventInfo {
  Boolean new_discrete_states_needed;
  Boolean terminate_simulation;
  Boolean nominals_changed;
  Boolean values_changed;
  Boolean next_event_time_defined;
  double next_event_time;
};
static_assert(offsetof(EventInfo, next_event_time_defined) == 16);
static_assert(offsetof(EventInfo, next_event_time) == 24 && sizeof(EventInfo) == 32);
static_assert(sizeof(ValueReference) == 4 && sizeof(Kind) == 4 && sizeof(Status) == 4);

/// The functions; null where an FMU of the kind in question need not have one.
struct Functions {
  Component (*instantiate)(const char* name, Kind kind, const char* guid, const char* resources,
                           const Callbacks* callbacks, Boolean visible, Boolean logging);
  void (*free_instance)(Component);
  Status (*setup_experiment)(Component, Boolean tolerance_defined, double tolerance, double start,
                             Boolean stop_defined, double stop);
  Status (*enter_initialization)(Component);
  Status (*exit_initialization)(Component);
  Status (*terminate)(Component);
  Status (*reset)(Component);
  Status (*get_real)(Component, const ValueReference*, std::size_t, double*);
  Status (*get_integer)(Component, const ValueReference*, std::size_t, int*);
  Status (*get_boolean)(Component, const ValueReference*, std::size_t, Boolean*);
  Status (*set_real)(Component, const ValueReference*, std::size_t, const double*);
  Status (*set_integer)(Component, const ValueReference*, std::size_t, const int*);
  Status (*set_boolean)(Component, const ValueReference*, std::size_t, const Boolean*);
  Status (*get_directional_derivative)(Component, const ValueReference* unknown, std::size_t,
                                       const ValueReference* known, std::size_t,
                                       const double* d_known, double* d_unknown);
  Status (*enter_event_mode)(Component);
  Status (*new_discrete_states)(Component, EventInfo*);
  Status (*enter_continuous_time_mode)(Component);
  Status (*completed_integrator_step)(Component, Boolean no_set_state_prior, Boolean* event_mode,
                                      Boolean* terminate);
  Status (*set_time)(Component, double);
  Status (*set_continuous_states)(Component, const double*, std::size_t);
  Status (*get_derivatives)(Component, double*, std::size_t);
  Status (*get_event_indicators)(Component, double*, std::size_t);
  Status (*get_continuous_states)(Component, double*, std::size_t);
  Status (*get_nominals)(Component, double*, std::size_t);
  Status (*do_step)(Component, double t, double h, Boolean no_set_state_prior);
  Status (*get_real_status)(Component, StatusKind, double*);
  Status (*get_boolean_status)(Component, StatusKind, Boolean*);
  StateFunctions state;
};

/// An instance of an FMU 2.0. Owns the component, which the destructor frees.
class Instance2 final : public Instance {
 public:
  Instance2(const Functions& functions, Component component) noexcept
      : Instance({component, functions.set_time, functions.set_continuous_states,
                  functions.get_derivatives, functions.get_event_indicators, functions.get_real,
                  functions.set_real, functions.completed_integrator_step},
                 functions.state),
        f_(functions),
        c_(component) {}
  ~Instance2() override;

  Status enter_initialization(double time) noexcept override;
  Status exit_initialization() noexcept override;
  Status reset() noexcept override;
  Status get_converted(Group& group) noexcept override;
  Status set_converted(Group& group) noexcept override;
  Status enter_event_mode() noexcept override;
  Status update_discrete_states(DiscreteUpdate& update) noexcept override;
  Status enter_continuous_time_mode() noexcept override;
  Status get_states(Out x) noexcept override;
  Status get_nominals(Out nominals) noexcept override;
  Status get_directional_derivative(std::span<const ValueReference> derivatives,
                                    std::span<const ValueReference> states, In by,
                                    Out column) noexcept override;
  Status do_step(double t, double h, Advance& advance) noexcept override;

 private:
  Functions f_;
  Component c_;
};

}  // namespace hild::fmi::v2
