// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/choice.hpp"

#include <algorithm>
#include <vector>

namespace hild::advise {
namespace {

double width(const Window& w) { return w.upper.least() / w.lower_p99; }

bool better(const Window& a, const Window& b) {
  const bool a_now = a.open() && !a.future;
  const bool b_now = b.open() && !b.future;
  return a_now != b_now ? a_now : width(a) > width(b);
}

template <class Fits>
const Window* widest_of(std::span<const Window> windows, Fits fits) {
  const Window* best = nullptr;
  for (const Window& w : windows) {
    if (fits(w) && (best == nullptr || better(w, *best))) best = &w;
  }
  return best;
}

}  // namespace

const Window* widest(std::span<const Window> windows) {
  return widest_of(windows, [](const Window& w) { return w.upper.least() > 0; });
}

std::optional<Choice> choose(std::span<const Window> windows, double h) {
  const auto first = [&](auto... fits) {
    const Window* found = nullptr;
    (void)((found = widest_of(windows, fits), found != nullptr) || ...);
    return found;
  };
  const auto ours = [](auto fits) {
    return [=](const Window& w) { return w.candidate.configured && fits(w); };
  };
  const auto calm_there = [h](const Window& w) { return w.holds_calmly(h); };
  const auto there = [h](const Window& w) { return w.holds(h); };
  const auto calm = [](const Window& w) { return w.calm(); };
  const auto open = [](const Window& w) { return w.open(); };
  const Window* w = first(ours(there), calm_there, ours(calm), calm, there, ours(open), open);
  if (w == nullptr) return std::nullopt;
  if (ours(there)(*w)) return Choice{w, h};
  const double lower = w->calm() ? std::max(w->lower, w->lower_p99) : w->lower;
  return Choice{w, pick(lower, w->upper.least(), h)};
}

}  // namespace hild::advise
