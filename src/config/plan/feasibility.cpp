// SPDX-License-Identifier: Apache-2.0
#include "config/plan/feasibility.hpp"

#include <algorithm>

#include "exec/timetable.hpp"

namespace hild::plan {
namespace {

std::vector<double> releases_of(const numerics::Method& method, exec::Sampling sampling,
                                double lag) {
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(method.passes));
  for (int i = 0; i < method.passes; ++i) {
    all.push_back(
        std::max(exec::release_of(method.node(i).value(), i, method.passes, sampling) - lag, 0.0));
  }
  return all;
}

// When passes end that are released so, each in parts of `frame`. Every release but the tick's,
// which is counted by itself, is followed by a read; the others that are still to come likewise.
Duration passes_end(const std::vector<double>& releases, bool reads, bool at_tick,
                    const Costs& costs, Duration frame) {
  const auto passes = std::ssize(releases);
  Duration latest{};
  for (std::int64_t i = 0; i < passes; ++i) {
    const std::int64_t calls = !reads ? 0 : i == 0 && at_tick ? passes - 1 : passes - i;
    const Duration end = part(frame, releases[static_cast<std::size_t>(i)]) +
                         costs.pass * (passes - i) + costs.io * calls;
    latest = std::max(latest, end);
  }
  return latest;
}

// With those of dense outputs, after whatever the step ended with.
Duration with_dense_outputs(const Shape& shape, const Costs& costs, Duration frame, Duration end) {
  for (const double theta : shape.dense_outputs) {
    const Duration due = shape.delayed(theta) ? Duration{} : part(frame, theta) + costs.wake;
    end = std::max(end, due) + costs.io;
  }
  return end;
}

}  // namespace

Shape shape_of(const numerics::Method& method, exec::Sampling sampling, Events events) {
  const double lag = sampling == exec::Sampling::behind ? method.lag() : 0;
  const numerics::Method& starter = method.starter != nullptr ? *method.starter : method;
  return {.releases = releases_of(method, sampling, lag),
          .reads = sampling != exec::Sampling::frame,
          .events = events,
          .starter_releases = releases_of(starter, sampling, lag),
          .dense = method.dense.order > 0,
          .cubic = method.order > 1 ? (method.node(0).value() == 0 ? 1 : 2) : 0};
}

bool Shape::delayed(double theta) const noexcept { return theta <= std::ranges::max(releases); }

Events events_of(const model::Stepper& plant) {
  if (!plant.description().events.empty()) return Events::state;
  return plant.system().next_time_event({-1}) == model::never ? Events::none : Events::time;
}

int event_passes(const Shape& shape) {
  if (shape.events == Events::none) return 0;
  const auto after = static_cast<int>(shape.starter_releases.size());
  if (shape.events == Events::time && shape.cut_alone) {
    return static_cast<int>(shape.releases.size()) + after;
  }
  if (shape.events == Events::time || shape.dense) return after;
  return static_cast<int>(shape.releases.size()) + shape.cubic + after;
}

Duration finish(const Shape& shape, const Costs& costs, Duration frame) {
  if (shape.cut_waits()) return finish_cut(shape, costs, frame, 0);
  const Duration event =
      shape.events == Events::none ? Duration{} : costs.pass * event_passes(shape) + costs.action;
  const Duration end = costs.wake + costs.io +
                       passes_end(shape.releases, shape.reads, true, costs, frame) + event +
                       costs.outputs + costs.images;
  return with_dense_outputs(shape, costs, frame, end);
}

Duration finish_cut(const Shape& shape, const Costs& costs, Duration frame, double theta) {
  const Duration first = part(frame, theta);
  const std::vector<double>& after = shape.starter_releases;
  const Duration cut =
      costs.wake + costs.io + passes_end(shape.releases, true, true, costs, first) + costs.action;
  const Duration busy = cut + (costs.pass + costs.io) * std::ssize(after);
  const Duration waited = first + costs.wake + passes_end(after, true, false, costs, frame - first);
  return with_dense_outputs(shape, costs, frame,
                            std::max(busy, waited) + costs.outputs + costs.images);
}

double latest_cut(const Shape& shape, const Costs& costs, Duration frame) {
  if (finish_cut(shape, costs, frame, 0) > frame) return -1;
  double fits = 0;
  double late = 1;
  for (int halving = 0; halving < 40; ++halving) {
    const double middle = (fits + late) / 2;
    (finish_cut(shape, costs, frame, middle) > frame ? late : fits) = middle;
  }
  return fits;
}

double utilisation(const Shape& shape, const Costs& costs, Duration frame) {
  const auto passes = static_cast<std::int64_t>(shape.releases.size());
  const std::int64_t calls = (shape.reads ? passes : 1) + std::ssize(shape.dense_outputs);
  return seconds(costs.pass * passes + costs.io * calls + costs.outputs + costs.images) /
         seconds(frame);
}

double utilisation_limit(const Shape& shape) {
  const auto passes = static_cast<double>(shape.releases.size());
  double largest_pass = 1;
  const auto limit_by = [&](const std::vector<double>& releases, int more) {
    for (std::size_t i = 0; i < releases.size(); ++i) {
      const double work = static_cast<double>(releases.size() - i) + more;
      largest_pass = std::min(largest_pass, (1 - releases[i]) / work);
    }
  };
  limit_by(shape.releases, shape.cut_waits() ? 0 : event_passes(shape));
  if (shape.cut_waits()) {  // both parts at once, or the second by its releases
    largest_pass = std::min(largest_pass, 1 / (passes + event_passes(shape)));
    limit_by(shape.starter_releases, 0);
  }
  return passes * largest_pass;
}

double budget_for(const exec::BudgetSettings& budget, Events events) {
  if (events == Events::none) return budget.utilisation;
  return events == Events::state ? budget.with_state_events : budget.with_time_events;
}

}  // namespace hild::plan
