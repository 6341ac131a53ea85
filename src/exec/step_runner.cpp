// SPDX-License-Identifier: Apache-2.0
#include "exec/step_runner.hpp"

#include <algorithm>

#include "exec/external_control.hpp"
#include "exec/model_workers.hpp"
#include "exec/output_scheduler.hpp"

namespace hild::exec {

StepRunner::StepRunner(LoopContext& run, ExternalControl& external, OutputScheduler& outputs,
                       InputFacts inputs)
    : run_(&run),
      external_(&external),
      outputs_(&outputs),
      inputs_(run.settings, std::move(inputs.start), inputs.sampled, run.record.layout().groups(),
              run.plant.method().order, !run.plant.description().events.empty(), *run.statistics),
      u_(inputs_.of_pass().first(run.plant.description().inputs.size())),
      events_(run.plant, run.settings.max_events),
      jumps_(inputs.sampled),
      caps_(run.plant, *run.statistics),
      errors_(run.plant, u_),
      elsewhere_(model::steps_elsewhere(run.plant)),
      facts_{
          .connects = run.plant.models() != nullptr,
          .busy_within = !run.settings.takes_whole(),
          .busy_after = outputs.any_dense() || run.workers != nullptr,
          .carries_on = run.settings.sampling != Sampling::behind &&
                        run.settings.extrapolation_under(run.settings.sampling) > 0,
          .timed = run.plant.description().time_events && run.plant.description().parts.empty()} {}

bool StepRunner::plain() const noexcept {
  return run_->plant.models() == nullptr && elsewhere_ == nullptr && !facts_.timed &&
         !facts_.busy_after && !facts_.carries_on && !events_.any() && !jumps_.any() &&
         !caps_.any() && inputs_.plain();
}

void StepRunner::begin_run() noexcept {
  const SimTime t = run_->step.time;
  if (facts_.connects) connect_models();
  run_->plant.outputs(seconds(t), u_, outputs_->values());
  events_.start(t, u_);
}

void StepRunner::transfer(Archive& archive) noexcept {
  archive(inputs_, events_, jumps_);
  if (!archive.loads()) return;
  errors_.forget();
  timetable_ = {};
  caps_.begin_here();
}

// ---- before the passes -------------------------------------------------------------------------

// An image was read, for inputs at `nominal`: they follow from it and those before.
template <bool Plain>
void StepRunner::take_image(MonoTime nominal, bool waited) noexcept {
  io::ImageHistory& images = inputs_.images();
  run_->record.slot().image(images.instants(), waited, images.incoming(), run_->devices.counts());
  inputs_.accept<Plain>(nominal, waited);
  inputs_.use<Plain>(nominal, run_->step.due);
}

void StepRunner::take_image_before() noexcept {
  io::ImageHistory& images = inputs_.images();
  run_->record.slot().image(images.instants(), true, images.incoming(), run_->devices.counts());
  images.accept();
}

template <bool Plain>
bool StepRunner::take_sample() noexcept {
  const Step& step = run_->step;
  if (!Plain) inputs_.begin_step();
  take_image<Plain>(step.due - run_->settings.lag, step.waited);
  return Plain || !inputs_.lost().any() || look_for_lost();
}
template bool StepRunner::take_sample<true>() noexcept;
template bool StepRunner::take_sample<false>() noexcept;

bool StepRunner::look_for_lost() noexcept {
  const Step& step = run_->step;
  const LostInputs::News news = inputs_.look_for_lost(step.start, step.frame);
  if (news.fatal >= 0) {
    run_->end.tell_lost(static_cast<std::size_t>(news.fatal), news.age, step.frame);
    return false;
  }
  if (news.disarms) run_->devices.sampler().disarm();  // also where somebody armed them meanwhile
  if (!news.other) return true;
  inputs_.use<false>(inputs_.nominal(), step.due);
  drop_history();
  return true;
}

void StepRunner::connect_models() noexcept {
  run_->plant.models()->connect(run_->step.time, inputs_.of_pass().first(u_.size()));
}

void StepRunner::supply() noexcept {
  connect_models();
  io::FrameHeader& record = run_->record.header();
  if (record.late_models != 0) [[unlikely]] {
    caps_.note(io::Cap::late_steps, record.late_models, record);
  }
}

void StepRunner::drop_history() noexcept {
  run_->plant.restart(model::Restart::here);
  note_change();
  run_->statistics->jump_restarts.add();
}

// ---- the step, cut at time events --------------------------------------------------------------

template <bool Plain>
bool StepRunner::advance() noexcept {
  const Step& step = run_->step;
  passes_ = 0;
  return Plain ? take<Plain>(step.time, step.end - step.time) : advance_by_events();
}
template bool StepRunner::advance<true>() noexcept;
template bool StepRunner::advance<false>() noexcept;

bool StepRunner::advance_by_events() noexcept {
  const model::System& system = run_->plant.system();
  SimTime t = run_->step.time;
  const SimTime end = run_->step.end;
  if (outputs_->any_dense()) outputs_->begin_step();
  if (events_.any()) {
    act_on_events_at_start(t);
    events_.set_aside(t, end);
  }
  for (int cuts = 0; t < end; ++cuts) {
    const bool may_cut = facts_.timed && cuts < run_->settings.max_events;
    const SimTime event = may_cut ? system.next_time_event(t) : model::never;
    const SimTime next = std::min(event, end);
    if (facts_.timed && cuts == run_->settings.max_events) note_put_off(t, end);
    if (!take<false>(t, next - t)) return false;
    if (events_.any()) events(t, next - t);
    if (event == next) time_event(next);
    t = next;
  }
  return true;
}

template <bool Plain>
bool StepRunner::take(SimTime t, Duration h) noexcept {
  if (!facts_.busy_within) {
    take_at_once(t, h);
  } else if (!take_by_passes<Plain>(t, h)) {
    return false;
  }
  return Plain || !facts_.busy_after || after_taking(t, h);
}

// False: a model did not return, and the run is over.
bool StepRunner::after_taking(SimTime t, Duration h) noexcept {
  if (run_->end.reached()) return false;
  if (run_->workers != nullptr) run_->workers->learn();
  if (outputs_->any_dense()) outputs_->take_parts(t, h, u_);
  return true;
}

// Metered and recorded as one pass.
void StepRunner::take_at_once(SimTime t, Duration h) noexcept {
  if (run_->plant.step_as_connected(t, h, u_).starting) run_->record.header().starter = true;
  note_pass(run_->meter.close_pass());
}

void StepRunner::note_pass(Duration cost) noexcept {
  if (passes_ < run_->record.layout().passes()) {
    run_->record.slot().pass(passes_, inputs_.nominal(), cost, u_);
  }
  ++passes_;
}

template <bool Plain>
bool StepRunner::take_by_passes(SimTime t, Duration h) noexcept {
  model::Stepper& plant = run_->plant;
  Meter& meter = run_->meter;
  const Settings& settings = run_->settings;
  const model::Passes& passes = plant.begin(t, h);
  if (passes.starting) run_->record.header().starter = true;
  timetable_.plan(passes, settings, h);

  const Step& step = run_->step;
  const std::span<const double> u = u_;
  const MonoTime from = step.wall(t);
  MonoTime sampled_for = step.due;  // the release, by take_sample()
  bool done = false;                // completed: early, or with its last pass
  for (const Slot& slot : timetable_.slots()) {
    if (!Plain && settings.anytime && (done = done || complete_early(slot, t))) continue;
    if (!before_pass<Plain>(slot, t, from, sampled_for)) return false;
    if (!Plain && elsewhere_ != nullptr && slot.pass + 1 == passes.count()) {
      elsewhere_->pass_and_finish(slot.pass, u);
      done = true;
    } else {
      plant.pass(slot.pass, u);
    }
    const Duration cost = meter.close_pass();
    if (!Plain && settings.anytime) meter.learn_pass(cost);
    note_pass(cost);
  }
  if (!done) plant.finish();
  return true;
}

// The sample a pass takes, and with it what is to be put out at its node: in what is taken from t
// on, `from` by the clock.
template <bool Plain>
bool StepRunner::before_pass(const Slot& slot, SimTime t, MonoTime from,
                             MonoTime& sampled_for) noexcept {
  const Step& step = run_->step;
  const auto due = Plain ? std::span<const double>{} : outputs_->at_node(slot, t, u_, *external_);
  const MonoTime nominal = from + slot.node - run_->settings.lag;
  const MonoTime release = from + slot.release;
  if (!Plain && outputs_->any_dense() && !outputs_->put_out_delayed(t + slot.release, *external_)) {
    return false;
  }
  if (!Plain && run_->settings.sampling == Sampling::frame) {
    return due.empty() || run_->devices.write(due, step.frame);
  }
  if (release != sampled_for) {
    sampled_for = release;
    if (!sample_at<Plain>(release, nominal, due)) return false;
  } else if (nominal != inputs_.nominal()) {
    inputs_.use<Plain>(nominal, step.due);
  } else {
    return true;
  }
  if (!Plain && facts_.connects) {
    run_->plant.models()->reconnect(inputs_.of_pass().first(u_.size()));
  }
  if (external_->active()) external_->falsify_inputs(nominal, inputs_.of_pass());
  return true;
}

// A fresh sample at a release: waited for, or taken at once when the release has passed.
template <bool Plain>
bool StepRunner::sample_at(MonoTime release, MonoTime nominal,
                           std::span<const double> due) noexcept {
  const Step& step = run_->step;
  const bool waited = run_->clock->waits_for_sample(release);
  if (waited) {
    external_->serve(release, step.frame + step.span);
    run_->clock->wait_for(release);
  }
  if (!run_->devices.read<Plain>(due, inputs_.images(), step.frame)) return false;
  if (!Plain && run_->settings.follow) run_->clock->stamp(inputs_.images().instants());
  take_image<Plain>(nominal, waited);
  return Plain || !run_->interlocks.any() ||
         !run_->interlocks.trips(Interlock::Of::input, inputs_.images().newest(), step.frame);
}

// Whether this pass and those after it usually end before the step is due, waiting included.
bool StepRunner::fits(const Slot& slot, SimTime t) const noexcept {
  const auto slots = timetable_.slots();
  const std::int64_t left = slots.data() + slots.size() - &slot;
  const Duration work = run_->meter.usual().of_pass() * left + run_->meter.usual().of_closing();
  return run_->clock->fits(run_->step.wall(t + slot.release), work);
}

// RTAM-k and AB-k share their history: what the corrector would refine is there already.
bool StepRunner::complete_early(const Slot& slot, SimTime t) noexcept {
  if (slot.pass == 0 || fits(slot, t) || !run_->plant.finish_early()) return false;
  run_->record.header().early = true;
  run_->statistics->completed_early.add();
  return true;
}

// ---- events ------------------------------------------------------------------------------------

void StepRunner::act_on_events_at_start(SimTime t) noexcept {
  const int acted = events_.act_at_start(t, u_);
  if (acted == 0) return;
  errors_.forget();
  run_->record.header().state_events += acted;
  run_->statistics->state_events.add(acted);
}

void StepRunner::events(SimTime t, Duration h) noexcept {
  const PlantEvents::Found found = events_.process(t, h, *this);
  io::FrameHeader& record = run_->record.header();
  if (found.any()) errors_.cut();
  record.state_events += found.state_events;
  run_->statistics->state_events.add(found.state_events);
  run_->statistics->time_events.add(found.time_events);
  run_->statistics->state_events_deferred.add(found.deferred);
  if (found.deferred > 0) caps_.note(io::Cap::state_events, found.deferred_by, record);
  if (found.time_events_put_off) caps_.note(io::Cap::time_events, found.put_off_by, record);
  if (found.state_events > 0 && outputs_->any_dense()) {
    outputs_->take_parts_anew(t, h, events_.first(), events_.last(), u_);
  }
  run_->meter.close(io::Phase::events);
}

void StepRunner::time_event(SimTime t) noexcept {
  run_->plant.system().on_time_event(seconds(t), run_->plant.states(), u_);
  run_->plant.restart(model::Restart::here);
  errors_.cut();
  if (events_.any()) events_.follow_time_event(t, u_);
  run_->statistics->time_events.add();
  run_->meter.close(io::Phase::events);
}

// Time events beyond max_events wait for the next step.
void StepRunner::note_put_off(SimTime t, SimTime end) noexcept {
  if (run_->plant.system().next_time_event(t) >= end) return;
  caps_.note(io::Cap::time_events, 0, run_->record.header());
}

// ---- accuracy ----------------------------------------------------------------------------------

void StepRunner::watch_error() noexcept {
  const Step& step = run_->step;
  const ErrorWatch::Estimate e = errors_.look(step.time, step.end);
  if (!e.known()) return;
  const double ppb = std::min(std::max(1e9 * e.error, 1.0), 4e9);
  run_->record.header().error_ppb = static_cast<std::uint32_t>(ppb);
  if (errors_.lasts_above(run_->settings.accuracy.limit, e.error)) note_inaccurate(e);
}

void StepRunner::note_inaccurate(ErrorWatch::Estimate e) noexcept {
  const Step& step = run_->step;
  Statistics& s = *run_->statistics;
  s.inaccurate_frame.set(step.frame);
  s.inaccurate_state.set(static_cast<std::int64_t>(e.state));
  s.inaccurate_ppb.set(static_cast<std::int64_t>(run_->record.header().error_ppb));
  s.inaccurate_steps.add();
  if (!run_->settings.accuracy.stop) return;
  run_->end.tell(Fault::inaccurate, step.frame, step.end);
  run_->end.blame_state(e.state, e.error, {});
}

// ---- inputs of partial steps -------------------------------------------------------------------

// Of a partial step around an event.
void StepRunner::inputs_at(SimTime t, std::span<double> u) noexcept {
  if (run_->settings.sampling == Sampling::frame) {
    std::ranges::copy(u_, u.begin());
    return;
  }
  std::ranges::copy(worked_out_at(t), u.begin());
}

// Under `frame` sampling those of the tick stand for the whole step.
SimTime StepRunner::next_change(SimTime after, SimTime until) const noexcept {
  if (u_.empty() || run_->settings.sampling == Sampling::frame) return until;
  const Step& step = run_->step;
  const Duration lag = run_->settings.lag;
  const MonoTime change = inputs_.next_change(step.wall(after) - lag, step.wall(until) - lag);
  return step.time + (change + lag - step.due);
}

std::span<double> StepRunner::worked_out_at(SimTime t) noexcept {
  const MonoTime nominal = run_->step.wall(t) - run_->settings.lag;
  const std::span<double> all = inputs_.at(nominal);
  const std::span<double> of_plant = all.first(u_.size());
  if (facts_.connects) run_->plant.models()->reconnect(of_plant);
  external_->falsify_inputs_again(nominal, all);
  return of_plant;
}

std::span<const double> StepRunner::carried_to_end() noexcept {
  return worked_out_at(run_->step.end);
}

}  // namespace hild::exec
