// SPDX-License-Identifier: Apache-2.0
#include "exec/output_scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "exec/external_control.hpp"

namespace hild::exec {
namespace {

// Where the last pass of a step may start, in parts of it.
double last_release(const numerics::Method& m, Sampling sampling) noexcept {
  double last = 0;
  for (int i = 0; i < m.passes; ++i) {
    last = std::max(last, release_of(m.node(i).value(), i, m.passes, sampling));
  }
  return last;
}

bool all_finite(std::span<const double> v) noexcept {
  return std::ranges::all_of(v, [](double x) { return std::isfinite(x); });
}

}  // namespace

OutputScheduler::OutputScheduler(LoopContext& run)
    : run_(&run),
      dense_(run.settings.dense_outputs, last_release(run.plant.method(), run.settings.sampling),
             run.plant.description().outputs.size()),
      ahead_(std::vector<io::SampledInput>(run.plant.description().outputs.size()), 1,
             run.settings.grid.period() / 16),
      newest_(run.plant.description().outputs.size()),
      y_(newest_),
      own_y_(y_.size()),
      y_within_(y_.size()),
      x_within_(run.plant.description().states.size()),
      declared_(y_.size(), NAN),
      any_at_nodes_(run.settings.intermediate_outputs || run.settings.anytime) {}

void OutputScheduler::transfer(Archive& archive) noexcept {
  keep_own();
  archive(dense_, ahead_, y_, own_y_, declared_);
  archive.choice(frozen_, FrozenOutputs::declared, "what frozen outputs do");
  archive(follows_, withheld_, written_);
}

// ---- what stands instead of the plant's --------------------------------------------------------

bool OutputScheduler::freeze(FrozenOutputs as) noexcept {
  keep_own();
  frozen_ = as;
  follows_ = as == FrozenOutputs::hold;
  withheld_ = written_ = as == FrozenOutputs::safe;
  return !withheld_ || run_->devices.safe();
}

void OutputScheduler::follow() noexcept {
  follows_ = true;
  withheld_ = written_ = false;
}

void OutputScheduler::apply_declared() noexcept {
  if (follows_ || frozen_ != FrozenOutputs::declared) return;
  for (std::size_t i = 0; i < y_.size(); ++i)
    y_[i] = std::isnan(declared_[i]) ? y_[i] : declared_[i];
}

// ---- within a step -----------------------------------------------------------------------------

// They are put out where that was asked for, and at the tick a doubled step has missed.
std::span<const double> OutputScheduler::predicted(const Slot& slot, SimTime t,
                                                   std::span<const double> u,
                                                   const ExternalControl& external) noexcept {
  const Step& step = run_->step;
  const SimTime node = t + slot.node;
  // Half of two frames and the tick between them are rounded to nanoseconds each by itself.
  const Duration off = node - run_->clock->timeline().time(step.frame + 1);
  const bool missed_tick = run_->settings.anytime && step.span == 2 && std::abs(off.ns) <= 1;
  if (slot.pass == 0 || node >= step.end) return {};
  if ((!run_->settings.intermediate_outputs && !missed_tick) || !follows_) return {};
  std::ranges::copy(y_, y_within_.begin());
  if (!run_->plant.pass_outputs(slot.pass, u, y_within_)) return {};
  external.falsify_outputs_again(y_within_);
  if (!all_finite(y_within_)) return {};
  run_->meter.close(io::Phase::outputs);
  run_->statistics->intermediate_writes.add();
  return y_within_;
}

SimTime OutputScheduler::instant(std::size_t i) const noexcept {
  const Step& step = run_->step;
  return step.time + part(step.end - step.time, dense_.theta(i));
}

void OutputScheduler::take_parts(SimTime t, Duration h, std::span<const double> u) noexcept {
  for (std::size_t i = 0; i < dense_.count(); ++i) {
    const SimTime at = instant(i);
    if (at <= t || at > t + h) continue;
    const std::span<double> y = dense_.room(i);
    const bool known = run_->plant.dense(seconds(at - t) / seconds(h), x_within_);
    if (known) run_->plant.system().outputs(seconds(at), x_within_, u, y);
    dense_.know(i, known && all_finite(y));
  }
  run_->meter.close(io::Phase::outputs);
}

// The step from the last event on is another one, and of what lay between two nothing is left.
void OutputScheduler::take_parts_anew(SimTime t, Duration h, SimTime first, SimTime last,
                                      std::span<const double> u) noexcept {
  for (std::size_t i = 0; i < dense_.count(); ++i) {
    const SimTime at = instant(i);
    if (at > first && at <= t + h) dense_.know(i, false);
  }
  if (last < t + h) take_parts(last, t + h - last, u);
}

// The first `count` of them at most, each at its own instant. One that comes so late that the next
// is due as well makes room for it.
bool OutputScheduler::put_out(std::size_t count, SimTime until,
                              ExternalControl& external) noexcept {
  FrameClock& clock = *run_->clock;
  const Step& step = clock.step();
  for (; dense_.next() < count; dense_.pass()) {
    const std::size_t i = dense_.next();
    if (instant(i) > until) return true;
    const std::span<const double> y = dense_.values();
    if (y.empty() || !follows_ || withheld_) continue;
    const MonoTime at = step.wall(instant(i));
    const MonoTime next = i + 1 < dense_.count() ? step.wall(instant(i + 1)) : step.deadline;
    const FrameClock::Timing timing = clock.timing(at, next);
    if (timing == FrameClock::Timing::too_late) {
      run_->statistics->dense_left_out.add();
      continue;
    }
    if (timing == FrameClock::Timing::wait) {
      external.serve(at, step.frame + step.span);
      clock.wait_for(at);
    }
    std::ranges::copy(y, y_within_.begin());
    external.falsify_outputs_again(y_within_);
    if (!run_->devices.write(y_within_, step.frame)) return false;
    run_->statistics->intermediate_writes.add();
  }
  return true;
}

// ---- at its end --------------------------------------------------------------------------------

void OutputScheduler::keep_own() noexcept {
  if (!std::exchange(altered_, true)) std::ranges::copy(y_, own_y_.begin());
}

// A plant that runs behind has computed what was; what is due is the polynomial through it, carried
// on to its tick (Bernstein).
void OutputScheduler::carry_ahead() noexcept {
  const MonoTime due = run_->step.deadline;
  std::ranges::copy(y_, ahead_.incoming().begin());
  ahead_.instants()[0] = due - run_->settings.lag;
  ahead_.accept();
  ahead_.at(due, {.within = 0, .beyond = run_->settings.extrapolation_under(Sampling::behind)}, y_);
}

bool OutputScheduler::write() noexcept {
  if (!run_->devices.write(y_, run_->step.frame)) return false;
  written_ = true;
  return true;
}

}  // namespace hild::exec
