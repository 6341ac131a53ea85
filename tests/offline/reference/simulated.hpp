// SPDX-License-Identifier: Apache-2.0
/// \file
/// A system with a reference run of it, an observer that keeps all it is told, an input that jumps.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"
#include "offline/reference/problems.hpp"
#include "offline/reference/simulation.hpp"

namespace hild::test {

/// Keeps all it is told.
class Kept final : public reference::Observer {
 public:
  struct Row {
    double t;
    Vector u, x, y;
  };
  struct Event {
    double t;
    std::size_t index;
    Vector x;
  };
  void row(double t, std::span<const double> u, std::span<const double> x,
           std::span<const double> y) override {
    rows.push_back({t, {u.begin(), u.end()}, {x.begin(), x.end()}, {y.begin(), y.end()}});
  }
  void state_event(double t, std::size_t index, std::span<const double> x) override {
    events.push_back({t, index, {x.begin(), x.end()}});
  }
  void time_event(double t) override { time_events.push_back(t); }
  bool go_on(double t, const reference::Counts&) override { return t < stop_at; }

  std::vector<Row> rows;
  std::vector<Event> events;
  Vector time_events;
  double stop_at = std::numeric_limits<double>::infinity();
};

/// Constant inputs.
class HeldInputs final : public reference::Inputs {
 public:
  explicit HeldInputs(std::vector<double> u) : u_(std::move(u)) {}
  void at(double /*t*/, SimTime /*piece*/, std::span<double> u) const override {
    std::ranges::copy(u_, u.begin());
  }
  SimTime next_break(SimTime /*t*/) const override { return model::never; }

 private:
  std::vector<double> u_;
};

/// A system, a run of it, and what came out.
struct Simulated {
  explicit Simulated(std::unique_ptr<model::System> made) : system(std::move(made)) {}

  Result<void> run(const reference::Inputs& inputs, Duration duration, Duration interval = 100_ms) {
    return reference::simulate(*system, inputs, {duration, Grid::of_period(interval), options},
                               kept, summary);
  }
  Result<void> run(Duration duration, Duration interval = 100_ms) {
    return run(HeldInputs(Vector(system->description().inputs.size())), duration, interval);
  }

  std::unique_ptr<model::System> system;
  reference::AdaptiveOptions options{.tolerance = {1e-9, 1e-11}};
  Kept kept;
  reference::Summary summary;
};

template <class M>
Simulated simulated() {
  return Simulated(std::make_unique<model::SystemOf<M>>());
}

/// 1 until 0.35 s, -2 from there until 0.7 s, then 5 t.
class Jumps final : public reference::Inputs {
 public:
  void at(double t, SimTime piece, std::span<double> u) const override {
    u[0] = piece < first ? 1 : piece < second ? -2 : 5 * t;
  }
  SimTime next_break(SimTime t) const override {
    return t < first ? first : t < second ? second : model::never;
  }
  static constexpr SimTime first = SimTime{} + 350_ms, second = SimTime{} + 700_ms;
};

}  // namespace hild::test
