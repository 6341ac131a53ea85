// SPDX-License-Identifier: Apache-2.0
/// What the CPUs of models demand of one another, of the frame and of the sampling.
#include <algorithm>

#include "config/sections.hpp"
#include "exec/background_models.hpp"

namespace hild::config {
namespace {

// CPUs of which each gets a worker.
void check_list(YamlOptions& frame, const Frame& read, bool several) {
  if (!several) {
    frame.reject("workers",
                 "found workers for a single model, which has nothing to share; expected "
                 "several (`models`), or none");
  }
  for (auto cpu = read.workers.begin(); cpu != read.workers.end(); ++cpu) {
    if (std::find(read.workers.begin(), cpu, *cpu) != cpu) {
      frame.reject("workers", fmt::format("found CPU {} twice, expected one worker on each", *cpu));
    }
    if (*cpu != read.cpu) continue;
    frame.reject("workers", fmt::format("found CPU {}, on which the frame thread runs (frame.cpu), "
                                        "expected others: a worker there would wait for it",
                                        *cpu));
  }
}

// Under `extrapolate` each pass waits for a sample of its own, one after the other.
void check_sampling(YamlOptions& section, std::string_view key, exec::Sampling sampling) {
  if (sampling != exec::Sampling::extrapolate) return;
  section.reject(key,
                 "found beside `sampling: extrapolate`, where each pass takes a sample of its own, "
                 "one after the other; expected `frame`, `stage` or `behind`");
}

// A thread of its own takes its steps while the frames go on: what answers by waiting, or has what
// it shares with another, cannot be there.
void check_background(YamlOptions& section, const Part& part, std::size_t number,
                      const Config& config) {
  const auto works_there = [&](const auto& other) {
    return other->cpu == part.cpu && !other->rate.background;
  };
  if (part.cpu != config.frame.cpu &&
      (std::ranges::find(config.frame.workers, part.cpu) != config.frame.workers.end() ||
       std::ranges::any_of(config.coupled->parts, works_there))) {
    section.reject(
        "cpu", fmt::format("found {} beside `every`, where a worker runs models in every frame; "
                           "expected the CPU of the frame thread (frame.cpu), or one without "
                           "a worker",
                           part.cpu));
  }
  if (part.model.contained) {
    section.reject("cpu",
                   "found beside `every` and `process: own`, where each pass waits for an answer; "
                   "expected one of the three to be left out: without `cpu` it is asked by the "
                   "frame thread");
  }
  if (number >= exec::BackgroundModels::most_models) {
    section.reject("cpu", fmt::format("found beside `every`, for model number {}; expected a place "
                                      "among the first {} of `models`, of which records tell",
                                      number + 1, exec::BackgroundModels::most_models));
  }
}

void check_cpu(YamlOptions& section, const Part& part, std::size_t number, const Config& config) {
  if (part.rate.background) return check_background(section, part, number, config);
  check_sampling(section, "cpu", config.settings.sampling);
  if (part.cpu == config.frame.cpu || config.frame.workers.empty()) return;
  if (std::ranges::find(config.frame.workers, part.cpu) != config.frame.workers.end()) return;
  section.reject("cpu", fmt::format("found {}, expected the CPU of a worker (frame.workers: {}) or "
                                    "of the frame thread (frame.cpu)",
                                    part.cpu, fmt::join(config.frame.workers, ", ")));
}

}  // namespace

void check_workers(YamlOptions& root, Config& config) {
  if (!config.frame.workers.empty()) {
    YamlOptions& frame = root.section("frame");
    frame.attempt([&] {
      check_list(frame, config.frame, config.coupled.has_value());
      check_sampling(frame, "workers", config.settings.sampling);
    });
  }
  if (!config.coupled) return;
  YamlOptions& models = root.section("models");
  for (std::size_t k = 0; k < config.coupled->parts.size(); ++k) {
    const Part& part = *config.coupled->parts[k];
    if (part.cpu < 0) continue;
    YamlOptions& section = models.section(part.name);
    section.attempt([&] { check_cpu(section, part, k, config); });
  }
}

}  // namespace hild::config
