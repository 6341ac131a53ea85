// SPDX-License-Identifier: Apache-2.0
#include "exec/frame_loop.hpp"

#include <algorithm>
#include <cmath>

namespace hild::exec {

struct FrameLoop::Seat final : RecordedInputs {
  Seat(FrameLoop& loop, model::Plant& p, std::size_t inputs, std::size_t outputs,
       std::size_t states)
      : owner(&loop),
        plant(&p),
        first_input(inputs),
        first_state(states),
        inputs_(std::span(loop.u_).subspan(inputs, p.description().inputs.size())),
        outputs_(std::span(loop.y_).subspan(outputs, p.description().outputs.size())),
        events(p, loop.settings_.max_events),
        scratch(loop.u_.size()) {}

  void inputs_at(SimTime t, std::span<double> u) noexcept override {
    if (owner->settings_.sampling == Sampling::frame) {
      std::ranges::copy(inputs(), u.begin());
      return;
    }
    owner->inputs_.at(owner->wall(t), owner->late_degree(), scratch);
    std::copy_n(scratch.begin() + static_cast<std::ptrdiff_t>(first_input), u.size(), u.begin());
  }
  // Views of the plant's places in the shared vectors, which never move.
  [[nodiscard]] std::span<const double> inputs() const noexcept { return inputs_; }
  [[nodiscard]] std::span<double> outputs() const noexcept { return outputs_; }

  FrameLoop* owner;
  model::Plant* plant;
  std::size_t first_input;
  std::size_t first_state;
  std::span<const double> inputs_;
  std::span<double> outputs_;
  StateEvents events;
  std::vector<double> scratch;
};

namespace {

std::size_t passes_needed(const numerics::Method& m) noexcept {
  const int starter = m.starter != nullptr ? m.starter->passes : 0;
  return static_cast<std::size_t>(std::max(m.passes, starter));
}

// 0 times anything finite is 0: one sum tells that all is well.
double zero_if_finite(std::span<const double> v) noexcept {
  double sum = 0;
  for (const double x : v) sum += 0 * x;
  return sum;
}

std::size_t first_not_finite(std::span<const double> v) noexcept {
  return static_cast<std::size_t>(
      std::ranges::find_if_not(v, [](double x) { return std::isfinite(x); }) - v.begin());
}

Duration budget_of(const Settings& s) noexcept {
  return part(s.grid.period(), s.budget.utilisation);
}

}  // namespace

FrameLoop::FrameLoop(const Settings& settings, Parts parts)
    : settings_(settings),
      parts_(std::move(parts)),
      statistics_(std::make_unique<Statistics>()),
      meter_(parts_.clock, *statistics_, budget_of(settings)),
      timeline_(settings.grid, {}),
      limits_(settings.overrun),
      inputs_(parts_.start_inputs.size(), parts_.held_inputs, settings.grid.period() / 16),
      layout_(layout(parts_.plants)),
      u_(parts_.start_inputs),
      y_(layout_.outputs()),
      unread_(layout_.bytes()),
      record_(layout_, unread_.data()) {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t states = 0;
  for (model::Plant* plant : parts_.plants) {
    seats_.emplace_back(*this, *plant, inputs, outputs, states);
    inputs += plant->description().inputs.size();
    outputs += plant->description().outputs.size();
    states += plant->description().states.size();
    any_state_events_ = any_state_events_ || seats_.back().events.any();
  }
}

FrameLoop::~FrameLoop() = default;

io::FrameLayout FrameLoop::layout(std::span<model::Plant* const> plants) {
  std::size_t passes = 0;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t states = 0;
  for (const model::Plant* plant : plants) {
    passes += passes_needed(plant->method());
    inputs += plant->description().inputs.size();
    outputs += plant->description().outputs.size();
    states += plant->description().states.size();
  }
  return {std::min(passes, io::max_slots), inputs, outputs, states};
}

Outcome FrameLoop::run(MonoTime start, std::int64_t frames, const rt::Flag& stop) noexcept {
  timeline_ = Timeline(settings_.grid, start);
  meter_.start(parts_.clock.now());
  for (Seat& seat : seats_) {
    seat.plant->outputs(0.0, seat.inputs(), seat.outputs());
    seat.events.start({}, seat.inputs());
  }
  outcome_ = {};
  while (outcome_.end == End::duration && frame_ + timeline_.moved() < frames) {
    if (stop.raised()) {
      outcome_.end = End::requested;
      break;
    }
    if (!begin_frame() || !exchange()) break;
    if (parts_.events != nullptr && !parts_.events->prepared().empty()) commit();
    if (frozen_) {
      hold_frame();
      continue;
    }
    if (!advance() || !close_step()) break;
    frame_ += record().span;
    statistics_->frames.set(frame_ + timeline_.moved());
    statistics_->sim_time_ns.set(timeline_.time(frame_).ns);
  }
  meter_.next_frame();
  outcome_.safe = parts_.sampler.safe();
  return outcome_;
}

// Waits for the tick, unless the run is late, and plans the step.
bool FrameLoop::begin_frame() noexcept {
  due_ = timeline_.tick(frame_);
  slept_ = meter_.last() < due_;
  if (slept_) {
    if (events_waiting()) serve_slack(due_);
    slept_ = meter_.last() < due_;
  }
  claim_record();
  if (slept_) {
    parts_.clock.sleep_until(due_);
    const MonoTime woke = parts_.clock.now();
    meter_.close(io::Phase::idle, due_);
    meter_.next_frame();
    meter_.close(io::Phase::wake, woke);
    note_wake(due_, woke);
  } else {
    meter_.next_frame();
  }
  const StepPlan plan = plan_step(settings_.overrun, timeline_, frame_, meter_.last());
  due_ = timeline_.tick(frame_);
  time_ = timeline_.time(frame_);
  record().step = step_;
  record().frame = frame_;
  record().t = time_;
  record().due = due_;
  record().start = meter_.last();
  record().span = plan.span;
  record().slipped = static_cast<std::int32_t>(plan.slipped);
  record().deadline = timeline_.tick(frame_ + plan.span);
  statistics_->slips.add(plan.slipped);
  if (plan.span > 1) statistics_->doubled_steps.add();
  return true;
}

void FrameLoop::note_wake(MonoTime due, MonoTime woke) noexcept {
  statistics_->wake.add(woke - due);
  if (woke - due <= settings_.late_wake) return;
  statistics_->late_wakes.add();
  record().late_wake = true;
}

// One device call: what is due goes out, what is new comes in.
bool FrameLoop::exchange() noexcept {
  MonoTime sampled{};
  const bool write = !output_written_;
  const bool alive = parts_.sampler.exchange(
      write ? std::span<const double>(y_) : std::span<const double>{}, inputs_.incoming(), sampled);
  meter_.close(io::Phase::device);
  output_written_ = false;
  if (!alive) {
    outcome_.end = End::device_failed;
    outcome_.frame = frame_;
    return false;
  }
  inputs_.accept(sampled);
  use_sample(due_, slept_);
  return true;
}

// The inputs of a pass from the newest sample: as it is when it was taken on time.
void FrameLoop::use_sample(MonoTime nominal, bool waited) noexcept {
  const Duration late = inputs_.newest_time() - nominal;
  const bool is_late = late.ns > 0 && (!waited || late > settings_.late_wake);
  const bool is_early = late.ns < 0 && settings_.sampling == Sampling::extrapolate;
  if (is_late || is_early) return move_sample(nominal, is_late);
  const auto newest = inputs_.newest();
  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = newest[i];
}

// Else brought back to its nominal time, or carried on to a node that lies ahead.
void FrameLoop::move_sample(MonoTime nominal, bool is_late) noexcept {
  inputs_.at(nominal, is_late ? late_degree() : settings_.extrapolation, u_);
  if (is_late) statistics_->late_samples.add();
}

// As many samples as keep the order of the best method among the plants.
int FrameLoop::late_degree() const noexcept {
  int order = 1;
  for (const model::Plant* plant : parts_.plants) order = std::max(order, plant->method().order);
  return std::min(order, static_cast<int>(Inputs::depth)) - 1;
}

// What was prepared in earlier slack takes effect at the start of the step.
void FrameLoop::commit() noexcept {
  const auto prepared = parts_.events->prepared();
  for (const ExternalEvent& event : prepared) {
    model::Plant& plant = *parts_.plants[event.plant];
    plant.set_parameter(event.parameter, event.value);
    if (event.restart) plant.restart();
  }
  record().external_events = static_cast<std::int32_t>(prepared.size());
  statistics_->events_served.add(record().external_events);
  parts_.events->committed();
  meter_.close(io::Phase::commit);
}

// The step, cut at time events.
bool FrameLoop::advance() noexcept {
  SimTime t = time_;
  const SimTime end = timeline_.time(frame_ + record().span);
  slot_ = 0;
  if (any_state_events_) act_on_pending_events(t);
  for (int cuts = 0; t < end; ++cuts) {
    SimTime timed = model::never;
    if (cuts < settings_.max_events) {
      for (const Seat& seat : seats_) timed = std::min(timed, seat.plant->next_time_event(t));
    }
    const SimTime next = std::min(timed, end);
    if (!run_passes(t, next - t)) return false;
    if (any_state_events_) state_events(t, next - t);
    if (timed == next) time_events(t, next);
    t = next;
  }
  return true;
}

void FrameLoop::act_on_pending_events(SimTime t) noexcept {
  for (Seat& seat : seats_) {
    if (!seat.events.any()) continue;
    const int acted = seat.events.act_pending(t, seat.inputs());
    record().state_events += acted;
    statistics_->state_events.add(acted);
  }
}

void FrameLoop::time_events(SimTime before, SimTime t) noexcept {
  for (Seat& seat : seats_) {
    if (seat.plant->next_time_event(before) != t) continue;
    seat.plant->on_time_event(seconds(t), seat.inputs());
    seat.plant->restart();
    if (seat.events.any()) seat.events.start(t, seat.inputs());
    statistics_->time_events.add();
  }
  meter_.close(io::Phase::events);
}

bool FrameLoop::run_passes(SimTime t, Duration h) noexcept {
  for (Seat& seat : seats_) {
    seat.plant->begin(t, h);
    record().starter = record().starter || seat.plant->starting();
  }
  timetable_.build(parts_.plants, settings_.sampling, h);

  MonoTime sampled_for = due_;
  for (const Slot& slot : timetable_.slots()) {
    if (settings_.sampling != Sampling::frame) {
      const MonoTime nominal = wall(t + slot.node);
      const MonoTime release = wall(t + slot.release);
      if (release != sampled_for) {
        if (!sample_at(release, nominal)) return false;
        sampled_for = release;
      } else if (nominal != release) {
        use_sample(nominal, true);
      }
    }
    const Seat& seat = seats_[static_cast<std::size_t>(slot.plant)];
    seat.plant->pass(slot.pass, seat.inputs());
    const Duration cost = meter_.close_pass(slot_);
    if (slot_ < layout_.passes()) record_.pass(slot_, inputs_.newest_time(), cost, u_);
    ++slot_;
  }
  for (Seat& seat : seats_) seat.plant->finish();
  return true;
}

// A fresh sample at a release: waited for, or taken at once when the release has passed.
bool FrameLoop::sample_at(MonoTime release, MonoTime nominal) noexcept {
  const bool ahead = meter_.last() < release;
  if (ahead) {
    if (events_waiting()) serve_slack(release);
    parts_.clock.sleep_until(release);
    note_wake(release, meter_.close(io::Phase::wait));
  }
  MonoTime sampled{};
  const bool alive = parts_.sampler.exchange({}, inputs_.incoming(), sampled);
  meter_.close(io::Phase::device);
  if (!alive) {
    outcome_.end = End::device_failed;
    outcome_.frame = frame_;
    return false;
  }
  inputs_.accept(sampled);
  use_sample(nominal, ahead);
  return true;
}

void FrameLoop::state_events(SimTime t, Duration h) noexcept {
  for (Seat& seat : seats_) {
    if (!seat.events.any()) continue;
    const auto found = seat.events.process(t, h, seat);
    record().state_events += found.processed;
    statistics_->state_events.add(found.processed);
    statistics_->state_events_deferred.add(found.deferred);
    meter_.close(io::Phase::events);
  }
}

// Outputs of the new state, and the verdict on the step.
bool FrameLoop::close_step() noexcept {
  const SimTime end = timeline_.time(frame_ + record().span);
  for (Seat& seat : seats_) seat.plant->outputs(seconds(end), seat.inputs(), seat.outputs());
  if (!finite()) {
    outcome_.end = End::model_fault;
    return false;
  }
  MonoTime done = meter_.close(io::Phase::outputs);
  if (settings_.outputs == OutputTime::early) {
    MonoTime written{};
    const bool alive = parts_.sampler.exchange(y_, {}, written);
    done = meter_.close(io::Phase::device);
    output_written_ = true;
    if (!alive) {
      outcome_.end = End::device_failed;
      outcome_.frame = frame_;
      return false;
    }
  }
  judge(done);
  write_record();
  ++step_;
  statistics_->steps.add();
  return true;
}

bool FrameLoop::finite() noexcept {
  double sum = zero_if_finite(y_);
  for (const Seat& seat : seats_) sum += zero_if_finite(seat.plant->states());
  if (sum == 0) return true;

  for (std::size_t p = 0; p < seats_.size(); ++p) {
    const auto states = seats_[p].plant->states();
    const std::span<const double> outputs = seats_[p].outputs();
    const std::size_t bad_state = first_not_finite(states);
    outcome_.in_states = bad_state < states.size();
    outcome_.index = outcome_.in_states ? bad_state : first_not_finite(outputs);
    if (!outcome_.in_states && outcome_.index == outputs.size()) continue;
    outcome_.frame = frame_;
    outcome_.plant = p;
    outcome_.value = outcome_.in_states ? states[outcome_.index] : outputs[outcome_.index];
    break;
  }
  return false;
}

void FrameLoop::judge(MonoTime end) noexcept {
  record().end = end;
  record().passes = static_cast<std::int32_t>(slot_);
  record().lateness = end - record().deadline;
  const bool late = record().lateness.ns > 0;
  statistics_->margin.add(-record().lateness);
  if (late) {
    const Duration started_late = record().start - due_;
    if (record().lateness > started_late) {
      record().cause = meter_.culprit(record().lateness);
    } else if (slept_) {
      record().cause = io::Cause::late_wake;
    } else {
      record().cause = was_late_ ? io::Cause::carried : io::Cause::external_event;
    }
    statistics_->overruns.add();
    statistics_->by_cause[static_cast<std::size_t>(record().cause)].add();
    statistics_->lateness.add(record().lateness);
  } else {
    meter_.learn();
  }
  was_late_ = late;
  if (late && settings_.overrun.policy == OverrunPolicy::slip) {
    statistics_->slips.add(timeline_.move_past(frame_ + record().span, end));
  }
  if (!limits_.reached(late)) return;
  outcome_.limit_reached = settings_.overrun.then != LimitAction::carry_on ||
                           settings_.overrun.policy == OverrunPolicy::stop;
  if (settings_.overrun.policy == OverrunPolicy::stop ||
      settings_.overrun.then == LimitAction::safe_stop) {
    outcome_.end = End::overrun_limit;
    outcome_.frame = frame_;
  }
  frozen_ = settings_.overrun.then == LimitAction::freeze;
}

// Where the record of this step is written as the step goes: in the ring, or, when that is full,
// where nobody reads it.
void FrameLoop::claim_record() noexcept {
  std::byte* const place = parts_.records != nullptr ? parts_.records->claim() : nullptr;
  claimed_ = place != nullptr;
  record_ = io::FrameSlot(layout_, claimed_ ? place : unread_.data());
  record_.header(io::FrameHeader{});
}

void FrameLoop::write_record() noexcept {
  meter_.report(record());
  record_.outputs(y_);
  for (const Seat& seat : seats_) record_.states(seat.first_state, seat.plant->states());
  if (claimed_) {
    parts_.records->publish();
  } else if (parts_.records != nullptr) {
    statistics_->records_dropped.add();
  }
  meter_.close(io::Phase::record);
}

// A frozen frame: the plant and the outputs hold, real time goes on.
void FrameLoop::hold_frame() noexcept {
  record().frozen = true;
  record().end = meter_.last();
  record().lateness = record().end - record().deadline;
  slot_ = 0;
  write_record();
  timeline_.move(1);
  statistics_->frozen_frames.add();
  statistics_->frames.set(frame_ + timeline_.moved());
}

// External events whose usual cost fits before `until`.
void FrameLoop::serve_slack(MonoTime until) noexcept {
  while (parts_.events->waiting()) {
    const MonoTime before = meter_.last();
    const auto served = parts_.events->serve(until - before);
    if (served == ExternalEvents::Served::deferred) statistics_->events_deferred.add();
    if (served == ExternalEvents::Served::refused) statistics_->events_refused.add();
    const Duration cost = meter_.close(io::Phase::slack) - before;
    if (served != ExternalEvents::Served::prepared) return;
    parts_.events->learn(cost);
  }
}

}  // namespace hild::exec
