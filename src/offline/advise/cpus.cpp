// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/cpus.hpp"

#include <algorithm>

namespace hild::advise {
namespace {

Duration longest_of(const plan::Placement& p) {
  std::vector<Duration> busy(p.cpus.size() + 1);
  for (std::size_t k = 0; k < p.places.size(); ++k) {
    busy[static_cast<std::size_t>(p.places[k] + 1)] += p.costs[k];
  }
  return std::ranges::max(busy);
}

}  // namespace

CpuAdvice advise_cpus(const plan::Assembly& assembly, std::vector<Duration> costs,
                      const std::vector<int>& other_cpus) {
  const config::Config& c = assembly.config;
  CpuAdvice a{.config_file = c.file, .period = c.settings.grid.period(), .frame_cpu = c.frame.cpu};
  for (const auto& part : c.coupled->parts) a.models.push_back(part->name);
  const std::size_t most = std::min(other_cpus.size(), a.models.size() - 1);
  for (std::size_t workers = 0; workers <= most; ++workers) {
    const std::vector<int> cpus(other_cpus.begin(),
                                other_cpus.begin() + static_cast<std::ptrdiff_t>(workers));
    plan::Placement placement = plan::distribute(
        assembly, cpus, costs, [](const config::Part&) { return std::optional<int>(); });
    const Duration longest = longest_of(placement);
    a.choices.push_back({std::move(placement), longest});
  }
  a.costs = std::move(costs);
  const Duration shortest = std::ranges::min(a.choices, {}, &CpuChoice::longest).longest;
  const auto near = [&](const CpuChoice& choice) {
    return choice.longest <= shortest + shortest / 10;
  };
  a.best = static_cast<std::size_t>(std::ranges::find_if(a.choices, near) - a.choices.begin());
  if (a.choices.front().longest - a.chosen().longest < worth) a.best = 0;
  return a;
}

}  // namespace hild::advise
