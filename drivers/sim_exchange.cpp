// SPDX-License-Identifier: Apache-2.0
// The real-time half of the simulated device.
#include <algorithm>
#include <limits>

#include "drivers/sim_device.hpp"

namespace hild::sim {

bool SimDevice::exchange(std::span<const double> outputs, std::span<double> inputs,
                         std::span<MonoTime> sampled) noexcept {
  if (failed_) return false;
  if (settings_.fail_after >= 0 && exchanges_++ >= settings_.fail_after) return false;
  const MonoTime now = clock_->now();
  if (!world_.started()) world_.start(now);
  if (running_ && virtual_) play(now);
  MonoTime asked = now;
  if (running_ && converter_) {
    asked = converter_->trade(outputs, inputs, counts_);
  } else {
    if (!outputs.empty()) world_.write(now, outputs);
    if (!inputs.empty()) world_.sample(now, inputs, counts_);
  }
  if (!inputs.empty()) world_.instants(asked, sampled);
  stall(now);
  return true;
}

// After the conversions: what was sampled is of when it was, and its step begins late.
void SimDevice::stall(MonoTime now) noexcept {
  if (settings_.stall_every == 0 || !running_ || ++until_stall_ < settings_.stall_every) return;
  until_stall_ = 0;
  clock_->sleep_until(now + settings_.stall);
}

void SimDevice::play(MonoTime now) noexcept {
  constexpr MonoTime never{std::numeric_limits<std::int64_t>::max()};
  // A jump of the clock by hours must not end in a call without end; the rest is played later.
  constexpr int most_ticks = 1 << 20;
  for (int played = 0; played < most_ticks; ++played) {
    const MonoTime control_due = controller_ ? controller_->due() : never;
    const MonoTime convert_due = converter_ ? converter_->due() : never;
    if (std::min(control_due, convert_due) > now) return;
    // At the same instant the controller goes first: it sees what was held until then.
    if (control_due <= convert_due) {
      controller_->play();
    } else {
      converter_->play();
    }
  }
}

}  // namespace hild::sim
