// SPDX-License-Identifier: Apache-2.0
#include "offline/reference/crossings.hpp"

#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <limits>
#include <numeric>

namespace hild::reference {
namespace {

// Where a step is looked at, in parts of it. Close to the start, since a function that starts at
// zero, as after an event, must be seen to leave before it may have come back; close to both ends,
// since a turn is seen from both of its sides.
constexpr std::array looks{0.0, 1e-6, 1e-3, 0.1, 0.2, 0.3,      0.4,
                           0.5, 0.6,  0.7,  0.8, 0.9, 1 - 1e-3, 1 - 1e-6};

}  // namespace

Crossings::Crossings(DrivenSystem& driven) : driven_(driven) {
  const std::size_t n = driven.system().description().events.size();
  side_.assign(n, Side::unknown);
  fired_.assign(n, 0);
  g_.assign(n, 0.0);
  after_.assign(n, 0.0);
  x_.assign(driven.size(), 0.0);
}

bool Crossings::crosses(std::size_t i, double g) const {
  const auto direction = driven_.system().description().events[i].crossing;
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
  look_at(solution);
  find_turns(solution);
  auto turn = turns_.begin();
  double before = solution.begin();
  for (std::size_t k = 1; k < looks_.size(); ++k) {
    for (; turn != turns_.end() && *turn < looks_[k]; before = *turn++) {
      solution.at(*turn, x_);
      driven_.event_functions(*turn, x_, g_);
      if (mark(g_)) return bracket(solution, before, *turn);
      follow(g_);
    }
    std::ranges::copy(std::span(seen_).subspan(k * size(), size()), g_.begin());
    if (mark(g_)) return bracket(solution, before, looks_[k]);
    follow(g_);
    before = looks_[k];
  }
  return std::nullopt;
}

// All functions at all looks, a row for each.
void Crossings::look_at(const Adaptive& solution) {
  const double begin = solution.begin();
  const double length = solution.time() - begin;
  looks_.clear();
  for (const double look : looks) looks_.push_back(begin + look * length);
  looks_.push_back(solution.time());
  seen_.resize(looks_.size() * size());
  for (std::size_t k = 0; k < looks_.size(); ++k) {
    solution.at(looks_[k], x_);
    driven_.event_functions(looks_[k], x_, std::span(seen_).subspan(k * size(), size()));
  }
}

// Where a function that approaches zero, as the looks show it, and withdraws has been beyond it in
// between.
void Crossings::find_turns(const Adaptive& solution) {
  turns_.clear();
  for (std::size_t k = 1; k + 1 < looks_.size(); ++k) {
    for (std::size_t i = 0; i < size(); ++i) {
      const double sign = seen_[k * size() + i] > 0 ? 1 : -1;
      const double before = sign * seen_[(k - 1) * size() + i];
      const double here = sign * seen_[k * size() + i];
      const double after = sign * seen_[(k + 1) * size() + i];
      const bool turns = here <= before && here <= after && before != after;
      if (here > 0 && turns) find_turn(solution, i, sign, looks_[k - 1], looks_[k + 1]);
    }
  }
  std::ranges::sort(turns_);
}

void Crossings::find_turn(const Adaptive& solution, std::size_t i, double sign, double low,
                          double high) {
  const auto at = [&](double part) { return low + part * (high - low); };
  const auto distance = [&](double part) {
    solution.at(at(part), x_);
    driven_.event_functions(at(part), x_, g_);
    return sign * g_[i];
  };
  constexpr int bits = std::numeric_limits<double>::digits / 2;
  const auto [part, least] = boost::math::tools::brent_find_minima(distance, 0.0, 1.0, bits);
  if (least <= 0) turns_.push_back(at(part));
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
  driven_.event_functions(t, x, g_);
  const auto u = driven_.inputs(t);
  for (std::size_t i = 0; i < size(); ++i) {
    if (fired(i)) driven_.system().on_event(i, t, x, u);
  }
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
