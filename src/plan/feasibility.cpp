// SPDX-License-Identifier: Apache-2.0
#include "plan/feasibility.hpp"

#include <algorithm>

#include "exec/timetable.hpp"

namespace hild::plan {
namespace {

int starter_passes(const numerics::Method& method) {
  return method.starter != nullptr ? method.starter->passes : method.passes;
}

}  // namespace

Shape shape_of(const numerics::Method& method, exec::Sampling sampling, Events events) {
  Shape shape{.releases = {},
              .reads = sampling != exec::Sampling::frame,
              .events = events,
              .starter_passes = starter_passes(method),
              .dense = method.dense.order > 0,
              .cubic = method.order > 1};
  const double lag = sampling == exec::Sampling::behind ? method.lag() : 0;
  for (int i = 0; i < method.passes; ++i) {
    shape.releases.push_back(
        std::max(exec::release_of(method.node(i).value(), i, method.passes, sampling) - lag, 0.0));
  }
  return shape;
}

bool Shape::delayed(double theta) const noexcept { return theta <= std::ranges::max(releases); }

Events events_of(const model::Plant& plant) {
  if (!plant.description().events.empty()) return Events::state;
  return plant.next_time_event({-1}) == model::never ? Events::none : Events::time;
}

int event_passes(const Shape& shape) {
  switch (shape.events) {
    case Events::state: {
      const auto again = static_cast<int>(shape.releases.size()) + (shape.cubic ? 1 : 0);
      return (shape.dense ? 0 : again) + shape.starter_passes;
    }
    case Events::time:
      return shape.starter_passes;
    case Events::none:
      break;
  }
  return 0;
}

Duration finish(const Shape& shape, const Costs& costs, Duration frame) {
  const auto passes = static_cast<std::int64_t>(shape.releases.size());
  Duration latest{};
  for (std::int64_t i = 0; i < passes; ++i) {
    // Reads of the releases still to come; that of the tick is counted by itself.
    const std::int64_t reads = !shape.reads ? 0 : i == 0 ? passes - 1 : passes - i;
    const Duration end = part(frame, shape.releases[static_cast<std::size_t>(i)]) +
                         costs.pass * (passes - i) + costs.io * reads;
    latest = std::max(latest, end);
  }
  Duration end = costs.wake + costs.io + latest + costs.pass * event_passes(shape) + costs.outputs;
  for (const double theta : shape.dense_outputs) {
    const Duration due = shape.delayed(theta) ? Duration{} : part(frame, theta) + costs.wake;
    end = std::max(end, due) + costs.io;
  }
  return end;
}

double utilisation(const Shape& shape, const Costs& costs, Duration frame) {
  const auto passes = static_cast<std::int64_t>(shape.releases.size());
  const std::int64_t calls = (shape.reads ? passes : 1) + std::ssize(shape.dense_outputs);
  return seconds(costs.pass * passes + costs.io * calls + costs.outputs) / seconds(frame);
}

double utilisation_limit(const Shape& shape) {
  const auto passes = static_cast<double>(shape.releases.size());
  double largest_pass = 1;
  for (std::size_t i = 0; i < shape.releases.size(); ++i) {
    const double work = passes - static_cast<double>(i) + event_passes(shape);
    largest_pass = std::min(largest_pass, (1 - shape.releases[i]) / work);
  }
  return passes * largest_pass;
}

double budget_for(const exec::BudgetSettings& budget, Events events) {
  switch (events) {
    case Events::state:
      return budget.with_state_events;
    case Events::time:
      return budget.with_time_events;
    case Events::none:
      break;
  }
  return budget.utilisation;
}

}  // namespace hild::plan
