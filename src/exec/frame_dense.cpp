// SPDX-License-Identifier: Apache-2.0
/// Outputs between the ticks, by the dense result of a step.
#include <algorithm>
#include <cmath>

#include "exec/seat.hpp"

namespace hild::exec {

SimTime FrameLoop::dense_instant(std::size_t i) const noexcept {
  return time_ + part(end_ - time_, dense_.theta(i));
}

// A part of the step was taken, from t over h: what belongs into it.
void FrameLoop::take_dense(SimTime t, Duration h) noexcept {
  for (std::size_t i = 0; i < dense_.count(); ++i) {
    const SimTime at = dense_instant(i);
    if (at <= t || at > t + h) continue;
    const std::span<double> y = dense_.room(i);
    bool known = true;
    for (Seat& seat : seats_) {
      const auto first = static_cast<std::size_t>(seat.outputs().data() - y_.data());
      known = known && seat.plant->dense(seconds(at - t) / seconds(h), seat.within) &&
              seat.plant->outputs_at(seconds(at), seat.within, seat.inputs(),
                                     y.subspan(first, seat.outputs().size()));
    }
    dense_.know(i, known && std::ranges::all_of(y, [](double v) { return std::isfinite(v); }));
  }
  meter_.close(io::Phase::outputs);
}

// After state events in the part from t over h, the step from the last of them is another one, and
// of those between two events nothing is left.
void FrameLoop::take_dense_anew(const Seat& seat, SimTime t, Duration h) noexcept {
  for (std::size_t i = 0; i < dense_.count(); ++i) {
    const SimTime at = dense_instant(i);
    if (at > seat.events.first() && at <= t + h) dense_.know(i, false);
  }
  if (seat.events.last() < t + h) take_dense(seat.events.last(), t + h - seat.events.last());
}

// Puts out what is due up to an instant, the first `count` of them at most, each at its own. One
// that comes so late that the next is due as well makes room for it.
bool FrameLoop::put_out_dense(std::size_t count, SimTime until) noexcept {
  for (; dense_.next() < count; dense_.pass()) {
    const std::size_t i = dense_.next();
    if (dense_instant(i) > until) return true;
    const std::span<const double> y = dense_.values();
    if (y.empty() || !steering_.own_outputs || outputs_withheld_) continue;
    const MonoTime due = wall(dense_instant(i));
    const MonoTime next = i + 1 < dense_.count() ? wall(dense_instant(i + 1)) : record().deadline;
    if (told_ == nullptr && meter_.last() >= next) {
      statistics_->dense_left_out.add();
      continue;
    }
    if (told_ == nullptr && meter_.last() < due) {
      if (events_waiting()) serve_slack(due, frame_ + record().span);
      wait_for(due);
    }
    std::ranges::copy(y, y_within_.begin());
    if (steered_) steering_.outputs.apply_again(y_within_, 0);
    MonoTime written = meter_.last();
    if (!call_devices(y_within_, {}, written)) return false;
    statistics_->intermediate_writes.add();
  }
  return true;
}

}  // namespace hild::exec
