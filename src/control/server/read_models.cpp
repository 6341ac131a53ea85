// SPDX-License-Identifier: Apache-2.0
#include <boost/json/array.hpp>

#include "control/server/method.hpp"
#include "control/server/model_times.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

json::object times_us(const exec::Histogram& h) {
  return {
      {"p50", in_us(h.quantile(0.5))}, {"p99", in_us(h.quantile(0.99))}, {"max", in_us(h.max())}};
}

json::value cpu_of(const Run& run, int worker) {
  const int cpu = worker < 0 ? run.models.frame_cpu
                  : static_cast<std::size_t>(worker) < run.models.cpus.size()
                      ? run.models.cpus[static_cast<std::size_t>(worker)]
                      : -1;
  return cpu < 0 ? json::value(nullptr) : json::value(cpu);
}

}  // namespace

json::value models(const Context& context, Params& params) {
  params.refuse_unknown();
  const Run& run = context.run;
  const auto name_of = [&](std::size_t model) -> json::value {
    const auto parts = run.description.parts;
    if (model >= parts.size()) return nullptr;
    return json::string(parts[model]);
  };
  json::array cpus;
  for (int worker = -1; worker < static_cast<int>(run.models.cpus.size()); ++worker) {
    cpus.push_back({{"worker", worker}, {"cpu", cpu_of(run, worker)}});
  }
  json::array planned;
  for (const Run::ModelSpan& span : run.models.planned) {
    planned.push_back({{"model", name_of(span.model)},
                       {"worker", span.worker},
                       {"start_us", in_us(span.start)},
                       {"took_us", in_us(span.took)}});
  }
  json::array background;
  for (const Run::Models::InBackground& one : run.models.background) {
    background.push_back({{"model", name_of(one.model)},
                          {"cpu", one.cpu},
                          {"due_us", in_us(one.due)},
                          {"planned_us", one.took.ns > 0 ? json::value(in_us(one.took)) : nullptr},
                          {"runs", 0},
                          {"took_us", nullptr}});
  }
  const auto add_in_background = [&](const ModelTimes::Runs& runs) {
    for (std::size_t k = 0; k < background.size(); ++k) {
      if (run.models.background[k].model != runs.model) continue;
      background[k].as_object()["runs"] = runs.took.count();
      background[k].as_object()["took_us"] = times_us(runs.took);
    }
  };
  json::array observed;
  context.model_times.each([&](const ModelTimes::Runs& runs) {
    if (runs.worker == io::in_background) return add_in_background(runs);
    observed.push_back({{"model", name_of(runs.model)},
                        {"worker", runs.worker},
                        {"runs", runs.took.count()},
                        {"start_us", times_us(runs.start)},
                        {"took_us", times_us(runs.took)}});
  });
  return json::object{{"cpus", std::move(cpus)},
                      {"planned", std::move(planned)},
                      {"observed", std::move(observed)},
                      {"background", std::move(background)}};
}

}  // namespace hild::server
