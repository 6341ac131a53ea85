// SPDX-License-Identifier: Apache-2.0
#include "exec/plant_events.hpp"

#include <algorithm>

namespace hild::exec {
namespace {

std::uint32_t bit_of(std::size_t part) noexcept { return part < 32 ? std::uint32_t{1} << part : 0; }

}  // namespace

/// Those of one of several models. What all of them get at an instant is worked out once.
class PlantEvents::InputsOf final : public RecordedInputs {
 public:
  InputsOf(model::Composite* composite, RecordedInputs& all, std::span<double> room) noexcept
      : composite_(composite), all_(&all), room_(room) {}

  InputsOf& of(std::size_t part) noexcept {
    part_ = part;
    return *this;
  }
  void inputs_at(SimTime t, std::span<double> u) noexcept override {
    if (composite_ == nullptr) return all_->inputs_at(t, u);
    if (t != at_) {
      all_->inputs_at(t, room_);
      at_ = t;
    }
    std::ranges::copy(composite_->inputs_of(part_, t, room_), u.begin());
  }
  [[nodiscard]] SimTime next_change(SimTime after, SimTime until) const noexcept override {
    return all_->next_change(after, until);
  }

 private:
  model::Composite* composite_;
  RecordedInputs* all_;
  std::span<double> room_;
  SimTime at_ = model::never;
  std::size_t part_ = 0;
};

PlantEvents::PlantEvents(model::Stepper& plant, int max_events)
    : composite_(plant.description().parts.empty() ? nullptr : plant.models()),
      max_events_(max_events) {
  const model::Description& d = plant.description();
  if (composite_ == nullptr) {
    if (!d.events.empty()) models_.push_back({0, &plant, {plant, max_events}, false, false, {}});
    any_ = !models_.empty();
    return;
  }
  for (std::size_t p = 0; p < d.parts.size(); ++p) {
    model::Stepper& one = composite_->model(p);
    const bool slow = composite_->substeps_of(p) == 0;
    const bool timed = one.description().time_events && !slow;
    any_ = any_ || one.description().time_events || !one.description().events.empty();
    if (one.description().events.empty() && !timed) continue;
    models_.push_back({p,
                       &one,
                       {one, max_events},
                       timed,
                       false,
                       std::vector<double>(one.description().inputs.size())});
    timed_ = timed_ || timed;
  }
  all_.resize(d.inputs.size());
}

std::span<const double> PlantEvents::own(const Model& m, SimTime t,
                                         std::span<const double> u) const noexcept {
  return composite_ != nullptr ? composite_->inputs_of(m.part, t, u) : u;
}

void PlantEvents::note_event(const Model& m) noexcept {
  if (composite_ != nullptr) composite_->note_event(m.part);
}

void PlantEvents::start(SimTime t, std::span<const double> u) noexcept {
  for (Model& m : models_) {
    if (m.events.any()) m.events.start(t, own(m, t, u));
  }
}

void PlantEvents::follow_time_event(SimTime t, std::span<const double> u) noexcept {
  for (Model& m : models_) {
    if (m.events.any()) m.events.follow_time_event(t, own(m, t, u));
  }
}

int PlantEvents::act_at_start(SimTime t, std::span<const double> u) noexcept {
  int acted = 0;
  for (Model& m : models_) {
    if (!m.events.any()) continue;
    const int here = m.events.act_at_start(t, own(m, t, u));
    if (here > 0) note_event(m);
    acted += here;
  }
  return acted;
}

void PlantEvents::transfer(Archive& archive) noexcept {
  for (Model& m : models_) archive(m.events);
  if (composite_ != nullptr) slow_events_ = composite_->slow_events();
}

void PlantEvents::set_timed_aside(SimTime t, SimTime end) noexcept {
  for (Model& m : models_) {
    m.cut = m.timed && m.stepper->system().next_time_event(t) < end;
    if (m.cut) composite_->set_aside(m.part);
  }
}

PlantEvents::Found PlantEvents::process(SimTime t, Duration h, RecordedInputs& inputs) noexcept {
  Found found;
  InputsOf of_model(composite_, inputs, all_);
  const SimTime end = t + h;
  for (Model& m : models_) {
    of_model.of(m.part);
    if (m.cut) {
      take_cut(m, t, end, of_model, found);
      continue;
    }
    if (m.events.any()) process_states(m, t, h, of_model, found);
    if (m.timed && m.stepper->system().next_time_event(t) == end) {
      act_on_time(m, end, of_model, found);
    }
  }
  if (composite_ != nullptr) {
    const std::int64_t slow = composite_->slow_events();
    found.time_events += static_cast<int>(slow - slow_events_);
    slow_events_ = slow;
  }
  return found;
}

void PlantEvents::process_states(Model& m, SimTime t, Duration h, InputsOf& inputs,
                                 Found& found) noexcept {
  const StateEvents::Found here = m.events.process(t, h, inputs);
  if (here.processed > 0) note_event(m);
  found.state_events += here.processed;
  found.deferred += here.deferred;
  if (here.deferred > 0) found.deferred_by |= bit_of(m.part);
}

// The step of a model that was set aside, in parts that end at its time events.
void PlantEvents::take_cut(Model& m, SimTime t, SimTime end, InputsOf& inputs,
                           Found& found) noexcept {
  const model::System& system = m.stepper->system();
  const int substeps = composite_->substeps_of(m.part);
  m.cut = false;
  for (int cuts = 0; t < end; ++cuts) {
    const SimTime event = system.next_time_event(t);
    const bool acts = cuts < max_events_ && event <= end;
    if (event < end && !acts) {
      found.time_events_put_off = true;
      found.put_off_by |= bit_of(m.part);
    }
    const SimTime next = acts ? event : end;
    for (int j = 0; j < substeps; ++j) {
      const SimTime from = t + (next - t) * j / substeps;
      const Duration h = t + (next - t) * (j + 1) / substeps - from;
      if (h.ns > 0) take_step(*m.stepper, from, h, inputs, m.u);
    }
    if (m.events.any()) process_states(m, t, next - t, inputs, found);
    if (acts) act_on_time(m, next, inputs, found);
    t = next;
  }
}

void PlantEvents::act_on_time(Model& m, SimTime t, InputsOf& inputs, Found& found) noexcept {
  inputs.inputs_at(t, m.u);
  m.stepper->system().on_time_event(seconds(t), m.stepper->states(), m.u);
  m.stepper->restart(model::Restart::here);
  note_event(m);
  if (m.events.any()) m.events.follow_time_event(t, m.u);
  ++found.time_events;
}

}  // namespace hild::exec
