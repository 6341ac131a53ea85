// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/partition.hpp"

#include <algorithm>
#include <cmath>

#include "hild/numerics/catalogue.hpp"

namespace hild::advise {
namespace {

std::vector<double> sizes(std::span<const Spectrum> points) {
  std::vector<double> all;
  for (const Spectrum& point : points) {
    for (const Complex lambda : point.lambda) {
      if (lambda != 0.0) all.push_back(std::abs(lambda));
    }
  }
  std::ranges::sort(all);
  return all;
}

std::optional<Split> widest_gap(const std::vector<double>& sizes) {
  std::optional<Split> found;
  double widest = least_gap;
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    if (sizes[i] / sizes[i - 1] < widest) continue;
    widest = sizes[i] / sizes[i - 1];
    found = Split{.fast = {},
                  .slow = {},
                  .fastest_slow = sizes[i - 1],
                  .slowest_fast = sizes[i],
                  .fastest_fast = sizes.back()};
  }
  return found;
}

// How much more state k takes part in fast modes than in slow ones.
double fast_excess(std::span<const Spectrum> points, std::size_t k, double edge) {
  double excess = 0;
  for (const Spectrum& point : points) {
    for (std::size_t i = 0; i < point.lambda.size(); ++i) {
      excess += std::abs(point.lambda[i]) > edge ? point.share[i][k] : -point.share[i][k];
    }
  }
  return excess;
}

}  // namespace

double Split::edge() const noexcept { return std::sqrt(fastest_slow * slowest_fast); }
double Split::ratio() const noexcept { return std::ceil(fastest_fast / fastest_slow); }

std::optional<Split> split_of(std::span<const Spectrum> points) {
  auto split = widest_gap(sizes(points));
  if (!split) return split;
  for (std::size_t k = 0; k < points.front().lambda.size(); ++k) {
    (fast_excess(points, k, split->edge()) > 0 ? split->fast : split->slow).push_back(k);
  }
  if (split->fast.empty() || split->slow.empty()) return std::nullopt;
  return split;
}

std::optional<model::Multirate> rates_of(const Split& split, const model::Description& model) {
  if (model.partitions.empty()) return std::nullopt;
  const bool explicit_fast = split.ratio() <= model::max_ratio;
  const model::Rate slow{numerics::find_method("ab-2")};
  const model::Rate fast = explicit_fast ? model::Rate{slow.method, static_cast<int>(split.ratio())}
                                         : model::Rate{numerics::find_method("libe")};
  model::Multirate rates{.interface = model::Interface::extrapolate};
  for (const model::Partition& partition : model.partitions) {
    const auto quick = std::ranges::count_if(split.fast, [&](std::size_t k) {
      return std::ranges::count(partition.states, model.states[k].name) > 0;
    });
    if (quick != 0 && quick != std::ssize(partition.states)) return std::nullopt;
    rates.rates[rates.count++] = quick > 0 ? fast : slow;
  }
  return rates;
}

}  // namespace hild::advise
