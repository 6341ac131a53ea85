// SPDX-License-Identifier: Apache-2.0
/// Steering a run from outside: what was prepared takes effect at the start of a step.
#include <algorithm>

#include "exec/seat.hpp"

namespace hild::exec {

/// Makes one change. All of a transaction were checked: none can fail but by a device.
struct FrameLoop::Commit {
  FrameLoop& loop;
  Steering& steering;
  Stimuli::Source source;

  void operator()(const SetParameter& c) const noexcept {
    model::Plant& plant = *loop.parts_.plants[c.plant];
    plant.set_parameter(c.parameter, c.value);
    if (c.restart) plant.restart();
  }
  void operator()(const Override& c) const noexcept {
    if (c.side == Side::input) {
      steering.inputs.set(c, loop.frame_, steering.last_inputs[c.signal]);
      restart(c.restart, c.signal);
    } else {
      steering.outputs.set(c, loop.frame_, loop.y_[c.signal]);
    }
  }
  void operator()(const ReleaseOverride& c) const noexcept {
    (c.side == Side::input ? steering.inputs : steering.outputs).release(c.signal);
    restart(c.restart && c.side == Side::input, c.signal);
  }
  void operator()(const Stimulus& c) const noexcept {
    stop(c.input);
    steering.stimuli.start(c, loop.time_, source);
    restart(c.restart, c.input);
  }
  void operator()(const StopStimulus& c) const noexcept {
    stop(c.input);
    restart(c.restart, c.input);
  }
  void operator()(const Freeze& c) const noexcept {
    steering.frozen_outputs = c.outputs;
    steering.own_outputs = c.outputs == FrozenOutputs::hold;
    steering.frames_left = 0;
    steering.stepping = false;
    loop.frozen_ = true;
    loop.limited_ = false;
    loop.outputs_withheld_ = c.outputs == FrozenOutputs::safe;
    loop.output_written_ = loop.outputs_withheld_;
    if (!loop.outputs_withheld_ || loop.parts_.sampler.safe()) return;
    loop.outcome_.end = End::device_failed;
    loop.outcome_.frame = loop.frame_;
  }
  void operator()(const StepFrames& c) const noexcept {
    steering.frames_left = c.frames;
    steering.stepping = true;
    loop.frozen_ = loop.limited_ = false;
  }
  void operator()(const Resume& /*c*/) const noexcept {
    steering.frames_left = 0;
    steering.stepping = false;
    steering.own_outputs = true;
    loop.frozen_ = loop.limited_ = false;
    loop.outputs_withheld_ = false;
    loop.output_written_ = false;
  }
  void operator()(const DeclareOutput& c) const noexcept { steering.declared[c.output] = c.value; }
  void operator()(const SaveStates& c) const noexcept { loop.save_states(c.slot); }
  void operator()(const RestoreStates& c) const noexcept {
    loop.load_states(c.slot, true, c.parameters);
  }
  void operator()(const Reset& c) const noexcept {
    for (const Seat& seat : loop.seats_) seat.plant->reset();
    loop.load_states(Steering::start_slot, false, c.parameters);
  }
  void operator()(const Mark& c) const noexcept { loop.record().mark = c.label; }

 private:
  void stop(std::uint32_t input) const noexcept {
    Stimuli::Source holder;
    if (steering.stimuli.stop(input, holder)) loop.release_table(holder);
  }
  void restart(bool wanted, std::uint32_t input) const noexcept {
    for (const Seat& seat : loop.seats_) {
      const bool its = input >= seat.first_input && input - seat.first_input < seat.inputs().size();
      if (wanted && its) seat.plant->restart();
    }
  }
};

// All of a transaction, or nothing. False when a device failed.
bool FrameLoop::commit() noexcept {
  ExternalEvents& events = *parts_.events;
  meter_.close(io::Phase::commit);
  while (events.due(frame_)) {
    const Transaction& t = events.front();
    if (const std::uint32_t bad = empty_slot_in(t); bad < t.count) {
      events.refused(bad, Refusal::empty_slot, frame_, time_, *statistics_);
      continue;
    }
    if (const std::uint32_t bad = step_of_running_in(t); bad < t.count) {
      events.refused(bad, Refusal::not_frozen, frame_, time_, *statistics_);
      continue;
    }
    for (std::uint32_t i = 0; i < t.count; ++i) {
      const MonoTime before = meter_.last();
      std::visit(Commit{*this, steering_, {t.id, i}}, t.change[i]);
      events.committed(class_of(t.change[i]), meter_.close(io::Phase::commit) - before);
      if (outcome_.end == End::duration) continue;
      events.refused(i, Refusal::device_failed, frame_, time_, *statistics_);
      return false;
    }
    record().external_events += static_cast<std::int32_t>(t.count);
    events.accepted(frame_, time_, *statistics_);
  }
  steered_ = steering_.active();
  meter_.close(io::Phase::commit);
  return true;
}

// The change that would restore what was never saved; t.count when there is none.
std::uint32_t FrameLoop::empty_slot_in(const Transaction& t) const noexcept {
  std::array<bool, saved_slots> saved{};
  for (std::uint32_t i = 0; i < t.count; ++i) {
    if (const auto* save = std::get_if<SaveStates>(&t.change[i])) saved[save->slot] = true;
    const auto* restore = std::get_if<RestoreStates>(&t.change[i]);
    if (restore == nullptr || saved[restore->slot]) continue;
    if (!steering_.saved.filled(restore->slot)) return i;
  }
  return t.count;
}

// The change that would step a plant that runs, and must not freeze it; t.count when there is none.
std::uint32_t FrameLoop::step_of_running_in(const Transaction& t) const noexcept {
  bool held = frozen_ || steering_.stepping;
  for (std::uint32_t i = 0; i < t.count; ++i) {
    if (std::holds_alternative<Freeze>(t.change[i])) held = true;
    if (std::holds_alternative<Resume>(t.change[i])) held = false;
    const auto* step = std::get_if<StepFrames>(&t.change[i]);
    if (step == nullptr) continue;
    if (!held && !step->freezes) return i;
    held = true;
  }
  return t.count;
}

void FrameLoop::save_states(std::size_t slot) noexcept {
  auto place = steering_.saved.staged().begin();
  for (const Seat& seat : seats_) place = std::ranges::copy(seat.plant->states(), place).out;
  for (const Seat& seat : seats_) {
    const std::size_t n = seat.plant->description().parameters.size();
    for (std::size_t i = 0; i < n; ++i) *place++ = seat.plant->parameter(i);
  }
  steering_.saved.save(slot);
}

void FrameLoop::load_states(std::size_t slot, bool states, bool parameters) noexcept {
  steering_.states_moved = true;
  dense_.forget();
  steering_.saved.load(slot);
  const std::span<const double> all = steering_.saved.staged();
  std::size_t at = steering_.saved.states();
  for (const Seat& seat : seats_) {
    const auto& d = seat.plant->description();
    if (states) seat.plant->set_states(all.subspan(seat.first_state, d.states.size()));
    for (std::size_t i = 0; i < d.parameters.size() && parameters; ++i) {
      seat.plant->set_parameter(i, all[at++]);
    }
  }
}

// Before a step of a steered run, its inputs being those that were sampled.
void FrameLoop::before_steered_step() noexcept {
  steering_.inputs.expire(frame_);
  steering_.outputs.expire(frame_);
  Stimuli::Source holder;
  while (steering_.stimuli.stop_ended(time_, holder)) release_table(holder);
  if (steering_.frames_left > 0 && record().span > steering_.frames_left) {
    record().span = 1;  // no further than was asked for
    end_ = timeline_.time(frame_ + 1);
    record().deadline = timeline_.tick(frame_ + 1);
  }
  steer_inputs(due_ - settings_.lag);
  if (std::exchange(steering_.states_moved, false)) {
    for (Seat& seat : seats_) seat.events.start(time_, seat.inputs());
  }
  steered_ = steering_.active();
  meter_.close(io::Phase::commit);
}

// The inputs at an instant: what is made, then what falsifies them.
void FrameLoop::steer_inputs(MonoTime nominal) noexcept {
  steering_.stimuli.apply(time_ + (nominal - due_), u_);
  steering_.inputs.apply(u_);
}

void FrameLoop::steer_inputs_again(MonoTime nominal, std::span<double> u) const noexcept {
  steering_.stimuli.apply(time_ + (nominal - due_), u);
  steering_.inputs.apply_again(u, 0);
}

// After a step: held again when it was the last one asked for.
void FrameLoop::after_steered_step() noexcept {
  if (steering_.frames_left > 0) {
    steering_.frames_left -= record().span;
    frozen_ = frozen_ || steering_.frames_left <= 0;
  }
  declare_outputs();
  steered_ = steering_.active();
}

void FrameLoop::declare_outputs() noexcept {
  const bool declared = steering_.frozen_outputs == FrozenOutputs::declared;
  if (declared && !steering_.own_outputs) steering_.declare(y_);
}

void FrameLoop::release_table(const Stimuli::Source& holder) noexcept {
  if (holder.id != 0) parts_.events->released(holder.id, holder.change, frame_, time_);
}

// What was asked for and not done is refused, what was lent is given back.
void FrameLoop::end_steering() noexcept {
  Stimuli::Source holder;
  while (steering_.stimuli.stop_any(holder)) release_table(holder);
  parts_.events->end_run(frame_, timeline_.time(frame_), *statistics_);
}

bool FrameLoop::interlocked(Interlock::Of of, std::span<const double> values,
                            std::size_t first) noexcept {
  const std::size_t which = tripped(parts_.interlocks, of, values, first);
  if (which == parts_.interlocks.size()) return false;
  outcome_.end = End::interlock;
  outcome_.frame = frame_;
  outcome_.index = which;
  outcome_.value = values[parts_.interlocks[which].index - first];
  return true;
}

}  // namespace hild::exec
