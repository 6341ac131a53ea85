// SPDX-License-Identifier: Apache-2.0
#include "exec/frame_loop.hpp"

#include <algorithm>

#include "exec/seat.hpp"

namespace hild::exec {

namespace {

std::size_t passes_needed(const numerics::Method& m) noexcept {
  const int starter = m.starter != nullptr ? m.starter->passes : 0;
  return static_cast<std::size_t>(std::max(m.passes, starter));
}

std::size_t parameters_of(std::span<model::Plant* const> plants) noexcept {
  std::size_t n = 0;
  for (const model::Plant* plant : plants) n += plant->description().parameters.size();
  return n;
}

// What is sampled for interlocks alone.
std::size_t lines_of(const Parts& parts) noexcept {
  std::size_t n = parts.start_inputs.size();
  for (const model::Plant* plant : parts.plants) n -= plant->description().inputs.size();
  return n;
}

// Where the last pass of a step may start, in parts of it: that of the plant that takes longest.
double last_release(std::span<model::Plant* const> plants, Sampling sampling) noexcept {
  double last = 0;
  for (const model::Plant* plant : plants) {
    const numerics::Method& m = plant->method();
    for (int i = 0; i < m.passes; ++i) {
      last = std::max(last, release_of(m.node(i).value(), i, m.passes, sampling));
    }
  }
  return last;
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
      clamps_(settings.clamping, settings.grid, parts_.sampler.cut_values(), *statistics_),
      inputs_(parts_.start_inputs.size(), parts_.held_inputs, settings.grid.period() / 16),
      ahead_(layout(parts_.plants).outputs(), {}, settings.grid.period() / 16),
      dense_(settings.dense_outputs, last_release(parts_.plants, settings.sampling),
             layout(parts_.plants).outputs()),
      layout_(layout(parts_.plants, lines_of(parts_), parts_.sampler.counts().size())),
      counts_(parts_.sampler.counts()),
      plausible_(parts_.plausible, layout_.states()),
      targets_{parts_.plants, layout_.inputs(), layout_.outputs()},
      steering_(layout_.inputs(), layout_.outputs(), layout_.states(),
                parameters_of(parts_.plants)),
      snapshot_(layout_.inputs(), layout_.outputs(), layout_.states(),
                parameters_of(parts_.plants)),
      u_(parts_.start_inputs),
      y_(layout_.outputs()),
      own_y_(layout_.outputs()),
      lines_(layout_.outputs()),
      y_within_(layout_.outputs()),
      last_u_(parts_.jumps.empty() ? 0 : parts_.start_inputs.size()),
      unread_(layout_.bytes()),
      record_(layout_, unread_.data()),
      until_image_(settings.snapshot_every) {
  busy_within_ = settings.sampling != Sampling::frame || settings.anytime;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t states = 0;
  for (model::Plant* plant : parts_.plants) {
    seats_.emplace_back(*this, *plant, inputs, outputs, states);
    inputs += plant->description().inputs.size();
    outputs += plant->description().outputs.size();
    states += plant->description().states.size();
    any_time_events_ = any_time_events_ || plant->description().time_events;
    any_estimates_ = any_estimates_ || plant->method().embedded.order > 0;
    any_caps_ = any_caps_ || plant->cut_short() != nullptr;
    connects_ = connects_ || plant->connects();
    any_state_events_ = any_state_events_ || seats_.back().events.any();
  }
}

FrameLoop::~FrameLoop() = default;

io::FrameLayout FrameLoop::layout(std::span<model::Plant* const> plants, std::size_t lines,
                                  std::size_t counted) {
  std::size_t passes = 0;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t states = 0;
  bool cuts = false;  // at time events: passes of the parts take samples of their own
  for (const model::Plant* plant : plants) {
    cuts = cuts || plant->description().time_events;
    passes += passes_needed(plant->method());
    inputs += plant->description().inputs.size();
    outputs += plant->description().outputs.size();
    states += plant->description().states.size();
  }
  passes = std::min(passes, io::max_slots);
  return {passes, inputs, outputs, states, cuts ? io::max_slots : passes, inputs + lines, counted};
}

void FrameLoop::begin_run(MonoTime start) noexcept {
  timeline_ = Timeline(settings_.grid, start, parts_.first_frame);
  frame_ = step_ = parts_.first_frame;
  const SimTime begin = timeline_.time(frame_);
  meter_.start();
  if (connects_) connect(begin);
  for (Seat& seat : seats_) {
    seat.plant->outputs(seconds(begin), seat.inputs(), seat.outputs());
    seat.events.start(begin, seat.inputs());
  }
  own_y_ = y_;
  save_states(Steering::start_slot);
  if (parts_.events != nullptr) parts_.events->show_costs(*statistics_);
  outcome_ = {};
}

Outcome FrameLoop::run(MonoTime start, std::int64_t frames, const rt::Flag& stop) noexcept {
  begin_run(start);
  frames += parts_.first_frame;
  while (outcome_.end == End::duration && frame_ + timeline_.moved() < frames) {
    if (stop.raised()) {
      outcome_.end = End::requested;
      break;
    }
    if (!begin_frame()) break;
    const bool changes = parts_.events != nullptr && parts_.events->due(frame_);
    if (changes) std::copy_n(u_.begin(), layout_.inputs(), steering_.last_inputs.begin());
    if (!exchange() || (changes && !commit())) break;
    if (connects_) connect(time_);
    if (frozen_) {
      hold_frame();
      continue;
    }
    if (steered_) before_steered_step();
    if (!last_u_.empty()) drop_broken_histories();
    if (!advance() || !close_step()) break;
    if (steered_) after_steered_step();
    frame_ += record().span;
    statistics_->frames.set(frame_ + timeline_.moved());
    statistics_->sim_time_ns.set(end_.ns);
  }
  meter_.next_frame();
  outcome_.safe = parts_.sampler.safe();
  if (parts_.events != nullptr) end_steering();
  return outcome_;
}

// Waits for the tick, unless the run is late, and plans the step.
bool FrameLoop::begin_frame() noexcept {
  if (parts_.replay != nullptr && (told_ = parts_.replay->next()) == nullptr) {
    outcome_.end = End::requested;
    return false;
  }
  due_ = timeline_.tick(frame_);
  if (events_waiting()) serve_slack(due_, frame_);
  slept_ = told_ != nullptr ? told_->slept : meter_.last() < due_;
  claim_record();
  // How long the loop will be idle is known: the books are closed before the tick, so that nothing
  // stands between the wake-up and the sample.
  if (slept_) meter_.close(io::Phase::idle, due_);
  meter_.next_frame();
  if (slept_) {
    parts_.clock.sleep_until(due_);
    const MonoTime woke = told_ != nullptr ? told_->start : meter_.now();
    meter_.close(io::Phase::wake, woke);
    note_wake(due_, woke);
  }
  const MonoTime start = told_ != nullptr ? told_->start : meter_.last();
  if (rt::Heartbeat* const shared = parts_.heartbeat; shared != nullptr) {
    shared->beat.set(start.ns);
    if (shared->watcher.cut()) return go_unguarded();
  }
  StepPlan plan;  // of one frame, unless it is behind by as much
  if (start >= timeline_.tick(frame_ + 1)) {
    plan = fall_behind(start);
    if (outcome_.end != End::duration) return false;
  }
  due_ = timeline_.tick(frame_);
  time_ = timeline_.time(frame_);
  end_ = timeline_.time(frame_ + plan.span);
  record().step = step_;
  record().frame = frame_;
  record().t = time_;
  record().due = due_;
  record().start = start;
  record().slept = slept_;
  record().span = plan.span;
  record().slipped = static_cast<std::int32_t>(plan.slipped);
  record().deadline = timeline_.tick(frame_ + plan.span);
  began_late_ = start - due_;
  woken_ = slept_;
  return true;
}

// Nobody is left to make the outputs safe, should this process die: they become so now.
bool FrameLoop::go_unguarded() noexcept {
  outcome_.end = End::guard_lost;
  outcome_.frame = frame_;
  return false;
}

// Late by a frame or more: some of them are given up, and there may be no going on.
StepPlan FrameLoop::fall_behind(MonoTime start) noexcept {
  const StepPlan plan = catch_up(settings_.overrun, timeline_, frame_, start);
  statistics_->slips.add(plan.slipped);
  // The outputs are those of the last device call. Before the first one nothing is live.
  const Duration stood = start - inputs_.newest_time();
  const Duration longest = settings_.overrun.standstill;
  if (longest.ns > 0 && stood > longest && statistics_->frames.get() > 0) {
    stand_still(Limit::standstill, stood);
  } else if (!frozen_ && limits_.slipped(plan.slipped)) {
    reach(Limit::missed);
  }
  return plan;
}

void FrameLoop::note_wake(MonoTime due, MonoTime woke) noexcept {
  statistics_->wake.add(woke - due);
  if (woke - due <= settings_.late_wake) return;
  statistics_->late_wakes.add();
  record().late_wake = true;
}

// Sleeps for a release within the step, unless what was served in the slack before has run into it.
void FrameLoop::wait_for(MonoTime release) noexcept {
  const bool ahead = told_ != nullptr || meter_.last() < release;
  parts_.clock.sleep_until(release);
  const MonoTime woke = meter_.close_wait(release);
  note_wake(release, woke);
  began_late_ = woke - release;
  woken_ = ahead;
}

// One device call: what is due goes out, what is new comes in.
bool FrameLoop::exchange() noexcept {
  MonoTime sampled = meter_.last();
  const auto due = output_written_ ? std::span<const double>{} : std::span<const double>(y_);
  if (!call_devices(due, inputs_.incoming(), sampled)) return false;
  output_written_ = outputs_withheld_;
  record_.image(sampled, slept_, inputs_.incoming(), counts_);
  inputs_.accept(sampled);
  use_sample(due_ - settings_.lag, slept_);
  if (clamps_.reached(frame_ + timeline_.moved())) return blame_limits();
  return parts_.interlocks.empty() || !interlocked(Interlock::Of::input, inputs_.newest());
}

// A frozen frame: the plant and the outputs hold, real time goes on.
void FrameLoop::hold_frame() noexcept {
  record().frozen = true;
  record().limited = limited_;
  record().span = 1;  // nothing is advanced, however late it is
  record().deadline = timeline_.tick(frame_ + 1);
  record().end = told_ != nullptr ? told_->end : meter_.last();
  record().lateness = record().end - record().deadline;
  slot_ = 0;
  dense_.forget();
  declare_outputs();
  record_values();
  if (until_image_ != 0 && --until_image_ == 0) publish_image(time_);
  write_record();
  timeline_.move(1);
  statistics_->frozen_frames.add();
  statistics_->frames.set(frame_ + timeline_.moved());
}

// External events whose usual cost fits before `until`, for the step that starts at `next_frame`.
void FrameLoop::serve_slack(MonoTime until, std::int64_t next_frame) noexcept {
  while (parts_.events->waiting()) {
    const MonoTime before = meter_.last();
    const bool served =
        parts_.events->serve(until - before, {settings_.grid, next_frame}, targets_, *statistics_);
    const Duration took = meter_.close(io::Phase::slack) - before;
    if (!served) return;
    parts_.events->learn(took);
  }
}

}  // namespace hild::exec
