// SPDX-License-Identifier: Apache-2.0
#include "exec/external_control.hpp"

#include <algorithm>
#include <utility>

#include "exec/output_scheduler.hpp"

namespace hild::exec {

ExternalControl::ExternalControl(LoopContext& run, OutputScheduler& outputs, ExternalEvents* events)
    : run_(&run),
      outputs_(&outputs),
      events_(events),
      targets_{run.plant.description().parameters, run.plant.description().inputs.size(),
               run.plant.description().outputs.size(), &run.devices.sampler(), run.alarms.size()},
      inputs_of_(targets_.inputs),
      outputs_of_(targets_.outputs),
      stimuli_(targets_.inputs),
      device_faults_(run.devices.sampler()),
      saved_(saved_slots + 1, run.plant.description().states.size(), targets_.parameters.size()),
      last_inputs_(targets_.inputs) {}

void ExternalControl::begin_run() noexcept {
  save(start_slot);
  if (events_ != nullptr) events_->show_costs(*run_->statistics);
}

void ExternalControl::end_run() noexcept {
  if (events_ == nullptr) return;
  Stimuli::Source holder;
  while (stimuli_.stop_any(holder)) release_table(holder);
  const std::int64_t frame = run_->step.frame;
  events_->end_run(frame, run_->clock->timeline().time(frame), *run_->statistics);
}

void ExternalControl::transfer(Archive& archive, Tables* tables) noexcept {
  archive(inputs_of_, outputs_of_);
  const std::size_t lent = stimuli_.transfer(archive, tables);
  archive(saved_, states_moved_, hold_.held, hold_.limited, hold_.stepping);
  archive.number(transactions_, 0, INT64_MAX, "transactions that took effect");
  archive.number(hold_.frames_left, 0, INT64_MAX, "frames that are left to be stepped");
  if (!archive.loads()) return;
  if (events_ != nullptr) events_->lent(lent);
  renew();
}

// External events whose usual cost fits.
void ExternalControl::prepare(MonoTime until, std::int64_t next_frame) noexcept {
  Meter& meter = run_->meter;
  while (events_->waiting()) {
    const MonoTime before = meter.last();
    const bool served = events_->serve(until - before, {run_->settings.grid, next_frame}, targets_,
                                       *run_->statistics);
    const Duration took = meter.close(io::Phase::slack) - before;
    if (!served) return;
    events_->learn(took);
  }
}

// ---- what takes effect -------------------------------------------------------------------------

/// Makes one change. All of a transaction were checked: none can fail but by a device.
struct ExternalControl::Commit {
  ExternalControl& control;
  LoopContext& run;
  const Step& step;
  Stimuli::Source source;

  void operator()(const SetParameter& c) const noexcept {
    run.plant.system().set_parameter(c.parameter, c.value);
    restart(c.restart);
  }
  void operator()(const Override& c) const noexcept {
    if (c.side == Side::input) {
      control.inputs_of_.set(c, step.frame, control.last_inputs_[c.signal]);
      restart(c.restart);
    } else {
      control.outputs_of_.set(c, step.frame, control.outputs_->values()[c.signal]);
    }
  }
  void operator()(const ReleaseOverride& c) const noexcept {
    (c.side == Side::input ? control.inputs_of_ : control.outputs_of_).release(c.signal);
    restart(c.restart && c.side == Side::input);
  }
  void operator()(const InjectFault& c) const noexcept {
    control.device_faults_.inject(c, step.frame);
  }
  void operator()(const ClearFault& c) const noexcept { control.device_faults_.clear(c.fault); }
  void operator()(const Stimulus& c) const noexcept {
    stop(c.input);
    control.stimuli_.start(c, step.time, source);
    restart(c.restart);
  }
  void operator()(const StopStimulus& c) const noexcept {
    stop(c.input);
    restart(c.restart);
  }
  void operator()(const Freeze& c) const noexcept {
    hold(true);
    control.hold_.stepping = false;
    if (!control.outputs_->freeze(c.outputs)) run.end.tell(End::device_failed, step.frame);
  }
  void operator()(const StepFrames& c) const noexcept {
    hold(false);
    control.hold_.frames_left = c.frames;
    control.hold_.stepping = true;
  }
  void operator()(const Resume& /*c*/) const noexcept {
    hold(false);
    control.hold_.stepping = false;
    control.outputs_->follow();
  }
  void operator()(const DeclareOutput& c) const noexcept {
    control.outputs_->declare(c.output, c.value);
  }
  void operator()(const SaveStates& c) const noexcept { control.save(c.slot); }
  void operator()(const RestoreStates& c) const noexcept {
    control.load(c.slot, true, c.parameters);
  }
  void operator()(const Reset& c) const noexcept {
    run.plant.reset();
    control.load(start_slot, false, c.parameters);
  }
  void operator()(const Mark& c) const noexcept { run.record.header().mark = c.label; }
  void operator()(const Acknowledge& c) const noexcept { run.alarms.acknowledge(c.alarm); }

 private:
  void hold(bool held) const noexcept {
    control.hold_.held = held;
    control.hold_.limited = false;
    control.hold_.frames_left = 0;
  }
  void stop(std::uint32_t input) const noexcept {
    Stimuli::Source holder;
    if (control.stimuli_.stop(input, holder)) control.release_table(holder);
  }
  void restart(bool wanted) const noexcept {
    if (wanted) run.plant.restart(model::Restart::here);
  }
};

// All of a transaction, or nothing.
bool ExternalControl::commit() noexcept {
  Meter& meter = run_->meter;
  const Step& step = run_->step;
  meter.close(io::Phase::commit);
  while (events_->due(step.frame)) {
    const Transaction& t = events_->front();
    if (const std::uint32_t bad = empty_slot_in(t); bad < t.count) {
      events_->refused(bad, Refusal::empty_slot, step.frame, step.time, *run_->statistics);
      continue;
    }
    if (const std::uint32_t bad = step_of_running_in(t); bad < t.count) {
      events_->refused(bad, Refusal::not_frozen, step.frame, step.time, *run_->statistics);
      continue;
    }
    for (std::uint32_t i = 0; i < t.count; ++i) {
      const MonoTime before = meter.last();
      std::visit(Commit{*this, *run_, step, {t.id, i}}, t.change[i]);
      events_->committed(class_of(t.change[i]), meter.close(io::Phase::commit) - before);
      if (!run_->end.reached()) continue;
      events_->refused(i, Refusal::device_failed, step.frame, step.time, *run_->statistics);
      return false;
    }
    run_->record.header().external_events += static_cast<std::int32_t>(t.count);
    transactions_ += t.id != 0 ? 1 : 0;
    events_->accepted(step.frame, step.time, *run_->statistics);
  }
  renew();
  meter.close(io::Phase::commit);
  return true;
}

// The change that would restore what was never saved; t.count when there is none.
std::uint32_t ExternalControl::empty_slot_in(const Transaction& t) const noexcept {
  std::array<bool, saved_slots> saved{};
  for (std::uint32_t i = 0; i < t.count; ++i) {
    if (const auto* save = std::get_if<SaveStates>(&t.change[i])) saved[save->slot] = true;
    const auto* restore = std::get_if<RestoreStates>(&t.change[i]);
    if (restore == nullptr || saved[restore->slot]) continue;
    if (!saved_.filled(restore->slot)) return i;
  }
  return t.count;
}

// The change that would step a plant that runs, and must not freeze it; t.count when there is none.
std::uint32_t ExternalControl::step_of_running_in(const Transaction& t) const noexcept {
  bool held = hold_.held || hold_.stepping;
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

void ExternalControl::save(std::size_t slot) noexcept {
  auto place = std::ranges::copy(run_->plant.states(), saved_.staged().begin()).out;
  for (std::size_t i = 0; i < targets_.parameters.size(); ++i)
    *place++ = run_->plant.system().parameter(i);
  saved_.save(slot);
}

void ExternalControl::load(std::size_t slot, bool states, bool parameters) noexcept {
  states_moved_ = true;
  outputs_->forget_parts();
  saved_.load(slot);
  const std::span<const double> all = saved_.staged();
  if (states) run_->plant.set_states(all.first(saved_.states()));
  for (std::size_t i = 0; parameters && i < targets_.parameters.size(); ++i) {
    run_->plant.system().set_parameter(i, all[saved_.states() + i]);
  }
}

void ExternalControl::release_table(const Stimuli::Source& holder) noexcept {
  const Step& step = run_->step;
  if (holder.id != 0) events_->released(holder.id, holder.change, step.frame, step.time);
}

// ---- a step ------------------------------------------------------------------------------------

void ExternalControl::renew() noexcept {
  active_ = inputs_of_.any() || outputs_of_.any() || stimuli_.any() || !outputs_->follows() ||
            states_moved_ || hold_.frames_left > 0 || device_faults_.timed();
}

bool ExternalControl::before_step(std::span<double> u) noexcept {
  const Step& step = run_->step;
  inputs_of_.expire(step.frame);
  outputs_of_.expire(step.frame);
  device_faults_.expire(step.frame);
  Stimuli::Source holder;
  while (stimuli_.stop_ended(step.time, holder)) release_table(holder);
  // No further than was asked for.
  if (hold_.frames_left > 0 && step.span > hold_.frames_left) run_->clock->shorten();
  falsify_inputs(step.due - run_->settings.lag, u);
  const bool moved = std::exchange(states_moved_, false);
  renew();
  return moved;
}

void ExternalControl::after_step() noexcept {
  if (hold_.frames_left > 0) {
    hold_.frames_left -= run_->step.span;
    hold_.held = hold_.held || hold_.frames_left <= 0;
  }
  outputs_->apply_declared();
  renew();
}

void ExternalControl::falsify_inputs(MonoTime nominal, std::span<double> u) noexcept {
  const Step& step = run_->step;
  stimuli_.apply(step.time + (nominal - step.due), u);
  inputs_of_.apply(u);
}

void ExternalControl::falsify_inputs_again(MonoTime nominal, std::span<double> u) const noexcept {
  if (!active_) return;
  const Step& step = run_->step;
  stimuli_.apply(step.time + (nominal - step.due), u);
  inputs_of_.apply_again(u);
}

}  // namespace hild::exec
