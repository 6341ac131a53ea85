// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/recorded_inputs.hpp"

#include <algorithm>
#include <limits>

namespace hild::replay {

RecordedInputs::RecordedInputs(const std::vector<io::SampledInput>& inputs, std::size_t groups)
    : groups_(groups) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Group& group = groups_[inputs[i].group];
    group.inputs.push_back(i);
    group.held.push_back(inputs[i].held);
  }
}

void RecordedInputs::add(std::span<const SimTime> instants, std::span<const double> u) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    if (!group.times.empty() && instants[g] <= group.times.back()) continue;
    group.times.push_back(instants[g]);
    for (const std::size_t input : group.inputs) group.values.push_back(u[input]);
  }
}

SimTime RecordedInputs::last() const noexcept {
  SimTime last{std::numeric_limits<std::int64_t>::min()};
  for (const Group& group : groups_) {
    if (!group.times.empty()) last = std::max(last, group.times.back());
  }
  return last;
}

void RecordedInputs::at(double t, SimTime piece, std::span<double> u) const {
  for (std::size_t g = 0; g < groups_.size(); ++g) at(g, t, piece, u);
}

void RecordedInputs::at(std::size_t g, double t, SimTime piece, std::span<double> u) const {
  const Group& group = groups_[g];
  const std::vector<SimTime>& times = group.times;
  if (times.empty()) return;
  const auto sample = [&](std::size_t image, std::size_t place) {
    return group.values[image * group.inputs.size() + place];
  };
  const auto after = std::ranges::upper_bound(times, piece) - times.begin();
  const auto last = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after, 1) - 1);
  // The images around, as far as there are any; before the first and after the last it stands.
  const bool outside = after == 0 || last + 1 == times.size();
  const std::size_t first = outside ? last : last - std::min<std::size_t>(last, 1);
  const std::size_t end = outside ? last + 1 : std::min(last + 3, times.size());
  for (std::size_t place = 0; place < group.inputs.size(); ++place) {
    double& value = u[group.inputs[place]];
    if (group.held[place] || outside) {
      value = sample(last, place);
      continue;
    }
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) {
      const double ti = seconds(times[i]);
      double weight = 1;
      for (std::size_t j = first; j < end; ++j) {
        const double tj = seconds(times[j]);
        if (j != i) weight *= (t - tj) / (ti - tj);
      }
      sum += weight * sample(i, place);
    }
    value = sum;
  }
}

SimTime RecordedInputs::next_break(SimTime t) const {
  SimTime next = model::never;
  for (const Group& group : groups_) {
    const auto knot = std::ranges::upper_bound(group.times, t);
    if (knot != group.times.end()) next = std::min(next, *knot);
  }
  const auto set = std::ranges::upper_bound(settings_, t, {}, &Setting::t);
  return set == settings_.end() ? next : std::min(next, set->t);
}

void RecordedInputs::enter(SimTime t, model::System& system) const {
  auto s = std::ranges::lower_bound(settings_, t, {}, &Setting::t);
  for (; s != settings_.end() && s->t == t; ++s) system.set_parameter(s->parameter, s->value);
}

}  // namespace hild::replay
