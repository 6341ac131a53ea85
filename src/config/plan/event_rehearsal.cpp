// SPDX-License-Identifier: Apache-2.0
#include "config/plan/event_rehearsal.hpp"

#include <algorithm>
#include <vector>

#include "config/plan/assembly.hpp"
#include "exec/frame_loop.hpp"

namespace hild::plan {
namespace {

constexpr std::size_t rounds = 40;

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

}  // namespace

EventCosts rehearse_events(model::Stepper& plant, rt::Clock& clock, const exec::Settings& settings,
                           Duration device_call) {
  const auto script = script_for(plant);
  exec::Settings quiet = settings;
  quiet.overrun = {};
  quiet.images_before = 0;
  const std::vector<double> start = starts_of(plant.description().inputs);

  std::array<std::vector<Duration>, exec::event_classes> prepare;
  std::array<std::vector<Duration>, exec::event_classes> commit;
  for (std::size_t round = 0; round < rounds; ++round) {
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
    return took[rounds * 9 / 10];
  };
  EventCosts costs;
  for (std::size_t c = 0; c < exec::event_classes; ++c) {
    costs[c] = {.prepare = high(prepare[c]), .commit = high(commit[c])};
  }
  costs[static_cast<std::size_t>(exec::EventClass::mode)].commit += device_call;
  return costs;
}

}  // namespace hild::plan
