// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/recorded_inputs.hpp"

namespace hild::replay {

void RecordedInputs::add(SimTime t, std::span<const double> u) {
  if (!times_.empty() && t <= times_.back()) return;
  times_.push_back(t);
  values_.insert(values_.end(), u.begin(), u.begin() + static_cast<std::ptrdiff_t>(held_.size()));
}

void RecordedInputs::at(double t, SimTime piece, std::span<double> u) const {
  const auto after = std::ranges::upper_bound(times_, piece) - times_.begin();
  const auto last = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after, 1) - 1);
  // The samples around, as far as there are any; before the first and after the last it stands.
  const bool outside = after == 0 || last + 1 == times_.size();
  const std::size_t first = outside ? last : last - std::min<std::size_t>(last, 1);
  const std::size_t end = outside ? last + 1 : std::min(last + 3, times_.size());
  for (std::size_t input = 0; input < held_.size(); ++input) {
    if (held_[input] != 0 || outside) {
      u[input] = sample(last, input);
      continue;
    }
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) {
      const double ti = seconds(times_[i]);
      double weight = 1;
      for (std::size_t j = first; j < end; ++j) {
        const double tj = seconds(times_[j]);
        if (j != i) weight *= (t - tj) / (ti - tj);
      }
      sum += weight * sample(i, input);
    }
    u[input] = sum;
  }
}

SimTime RecordedInputs::next_break(SimTime t) const {
  const auto knot = std::ranges::upper_bound(times_, t);
  SimTime next = knot == times_.end() ? model::never : *knot;
  const auto set = std::ranges::upper_bound(settings_, t, {}, &Setting::t);
  return set == settings_.end() ? next : std::min(next, set->t);
}

void RecordedInputs::enter(SimTime t, model::System& system) const {
  auto s = std::ranges::lower_bound(settings_, t, {}, &Setting::t);
  for (; s != settings_.end() && s->t == t; ++s) system.set_parameter(s->parameter, s->value);
}

}  // namespace hild::replay
