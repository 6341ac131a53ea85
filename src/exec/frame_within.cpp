// SPDX-License-Identifier: Apache-2.0
/// Within a step: completing it early, outputs at its nodes, or carried on
/// beyond it, its error, inputs that jump.
#include <algorithm>
#include <cmath>

#include "exec/seat.hpp"

namespace hild::exec {

// Whether this pass and those after it usually end before the step is due, waiting included.
bool FrameLoop::fits(const Slot& slot, SimTime t) noexcept {
  if (told_ != nullptr) return !told_->early;
  const MonoTime start = std::max(meter_.last(), wall(t + slot.release));
  const auto slots = timetable_.slots();
  const std::int64_t left = slots.data() + slots.size() - &slot;
  return start + meter_.usual_pass() * left + meter_.usual_closing() <= record().deadline;
}

// RTAM-k and AB-k share their history: what the corrector would refine is there already.
bool FrameLoop::complete_early(Seat& seat, const Slot& slot, SimTime t) noexcept {
  if (seat.done) return true;
  if (slot.pass == 0 || fits(slot, t)) return false;
  seat.done = seat.plant->finish_early();
  if (!seat.done) return false;
  record().early = true;
  statistics_->completed_early.add();
  return true;
}

// What a pass within the step knows already of its node: the predictor's outputs. They are put out
// where that was asked for, and at the tick a doubled step has missed. Empty: nothing is.
std::span<const double> FrameLoop::outputs_within(const Slot& slot, SimTime t) noexcept {
  const SimTime node = t + slot.node;
  // Half of two frames and the tick between them are rounded to nanoseconds each by itself.
  const Duration off = node - timeline_.time(frame_ + 1);
  const bool missed_tick = settings_.anytime && record().span == 2 && std::abs(off.ns) <= 1;
  if (slot.pass == 0 || node >= end_) return {};
  if ((!settings_.intermediate_outputs && !missed_tick) || !steering_.own_outputs) return {};
  const Seat& seat = seats_[static_cast<std::size_t>(slot.plant)];
  const auto first = static_cast<std::size_t>(seat.outputs().data() - y_.data());
  std::ranges::copy(y_, y_within_.begin());
  const auto y = std::span(y_within_).subspan(first, seat.outputs().size());
  if (!seat.plant->pass_outputs(slot.pass, seat.inputs(), y)) return {};
  if (steered_) steering_.outputs.apply_again(y, first);
  if (!std::ranges::all_of(y, [](double v) { return std::isfinite(v); })) return {};
  meter_.close(io::Phase::outputs);
  statistics_->intermediate_writes.add();
  return y_within_;
}

// What a plant of several models supplies itself, at the start of a step.
void FrameLoop::connect(SimTime t) noexcept {
  for (Seat& seat : seats_) {
    seat.plant->connect(t, std::span(u_).subspan(seat.first_input, seat.inputs().size()));
  }
}

void FrameLoop::reconnect() noexcept {
  for (const Seat& seat : seats_) {
    seat.plant->reconnect(std::span(u_).subspan(seat.first_input, seat.inputs().size()));
  }
}

// The polynomial through derivatives on both sides of a jump is that of neither.
void FrameLoop::drop_broken_histories() noexcept {
  for (Seat& seat : seats_) {
    bool broken = false;
    for (std::size_t i = 0; i < seat.inputs().size(); ++i) {
      const std::size_t at = seat.first_input + i;
      broken = broken || std::abs(u_[at] - last_u_[at]) > parts_.jumps[at];
    }
    if (!broken || step_ == parts_.first_frame) continue;
    seat.plant->restart();
    statistics_->jump_restarts.add();
  }
  std::ranges::copy(u_, last_u_.begin());
}

// A plant that runs behind has computed what was; what is due is the polynomial through it, carried
// on to its tick (Bernstein).
void FrameLoop::carry_outputs_ahead() noexcept {
  std::ranges::copy(y_, ahead_.incoming().begin());
  ahead_.accept(record().deadline - settings_.lag);
  ahead_.at(record().deadline, settings_.extrapolation, y_);
}

// The monitor of accuracy: the estimate of every step against the size of its states.
void FrameLoop::estimate_errors() noexcept {
  for (Seat& seat : seats_) {
    if (!seat.plant->error_estimate(seat.error)) continue;
    const auto x = seat.plant->states();
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      seat.largest[i] = std::max(seat.largest[i], std::abs(x[i]));
      if (seat.largest[i] > 0) worst = std::max(worst, std::abs(seat.error[i]) / seat.largest[i]);
    }
    statistics_->local_error.add(part({1'000'000'000}, std::min(worst, 1e3)));
  }
}

}  // namespace hild::exec
