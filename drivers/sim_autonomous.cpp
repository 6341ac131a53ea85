// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_autonomous.hpp"

#include <algorithm>

namespace hild::sim {

AutonomousConverter::AutonomousConverter(const Grid& grid, World& world)
    : grid_(grid),
      world_(world),
      outputs_(std::vector<double>(world.outputs.size())),
      inputs_({{},
               std::vector<double>(world.inputs.size()),
               std::vector<std::uint32_t>(world.inputs.size())}) {}

void AutonomousConverter::start(MonoTime now) noexcept {
  tick(now);
  // Its grid goes through the epoch, and begins before that.
  next_ = grid_.frames_in(now - world_.epoch());
  if (due() == now) ++next_;
}

Result<void> AutonomousConverter::start_thread() {
  auto thread = Worker::start("hild-sim-adc", world_.epoch(), grid_, next_, *this);
  if (!thread) return tl::make_unexpected(thread.error());
  thread_ = std::move(*thread);
  return {};
}

void AutonomousConverter::stop(MonoTime now) noexcept {
  thread_.reset();
  take_outputs(now);
}

void AutonomousConverter::play() noexcept {
  const MonoTime now = due();
  ++next_;
  tick(now);
}

void AutonomousConverter::tick(MonoTime now) noexcept {
  take_outputs(now);
  Image& image = inputs_.back();
  image.asked = now;
  world_.sample(now, image.values, image.counts);
  inputs_.publish();
}

void AutonomousConverter::take_outputs(MonoTime now) noexcept {
  if (outputs_.fresh()) world_.write(now, outputs_.front());
}

MonoTime AutonomousConverter::trade(std::span<const double> outputs, std::span<double> inputs,
                                    std::span<std::uint32_t> counts) noexcept {
  if (!outputs.empty()) {
    std::ranges::copy(outputs, outputs_.back().begin());
    outputs_.publish();
  }
  if (inputs.empty()) return {};
  const Image& image = inputs_.front();
  std::copy_n(image.values.begin(), inputs.size(), inputs.begin());
  std::copy_n(image.counts.begin(), inputs.size(), counts.begin());
  return image.asked;
}

}  // namespace hild::sim
