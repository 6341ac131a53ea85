// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/blocks.hpp"

#include <algorithm>

#include "offline/advise/modes.hpp"

namespace hild::advise {
namespace {

std::vector<std::size_t> rows_of(const model::Partition& partition,
                                 const model::Description& model) {
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < model.states.size(); ++k) {
    if (std::ranges::count(partition.states, model.states[k].name) > 0) rows.push_back(k);
  }
  return rows;
}

}  // namespace

std::vector<double> block(std::span<const double> jacobian, std::size_t n,
                          std::span<const std::size_t> rows) {
  std::vector<double> part;
  for (const std::size_t i : rows) {
    for (const std::size_t k : rows) part.push_back(jacobian[i * n + k]);
  }
  return part;
}

double fastest_within(std::span<const Complex> lambda, double band) {
  for (const Complex l : lambda) {
    if (std::abs(l) <= band) return std::abs(l);
  }
  return lambda.empty() ? 0 : std::abs(lambda.back());
}

Upper by_blocks(const model::Multirate& rates, const model::Description& model,
                std::span<const Point> points, const BlockDemand& d) {
  Upper least;
  for (std::size_t p = 0; p < rates.count; ++p) {
    const auto rows = rows_of(model.partitions[p], model);
    std::vector<Spectrum> spectra;
    for (const Point& point : points) {
      spectra.push_back(spectrum(block(point.jacobian, model.states.size(), rows), rows.size()));
    }
    const Modes modes = modes_of(spectra);
    Demand demand = d.demand;
    // A block that is faster than the band throughout only has to be stable.
    const bool within = modes.slowest <= d.band;
    demand.mode = within ? fastest_within(modes.distinct, d.band) : 0;
    const auto& [method, ratio] = rates.rates[p];
    const Upper upper = weigh(*method, modes.distinct, demand, d.sampling, d.degree).upper;
    least = least_of(least, times(upper, ratio));
  }
  return least;
}

}  // namespace hild::advise
