// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/clock.hpp"

namespace hild::rt {

void VirtualClock::sleep_until(MonoTime due) noexcept {
  if (due <= now_) return;
  ++sleeps_;
  now_ = due + next_wake_late_;
  next_wake_late_ = {};
}

}  // namespace hild::rt
