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
  moments_.resize(groups.size());
  // What was held earlier is looked at where a group lies before the instant it is asked for.
  const bool looks_back = std::ranges::any_of(groups, [](Duration after) { return after.ns < 0; });
  held_.emplace(voltages, looks_back ? InputHistory::deep : 1);
  // A controller with a thread of its own may have commanded after that instant.
  command_.emplace(std::vector<double>{0.0}, InputHistory::deep);
}

void World::write(MonoTime t, std::span<const double> values) noexcept {
  const std::span<double> held = held_->record(t);
  const double* value = values.data();
  for (const Line& line : outputs) {
    held[static_cast<std::size_t>(line.channel)] = line.quantizer(*value++);
  }
  image.write(held);
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
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const MonoTime then = t + groups[g];
    moments_[g] = {then - *epoch_, held_->at(then), command_->at(then)[0]};
  }
  const Moment* const moments = moments_.data();
  AnalogInput* input = inputs.data();
  for (std::size_t i = 0; i < values.size(); ++i, ++input) {
    double voltage = input->source->at(moments[input->group]);
    if (input->noise_rms > 0) voltage += input->noise_rms * input->noise.next();
    values[i] = input->line.quantizer(voltage, counts[i]);
  }
}

}  // namespace hild::sim
