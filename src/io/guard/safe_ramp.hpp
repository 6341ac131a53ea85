// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "io/bus.hpp"

namespace hild::guard {

inline void pause_between(rt::Clock& clock, const std::function<void()>& each) {
  clock.sleep_until(clock.now() + 1_ms);
  each();
}

/// Sees what was written last leave every device; false where it does not within a tenth of a
/// second. Then goes on writing it for as long as a device wants that. `each` is called between two
/// looks and two writes.
inline bool flushed(
    io::Bus& bus, rt::Clock& clock, const std::function<void()>& each = [] {}) {
  for (int looks = 0; looks < 100 && !bus.flush(); ++looks) pause_between(clock, each);
  bool all = bus.flush();
  for (const MonoTime until = clock.now() + bus.safe_for(); clock.now() < until;) {
    pause_between(clock, each);
    if (!bus.safe()) all = false;
  }
  return all;
}

/// Brings every output to the end of its safe action, those that ramp included; `each` is called
/// between two writes. `clock` is that of the bus, or another of the same time. False when a device
/// did not take its values, or they did not leave it: all others have theirs.
inline bool ramp_to_safe(
    io::Bus& bus, rt::Clock& clock, const std::function<void()>& each = [] {}) {
  bool all = bus.safe();
  while (!bus.settled()) {
    pause_between(clock, each);
    all = bus.safe() && all;
  }
  return flushed(bus, clock, each) && all;
}

}  // namespace hild::guard
