// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/window.hpp"

#include <algorithm>
#include <cmath>

namespace hild::advise {

double Upper::least() const noexcept { return std::min({stability, modes, inputs, sampling}); }

StepLimit Upper::limit() const noexcept {
  const double h = least();
  if (h == unbounded) return StepLimit::none;
  if (h == stability) return StepLimit::stability;
  if (h == modes) return StepLimit::modes;
  return h == inputs ? StepLimit::inputs : StepLimit::sampling;
}

Weighed weigh(const numerics::Method& method, std::span<const Complex> lambda, const Demand& demand,
              exec::Sampling sampling, int degree) {
  const auto characteristic = analysis::characteristic(method);
  if (!characteristic) return {};
  const ErrorTerms terms = error_terms(method, *characteristic, sampling, degree);
  const analysis::Roots roots(*characteristic);
  Upper upper{.stability = stability_bound(roots, lambda, demand.accuracy),
              .modes = std::min(terms.root.bound(demand.mode, demand.accuracy),
                                growth_bound(roots, lambda, demand.accuracy)),
              .inputs = terms.root.bound(demand.input, demand.accuracy),
              .sampling = std::min(terms.lag.bound(demand.input, demand.accuracy),
                                   terms.beyond.bound(demand.input, demand.accuracy))};
  return {upper, terms};
}

double error_at(const numerics::Method& method, std::span<const Complex> lambda,
                const Demand& demand, exec::Sampling sampling, int degree, double h) {
  const auto characteristic = analysis::characteristic(method);
  if (!characteristic) return 0;
  const double of_terms = error_terms(method, *characteristic, sampling, degree).at(h, demand);
  return std::max(of_terms, growth_error(analysis::Roots(*characteristic), lambda, h));
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

}  // namespace hild::advise
