// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "io/bus.hpp"

namespace hild::guard {

/// Brings every output to the end of its safe action, those that ramp included; `each` is called
/// between two writes. `clock` is that of the bus, or another of the same time. False when a device
/// did not take its values: all others have theirs.
inline bool ramp_to_safe(
    io::Bus& bus, rt::Clock& clock, const std::function<void()>& each = [] {}) {
  bool all = bus.safe();
  while (!bus.settled()) {
    clock.sleep_until(clock.now() + 1_ms);
    each();
    all = bus.safe() && all;
  }
  return all;
}

}  // namespace hild::guard
