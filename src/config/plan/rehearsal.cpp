// SPDX-License-Identifier: Apache-2.0
#include "config/plan/rehearsal.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "config/plan/rounds.hpp"
#include "exec/frame_loop.hpp"
#include "hild/core/copy_values.hpp"
#include "hild/model/steps_elsewhere.hpp"

namespace hild::plan {
namespace {

/// Real time, but for the waits: those are over at once.
class ImpatientClock final : public rt::Clock {
 public:
  explicit ImpatientClock(rt::Clock& clock) : clock_(&clock) {}
  [[nodiscard]] MonoTime now() noexcept override { return clock_->now() + skipped_; }
  void sleep_until(MonoTime due) noexcept override {
    const MonoTime at = now();
    if (due > at) skipped_ += due - at;
  }
  [[nodiscard]] bool virtual_time() const noexcept override { return true; }

 private:
  rt::Clock* clock_;
  Duration skipped_{};
};

/// Devices that cost nothing. In each call, that is once a frame, the next change is posted.
class Poster final : public io::Sampler {
 public:
  Poster(exec::ExternalEvents& events, std::span<const exec::Change> script)
      : events_(&events), script_(script) {}

  bool exchange(std::span<const double> /*y*/, std::span<double> /*u*/, MonoTime /*now*/,
                std::span<MonoTime> /*sampled*/) noexcept override {
    if (next_ == script_.size()) return true;
    exec::Transaction t;
    t.add(script_[next_++]);
    return events_->submit(t) == exec::Refusal::none;
  }
  bool safe() noexcept override { return true; }

 private:
  exec::ExternalEvents* events_;
  std::span<const exec::Change> script_;
  std::size_t next_ = 0;
};

// One change of each class that this plant has something to change for.
std::vector<exec::Change> script_for(const model::Stepper& plant) {
  const auto& d = plant.description();
  std::vector<exec::Change> script;
  const auto tunable = std::ranges::find(d.parameters, true, &model::Parameter::tunable);
  if (tunable != d.parameters.end()) {
    const auto place = static_cast<std::size_t>(tunable - d.parameters.begin());
    script.emplace_back(
        exec::SetParameter{static_cast<std::uint32_t>(place), plant.system().parameter(place)});
  }
  if (!d.outputs.empty()) {
    script.emplace_back(
        exec::Override{.side = exec::Side::output, .kind = exec::OverrideKind::noise});
  }
  if (!d.inputs.empty()) script.emplace_back(exec::Stimulus{.shape = exec::Shape::chirp});
  script.insert(script.end(), {exec::SaveStates{}, exec::RestoreStates{.parameters = true},
                               exec::Freeze{}, exec::Resume{}, exec::Mark{}});
  return script;
}

Spread summarise(std::vector<Duration> samples) {
  std::ranges::sort(samples);
  return {samples[samples.size() / 2], samples[samples.size() * 99 / 100]};
}

}  // namespace

EventCosts rehearse_events(model::Stepper& plant, rt::Clock& clock, const exec::Settings& settings,
                           Duration device_call) {
  const auto script = script_for(plant);
  exec::Settings quiet = settings;
  quiet.overrun = {};
  quiet.images_before = 0;
  quiet.keep_own_grid();
  const std::vector<double> start = starts_of(plant.description().inputs);

  std::array<std::vector<Duration>, exec::event_classes> prepare;
  std::array<std::vector<Duration>, exec::event_classes> commit;
  Rounds rounds(clock, 40, 2);  // of a dozen steps each
  for (std::size_t done = 0; !rounds.enough(done); ++done) {
    // What admission has learnt after one change of a class is what that one took.
    exec::ExternalEvents events;
    ImpatientClock impatient(clock);
    Poster poster(events, script);
    exec::FrameLoop loop(quiet, {.clock = impatient,
                                 .sampler = poster,
                                 .plant = plant,
                                 .inputs = std::vector<io::SampledInput>(start.size()),
                                 .start_inputs = start,
                                 .events = &events});
    plant.reset();
    const rt::Flag never;
    loop.run(impatient.now() + settings.grid.period(), static_cast<std::int64_t>(script.size()) + 4,
             never);
    for (std::size_t c = 0; c < exec::event_classes; ++c) {
      const auto cost = events.admission().cost(static_cast<exec::EventClass>(c));
      prepare[c].push_back(cost.prepare);
      commit[c].push_back(cost.commit);
    }
  }

  const auto high = [](std::vector<Duration>& took) {
    std::ranges::sort(took);
    return took[took.size() * 9 / 10];
  };
  EventCosts costs;
  for (std::size_t c = 0; c < exec::event_classes; ++c) {
    costs[c] = {.prepare = high(prepare[c]), .commit = high(commit[c])};
  }
  costs[static_cast<std::size_t>(exec::EventClass::mode)].commit += device_call;
  return costs;
}

Spread time_each(rt::Clock& clock, int times, const std::function<void(int)>& work) {
  std::vector<Duration> samples;
  samples.reserve(static_cast<std::size_t>(times));
  Rounds rounds(clock, samples.capacity());
  for (int i = 0; !rounds.enough(samples.size()); ++i) {
    const MonoTime before = clock.now();
    work(i);
    samples.push_back(clock.now() - before);
  }
  return summarise(std::move(samples));
}

// A step, as a run takes it; returns how many passes it has. `begins` is called where they do.
template <class Begins>
int take(model::Stepper& plant, SimTime t, Duration h, std::span<const double> u, bool whole,
         Begins begins) {
  if (whole) {
    begins();
    return plant.step_as_connected(t, h, u).count();
  }
  model::StepsElsewhere* const elsewhere = model::steps_elsewhere(plant);
  const int passes = plant.begin(t, h).count();
  begins();
  complete_step(plant, elsewhere, passes, [&](int) noexcept { return u; });
  return passes;
}

Spread time_passes(rt::Clock& clock, model::Stepper& plant, Duration frame, bool whole) {
  std::vector<double> u = starts_of(plant.description().inputs);
  std::vector<double> dx(plant.description().states.size());
  std::vector<Duration> samples;
  SimTime t{};
  // Where the work differs from step to step the one with most of it counts, of every round.
  model::Composite* const models = plant.models();
  const int round = models != nullptr ? models->cycle() : 1;
  const int steps = std::max(400, 8 * round);
  Rounds rounds(clock, static_cast<std::size_t>(steps / round));
  Duration most{};
  for (int step = 0; !rounds.enough(samples.size()); ++step) {
    MonoTime before = clock.now();
    if (models != nullptr) models->connect(t, u);
    const Duration connecting = models != nullptr ? clock.now() - before : Duration{};
    const int passes = take(plant, t, frame, u, whole, [&] { before = clock.now(); });
    // Of a method that does not know the derivatives at the start they are evaluated at the end.
    const auto [x, f] = plant.step_start();
    if (f.size() < x.size()) plant.system().derivatives(seconds(t + frame), plant.states(), u, dx);
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
  const std::size_t parts = plant.description().parts.size();
  if (parts > 0) {  // an event is that of one of them
    Spread most{};
    for (std::size_t part = 0; part < parts; ++part) {
      const Spread one = time_actions(clock, plant.models()->model(part));
      most = {std::max(most.median, one.median), std::max(most.p99, one.p99)};
    }
    plant.reset();
    return most;
  }
  const std::vector<double> u = starts_of(plant.description().inputs);
  std::vector<double> g(plant.description().events.size());
  Spread most{};
  const auto keep = [&](const std::function<void()>& act) {
    std::vector<Duration> samples;
    Rounds rounds(clock, 100, 5, g.size() + 1);
    while (!rounds.enough(samples.size())) {
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

Spread time_images(rt::Clock& clock, model::Stepper& plant, const io::Bus* bus) {
  const std::size_t most =
      events_of(plant) == Events::none ? exec::ImagePublisher::piece : std::size_t{SIZE_MAX};
  exec::Snapshot images(plant.description(), true);
  const std::vector<double> u = starts_of(plant.description().inputs);
  const std::vector<double> y(plant.description().outputs.size());
  return time_each(clock, 200, [&](int i) {  // each of other parameters, as after a change
    exec::Image& image = images.begin(plant.states(), i);
    if (bus != nullptr) image.mode.moving = bus->lines(image.lines);
    for (auto* part : {&image.inputs, &image.sampled}) copy_values(u, part->data());
    for (auto* part : {&image.outputs, &image.own}) copy_values(y, part->data());
    images.take(most, plant.system());
  });
}

Measured rehearse(model::Stepper& plant, io::Bus* bus, rt::Clock& clock, Duration frame, bool whole,
                  bool images) {
  Measured m;
  const auto keep = [&](Duration Costs::*part, Spread measured) {
    m.median.*part = measured.median;
    m.p99.*part = measured.p99;
  };

  keep(&Costs::pass, time_passes(clock, plant, frame, whole));
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
  if (images) keep(&Costs::images, time_images(clock, plant, bus));
  return m;
}

}  // namespace hild::plan
