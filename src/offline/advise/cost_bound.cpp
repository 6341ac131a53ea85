// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/cost_bound.hpp"

#include <limits>

namespace hild::advise {

double cost_bound(const plan::Shape& shape, const plan::Costs& costs, double budget) {
  const auto fits = [&](Duration h) {
    return plan::finish(shape, costs, h) <= h && plan::utilisation(shape, costs, h) <= budget;
  };
  // What is left of a frame grows with it.
  Duration too_short{0};
  Duration enough{1'000'000'000'000};
  if (!fits(enough)) return std::numeric_limits<double>::infinity();
  while (enough - too_short > Duration{1}) {
    const Duration middle = too_short + (enough - too_short) / 2;
    (fits(middle) ? enough : too_short) = middle;
  }
  return seconds(enough);
}

}  // namespace hild::advise
