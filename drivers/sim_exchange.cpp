// SPDX-License-Identifier: Apache-2.0
// The real-time half of the simulated device.
#include <algorithm>
#include <array>
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
  if (running_ && settings_.autonomous) {
    asked = trade(outputs, inputs);
  } else {
    if (!outputs.empty()) write(now, outputs);
    if (!inputs.empty()) sample(now, inputs, counts_);
  }
  if (!inputs.empty()) world_.instants(asked, sampled);
  return true;
}

void SimDevice::write(MonoTime t, std::span<const double> outputs) noexcept {
  world_.write(t, outputs);
  image_.write(world_.held());
}

void SimDevice::sample(MonoTime t, std::span<double> inputs,
                       std::span<std::uint32_t> counts) noexcept {
  const Commanded& newest = commanded_.front();
  if (newest.number != commands_seen_) {
    commands_seen_ = newest.number;
    world_.command(newest.since, newest.value);
  }
  world_.sample(t, inputs, counts);
}

void SimDevice::convert(MonoTime t) noexcept {
  take_outputs(t);
  Incoming& image = incoming_->back();
  image.asked = t;
  sample(t, image.values, image.counts);
  incoming_->publish();
}

void SimDevice::take_outputs(MonoTime t) noexcept {
  const Outgoing& image = outgoing_->front();
  if (image.number == taken_) return;
  taken_ = image.number;
  write(t, image.values);
}

MonoTime SimDevice::trade(std::span<const double> outputs, std::span<double> inputs) noexcept {
  if (!outputs.empty()) {
    Outgoing& image = outgoing_->back();
    image.number = ++posted_;
    std::copy(outputs.begin(), outputs.end(), image.values.begin());
    outgoing_->publish();
  }
  if (inputs.empty()) return {};
  const Incoming& image = incoming_->front();
  std::copy_n(image.values.begin(), inputs.size(), inputs.begin());
  std::copy_n(image.counts.begin(), inputs.size(), counts_.begin());
  return image.asked;
}

void SimDevice::play(MonoTime now) noexcept {
  constexpr MonoTime never{std::numeric_limits<std::int64_t>::max()};
  // A jump of the clock by hours must not end in a call without end; the rest is played later.
  constexpr int most_ticks = 1 << 20;
  const MonoTime epoch = world_.epoch();
  Controller* const controller = settings_.controller.get();
  for (int played = 0; played < most_ticks; ++played) {
    const MonoTime control_due = controller ? epoch + controller->due(controls_) : never;
    const MonoTime convert_due =
        settings_.autonomous ? epoch + settings_.autonomous->tick(conversions_) : never;
    if (std::min(control_due, convert_due) > now) return;
    // At the same instant the controller goes first: it sees what was held until then.
    if (control_due <= convert_due) {
      ++controls_;
      control(control_due, world_.held()[static_cast<std::size_t>(controller->measure())]);
    } else {
      ++conversions_;
      convert(convert_due);
    }
  }
}

void SimDevice::control(MonoTime now, double measured) noexcept {
  const double value = settings_.controller->tick(now - world_.epoch(), measured);
  if (virtual_) {
    world_.command(now, value);
    return;
  }
  commanded_.back() = {now, ++commands_, value};
  commanded_.publish();
}

void SimDevice::control_live(MonoTime now) noexcept {
  // Without a whole image the controller goes by what it measured before.
  std::array<double, image_channels> voltages;
  if (image_.read(voltages)) std::copy(voltages.begin(), voltages.end(), measured_.begin());
  control(now, measured_[static_cast<std::size_t>(settings_.controller->measure())]);
}

}  // namespace hild::sim
