// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/remedies.hpp"

#include <algorithm>

namespace hild::advise {
namespace {

Offer longer_step(const Shortfall& t, double accuracy) {
  const Window& w = *t.window;
  return {.remedy = Remedy::longer_step,
          .helps = w.lower <= w.upper.stability,
          .price = std::max(1.0, t.error_at_lower / accuracy),
          .h = w.lower,
          .error = t.error_at_lower};
}

Offer cheaper_function(const Shortfall& t, double accuracy) {
  const double upper = t.window->upper.least();
  Offer o{.remedy = Remedy::cheaper_function,
          .h = upper,
          .factor = upper > 0 ? t.window->lower / upper : unbounded};
  if (!t.split) return o;
  const auto fast = static_cast<double>(t.split->fast.size());
  o.states = t.split->fast;
  o.share = fast / (fast + static_cast<double>(t.split->slow.size()));
  o.error = t.band / t.split->slowest_fast;
  o.price = std::max(1.0, o.error / accuracy);
  o.h = t.upper_without_fast;
  o.factor = o.h > 0 ? t.window->lower / o.h : unbounded;
  o.helps = o.factor * (1 - o.share) <= 1;
  return o;
}

Offer cheaper_method(const Shortfall& t) {
  Offer o{.remedy = Remedy::cheaper_method};
  const Window* best = widest(t.all);
  if (best == nullptr) return o;
  o.helps = best->open();
  o.method = best->candidate.name;
  o.h = best->upper.least();
  o.factor = best->lower / o.h;
  return o;
}

Offer faster_machine(const Shortfall& t) {
  const double upper = t.window->upper.least();
  const double factor = upper > 0 ? t.window->lower / upper : unbounded;
  return {.remedy = Remedy::faster_machine,
          .helps = factor < unbounded,
          .price = std::max(1.0, factor),
          .h = upper,
          .factor = factor};
}

}  // namespace

std::vector<Offer> remedies(const Shortfall& shortfall, double accuracy) {
  std::vector<Offer> all{cheaper_method(shortfall), longer_step(shortfall, accuracy),
                         cheaper_function(shortfall, accuracy), faster_machine(shortfall)};
  std::ranges::stable_sort(all, [](const Offer& a, const Offer& b) {
    return a.helps != b.helps ? a.helps : a.price < b.price;
  });
  return all;
}

}  // namespace hild::advise
