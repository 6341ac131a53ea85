// SPDX-License-Identifier: Apache-2.0
#include "guard/settle.hpp"

#include <time.h>

namespace hild::guard {

bool settle(io::Bus& bus, const std::function<void()>& each) {
  constexpr timespec pause{.tv_sec = 0, .tv_nsec = 1'000'000};
  bool all = bus.safe();
  while (!bus.settled()) {
    ::clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);
    each();
    all = bus.safe() && all;
  }
  return all;
}

}  // namespace hild::guard
