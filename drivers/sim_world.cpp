// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_world.hpp"

#include <algorithm>

namespace hild::sim {

std::size_t World::width() const noexcept {
  int last = -1;
  for (const Line& line : outputs) last = std::max(last, line.channel);
  return static_cast<std::size_t>(last + 1);
}

void World::prepare(std::span<const double> voltages) {
  staged_.assign(voltages.begin(), voltages.begin() + static_cast<std::ptrdiff_t>(width()));
  held_.emplace(staged_);
  command_.emplace(std::vector<double>{0.0});
}

void World::write(MonoTime t, std::span<const double> values) noexcept {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    staged_[static_cast<std::size_t>(outputs[i].channel)] = outputs[i].quantizer(values[i]);
  }
  held_->record(t, staged_);
  image.write(staged_);
}

std::size_t World::group_of(Duration after) {
  const auto found = std::ranges::find(groups, after);
  const auto group = static_cast<std::size_t>(found - groups.begin());
  if (found == groups.end()) groups.push_back(after);
  return group;
}

void World::instants(MonoTime t, std::span<MonoTime> of) const noexcept {
  for (std::size_t g = 0; g < of.size(); ++g) of[g] = t + groups[g];
}

void World::sample(MonoTime t, std::span<double> values, std::span<std::uint32_t> counts) noexcept {
  if (posted_.fresh()) {
    const Command& newest = posted_.front();
    command(newest.since, newest.value);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    AnalogInput& input = inputs[i];
    const MonoTime then = t + groups[input.group];
    const Moment moment{then - *epoch_, held_->at(then), command_->at(then)[0]};
    double voltage = input.source->at(moment);
    if (input.noise_rms > 0) voltage += input.noise_rms * input.noise.next();
    values[i] = input.line.quantizer(voltage, counts[i]);
  }
}

}  // namespace hild::sim
