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
        first_output(outputs),
        first_state(states),
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
  [[nodiscard]] std::span<const double> inputs() const noexcept {
    return std::span(owner->u_).subspan(first_input, plant->description().inputs.size());
  }
  [[nodiscard]] std::span<double> outputs() const noexcept {
    return std::span(owner->y_).subspan(first_output, plant->description().outputs.size());
  }

  FrameLoop* owner;
  model::Plant* plant;
  std::size_t first_input;
  std::size_t first_output;
  std::size_t first_state;
  StateEvents events;
  std::vector<double> scratch;
};

namespace {

std::size_t passes_needed(const numerics::Method& m) noexcept {
  const int starter = m.starter != nullptr ? m.starter->passes : 0;
  return static_cast<std::size_t>(std::max(m.passes, starter));
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
      inputs_(parts_.start_inputs.size(), parts_.held_inputs),
      layout_(layout(parts_.plants)),
      u_(parts_.start_inputs),
      y_(layout_.outputs()),
      pass_inputs_(layout_.passes() * layout_.inputs()) {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t states = 0;
  for (model::Plant* plant : parts_.plants) {
    seats_.emplace_back(*this, *plant, inputs, outputs, states);
    inputs += plant->description().inputs.size();
    outputs += plant->description().outputs.size();
    states += plant->description().states.size();
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
    commit();
    if (frozen_) {
      hold_frame();
      continue;
    }
    if (!advance() || !close_step()) break;
    frame_ += header_.span;
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
    serve_slack(due_);
    slept_ = meter_.last() < due_;
  }
  header_ = {};
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
  header_.step = step_;
  header_.frame = frame_;
  header_.t = time_;
  header_.due = due_;
  header_.start = meter_.last();
  header_.span = plan.span;
  header_.slipped = static_cast<std::int32_t>(plan.slipped);
  header_.deadline = timeline_.tick(frame_ + plan.span);
  statistics_->slips.add(plan.slipped);
  if (plan.span > 1) statistics_->doubled_steps.add();
  return true;
}

void FrameLoop::note_wake(MonoTime due, MonoTime woke) noexcept {
  statistics_->wake.add(woke - due);
  if (woke - due <= settings_.late_wake) return;
  statistics_->late_wakes.add();
  header_.late_wake = true;
}

// One device call: what is due goes out, what is new comes in.
bool FrameLoop::exchange() noexcept {
  MonoTime sampled{};
  const bool write = !output_written_;
  const bool alive = parts_.sampler.exchange(write ? std::span<const double>(y_) : std::span<const double>{},
                                             inputs_.incoming(), sampled);
  meter_.close(io::Phase::device);
  output_written_ = false;
  if (!alive) {
    outcome_.end = End::device_failed;
    outcome_.frame = frame_;
    return false;
  }
  inputs_.accept(sampled);
  return use_sample(due_, slept_);
}

// The inputs of a pass from the newest sample: as it is when it was taken on time, else brought
// back (or, for a node that lies ahead, carried on) to the nominal time.
bool FrameLoop::use_sample(MonoTime nominal, bool waited) noexcept {
  const Duration late = inputs_.newest_time() - nominal;
  const bool is_late = !waited ? late.ns > 0 : late > settings_.late_wake;
  if (is_late) {
    inputs_.at(nominal, late_degree(), u_);
    statistics_->late_samples.add();
  } else if (settings_.sampling == Sampling::extrapolate && late.ns < 0) {
    inputs_.at(nominal, settings_.extrapolation, u_);
  } else {
    std::ranges::copy(inputs_.newest(), u_.begin());
  }
  return true;
}

// As many samples as keep the order of the best method among the plants.
int FrameLoop::late_degree() const noexcept {
  int order = 1;
  for (const model::Plant* plant : parts_.plants) order = std::max(order, plant->method().order);
  return std::min(order, static_cast<int>(Inputs::depth)) - 1;
}

// What was prepared in earlier slack takes effect at the start of the step.
void FrameLoop::commit() noexcept {
  if (parts_.events == nullptr) return;
  const auto prepared = parts_.events->prepared();
  if (prepared.empty()) return;
  for (const ExternalEvent& event : prepared) {
    model::Plant& plant = *parts_.plants[event.plant];
    plant.set_parameter(event.parameter, event.value);
    if (event.restart) plant.restart();
  }
  header_.external_events = static_cast<std::int32_t>(prepared.size());
  statistics_->events_served.add(header_.external_events);
  parts_.events->committed();
  meter_.close(io::Phase::commit);
}

// The step, cut at time events.
bool FrameLoop::advance() noexcept {
  SimTime t = time_;
  const SimTime end = timeline_.time(frame_ + header_.span);
  slot_ = 0;
  for (Seat& seat : seats_) {
    if (!seat.events.any()) continue;
    const int acted = seat.events.act_pending(t, seat.inputs());
    header_.state_events += acted;
    statistics_->state_events.add(acted);
  }
  for (int cuts = 0; t < end; ++cuts) {
    SimTime next = end;
    if (cuts < settings_.max_events) {
      for (const Seat& seat : seats_) next = std::min(next, seat.plant->next_time_event(t));
    }
    if (!run_passes(t, next - t)) return false;
    state_events(t, next - t);
    for (Seat& seat : seats_) {
      if (seat.plant->next_time_event(t) != next) continue;
      seat.plant->on_time_event(seconds(next), seat.inputs());
      seat.plant->restart();
      if (seat.events.any()) seat.events.start(next, seat.inputs());
      statistics_->time_events.add();
      meter_.close(io::Phase::events);
    }
    t = next;
  }
  return true;
}

bool FrameLoop::run_passes(SimTime t, Duration h) noexcept {
  for (Seat& seat : seats_) {
    seat.plant->begin(t, h);
    header_.starter = header_.starter || seat.plant->starting();
  }
  timetable_.build(parts_.plants, settings_.sampling);
  MonoTime sampled_for = due_;
  for (const Slot& slot : timetable_.slots()) {
    if (settings_.sampling != Sampling::frame) {
      const MonoTime release = wall(t + part(h, slot.release));
      const MonoTime nominal = wall(t + part(h, slot.node));
      if (release != sampled_for) {
        if (!sample_at(release, nominal)) return false;
        sampled_for = release;
      } else if (nominal != release) {
        use_sample(nominal, true);
      }
    }
    const Seat& seat = seats_[static_cast<std::size_t>(slot.plant)];
    seat.plant->pass(slot.pass, seat.inputs());
    if (slot_ < layout_.passes()) {
      std::ranges::copy(u_, pass_inputs_.begin() + static_cast<std::ptrdiff_t>(slot_ * u_.size()));
      pass_sampled_[slot_] = inputs_.newest_time();
    }
    meter_.close_pass(slot_++);
  }
  for (Seat& seat : seats_) seat.plant->finish();
  return true;
}

// A fresh sample at a release: waited for, or taken at once when the release has passed.
bool FrameLoop::sample_at(MonoTime release, MonoTime nominal) noexcept {
  const bool ahead = meter_.last() < release;
  if (ahead) {
    serve_slack(release);
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
  return use_sample(nominal, ahead);
}

void FrameLoop::state_events(SimTime t, Duration h) noexcept {
  for (Seat& seat : seats_) {
    if (!seat.events.any()) continue;
    const auto found = seat.events.process(t, h, seat);
    header_.state_events += found.processed;
    statistics_->state_events.add(found.processed);
    statistics_->state_events_deferred.add(found.deferred);
    meter_.close(io::Phase::events);
  }
}

// Outputs of the new state, and the verdict on the step.
bool FrameLoop::close_step() noexcept {
  const SimTime end = timeline_.time(frame_ + header_.span);
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
  const auto first_bad = [](std::span<const double> v) {
    return static_cast<std::size_t>(
        std::ranges::find_if(v, [](double x) { return !std::isfinite(x); }) - v.begin());
  };
  for (std::size_t p = 0; p < seats_.size(); ++p) {
    const auto states = seats_[p].plant->states();
    const std::span<const double> outputs = seats_[p].outputs();
    const std::size_t bad_state = first_bad(states);
    const std::size_t bad_output = first_bad(outputs);
    if (bad_state == states.size() && bad_output == outputs.size()) continue;
    outcome_.frame = frame_;
    outcome_.plant = p;
    outcome_.in_states = bad_state < states.size();
    outcome_.index = outcome_.in_states ? bad_state : bad_output;
    outcome_.value = outcome_.in_states ? states[bad_state] : outputs[bad_output];
    return false;
  }
  return true;
}

void FrameLoop::judge(MonoTime end) noexcept {
  header_.end = end;
  header_.passes = static_cast<std::int32_t>(slot_);
  header_.lateness = end - header_.deadline;
  const bool late = header_.lateness.ns > 0;
  statistics_->margin.add(-header_.lateness);
  if (late) {
    const Duration started_late = header_.start - due_;
    if (header_.lateness > started_late) {
      header_.cause = meter_.culprit(header_.lateness);
    } else if (slept_) {
      header_.cause = io::Cause::late_wake;
    } else {
      header_.cause = was_late_ ? io::Cause::carried : io::Cause::external_event;
    }
    statistics_->overruns.add();
    statistics_->by_cause[static_cast<std::size_t>(header_.cause)].add();
    statistics_->lateness.add(header_.lateness);
  } else {
    meter_.learn();
  }
  was_late_ = late;
  if (late && settings_.overrun.policy == OverrunPolicy::slip) {
    statistics_->slips.add(timeline_.move_past(frame_ + header_.span, end));
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

void FrameLoop::write_record() noexcept {
  if (parts_.records == nullptr) return;
  std::byte* const place = parts_.records->claim();
  if (place == nullptr) {
    statistics_->records_dropped.add();
    return;
  }
  meter_.report(header_);
  io::FrameSlot slot(layout_, place);
  slot.header(header_);
  for (std::size_t i = 0; i < std::min(slot_, layout_.passes()); ++i) {
    slot.pass(i, pass_sampled_[i], std::span(pass_inputs_).subspan(i * u_.size(), u_.size()));
  }
  slot.outputs(y_);
  for (const Seat& seat : seats_) slot.states(seat.first_state, seat.plant->states());
  parts_.records->publish();
  meter_.close(io::Phase::record);
}

// A frozen frame: the plant and the outputs hold, real time goes on.
void FrameLoop::hold_frame() noexcept {
  header_.frozen = true;
  header_.end = meter_.last();
  header_.lateness = header_.end - header_.deadline;
  slot_ = 0;
  write_record();
  timeline_.move(1);
  statistics_->frozen_frames.add();
  statistics_->frames.set(frame_ + timeline_.moved());
}

// External events whose usual cost fits before `until`.
void FrameLoop::serve_slack(MonoTime until) noexcept {
  if (parts_.events == nullptr) return;
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
