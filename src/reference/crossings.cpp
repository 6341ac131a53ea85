// SPDX-License-Identifier: Apache-2.0
#include "reference/crossings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace hild::reference {
namespace {

// Where a step is looked at. The first two are for a function that starts at zero, as after an
// event: which way it leaves must be known before it may have come back.
constexpr std::array looks{1e-6, 1e-3, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};

}  // namespace

Crossings::Crossings(DrivenPlant& driven) : driven_(driven) {
  const std::size_t n = driven.plant().description().events.size();
  side_.assign(n, Side::unknown);
  fired_.assign(n, 0);
  g_.assign(n, 0.0);
  after_.assign(n, 0.0);
  x_.assign(driven.size(), 0.0);
}

bool Crossings::crosses(std::size_t i, double g) const {
  const auto direction = driven_.plant().description().events[i].crossing;
  const bool falls = side_[i] == Side::above && g <= 0;
  const bool rises = side_[i] == Side::below && g >= 0;
  return (falls && direction != model::Crossing::rising) ||
         (rises && direction != model::Crossing::falling);
}

bool Crossings::mark(const std::vector<double>& g) {
  bool any = false;
  for (std::size_t i = 0; i < g.size(); ++i) {
    fired_[i] = crosses(i, g[i]) ? 1 : 0;
    any = any || fired_[i] != 0;
  }
  return any;
}

void Crossings::follow(const std::vector<double>& g) {
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (g[i] != 0) side_[i] = side_of(g[i]);
  }
}

void Crossings::start(double t, std::span<const double> x) {
  driven_.event_functions(t, x, g_);
  std::ranges::transform(g_, side_.begin(), side_of);
}

bool Crossings::jumped(double t, std::span<const double> x) {
  driven_.event_functions(t, x, g_);
  if (mark(g_)) return true;
  follow(g_);
  return false;
}

std::optional<double> Crossings::find(const Adaptive& solution) {
  if (size() == 0) return std::nullopt;
  const double begin = solution.begin();
  const double length = solution.time() - begin;
  double before = begin;
  for (const double look : looks) {
    const double t = look < 1 ? begin + look * length : solution.time();
    solution.at(t, x_);
    driven_.event_functions(t, x_, g_);
    if (mark(g_)) return bracket(solution, before, t);
    follow(g_);
    before = t;
  }
  return std::nullopt;
}

// Nothing has crossed at `low`, something has at `high`. Halving ends where no double is between.
double Crossings::bracket(const Adaptive& solution, double low, double high) {
  for (;;) {
    const double middle = std::midpoint(low, high);
    if (middle <= low || middle >= high) break;
    solution.at(middle, x_);
    driven_.event_functions(middle, x_, g_);
    (mark(g_) ? high : low) = middle;
  }
  solution.at(high, x_);
  driven_.event_functions(high, x_, g_);
  (void)mark(g_);
  return high;
}

void Crossings::act(double t, std::span<double> x) {
  model::Plant& plant = driven_.plant();
  plant.set_initial(x);
  driven_.event_functions(t, x, g_);
  const auto u = driven_.inputs(t);
  for (std::size_t i = 0; i < size(); ++i) {
    if (fired(i)) plant.on_event(i, t, u);
  }
  std::ranges::copy(plant.states(), x.begin());
  driven_.event_functions(t, x, after_);
  for (std::size_t i = 0; i < size(); ++i) {
    if (after_[i] != g_[i]) {
      side_[i] = side_of(after_[i]);
    } else if (fired(i)) {
      // The action left it where it was: it has crossed.
      side_[i] = side_[i] == Side::above ? Side::below : Side::above;
    }
  }
}

}  // namespace hild::reference
