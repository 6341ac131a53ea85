// SPDX-License-Identifier: Apache-2.0
#include "io/guard/safe_ramp.hpp"

namespace hild::guard {

bool ramp_to_safe(io::Bus& bus, rt::Clock& clock, const std::function<void()>& each) {
  bool all = bus.safe();
  while (!bus.settled()) {
    clock.sleep_until(clock.now() + 1_ms);
    each();
    all = bus.safe() && all;
  }
  return all;
}

}  // namespace hild::guard
