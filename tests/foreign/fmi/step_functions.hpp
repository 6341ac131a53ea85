// SPDX-License-Identifier: Apache-2.0
/// \file
/// The calls of every step, of an FMU that is a class of a test and has no inputs or outputs.
#pragma once

#include "foreign/fmi/instance.hpp"

namespace hild::testing {

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
