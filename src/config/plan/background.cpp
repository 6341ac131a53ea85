// SPDX-License-Identifier: Apache-2.0
#include "config/plan/background.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <set>

#include "config/plan/rehearsal.hpp"

namespace hild::plan {
namespace {

// Whether a is more urgent than b, which are on one CPU; of equal ones either may come first.
bool goes_first(const BackgroundPlan& a, const BackgroundPlan& b) {
  return &a != &b && a.cpu == b.cpu && a.every <= b.every;
}

std::int64_t periods_in(Duration time, Duration period) {
  return (time.ns + period.ns - 1) / period.ns;
}

}  // namespace

std::vector<BackgroundPlan> background_steps(const config::Config& config) {
  std::vector<BackgroundPlan> all;
  if (!config.coupled) return all;
  const auto& parts = config.coupled->parts;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const config::Part& part = *parts[k];
    if (!part.rate.background) continue;
    BackgroundPlan one{.model = k, .cpu = part.cpu, .every = part.rate.every};
    for (int i = 0; i < part.method.passes; ++i) one.nodes.push_back(part.method.node(i).value());
    std::set<int> shorter;
    for (const auto& other : parts) {
      if (!other->rate.background || other->cpu != part.cpu) continue;
      if (other->rate.every < part.rate.every) shorter.insert(other->rate.every);
    }
    const int urgent = config.frame.priority;
    // Below 1 it is an ordinary one.
    one.priority = std::max(0, urgent - 1 - static_cast<int>(shorter.size()));
    all.push_back(std::move(one));
  }
  return all;
}

void measure_background(std::vector<BackgroundPlan>& steps, const Assembly& assembly,
                        rt::Clock& clock) {
  if (steps.empty()) return;
  const auto plant = assembly.another_plant();
  for (BackgroundPlan& one : steps) {
    model::Stepper& stepper = plant->models()->model(one.model);
    one.pass =
        time_passes(clock, stepper, one.due(assembly.config.settings.grid.period()), false).median;
  }
}

// The response time of each pass by fixed priorities, as if all that is more urgent began with it.
void judge_background(std::vector<BackgroundPlan>& steps, const config::Frame& thread,
                      Duration frame, Duration busy) {
  for (BackgroundPlan& one : steps) {
    const Duration due = one.due(frame);
    const auto taken_by_others = [&](Duration within) {
      Duration taken{};
      if (one.cpu == thread.cpu) taken += busy * periods_in(within, frame);
      for (const BackgroundPlan& other : steps) {
        if (!goes_first(other, one)) continue;
        taken += other.cost() * periods_in(within, other.due(frame));
      }
      return taken;
    };
    Duration end{};
    for (const double node : one.nodes) {
      const auto in_frame = std::min(static_cast<std::int64_t>(std::floor(node * one.every)),
                                     static_cast<std::int64_t>(one.every) - 1);
      const Duration begin = std::max(end, frame * in_frame);
      Duration took = one.pass;
      while (true) {
        const Duration with_others = one.pass + taken_by_others(took);
        if (with_others <= took || begin + took > due) break;
        took = with_others;
      }
      end = begin + took;
      if (end > due) break;
    }
    one.ends = end;
    one.in_time = end <= due;
  }
}

std::string words(const BackgroundPlan& step, const config::Frame& thread, Duration frame) {
  const auto ms = [](Duration d) { return 1e3 * seconds(d); };
  std::string out =
      fmt::format("on CPU {}{}", step.cpu, step.cpu == thread.cpu ? " below the frame thread" : "");
  if (step.pass.ns > 0) out += fmt::format(", passes of {:.1f} us", microseconds(step.pass));
  if (!step.ends) return out + fmt::format(", due {:.1f} ms after its tick", ms(step.due(frame)));
  if (!step.in_time) {
    return out +
           fmt::format(", not done {:.1f} ms after its tick, when it is due", ms(step.due(frame)));
  }
  return out + fmt::format(", done {:.1f} of {:.1f} ms after its tick, by medians", ms(*step.ends),
                           ms(step.due(frame)));
}

boost::json::value to_json(const BackgroundPlan& step, Duration frame) {
  boost::json::object o{{"cpu", step.cpu},
                        {"priority", step.priority},
                        {"every", step.every},
                        {"due_us", microseconds(step.due(frame))}};
  if (step.pass.ns > 0) o["pass_us"] = microseconds(step.pass);
  if (step.ends) {
    o["in_time"] = step.in_time;
    if (step.in_time) o["ends_us"] = microseconds(*step.ends);
  }
  return o;
}

Result<std::unique_ptr<BackgroundCrew>> BackgroundCrew::start(const config::Config& config,
                                                              rt::Warnings& warnings) {
  const auto steps = background_steps(config);
  if (steps.empty()) return nullptr;
  std::unique_ptr<BackgroundCrew> crew(new BackgroundCrew);
  crew->threads_.resize(config.coupled->parts.size());
  const Duration period = config.settings.grid.period();
  for (const BackgroundPlan& one : steps) {
    const bool beside = one.cpu != config.frame.cpu;
    auto thread = rt::BackgroundThread::start(
        {.thread = {.priority = one.priority,
                    .cpu = one.cpu,
                    .name = Name(fmt::format("hild-slow-{}", one.model))},
         .period = period,
         .grace = beside ? std::min(period / 8, Duration(100_us)) : Duration{}},
        warnings);
    if (!thread) return tl::unexpected(thread.error());
    crew->threads_[one.model] = std::move(*thread);
  }
  return crew;
}

exec::BackgroundThreads BackgroundCrew::threads() const {
  exec::BackgroundThreads all;
  for (const auto& one : threads_) all.push_back(one.get());
  return all;
}

void BackgroundCrew::settle(Duration bound) noexcept {
  for (const auto& one : threads_) {
    if (one) static_cast<void>(one->settle(bound));
  }
}

bool BackgroundCrew::stuck() const noexcept {
  return std::ranges::any_of(threads_, [](const auto& one) { return one && one->stuck(); });
}

WithoutBackground::WithoutBackground(model::Stepper& plant) : plant_(&plant) {
  if (auto* const models = plant.models()) models->run_in_background(this);
}

WithoutBackground::~WithoutBackground() {
  if (auto* const models = plant_->models()) {
    models->run_in_background(nullptr);
    plant_->reset();
  }
}

}  // namespace hild::plan
