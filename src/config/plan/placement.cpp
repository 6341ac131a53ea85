// SPDX-License-Identifier: Apache-2.0
#include "config/plan/placement.hpp"

#include <algorithm>

#include "config/plan/instances.hpp"
#include "config/plan/rehearsal.hpp"

namespace hild::plan {
namespace {

constexpr int here = exec::ModelWorkers::here;
constexpr std::optional<int> on_frame_thread = -1;  // of no worker

using Parts = std::vector<std::unique_ptr<const config::Part>>;

// Those of the list, then of models that have one of their own.
std::vector<int> cpus_of(const config::Frame& frame, const Parts& parts) {
  std::vector<int> cpus = frame.workers;
  for (const auto& part : parts) {
    if (part->rate.background) continue;  // it has a thread of its own
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

}  // namespace

std::vector<int> worker_cpus(const config::Config& config) {
  if (!config.coupled) return {};
  return cpus_of(config.frame, config.coupled->parts);
}

bool shares_cpus(const config::Config& config) {
  if (!config.coupled) return false;
  const auto background = [](const auto& part) { return part->rate.background; };
  return !worker_cpus(config).empty() || std::ranges::any_of(config.coupled->parts, background);
}

std::vector<Duration> costs_of_models(const Assembly& assembly, rt::Clock& clock) {
  std::vector<Duration> costs;
  const auto plant = assembly.another_plant();
  const Duration period = assembly.config.settings.grid.period();
  const Parts& parts = assembly.config.coupled->parts;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    costs.push_back(cost_of(*parts[k], plant->models()->model(k), clock, period));
  }
  return costs;
}

Placement distribute(const Assembly& assembly, std::vector<int> cpus, std::vector<Duration> costs,
                     const CpuOfPart& cpu_of) {
  const Parts& parts = assembly.config.coupled->parts;
  Placement placement{std::move(cpus), std::vector<int>(parts.size(), here), std::move(costs)};
  std::vector<Duration> busy(placement.cpus.size() + 1);  // the frame thread is the last
  const auto place_at = [&](std::size_t model, std::size_t worker) {
    placement.places[model] = worker < placement.cpus.size() ? static_cast<int>(worker) : here;
    if (!parts[model]->rate.background) busy[worker] += placement.costs[model];
  };
  std::vector<Together> others;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::optional<int> cpu = parts[k]->rate.every > 1 ? on_frame_thread : cpu_of(*parts[k]);
    if (cpu) {
      const auto worker = std::ranges::find(placement.cpus, *cpu);
      place_at(k, static_cast<std::size_t>(worker - placement.cpus.begin()));
      continue;
    }
    const auto same = std::ranges::find_if(others, [&](const Together& t) {
      return of_one_fmu(parts[t.models.front()]->model, parts[k]->model);
    });
    Together& those = same != others.end() ? *same : others.emplace_back();
    those.models.push_back(k);
    those.cost += placement.costs[k];
  }
  std::ranges::stable_sort(others, std::greater{}, &Together::cost);
  for (const Together& those : others) {
    // Of equal ones the frame thread, which has no way to go.
    const auto least = std::min_element(busy.rbegin(), busy.rend());
    const auto worker = static_cast<std::size_t>(busy.rend() - least) - 1;
    for (const std::size_t k : those.models) place_at(k, worker);
  }
  return placement;
}

Placement place_models(const Assembly& assembly, rt::Clock& clock) {
  std::vector<int> cpus = worker_cpus(assembly.config);
  if (cpus.empty()) return {};
  const config::Frame& frame = assembly.config.frame;
  const bool measured = !frame.workers.empty();
  const std::size_t models = assembly.config.coupled->parts.size();
  // Without a list of workers nothing is to be distributed.
  Placement placement =
      distribute(assembly, std::move(cpus),
                 measured ? costs_of_models(assembly, clock) : std::vector<Duration>(models),
                 [measured](const config::Part& part) -> std::optional<int> {
                   if (part.cpu < 0 && measured) return std::nullopt;
                   return part.cpu;
                 });
  if (!measured) placement.costs.clear();
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
