// SPDX-License-Identifier: Apache-2.0
/// The middle of a frame: passes at their releases, samples at their nominal times, events.
#include <algorithm>

#include "exec/seat.hpp"

namespace hild::exec {

// The step, cut at time events.
bool FrameLoop::advance() noexcept {
  SimTime t = time_;
  const SimTime end = end_;
  slot_ = 0;
  if (dense_.any()) dense_.begin();
  if (any_state_events_) act_on_pending_events(t);
  for (int cuts = 0; t < end; ++cuts) {
    const SimTime timed =
        any_time_events_ && cuts < settings_.max_events ? next_time_event(t) : model::never;
    const SimTime next = std::min(timed, end);
    const bool put_off = any_time_events_ && cuts == settings_.max_events;
    if (put_off) note_put_off(t, end);
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

SimTime FrameLoop::next_time_event(SimTime t) const noexcept {
  SimTime next = model::never;
  for (const Seat& seat : seats_) next = std::min(next, seat.plant->next_time_event(t));
  return next;
}

// Time events beyond max_events wait for the next step.
void FrameLoop::note_put_off(SimTime t, SimTime end) noexcept {
  const SimTime next = next_time_event(t);
  if (next >= end) return;
  for (const Seat& seat : seats_) {
    if (seat.plant->next_time_event(t) == next) {
      note_cap(io::Cap::time_events, seat.plant->time_event_by(t));
    }
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
  bool starting = false;
  for (Seat& seat : seats_) {
    seat.plant->begin(t, h);
    seat.done = false;
    starting |= seat.plant->starting();
  }
  if (starting) record().starter = true;
  timetable_.plan(parts_.plants, settings_, h, starting);

  InputsAtHand at_hand{due_, due_ - settings_.lag, slept_};  // by exchange()
  for (const Slot& slot : timetable_.slots()) {
    Seat& seat = seats_[static_cast<std::size_t>(slot.plant)];
    if (busy_within_) {
      if (settings_.anytime && complete_early(seat, slot, t)) continue;
      if (!before_pass(slot, t, at_hand)) return false;
    }
    seat.plant->pass(slot.pass, seat.inputs());
    const Duration cost = meter_.close_pass(slot_);
    if (settings_.anytime) meter_.learn_pass(cost);
    if (slot_ < layout_.passes()) record_.pass(slot_, inputs_.newest_time(), cost, u_);
    ++slot_;
  }
  for (Seat& seat : seats_) {
    if (!seat.done) seat.plant->finish();
  }
  if (dense_.any()) take_dense(t, h);
  return true;
}

// The sample a pass takes, and with it what is to be put out at its node.
bool FrameLoop::before_pass(const Slot& slot, SimTime t, InputsAtHand& at_hand) noexcept {
  const auto due = outputs_within(slot, t);
  const MonoTime nominal = wall(t + slot.node) - settings_.lag;
  const MonoTime release = wall(t + slot.release);
  if (dense_.any() && !put_out_dense(dense_.delayed(), t + slot.release)) return false;
  if (settings_.sampling == Sampling::frame) {
    MonoTime written = meter_.last();
    return due.empty() || call_devices(due, {}, written);
  }
  if (release != at_hand.release) {
    at_hand = {release, nominal};
    if (!sample_at(at_hand, due)) return false;
  } else if (nominal != at_hand.nominal) {
    at_hand.nominal = nominal;
    use_sample(nominal, at_hand.waited);
  } else {
    return true;
  }
  if (connects_) reconnect();
  if (steered_) steer_inputs(nominal);
  return true;
}

// A fresh sample at a release: waited for, or taken at once when the release has passed.
bool FrameLoop::sample_at(InputsAtHand& to_be, std::span<const double> due) noexcept {
  const MonoTime release = to_be.release;
  to_be.waited = told_ != nullptr ? parts_.replay->waits() : meter_.last() < release;
  if (to_be.waited) {
    if (events_waiting()) serve_slack(release, frame_ + record().span);
    wait_for(release);
  }
  MonoTime sampled = meter_.last();
  if (!call_devices(due, inputs_.incoming(), sampled)) return false;
  record_.image(sampled, to_be.waited, inputs_.incoming(), counts_);
  inputs_.accept(sampled);
  use_sample(to_be.nominal, to_be.waited);
  return parts_.interlocks.empty() || !interlocked(Interlock::Of::input, inputs_.newest());
}

void FrameLoop::state_events(SimTime t, Duration h) noexcept {
  for (Seat& seat : seats_) {
    if (!seat.events.any()) continue;
    const auto found = seat.events.process(t, h, seat);
    record().state_events += found.processed;
    statistics_->state_events.add(found.processed);
    statistics_->state_events_deferred.add(found.deferred);
    if (found.deferred > 0) note_cap(io::Cap::state_events, found.deferred_by);
    if (found.processed > 0 && dense_.any()) take_dense_anew(seat, t, h);
    meter_.close(io::Phase::events);
  }
}

// The inputs of a pass from the newest sample: as it is when it was taken on time.
void FrameLoop::use_sample(MonoTime nominal, bool waited) noexcept {
  const Duration late = inputs_.newest_time() - nominal;
  const bool is_late = late.ns > 0 && (!waited || late > settings_.late_wake) && nominal >= due_;
  const bool is_early = late.ns < 0 && settings_.sampling == Sampling::extrapolate;
  if (is_late || is_early) return move_sample(nominal, is_late);
  if (nominal < due_) return inputs_.at(nominal, late_degree(), u_);  // runs behind on purpose
  const auto newest = inputs_.newest();
  double* u = u_.data();
#pragma GCC unroll 4
  for (const double value : newest) *u++ = value;
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

}  // namespace hild::exec
