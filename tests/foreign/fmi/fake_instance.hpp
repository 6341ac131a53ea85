// SPDX-License-Identifier: Apache-2.0
/// \file
/// FMUs that are a class of a test: all calls succeed and do nothing but those that it overrides.
#pragma once

#include "foreign/fmi/instance.hpp"

namespace hild::testing {

class FakeInstance : public fmi::Instance {
 public:
  using Status = fmi::Status;
  using Instance::Instance;

  Status enter_initialization(double /*t*/) noexcept override { return Status::ok; }
  Status exit_initialization() noexcept override { return Status::ok; }
  Status reset() noexcept override { return Status::ok; }
  Status get_converted(fmi::Group& /*group*/) noexcept override { return Status::ok; }
  Status set_converted(fmi::Group& /*group*/) noexcept override { return Status::ok; }
  Status enter_event_mode() noexcept override { return Status::ok; }
  Status update_discrete_states(fmi::DiscreteUpdate& /*update*/) noexcept override {
    return Status::ok;
  }
  Status enter_continuous_time_mode() noexcept override { return Status::ok; }
  Status get_states(std::span<double> /*x*/) noexcept override { return Status::ok; }
  Status get_nominals(std::span<double> /*nominals*/) noexcept override { return Status::ok; }
  Status get_directional_derivative(std::span<const fmi::ValueReference> /*rows*/,
                                    std::span<const fmi::ValueReference> /*states*/,
                                    std::span<const double> /*by*/,
                                    std::span<double> /*column*/) noexcept override {
    return Status::ok;
  }
  Status do_step(double /*t*/, double /*h*/, fmi::Advance& /*advance*/) noexcept override {
    return Status::ok;
  }
};

/// The calls of every step, of one without inputs and outputs.
template <class Fake>
fmi::StepFunctions step_functions_of(Fake* fake) {
  static constexpr auto self = [](void* component) { return static_cast<Fake*>(component); };
  return {
      fake,
      [](void* c, double t) { return self(c)->set_time(t); },
      [](void* c, const double* x, std::size_t n) { return self(c)->set_states(std::span(x, n)); },
      [](void* c, double* dx, std::size_t n) { return self(c)->get_derivatives(std::span(dx, n)); },
      [](void* c, double* z, std::size_t n) {
        return self(c)->get_event_indicators(std::span(z, n));
      },
      nullptr,
      nullptr,
      nullptr,
      nullptr,
      nullptr,
      [](void* c, bool /*no_set_state_prior*/, bool* /*event_mode*/, bool* /*terminate*/) {
        return self(c)->completed_step();
      }};
}

}  // namespace hild::testing
