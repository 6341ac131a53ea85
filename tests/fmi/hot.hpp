// SPDX-License-Identifier: Apache-2.0
/// \file
/// The calls of every pass, of an FMU that is a class of a test.
#pragma once

#include "fmi/instance.hpp"

namespace hild::testing {

template <class Fake>
fmi::Hot hot_of(Fake* fake) {
  static constexpr auto self = [](void* component) { return static_cast<Fake*>(component); };
  return {
      fake, [](void* c, double t) { return self(c)->set_time(t); },
      [](void* c, const double* x, std::size_t n) { return self(c)->set_states(std::span(x, n)); },
      [](void* c, double* dx, std::size_t n) { return self(c)->get_derivatives(std::span(dx, n)); },
      [](void* c, double* z, std::size_t n) {
        return self(c)->get_event_indicators(std::span(z, n));
      }};
}

}  // namespace hild::testing
