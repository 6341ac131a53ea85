// SPDX-License-Identifier: Apache-2.0
/// The end of a step: outputs, the verdict, the record.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "exec/seat.hpp"

namespace hild::exec {
namespace {

std::size_t first_not_finite(std::span<const double> v) noexcept {
  return static_cast<std::size_t>(
      std::ranges::find_if_not(v, [](double x) { return std::isfinite(x); }) - v.begin());
}

}  // namespace

// Outputs of the new state, and the verdict on the step.
bool FrameLoop::close_step() noexcept {
  for (Seat& seat : seats_) seat.plant->outputs(seconds(end_), seat.inputs(), seat.outputs());
  if (settings_.lag.ns > 0) carry_outputs_ahead();
  if (settings_.snapshot_every != 0) std::ranges::copy(y_, own_y_.begin());
  if (steered_) steering_.outputs.apply(y_);
  if (any_caps_) note_caps();
  if (!record_values()) {
    blame_model();
    return false;
  }
  if (!parts_.interlocks.empty() && result_interlocked()) return false;
  if (any_estimates_) estimate_errors();
  MonoTime written = meter_.close(io::Phase::outputs);
  if (settings_.outputs == OutputTime::early && steering_.own_outputs) {
    if (!call_devices(y_, {}, written)) return false;
    output_written_ = true;
  }
  if (dense_.any() && !put_out_dense(dense_.count(), end_)) return false;
  judge(told_ != nullptr ? told_->end : meter_.last());
  if (until_image_ != 0 && --until_image_ == 0) publish_image(end_);
  write_record();
  ++step_;
  statistics_->steps.add();
  if (record().span > 1) statistics_->doubled_steps.add();  // taken: one may yet be cut to a frame
  return true;
}

// Outputs and states into the record; whether all are finite, and the states plausible.
bool FrameLoop::record_values() noexcept {
  bool good = record_.outputs(y_);
  for (const Seat& seat : seats_) {
    const auto x = seat.plant->states();
    good &= record_.states(seat.first_state, x, plausible_.from(seat.first_state, x.size()));
  }
  return good;
}

// A step counts once for each cap that was reached in it, and once for each of several models that
// reached it.
void FrameLoop::note_cap(io::Cap cap, std::uint32_t by) noexcept {
  const auto at = static_cast<std::size_t>(cap);
  const auto bit = static_cast<std::uint8_t>(1U << at);
  if ((record().capped & bit) == 0) {
    record().capped = static_cast<std::uint8_t>(record().capped | bit);
    statistics_->capped[at].add();
    capped_by_[at] = 0;
  }
  for (std::uint32_t left = by & ~capped_by_[at]; left != 0; left &= left - 1) {
    statistics_->capped_by[static_cast<std::size_t>(std::countr_zero(left))][at].add();
  }
  capped_by_[at] |= by;
  record().capped_by |= by;
}

// What plants cut short on their own.
void FrameLoop::note_caps() noexcept {
  bool owes = false;
  bool gone = false;
  for (Seat& seat : seats_) {
    if (seat.cut_short == nullptr) continue;
    const model::CutShort& now = *seat.cut_short;
    const model::CutShort& before = seat.cut_short_before;
    bool any = false;
    const auto note = [&](io::Cap cap, std::int64_t model::CutShort::*count) {
      if (now.*count == before.*count) return;
      note_cap(cap, seat.cut_by(count));
      any = true;
    };
    note(io::Cap::event_iterations, &model::CutShort::event_iterations);
    note(io::Cap::zero_advance, &model::CutShort::zero_advance);
    note(io::Cap::step_parts, &model::CutShort::step_parts);
    note(io::Cap::late_answers, &model::CutShort::late_answers);
    if (any) seat.noted();
    owes |= now.owes;
    gone |= now.gone;
    seat.cut_short_before = now;
  }
  if (owes || unanswered_) go_unanswered(owes, gone);
}

// A model in another process owes an answer, or owed one until now.
void FrameLoop::go_unanswered(bool owes, bool gone) noexcept {
  if (!owes) {
    unanswered_ = silent_ = false;
    statistics_->unanswered_since.set(-1);
    return;
  }
  if (!std::exchange(unanswered_, true)) {
    unanswered_since_ = due_;
    statistics_->unanswered_since.set(frame_ + timeline_.moved());
  }
  const Duration stood = record().deadline - unanswered_since_;
  const Duration longest = settings_.overrun.standstill;
  if (gone) statistics_->model_gone.set(1);
  if (gone || (longest.ns > 0 && stood >= longest)) {
    stand_still(gone ? Limit::gone : Limit::silent, stood);
  }
}

// What stands still is no plant: whatever `then` says, its outputs become safe, and stay so until
// somebody lets them follow it again. While a model stays away they may not.
void FrameLoop::stand_still(Limit limit, Duration stood) noexcept {
  parts_.sampler.disarm();
  if (limit == Limit::standstill || !std::exchange(silent_, true)) {
    statistics_->stood_frame.set(frame_);
    statistics_->stood_ns.set(stood.ns);
    statistics_->stood_for.set(static_cast<std::int64_t>(limit));
    statistics_->standstills.add();
  }
  reach(limit, stood);
}

// A limit is reached: what follows.
void FrameLoop::reach(Limit limit, Duration stood) noexcept {
  const OverrunSettings& s = settings_.overrun;
  const bool stops = s.policy == OverrunPolicy::stop || s.then == LimitAction::safe_stop;
  const bool freezes = !stops && s.then == LimitAction::freeze;
  if ((stops || freezes || limit != Limit::missed) && !outcome_.limit_reached) {
    outcome_.limit_reached = true;
    outcome_.limit = limit;
    outcome_.limit_frame = frame_;
    outcome_.stood = stood;
  }
  if (stops) {
    outcome_.end = End::overrun_limit;
    outcome_.frame = frame_;
  } else if (freezes) {
    frozen_ = limited_ = true;
    limits_.forget();
  }
}

// The first state that is not finite or not plausible, else the first output that is not finite.
void FrameLoop::blame_model() noexcept {
  outcome_.end = End::model_fault;
  outcome_.frame = frame_;
  outcome_.t = end_;
  for (std::size_t p = 0; p < seats_.size(); ++p) {
    const auto states = seats_[p].plant->states();
    const std::span<const double> outputs = seats_[p].outputs();
    const std::size_t bad_state = plausible_.first_beyond(states, seats_[p].first_state);
    outcome_.in_states = bad_state < states.size();
    outcome_.index = outcome_.in_states ? bad_state : first_not_finite(outputs);
    if (!outcome_.in_states && outcome_.index == outputs.size()) continue;
    outcome_.plant = p;
    outcome_.function = seats_[p].plant->failed_function();
    outcome_.value = outcome_.in_states ? states[outcome_.index] : outputs[outcome_.index];
    outcome_.fault = std::isfinite(outcome_.value) ? Fault::implausible : Fault::not_finite;
    if (outcome_.in_states)
      outcome_.plausible = plausible_.range(seats_[p].first_state + bad_state);
    return;
  }
}

// Outputs were cut to their limits for too long: what drives the lines is not the model.
bool FrameLoop::blame_limits() noexcept {
  outcome_.end = End::model_fault;
  outcome_.fault = Fault::clamped;
  outcome_.frame = frame_;
  outcome_.t = time_;
  return false;
}

// What must not come out of a step, before it is written.
bool FrameLoop::result_interlocked() noexcept {
  if (interlocked(Interlock::Of::output, y_)) return true;
  return std::ranges::any_of(seats_, [this](const Seat& seat) {
    return interlocked(Interlock::Of::state, seat.plant->states(), seat.first_state);
  });
}

// One frame for the readers of other threads.
void FrameLoop::publish_image(SimTime t) noexcept {
  until_image_ = settings_.snapshot_every;
  const bool moving = parts_.sampler.lines(lines_);
  snapshot_.begin(frame_, t,
                  {.frozen = record().frozen,
                   .limited = limited_,
                   .stepping = steering_.stepping,
                   .moving = moving,
                   .outputs = outputs_withheld_       ? FrozenOutputs::safe
                              : steering_.own_outputs ? FrozenOutputs::hold
                                                      : FrozenOutputs::declared});
  snapshot_.add(std::span(u_).first(layout_.inputs()));
  snapshot_.add(y_);
  snapshot_.add(inputs_.newest().first(layout_.inputs()));
  snapshot_.add(own_y_);
  snapshot_.add(lines_);
  for (const Seat& seat : seats_) snapshot_.add(seat.plant->states());
  for (const Seat& seat : seats_) {
    const std::size_t n = seat.plant->description().parameters.size();
    for (std::size_t i = 0; i < n; ++i) snapshot_.add(seat.plant->parameter(i));
  }
  snapshot_.publish();
}

void FrameLoop::judge(MonoTime end) noexcept {
  record().end = end;
  record().passes = static_cast<std::int32_t>(slot_);
  record().lateness = end - record().deadline;
  const bool late = record().lateness.ns > 0;
  statistics_->margin.add(-record().lateness);
  if (late) {
    if (record().lateness > began_late_) {
      record().cause = meter_.culprit(record().lateness);
    } else if (woken_) {
      record().cause = io::Cause::late_wake;
    } else if (slept_) {  // for its tick, but then served something for too long
      record().cause = io::Cause::external_event;
    } else if (was_late_) {
      record().cause = io::Cause::carried;
    } else {
      // It started late after a step in time: by what was served in between, or held up there.
      const bool served = meter_.slack_before() * 2 >= began_late_;
      record().cause = served ? io::Cause::external_event : io::Cause::unknown;
    }
    statistics_->overruns.add();
    statistics_->by_cause[static_cast<std::size_t>(record().cause)].add();
    statistics_->lateness.add(record().lateness);
  } else {
    meter_.learn();
  }
  was_late_ = late;
  if (late && settings_.overrun.policy == OverrunPolicy::slip) slip_past(end);
  if (limits_.reached(late | unanswered_)) reach(Limit::missed);
}

// The late step itself is the first of what slips.
void FrameLoop::slip_past(MonoTime end) noexcept {
  const std::int64_t slipped = timeline_.move_past(frame_ + record().span, end);
  statistics_->slips.add(slipped);
  if (limits_.slipped(slipped - 1)) reach(Limit::missed);
}

// Where the record of this step is written as the step goes: in the ring, or, when that is full,
// where nobody reads it.
void FrameLoop::claim_record() noexcept {
  std::byte* const place = parts_.records != nullptr ? parts_.records->claim() : nullptr;
  claimed_ = place != nullptr;
  record_ = io::FrameSlot(layout_, claimed_ ? place : unread_.data());
  record_.begin();
}

void FrameLoop::write_record() noexcept {
  meter_.report(record());
  if (claimed_) {
    parts_.records->publish();
  } else if (parts_.records != nullptr) {
    statistics_->records_dropped.add();
  }
  meter_.close(io::Phase::record);
}

}  // namespace hild::exec
