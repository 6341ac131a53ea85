// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/window.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

double fastest_of(std::span<const Complex> modes) {
  double most = 0;
  for (const Complex l : modes) most = std::max(most, std::abs(l));
  return most;
}

}  // namespace

double cost_bound(const plan::Shape& shape, const plan::Costs& costs, double budget) {
  constexpr std::int64_t longest = 1'000'000'000'000;
  const auto too_short = [&](std::int64_t ns) {
    const Duration h{ns};
    return plan::finish(shape, costs, h) > h || plan::utilisation(shape, costs, h) > budget;
  };
  // What is left of a frame grows with it.
  std::int64_t least = 1;
  for (std::int64_t enough = longest + 1; least < enough;) {
    const std::int64_t middle = std::midpoint(least, enough);
    if (too_short(middle)) {
      least = middle + 1;
    } else {
      enough = middle;
    }
  }
  return least > longest ? unbounded : seconds(Duration{least});
}

double Upper::least() const noexcept { return std::min({stability, modes, inputs, sampling}); }

StepLimit Upper::limit() const noexcept {
  const double h = least();
  if (h == unbounded) return StepLimit::none;
  if (h == stability) return StepLimit::stability;
  if (h == modes) return StepLimit::modes;
  return h == inputs ? StepLimit::inputs : StepLimit::sampling;
}

Upper weigh(const numerics::Method& method, std::span<const Complex> lambda, const Demand& demand,
            Sampled sampled) {
  const auto characteristic = analysis::characteristic(method);
  if (!characteristic) return {};
  const analysis::Roots roots(*characteristic);
  const Errors errors(method, roots, demand, sampled);
  const double a = demand.accuracy;
  Upper upper{.stability = stability_bound(roots, lambda, a)};
  upper.modes = std::min(
      accurate_to([&](double h) { return errors.of_modes(h); }, a, fastest_of(demand.modes)),
      growth_bound(roots, lambda, a));
  upper.inputs = accurate_to([&](double h) { return errors.of_responses(h); }, a, demand.input);
  if (errors.misses_inputs()) {
    upper.sampling = accurate_to([&](double h) { return errors.as_sampled(h); }, a, demand.input);
  }
  return upper;
}

double error_at(const numerics::Method& method, std::span<const Complex> lambda,
                const Demand& demand, Sampled sampled, double h) {
  const auto characteristic = analysis::characteristic(method);
  if (!characteristic) return 0;
  if (!std::isfinite(h)) return unbounded;
  const analysis::Roots roots(*characteristic);
  const Errors errors(method, roots, demand, sampled);
  return std::max({errors.of_modes(h), errors.as_sampled(h), growth_error(roots, lambda, h)});
}

Upper least_of(const Upper& a, const Upper& b) noexcept {
  return {std::min(a.stability, b.stability), std::min(a.modes, b.modes),
          std::min(a.inputs, b.inputs), std::min(a.sampling, b.sampling)};
}

Upper times(const Upper& upper, int parts) noexcept {
  const double k = parts;
  return {k * upper.stability, k * upper.modes, k * upper.inputs, k * upper.sampling};
}

double pick(double lower, double upper, double wanted) {
  if (lower <= wanted && wanted <= upper) return wanted;
  if (upper == unbounded) upper = 4 * lower;
  const double mean = std::sqrt(lower * upper);
  const double power = std::pow(10.0, std::floor(std::log10(mean)));
  double best = mean;
  double distance = unbounded;
  for (const double digit : {1.0, 2.0, 5.0, 10.0}) {
    const double away = std::abs(std::log(digit * power / mean));
    if (digit * power < lower || digit * power > upper || away >= distance) continue;
    distance = away;
    best = digit * power;
  }
  return best;
}

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
