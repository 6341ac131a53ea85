// SPDX-License-Identifier: Apache-2.0
#include "exec/error_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hild/numerics/differences.hpp"

namespace hild::exec {
namespace {

// At some states, before it is the turn of others.
constexpr int looks_in_turn = 8;

}  // namespace

ErrorWatch::ErrorWatch(const model::Stepper& plant)
    : pair_(plant.method().embedded.order > 0),
      slopes_(std::min(static_cast<std::size_t>(plant.method().order) + 2, most_slopes)),
      scratch_(plant.description().states.size()) {
  Weights nodes{};
  for (std::size_t k = 0; k < slopes_; ++k) nodes[k] = 1 - static_cast<double>(k);
  even_ = numerics::interpolatory_weights(nodes, slopes_, 1.0);
  start_.resize(std::min(scratch_.size(), most_states));
  for (Slope& slope : ring_) slope.f.resize(start_.size());
  size_.reserve(scratch_.size());
  for (const model::State& s : plant.description().states) {
    size_.push_back(numerics::least_moved * s.nominal);
  }
}

ErrorWatch::Estimate ErrorWatch::look(model::Stepper& plant, SimTime t, SimTime end,
                                      model::Stepper::In u) noexcept {
  Estimate worst;
  if (std::exchange(cut_, false)) {
    forget();
    return worst;
  }
  if (pair_ && plant.error_estimate(scratch_)) {
    const auto x = plant.states();
    for (std::size_t i = 0; i < x.size(); ++i) take(i, x[i], scratch_[i], worst);
    return worst;
  }
  const auto [x0, f0] = plant.step_start();
  if (x0.empty()) return worst;  // it advances itself
  if (f0.empty()) {
    plant.system().derivatives(seconds(end), plant.states(), u, scratch_);
    add(end, window(scratch_));
    return known_ == slopes_ ? compare(window(x0), window(plant.states())) : worst;
  }
  add(t, window(f0));
  if (known_ == slopes_) worst = compare(start_, window(x0));
  std::ranges::copy(window(x0), start_.begin());
  return worst;
}

void ErrorWatch::add(SimTime t, std::span<const double> f) noexcept {
  newest_ = newest_ + 1 < slopes_ ? newest_ + 1 : 0;
  known_ = std::min(known_ + 1, slopes_);
  ring_[newest_].t = t;
  std::ranges::copy(f, ring_[newest_].f.begin());
}

// The step from x0 to x1, which the newest slope is at the end of.
ErrorWatch::Estimate ErrorWatch::compare(std::span<const double> x0,
                                         std::span<const double> x1) noexcept {
  const SimTime start = before(1).t;
  const Duration length = before(0).t - start;
  const Weights& weight = weights(start, length);
  const double h = seconds(length);
  Estimate worst;
  for (std::size_t i = 0; i < x1.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < slopes_; ++k) sum += weight[k] * before(k).f[i];
    take(first_ + i, x1[i], x1[i] - x0[i] - h * sum, worst);
  }
  if (size_.size() > most_states && ++looks_ >= looks_in_turn) turn();
  return worst;
}

// Renewed where a step before was doubled or partial.
const ErrorWatch::Weights& ErrorWatch::weights(SimTime start, Duration h) noexcept {
  bool even = true;
  for (std::size_t k = 2; k < slopes_; ++k) {
    even = even && std::abs((before(k - 1).t - before(k).t - h).ns) <= 1;
  }
  if (even) return even_;
  Weights nodes{};
  for (std::size_t k = 0; k < slopes_; ++k) {
    nodes[k] = static_cast<double>((before(k).t - start).ns) / static_cast<double>(h.ns);
  }
  return uneven_ = numerics::interpolatory_weights(nodes, slopes_, 1.0);
}

void ErrorWatch::take(std::size_t state, double x, double error, Estimate& worst) noexcept {
  size_[state] = std::max(size_[state], std::abs(x));
  const double part = std::abs(error) / size_[state];
  if (worst.known && !(part > worst.error)) return;
  worst = {part, state, true};
}

// Others are looked at from here on.
void ErrorWatch::turn() noexcept {
  first_ = first_ + most_states < size_.size() ? first_ + most_states : 0;
  looks_ = 0;
  forget();
}

}  // namespace hild::exec
