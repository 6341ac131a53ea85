// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/partition.hpp"

#include <algorithm>
#include <cmath>

#include "hild/numerics/catalogue.hpp"
#include "offline/advise/modes.hpp"

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

std::vector<std::size_t> rows_of(const model::Partition& partition,
                                 const model::Description& model) {
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < model.states.size(); ++k) {
    if (std::ranges::count(partition.states, model.states[k].name) > 0) rows.push_back(k);
  }
  return rows;
}

}  // namespace

double Split::edge() const noexcept { return std::sqrt(fastest_slow * slowest_fast); }
double Split::ratio() const noexcept { return std::ceil(fastest_fast / fastest_slow); }

std::optional<Split> split_of(std::span<const Spectrum> points) {
  // Between edges there is always a gap.
  if (!std::ranges::all_of(points, &Spectrum::whole)) return std::nullopt;
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

SparseMatrix block(const SparseMatrix& jacobian, std::span<const std::size_t> rows) {
  const auto size = static_cast<Eigen::Index>(rows.size());
  std::vector<Eigen::Index> place(static_cast<std::size_t>(jacobian.rows()), -1);
  for (Eigen::Index i = 0; i < size; ++i) place[rows[static_cast<std::size_t>(i)]] = i;
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index k = 0; k < size; ++k) {
    const auto column = static_cast<Eigen::Index>(rows[static_cast<std::size_t>(k)]);
    for (SparseMatrix::InnerIterator at(jacobian, column); at; ++at) {
      const Eigen::Index i = place[static_cast<std::size_t>(at.row())];
      if (i >= 0) entries.emplace_back(i, k, at.value());
    }
  }
  SparseMatrix part(size, size);
  part.setFromTriplets(entries.begin(), entries.end());
  return part;
}

std::vector<Complex> modes_within(std::span<const Complex> lambda, double band) {
  std::vector<Complex> all;
  std::ranges::copy_if(lambda, std::back_inserter(all),
                       [&](Complex l) { return std::abs(l) <= band; });
  if (all.empty() && !lambda.empty()) all.push_back(lambda.back());
  return all;
}

Upper by_blocks(const model::Multirate& rates, const model::Description& model,
                std::span<const Point> points, const BlockDemand& d) {
  Upper least;
  for (std::size_t p = 0; p < rates.count; ++p) {
    const auto rows = rows_of(model.partitions[p], model);
    std::vector<Spectrum> spectra;
    for (const Point& point : points) {
      spectra.push_back(spectrum(block(point.jacobian, rows)));
    }
    const Modes modes = modes_of(spectra);
    Demand demand = d.demand;
    // A block that is faster than the band throughout only has to be stable.
    const bool within = modes.slowest <= d.band;
    demand.modes = within ? modes_within(modes.distinct, d.band) : std::vector<Complex>{};
    if (demand.input > 0) demand.responses = responses_by_mode(demand.modes, demand.input);
    const auto& [method, ratio] = rates.rates[p];
    const Upper upper = weigh(*method, modes.distinct, demand, d.sampled);
    least = least_of(least, times(upper, ratio));
  }
  return least;
}

}  // namespace hild::advise
