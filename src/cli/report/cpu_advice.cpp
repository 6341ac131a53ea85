// SPDX-License-Identifier: Apache-2.0
#include "cli/report/cpu_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

namespace hild::report {
namespace {

using advise::CpuAdvice;
using advise::CpuChoice;

// "CPU 1: motor, arm".
std::string models_on(const CpuAdvice& a, const CpuChoice& choice, int worker) {
  std::string names;
  for (std::size_t k = 0; k < a.models.size(); ++k) {
    if (choice.placement.places[k] != worker) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", a.models[k]);
  }
  const std::string where =
      worker < 0 ? "frame thread"
                 : fmt::format("CPU {}", choice.placement.cpus[static_cast<std::size_t>(worker)]);
  return fmt::format("{}: {}", where, names.empty() ? "nothing" : names);
}

std::string choice_line(const CpuAdvice& a, const CpuChoice& choice) {
  std::string who;
  const auto workers = static_cast<int>(choice.placement.cpus.size());
  for (int worker = -1; worker < workers; ++worker) {
    who += fmt::format("{}{}", worker < 0 ? "" : "; ", models_on(a, choice, worker));
  }
  return fmt::format("  {:>7} {:>12.1f} us  {}\n", workers, microseconds(choice.longest), who);
}

std::string frame_line(const CpuAdvice& a) {
  const std::string own = a.frame_cpu < 0 ? "" : fmt::format("cpu: {}, ", a.frame_cpu);
  return fmt::format("frame: {{{}workers: [{}]}}", own, fmt::join(a.chosen().placement.cpus, ", "));
}

}  // namespace

std::string cpu_advice_text(const CpuAdvice& a) {
  std::string out = fmt::format("CPUs for the models of {}\n\n  {:<24} {:>12}\n", a.config_file,
                                "a step of", "median here");
  for (std::size_t k = 0; k < a.models.size(); ++k) {
    out += fmt::format("  {:<24} {:>9.1f} us\n", a.models[k], microseconds(a.costs[k]));
  }
  out += fmt::format("\n  {:>7} {:>15}  of a frame of {:.1f} us\n", "workers", "longest thread",
                     microseconds(a.period));
  for (const CpuChoice& choice : a.choices) out += choice_line(a, choice);
  const Duration serial = a.choices.front().longest;
  if (a.best > 0) {
    out += fmt::format("\n  Take {}: {:.1f} us instead of {:.1f}. `hild check` then measures it.\n",
                       frame_line(a), microseconds(a.chosen().longest), microseconds(serial));
  } else if (a.choices.size() == 1) {
    out += "\n  There is no other CPU that this process may use: one thread does it all.\n";
  } else {
    out += "\n  One thread does it all: workers would save too little to be worth a CPU.\n";
  }
  return out +
         "\n  For steps and methods write each model into a configuration of its own, with\n"
         "  `inputs: {NAME: {value: ...}}` for what is connected, and ask there.\n";
}

boost::json::value cpu_advice_json(const CpuAdvice& a) {
  namespace json = boost::json;
  json::array models;
  for (std::size_t k = 0; k < a.models.size(); ++k) {
    models.push_back({{"model", a.models[k]}, {"step_us", microseconds(a.costs[k])}});
  }
  json::array choices;
  for (const CpuChoice& choice : a.choices) {
    json::array cpus;
    for (const int place : choice.placement.places) {
      cpus.push_back(place < 0
                         ? json::value(nullptr)
                         : json::value(choice.placement.cpus[static_cast<std::size_t>(place)]));
    }
    choices.push_back({{"workers", json::value_from(choice.placement.cpus)},
                       {"cpu_of_model", std::move(cpus)},
                       {"longest_us", microseconds(choice.longest)}});
  }
  return {{"config", a.config_file},
          {"frame_us", microseconds(a.period)},
          {"models", std::move(models)},
          {"choices", std::move(choices)},
          {"best", a.best}};
}

}  // namespace hild::report
