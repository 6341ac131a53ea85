// SPDX-License-Identifier: Apache-2.0
#include "config/plan/rehearsal.hpp"

#include <algorithm>

namespace hild::plan {
namespace {

Spread summarise(std::vector<Duration> samples) {
  std::ranges::sort(samples);
  return {samples[samples.size() / 2], samples[samples.size() * 99 / 100]};
}

}  // namespace

Spread time_each(rt::Clock& clock, int times, const std::function<void(int)>& work) {
  std::vector<Duration> samples;
  samples.reserve(static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) {
    const MonoTime before = clock.now();
    work(i);
    samples.push_back(clock.now() - before);
  }
  return summarise(std::move(samples));
}

Spread time_passes(rt::Clock& clock, model::Stepper& plant, Duration frame) {
  std::vector<double> u = starts_of(plant.description().inputs);
  std::vector<Duration> samples;
  SimTime t{};
  // Where the work differs from step to step the one with most of it counts, of every round.
  model::Composite* const models = plant.models();
  const int round = models != nullptr ? models->cycle() : 1;
  const int steps = std::max(400, 8 * round);
  Duration most{};
  for (int step = 0; step < steps; ++step) {
    MonoTime before = clock.now();
    if (models != nullptr) models->connect(t, u);
    const Duration connecting = models != nullptr ? clock.now() - before : Duration{};
    const int passes = plant.begin(t, frame).count();
    before = clock.now();
    for (int i = 0; i < passes; ++i) plant.pass(i, u);
    plant.finish();
    most = std::max(most, (clock.now() - before + connecting) / passes);
    t += frame;
    if ((step + 1) % round != 0) continue;
    samples.push_back(most);
    most = {};
  }
  plant.reset();
  return summarise(std::move(samples));
}

Spread time_actions(rt::Clock& clock, model::Stepper& plant) {
  const std::vector<double> u = starts_of(plant.description().inputs);
  std::vector<double> g(plant.description().events.size());
  constexpr int times = 100;
  Spread most{};
  const auto keep = [&](const std::function<void()>& act) {
    std::vector<Duration> samples;
    for (int i = 0; i < times; ++i) {
      plant.reset();
      const MonoTime before = clock.now();
      act();
      plant.restart(model::Restart::here);
      samples.push_back(clock.now() - before);
    }
    const Spread one = summarise(std::move(samples));
    most = {std::max(most.median, one.median), std::max(most.p99, one.p99)};
  };
  for (std::size_t event = 0; event < g.size(); ++event) {
    keep([&] {  // at the end, at two instants within, before and after the action, at the end again
      for (int i = 0; i < 6; ++i) plant.system().event_functions(0, plant.states(), u, g);
      plant.system().on_event(event, 0, plant.states(), u);
    });
  }
  const SimTime due = plant.system().next_time_event({-1});
  if (due != model::never) {
    keep([&] {
      plant.system().on_time_event(seconds(due), plant.states(), u);
      if (!g.empty()) plant.system().event_functions(seconds(due), plant.states(), u, g);
    });
  }
  plant.reset();
  return most;
}

Measured rehearse(model::Stepper& plant, io::Bus* bus, rt::Clock& clock, Duration frame) {
  Measured m;
  const auto keep = [&](Duration Costs::*part, Spread measured) {
    m.median.*part = measured.median;
    m.p99.*part = measured.p99;
  };

  keep(&Costs::pass, time_passes(clock, plant, frame));
  keep(&Costs::action, time_actions(clock, plant));

  // Sleeps as long as those of the run: a CPU that idles longer wakes more slowly.
  const Duration sleep = std::clamp(frame, Duration(20_us), Duration(1_ms));
  std::vector<Duration> wakes;
  for (int i = 0; i < 100; ++i) {
    const MonoTime due = clock.now() + sleep;  // a stall makes one wake late, not those after it
    clock.sleep_until(due);
    wakes.push_back(clock.now() - due);
  }
  keep(&Costs::wake, summarise(std::move(wakes)));

  if (bus != nullptr) {
    std::vector<double> u(bus->inputs().size());
    std::vector<MonoTime> sampled(bus->groups());
    keep(&Costs::io, time_each(clock, 200, [&](int) {
      [[maybe_unused]] const bool answered = bus->exchange({}, u, clock.now(), sampled);
    }));
  }
  std::vector<double> y(plant.description().outputs.size());
  std::vector<double> u(plant.description().inputs.size());
  keep(&Costs::outputs, time_each(clock, 200, [&](int) { plant.outputs(0.0, u, y); }));
  return m;
}

}  // namespace hild::plan
