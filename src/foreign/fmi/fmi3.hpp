// SPDX-License-Identifier: Apache-2.0
/// \file
/// The functions and types of FMI 3.0 that hild calls, declared from the standard's text (3.0,
/// chapters 2.2, 3.2 and 4.2) for Linux.
#pragma once

#include <cstddef>

#include "foreign/fmi/instance.hpp"

namespace hild::fmi::v3 {

using Handle = void*;
static_assert(sizeof(bool) == 1 && sizeof(float) == 4 && sizeof(double) == 8);

using LogMessage = void (*)(void* environment, int status, const char* category,
                            const char* message);

template <class T>
using Get = Status (*)(Handle, const ValueReference*, std::size_t, T*, std::size_t);
template <class T>
using Set = Status (*)(Handle, const ValueReference*, std::size_t, const T*, std::size_t);

template <class T>
struct Access {
  Get<T> get;
  Set<T> set;
};

/// The functions; null where an FMU of the kind in question need not have one.
struct Functions {
  Handle (*instantiate_model_exchange)(const char* name, const char* token, const char* resources,
                                       bool visible, bool logging, void* environment,
                                       LogMessage log);
  Handle (*instantiate_co_simulation)(const char* name, const char* token, const char* resources,
                                      bool visible, bool logging, bool event_mode_used,
                                      bool early_return_allowed,
                                      const ValueReference* intermediate_variables, std::size_t,
                                      void* environment, LogMessage log,
                                      void (*intermediate_update)());
  void (*free_instance)(Handle);
  Status (*enter_configuration)(Handle);
  Status (*exit_configuration)(Handle);
  Status (*enter_initialization)(Handle, bool tolerance_defined, double tolerance, double start,
                                 bool stop_defined, double stop);
  Status (*exit_initialization)(Handle);
  Status (*terminate)(Handle);
  Status (*reset)(Handle);
  Access<double> float64;
  Access<float> float32;
  Access<std::int8_t> int8;
  Access<std::uint8_t> uint8;
  Access<std::int16_t> int16;
  Access<std::uint16_t> uint16;
  Access<std::int32_t> int32;
  Access<std::uint32_t> uint32;
  Access<std::int64_t> int64;
  Access<std::uint64_t> uint64;
  Access<bool> boolean;
  Status (*get_directional_derivative)(Handle, const ValueReference* unknowns, std::size_t,
                                       const ValueReference* knowns, std::size_t,
                                       const double* seed, std::size_t, double* sensitivity,
                                       std::size_t);
  Status (*enter_event_mode)(Handle);
  Status (*update_discrete_states)(Handle, bool* again, bool* terminate, bool* nominals_changed,
                                   bool* values_changed, bool* next_time_defined,
                                   double* next_time);
  Status (*enter_continuous_time_mode)(Handle);
  Status (*completed_integrator_step)(Handle, bool no_set_state_prior, bool* event_mode,
                                      bool* terminate);
  Status (*set_time)(Handle, double);
  Status (*set_continuous_states)(Handle, const double*, std::size_t);
  Status (*get_derivatives)(Handle, double*, std::size_t);
  Status (*get_event_indicators)(Handle, double*, std::size_t);
  Status (*get_continuous_states)(Handle, double*, std::size_t);
  Status (*get_nominals)(Handle, double*, std::size_t);
  Status (*get_number_of_states)(Handle, std::size_t*);
  Status (*get_number_of_indicators)(Handle, std::size_t*);
  Status (*do_step)(Handle, double t, double h, bool no_set_state_prior, bool* event_needed,
                    bool* terminate, bool* early_return, double* last_time);
  StateFunctions state;
};

/// An instance of an FMU 3.0. Owns its handle, which the destructor frees.
class Instance3 final : public Instance {
 public:
  Instance3(const Functions& functions, Handle handle, std::vector<Group> structure = {}) noexcept
      : Instance(
            {handle, functions.set_time, functions.set_continuous_states, functions.get_derivatives,
             functions.get_event_indicators, nullptr, nullptr, nullptr, functions.float64.get,
             functions.float64.set, functions.completed_integrator_step},
            functions.state),
        f_(functions),
        h_(handle),
        structure_(std::move(structure)) {}
  ~Instance3() override;

  Status configure() noexcept override;
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
  Status count_states(std::size_t& count) noexcept override;
  Status count_event_indicators(std::size_t& count) noexcept override;
  Status get_directional_derivative(std::span<const ValueReference> derivatives,
                                    std::span<const ValueReference> states, In by,
                                    Out column) noexcept override;
  Status do_step(double t, double h, Advance& advance) noexcept override;

 private:
  template <class Use>
  Status by_type(Type type, Use&& use) noexcept;

  Functions f_;
  Handle h_;
  std::vector<Group> structure_;  // structural parameters with the values they are to have
};

}  // namespace hild::fmi::v3
