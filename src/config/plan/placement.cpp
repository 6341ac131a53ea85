// SPDX-License-Identifier: Apache-2.0
#include "config/plan/placement.hpp"

#include <algorithm>
#include <numeric>

#include "config/plan/rehearsal.hpp"

namespace hild::plan {
namespace {

constexpr int here = exec::ModelWorkers::here;

using Parts = std::vector<std::unique_ptr<const config::Part>>;

// Those of the list, then of models that have one of their own.
std::vector<int> cpus_of(const config::Frame& frame, const Parts& parts) {
  std::vector<int> cpus = frame.workers;
  for (const auto& part : parts) {
    const bool known = part->cpu == frame.cpu || std::ranges::find(cpus, part->cpu) != cpus.end();
    if (part->cpu >= 0 && !known) cpus.push_back(part->cpu);
  }
  return cpus;
}

// What a step of the whole takes of it.
Duration cost_of(const config::Part& part, model::Stepper& stepper, rt::Clock& clock,
                 Duration frame) {
  const Duration pass = time_passes(clock, stepper, frame / part.rate.substeps, true).median;
  return pass * stepper.method().passes * part.rate.substeps;
}

/// Models that are to be on one CPU, by their numbers.
struct Together {
  std::vector<std::size_t> models;
  Duration cost{};
};

// Of one FMU in this process.
bool one_binary(const config::Model& a, const config::Model& b) {
  return a.fmu && b.fmu && !a.contained && !b.contained && a.file == b.file;
}

}  // namespace

std::vector<int> worker_cpus(const config::Config& config) {
  if (!config.coupled) return {};
  return cpus_of(config.frame, config.coupled->parts);
}

Placement place_models(const Assembly& assembly, rt::Clock& clock) {
  Placement placement;
  if (!assembly.config.coupled) return placement;
  const Parts& parts = assembly.config.coupled->parts;
  const config::Frame& frame = assembly.config.frame;
  placement.cpus = cpus_of(frame, parts);
  if (!placement.shares()) return placement;

  placement.places.assign(parts.size(), here);
  std::vector<Duration> busy(placement.cpus.size() + 1);  // the frame thread is the last
  const auto place_at = [&](std::size_t model, std::size_t worker, Duration cost) {
    placement.places[model] = worker < placement.cpus.size() ? static_cast<int>(worker) : here;
    busy[worker] += cost;
  };
  if (!frame.workers.empty()) {
    const auto plant = assembly.another_plant();
    const Duration period = assembly.config.settings.grid.period();
    for (std::size_t k = 0; k < parts.size(); ++k) {
      placement.costs.push_back(cost_of(*parts[k], plant->models()->model(k), clock, period));
    }
  }
  std::vector<Together> others;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Duration cost = placement.costs.empty() ? Duration{} : placement.costs[k];
    const auto worker = std::ranges::find(placement.cpus, parts[k]->cpu);
    if (parts[k]->cpu >= 0 || frame.workers.empty() || parts[k]->rate.every > 1) {
      place_at(k, static_cast<std::size_t>(worker - placement.cpus.begin()), cost);
      continue;
    }
    const auto same = std::ranges::find_if(others, [&](const Together& t) {
      return one_binary(parts[t.models.front()]->model, parts[k]->model);
    });
    Together& those = same != others.end() ? *same : others.emplace_back();
    those.models.push_back(k);
    those.cost += cost;
  }
  std::ranges::stable_sort(others, std::greater{}, &Together::cost);
  for (const Together& those : others) {
    // Of equal ones the frame thread, which has no way to go.
    const auto least = std::min_element(busy.rbegin(), busy.rend());
    const auto worker = static_cast<std::size_t>(busy.rend() - least) - 1;
    for (const std::size_t k : those.models) place_at(k, worker, placement.costs[k]);
  }
  return placement;
}

Result<std::unique_ptr<Crew>> Crew::start(Placement placement, const Assembly& assembly,
                                          rt::Clock& clock, rt::Warnings& warnings) {
  const config::Config& config = assembly.config;
  std::unique_ptr<Crew> crew(new Crew(std::move(placement)));
  auto started = rt::Workers::start({.cpus = crew->placement_.cpus,
                                     .priority = config.frame.priority,
                                     .period = config.settings.grid.period(),
                                     .tasks = crew->placement_.places.size()},
                                    warnings);
  if (!started) return tl::unexpected(started.error());
  crew->workers_ = std::move(*started);
  // As long as a run may stand still; without such a limit, half of what its guard waits.
  const Duration standstill = config.settings.overrun.standstill;
  const Duration bound = standstill.ns > 0 ? standstill : config.safety.within / 2;
  crew->models_ =
      std::make_unique<exec::ModelWorkers>(*crew->workers_, crew->placement_.places, bound);
  crew->clock_ = std::make_unique<rt::FollowedClock>(clock, *crew->workers_);
  return crew;
}

}  // namespace hild::plan
