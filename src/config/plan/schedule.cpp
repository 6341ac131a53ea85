// SPDX-License-Identifier: Apache-2.0
#include "config/plan/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <map>

#include "exec/timetable.hpp"

namespace hild::plan {
namespace {

constexpr int frame_thread = exec::ModelWorkers::here;
constexpr int steps = 101;
constexpr Duration clocks_differ = 1_us;  // of two threads, at most
constexpr std::size_t most_lines = 40;    // of a chart
constexpr double bar = 40;                // columns of the longest one

Duration median(std::vector<Duration>& of) {
  const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::ranges::nth_element(of, middle);
  return *middle;
}

/// What was measured of a span in all steps.
struct Samples {
  std::vector<Duration> starts, lengths;
  std::map<int, int> workers;  // how often each had it
};

/// Spans by their releases and models.
class Collected {
 public:
  explicit Collected(const rt::Workers& workers) : workers_(&workers) {}

  /// Of the models that have run since `begin`, which stands for `release`.
  void add(std::size_t models, MonoTime begin, Duration release) {
    for (std::size_t model = 0; model < models; ++model) {
      const rt::TaskRun& run = workers_->last_run(model);
      if (run.start + clocks_differ < begin) continue;
      Samples& s = samples_[{release.ns, model}];
      s.starts.push_back(release + std::max(run.start - begin, Duration{}));
      s.lengths.push_back(run.took);
      ++s.workers[run.worker];
    }
  }
  [[nodiscard]] std::vector<ModelSpan> spans() {
    std::vector<ModelSpan> all;
    for (auto& [key, s] : samples_) {
      const auto usual =
          std::ranges::max_element(s.workers, {}, [](const auto& worker) { return worker.second; });
      all.push_back({key.second, usual->first, median(s.starts), median(s.lengths)});
    }
    std::ranges::stable_sort(all, {}, &ModelSpan::start);
    return all;
  }

 private:
  const rt::Workers* workers_;
  std::map<std::pair<std::int64_t, std::size_t>, Samples> samples_;
};

std::string cpu_words(int worker, const Placement& placement, int frame_cpu) {
  if (worker != frame_thread) {
    return fmt::format("CPU {}", placement.cpus[static_cast<std::size_t>(worker)]);
  }
  return frame_cpu < 0 ? "frame thread" : fmt::format("CPU {}, frame thread", frame_cpu);
}

// "  ████": from one part of the longest one to another, at least a column.
std::string bar_of(double from, double to) {
  std::string out(static_cast<std::size_t>(std::lround(from * bar)), ' ');
  const auto columns = std::max(1L, std::lround(to * bar) - std::lround(from * bar));
  for (long i = 0; i < columns; ++i) out += "█";
  return out;
}

}  // namespace

double Schedule::utilisation(int worker, Duration frame) const {
  Duration busy{};
  for (const ModelSpan& span : spans) {
    if (span.worker == worker) busy += span.took;
  }
  return seconds(busy) / seconds(frame);
}

Schedule rehearse_schedule(model::Stepper& plant, Crew& crew, const exec::Settings& settings) {
  const rt::Workers& workers = crew.models().workers();
  const std::size_t models = plant.description().parts.size();
  const Duration frame = settings.grid.period();
  std::vector<double> u = starts_of(plant.description().inputs);
  Collected collected(workers);
  SimTime t{};
  for (int step = 0; step < steps; ++step) {
    // As at a tick, by which the clocks of all threads are set.
    crew.clock().sleep_until(rt::monotonic_now());
    const MonoTime tick = rt::monotonic_now();
    plant.models()->connect(t, u);
    if (settings.takes_whole()) {
      static_cast<void>(plant.step_as_connected(t, frame, u));
      collected.add(models, tick, {});
    } else {
      const model::Passes& passes = plant.begin(t, frame);
      for (int i = 0; i < passes.count(); ++i) {
        const double node = passes.nodes[static_cast<std::size_t>(i)];
        const double release = exec::release_of(node, i, passes.count(), settings.sampling);
        const MonoTime begin = rt::monotonic_now();
        plant.pass(i, u);
        collected.add(models, begin, std::max(part(frame, release) - settings.lag, Duration{}));
      }
      plant.finish();
    }
    t += frame;
  }
  plant.reset();
  return {crew.placement(), collected.spans()};
}

std::vector<std::string> warnings_of(const Schedule& schedule, const config::Frame& frame) {
  std::vector<std::string> all;
  if (frame.cpu < 0) {
    all.emplace_back(
        "models run on workers, but the frame thread on any CPU, be it a worker's, where one waits "
        "for the other: name its own (frame.cpu)");
  }
  for (std::size_t k = 0; k < schedule.placement.cpus.size(); ++k) {
    if (std::ranges::find(schedule.placement.places, static_cast<int>(k)) !=
        schedule.placement.places.end()) {
      continue;
    }
    all.push_back(
        fmt::format("no model is on the worker of CPU {}: it only waits; take it out of "
                    "frame.workers, or name it as the cpu of a model",
                    schedule.placement.cpus[k]));
  }
  return all;
}

std::string chart(const Schedule& schedule, std::span<const std::string_view> models,
                  const config::Frame& frame, Duration period) {
  Duration end{1};
  std::size_t name = 5;
  for (const ModelSpan& span : schedule.spans) end = std::max(end, span.end());
  for (const std::string_view model : models) name = std::max(name, model.size());
  std::string out = fmt::format("\n  {:<{}} {:>8} {:>8}\n", "models beside one another (us)",
                                name + 22, "from", "to");
  std::size_t lines = 0;
  for (int worker = frame_thread; worker < static_cast<int>(schedule.placement.cpus.size());
       ++worker) {
    out += fmt::format("  {}, {:.1f} % of the frame\n",
                       cpu_words(worker, schedule.placement, frame.cpu),
                       100 * schedule.utilisation(worker, period));
    for (const ModelSpan& span : schedule.spans) {
      if (span.worker != worker || ++lines > most_lines) continue;
      out += fmt::format(
          "    {:<{}} {:>8.1f} {:>8.1f}  {}\n", models[span.model], name + 20,
          microseconds(span.start), microseconds(span.end()),
          bar_of(seconds(span.start) / seconds(end), seconds(span.end()) / seconds(end)));
    }
  }
  if (lines > most_lines) out += fmt::format("    and {} more\n", lines - most_lines);
  return out;
}

boost::json::value to_json(const Schedule& schedule, std::span<const std::string_view> models,
                           int frame_cpu, Duration period) {
  namespace json = boost::json;
  const auto cpu_of = [&](int worker) {
    return worker == frame_thread ? frame_cpu
                                  : schedule.placement.cpus[static_cast<std::size_t>(worker)];
  };
  json::array spans;
  for (const ModelSpan& span : schedule.spans) {
    spans.push_back({{"model", models[span.model]},
                     {"cpu", cpu_of(span.worker)},
                     {"worker", span.worker},
                     {"start_us", microseconds(span.start)},
                     {"took_us", microseconds(span.took)}});
  }
  json::array cpus;
  for (int worker = frame_thread; worker < static_cast<int>(schedule.placement.cpus.size());
       ++worker) {
    cpus.push_back({{"cpu", cpu_of(worker)},
                    {"worker", worker},
                    {"utilisation", schedule.utilisation(worker, period)}});
  }
  return {{"spans", std::move(spans)}, {"cpus", std::move(cpus)}};
}

}  // namespace hild::plan
