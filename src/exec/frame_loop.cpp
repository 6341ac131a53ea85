// SPDX-License-Identifier: Apache-2.0
#include "exec/frame_loop.hpp"

#include <algorithm>
#include <cmath>

#include "exec/model_workers.hpp"

namespace hild::exec {
namespace {

// That are recorded of a step cut at time events; more are read, and used, but not kept.
constexpr std::size_t images_of_cut_step = 16;

io::FrameLayout layout_of(const Parts& parts) {
  return FrameLoop::layout(
      parts.plant, parts.start_inputs.size() - parts.plant.description().inputs.size(),
      parts.sampler.counts().size(), parts.sampler.groups(),
      parts.workers != nullptr ||
          std::ranges::any_of(parts.background,
                              [](const auto* thread) { return thread != nullptr; }),
      parts.sampler.heard());
}

// Of what the state of a plant means nothing without: its method and its names (FNV-1a).
std::uint64_t fingerprint_of(const model::Stepper& plant) noexcept {
  std::uint64_t h = 14'695'981'039'346'656'037U;
  const auto add = [&](std::string_view text) {
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
    h = (h ^ 0xFFU) * 1'099'511'628'211U;  // the end of a name
  };
  const auto add_names = [&](const auto& signals) {
    for (const auto& signal : signals) add(signal.name);
    add({});
  };
  const model::Description& d = plant.description();
  add(plant.method().name);
  add(d.name);
  add_names(d.states);
  add_names(d.inputs);
  add_names(d.outputs);
  add_names(d.parameters);
  add_names(d.events);
  return h;
}

}  // namespace

// ---- the order of a frame ----------------------------------------------------------------------

Outcome FrameLoop::run(MonoTime start, std::int64_t frames, const rt::Flag& stop) noexcept {
  begin_run(start);
  return go_on(frames, stop);
}

Outcome FrameLoop::go_on(std::int64_t frames, const rt::Flag& stop) noexcept {
  return plain() ? take_frames<true>(frames, stop) : take_frames<false>(frames, stop);
}

// Whether there is nothing in this run of what most runs have not: what is so all through it is
// asked once, and not in every frame.
bool FrameLoop::plain() const noexcept {
  return dynamic_cast<const LiveClock*>(run_.clock.get()) != nullptr && !run_.watches_results &&
         runner_.plain() && outputs_.plain() && run_.record.layout().heard() == 0;
}

template <bool Plain>
auto& FrameLoop::clock() noexcept {
  if constexpr (Plain) {
    return static_cast<LiveClock&>(*run_.clock);
  } else {
    return *run_.clock;
  }
}

template <bool Plain>
Outcome FrameLoop::take_frames(std::int64_t frames, const rt::Flag& stop) noexcept {
  FrameClock& clock = *run_.clock;
  const std::int64_t last = clock.gone_by() + frames;
  std::int64_t mark = std::min(last, keyframes_.next());
  bool well = true;  // no step was left half-way
  std::int64_t gone = clock.gone_by();
  while (!run_.end.reached()) {
    if (gone < mark ? !next_step<Plain>(stop) : !next_step_at<Plain>(mark, last, stop)) break;
    if (!begin_step<Plain>()) break;
    const bool changes = external_.due();
    if (changes) external_.keep_inputs(runner_.u());
    if (!exchange<Plain>() || (changes && !external_.commit())) break;
    if (changes) note_change();
    if (!Plain) runner_.connect();
    if (external_.holds()) {
      hold();
      gone = clock.gone_by();
      continue;
    }
    if (external_.active()) steer();
    if (!Plain) runner_.look_at_inputs();
    if (!runner_.advance<Plain>() || !close_step<Plain>()) {
      well = false;
      break;
    }
    if (external_.active()) external_.after_step();
    clock.advance();
    gone = clock.gone_by();
    run_.statistics->frames.set(gone);
    run_.statistics->sim_time_ns.set(clock.step().time.ns);
  }
  end_run(well);
  return run_.end.outcome();
}

// The step that comes, and in the slack before it what was asked for from outside.
template <bool Plain>
bool FrameLoop::next_step(const rt::Flag& stop) noexcept {
  auto& clock = this->clock<Plain>();
  if (stop.raised() || !clock.next()) {
    if (clock.in_phase()) {
      run_.end.request();
    } else {
      run_.end.tell(End::clock_set, clock.step().frame);
    }
    return false;
  }
  external_.serve(clock.step().due, clock.step().frame);
  return true;
}

// The same where all frames are over, or a keyframe is due. Rare, and kept out of the loop, so that
// other frames pay for nothing of it.
template <bool Plain>
[[gnu::noinline, gnu::cold]] bool FrameLoop::next_step_at(std::int64_t& mark, std::int64_t last,
                                                          const rt::Flag& stop) noexcept {
  if (run_.clock->gone_by() >= last || !next_step<Plain>(stop)) return false;
  keyframes_.serve(external_.transactions(), [this](Archive& archive) { transfer(archive); });
  mark = std::min(last, keyframes_.next());
  return true;
}

// Waits for the tick, unless the run is late, and plans the step.
template <bool Plain>
bool FrameLoop::begin_step() noexcept {
  run_.record.claim(run_.meter);
  const Step& step = run_.step;
  const MonoTime before = step.start;
  clock<Plain>().begin();
  if (heartbeat_ != nullptr) {
    heartbeat_->beat.set(step.start.ns);
    if (heartbeat_->watcher.cut()) [[unlikely]] {
      // Nobody is left to make the outputs safe, should this process die: they become so now.
      run_.end.tell(End::guard_lost, step.frame);
      return false;
    }
  }
  // An image may be older than the device call that read it: of a peer that is silent.
  return !step.behind || monitor_.behind(std::max(before, runner_.inputs().images().newest_time()));
}

// One device call: what is due goes out, what is new comes in.
template <bool Plain>
bool FrameLoop::exchange() noexcept {
  const std::int64_t frame = run_.step.frame;
  if (!run_.devices.read<Plain>(outputs_.due(), runner_.inputs().images(), frame)) return false;
  if (!Plain && run_.settings.follow && !follow()) return false;
  outputs_.tick_passed();
  return runner_.take_sample<Plain>() && monitor_.written() &&
         !(!Plain && run_.interlocks.any() &&
           run_.interlocks.trips(Interlock::Of::input, runner_.inputs().images().newest(), frame));
}

bool FrameLoop::follow() noexcept {
  if (run_.clock->follow(runner_.inputs().images().instants())) return true;
  run_.end.tell(End::tick_lost, run_.step.frame);
  return false;
}

// Something of the plant was changed from outside.
void FrameLoop::note_change() noexcept {
  runner_.note_change();
  images_.note_change();
  images_.tell(external_.holds(), external_, outputs_);
}

// What was asked for from outside, before a step.
void FrameLoop::steer() noexcept {
  if (external_.before_step(runner_.inputs().of_pass())) runner_.look_at_states();
  run_.meter.close(io::Phase::commit);
}

// A frozen frame: the plant and the outputs hold, real time goes on.
void FrameLoop::hold() noexcept {
  FrameClock& clock = *run_.clock;
  clock.shorten();  // nothing is advanced, however late it is
  io::FrameHeader& record = run_.record.header();
  record.frozen = true;
  record.limited = external_.limited();
  record.end = clock.ended();
  record.lateness = record.end - clock.step().deadline;
  outputs_.forget_parts();
  outputs_.apply_declared();
  record_values();
  if (run_.alarms.any()) note_alarms();
  images_.tell(true, external_, outputs_);
  if (images_.due()) images_.serve(clock.step().time, true, run_, external_, outputs_, runner_);
  close_record();
  clock.stand();
  run_.statistics->frozen_frames.add();
  run_.statistics->frames.set(clock.gone_by());
}

// Outputs of the new state, and the verdict on the step.
template <bool Plain>
bool FrameLoop::close_step() noexcept {
  const Step& step = run_.step;
  run_.plant.outputs(seconds(step.end), Plain ? runner_.u() : runner_.u_at_end(),
                     outputs_.values());
  outputs_.close_step<Plain>(external_.active());
  external_.falsify_outputs(outputs_.values());
  if (!Plain && runner_.caps().any()) {
    runner_.caps().note_plants_own(run_.record.header());
    monitor_.look(*runner_.caps().counted());
  }
  if (!record_values()) {
    blame_model();
    return false;
  }
  if (!Plain && run_.watches_results && !look_at_results()) return false;
  run_.meter.close(io::Phase::outputs);
  if (!Plain && !outputs_.write_early()) return false;
  if (!Plain && outputs_.any_dense() && !outputs_.put_out_rest(step.end, external_)) return false;
  run_.record.header().passes = static_cast<std::int32_t>(runner_.passes());
  monitor_.judge(clock<Plain>().ended());
  runner_.watch_error();
  if (images_.due()) images_.serve(step.end, false, run_, external_, outputs_, runner_);
  close_record();
  run_.statistics->steps.add();
  if (step.span > 1) run_.statistics->doubled_steps.add();  // taken: one may be cut to a frame
  return true;
}

// The record of this step, or of a frame that was held.
void FrameLoop::close_record() noexcept {
  const Step& step = run_.step;
  io::FrameHeader& record = run_.record.header();
  record.step = step.number;
  record.frame = step.frame;
  record.t = step.time;
  record.due = step.due;
  record.start = step.start;
  record.deadline = step.deadline;
  record.span = step.span;
  record.slipped = static_cast<std::int32_t>(step.slipped);
  record.slept = step.waited;
  record.late_wake = run_.clock->woke_late();
  run_.record.publish(run_.meter, *run_.statistics);
}

// Outputs and states into the record; whether all are finite, and the states plausible.
bool FrameLoop::record_values() noexcept {
  const bool finite = run_.record.slot().outputs(outputs_.values());
  return run_.record.slot().states(run_.plant.states(), plausible_.ranges()) && finite;
}

// The first state that is not finite or not plausible, else the first output that is not finite.
void FrameLoop::blame_model() noexcept {
  const Step& step = run_.step;
  const auto states = run_.plant.states();
  const std::span<const double> y = outputs_.values();
  const std::size_t bad = plausible_.first_beyond(states);
  if (bad < states.size()) {
    const bool finite = std::isfinite(states[bad]);
    run_.end.tell(finite ? Fault::implausible : Fault::not_finite, step.frame, step.end);
    run_.end.blame_state(bad, states[bad], plausible_.declared(bad));
  } else {
    const auto output = std::ranges::find_if_not(y, [](double v) { return std::isfinite(v); });
    run_.end.tell(Fault::not_finite, step.frame, step.end);
    run_.end.blame_output(static_cast<std::size_t>(output - y.begin()), *output);
  }
  run_.end.blame_function(run_.plant.system().failed_function());
}

// What must not come out of a step, before it is written, and what somebody wants to know of it.
bool FrameLoop::look_at_results() noexcept {
  const Step& step = run_.step;
  const std::span<const double> y = outputs_.values();
  const auto x = run_.plant.states();
  if (run_.interlocks.trips(Interlock::Of::output, y, step.frame) ||
      run_.interlocks.trips(Interlock::Of::state, x, step.frame)) {
    return false;
  }
  if (!run_.alarms.any()) return true;
  if (!run_.alarms.look({runner_.u(), y, x}, step.span, step.frame, run_.end)) return false;
  note_alarms();
  return true;
}

// Those of this step, or of a frame that was held; what follows from those that are open.
void FrameLoop::note_alarms() noexcept {
  io::FrameHeader& record = run_.record.header();
  record.alarms = run_.alarms.active();
  record.alarms_open = run_.alarms.open();
  // Also where somebody armed them meanwhile.
  if (run_.alarms.disarms()) run_.devices.sampler().disarm();
}

// ---- a run -------------------------------------------------------------------------------------

FrameLoop::FrameLoop(const Settings& settings, Parts parts)
    : run_(settings, parts, layout_of(parts)),
      outputs_(run_),
      external_(run_, outputs_, parts.events),
      runner_(run_, external_, outputs_, {std::move(parts.start_inputs), std::move(parts.inputs)}),
      monitor_(run_, external_),
      plausible_(std::move(parts.plausible), parts.plant.description().states.size()),
      images_(run_),
      times_(*run_.statistics),
      keyframes_(run_),
      heartbeat_(parts.heartbeat),
      first_frame_(parts.first_frame),
      fingerprint_(fingerprint_of(parts.plant)) {
  if (run_.workers != nullptr) run_.workers->serve(run_);
  // A replay has those of its record.
  const bool wanted = settings.keyframes.every > 0 || settings.keyframes.look > 0;
  if (!wanted || parts.records == nullptr || parts.replay != nullptr) return;
  Archive measured = Archive::measuring();
  transfer(measured);
  keyframes_.begin(measured, parts.records->slots());
}

io::FrameLayout FrameLoop::layout(const model::Stepper& plant, std::size_t lines,
                                  std::size_t counted, std::size_t groups, bool shared,
                                  std::size_t heard) {
  const numerics::Method& method = plant.method();
  const int starter = method.starter != nullptr ? method.starter->passes : 0;
  const auto passes =
      std::min(static_cast<std::size_t>(std::max(method.passes, starter)), io::max_slots);
  const model::Description& d = plant.description();
  // Cut at time events, passes of the parts take samples of their own; the first step has those
  // that were taken before the run.
  const std::size_t images =
      (d.time_events ? std::max(passes, images_of_cut_step) : passes) + io::ImageHistory::depth - 1;
  const std::size_t inputs = d.inputs.size();
  const std::size_t runs = shared ? std::max(passes, d.parts.size()) + d.parts.size() : 0;
  return {passes, inputs,         d.outputs.size(), d.states.size(),
          images, inputs + lines, counted,          groups,
          runs,   heard};
}

void FrameLoop::begin_run(MonoTime start) noexcept {
  run_.end.begin_run();
  run_.devices.begin_run();
  images_.note_change();
  images_.tell(false, external_, outputs_);
  run_.clock->begin_run(start, first_frame_);
  run_.meter.start();
  if (run_.settings.images_before > 0) read_before();
  runner_.begin_run();
  outputs_.begin_run();
  external_.begin_run();
  keyframes_.begin_run();
}

// ---- its state between two steps ---------------------------------------------------------------

// All that the steps to come follow from. What is counted or timed is not part of it, nor what has
// been posted and has not taken effect.
void FrameLoop::transfer(Archive& archive, Tables* tables) noexcept {
  archive.section("run", [&] {
    archive.expect(keyframe_layout, "layout of keyframes");
    archive.expect(fingerprint_, "model or method");
    run_.clock->transfer(archive);
  });
  archive.section("plant", [&] { run_.plant.transfer(archive, model::between_steps); });
  archive.section("inputs", [&] { runner_.transfer(archive); });
  archive.section("control", [&] { external_.transfer(archive, tables); });
  archive.section("outputs", [&] { outputs_.transfer(archive); });
  archive.section("overruns", [&] { monitor_.transfer(archive); });
  if (run_.alarms.any()) archive.section("alarms", [&] { run_.alarms.transfer(archive); });
}

std::size_t FrameLoop::most_state_bytes() {
  Archive measured = Archive::measuring();
  transfer(measured);
  return measured.good() ? measured.bytes() : 0;
}

Archive FrameLoop::save(std::span<std::byte> into) noexcept {
  const KeyframeHead here = place();
  Archive archive = Archive::saving(into, {.time = here.time, .tick = here.tick});
  transfer(archive);
  return archive;
}

KeyframeHead FrameLoop::place() const noexcept {
  const Step& step = run_.step;
  return {.step = step.number,
          .frame = step.frame,
          .time = step.time,
          .tick = run_.clock->timeline().tick(step.frame),
          .transactions = external_.transactions()};
}

Outcome FrameLoop::run_from(const From& from, std::int64_t frames, const rt::Flag& stop,
                            Archive::Problem& problem) noexcept {
  run_.end.begin_run();
  run_.devices.begin_run();
  run_.clock->begin_run(from.tick, first_frame_);
  run_.meter.start();
  external_.begin_run();
  Archive archive =
      Archive::loading(from.keyframe.state, {.time = from.keyframe.head.time, .tick = from.tick});
  transfer(archive, from.tables);
  if (from.held && archive.good()) external_.hold();
  run_.statistics->sim_time_ns.set(run_.clock->step().time.ns);
  images_.note_change();
  images_.tell(external_.holds(), external_, outputs_);
  problem = archive.problem();
  keyframes_.begin_run();
  return archive.good() ? go_on(frames, stop) : run_.end.outcome();
}

// Images for the history of the inputs; they stand in the record of the first step. Where a device
// fails the run is over before it begins.
void FrameLoop::read_before() noexcept {
  run_.record.claim_first(run_.meter);
  for (int frames = run_.settings.images_before; frames > 0; --frames) {
    run_.clock->wait_before(frames);
    run_.meter.start();
    if (!run_.devices.read({}, runner_.inputs().images(), first_frame_)) return;
    runner_.take_image_before();
  }
}

void FrameLoop::end_run(bool well) noexcept {
  run_.meter.end_run();
  external_.clear_faults();  // or they would hinder what is to be safe
  run_.end.note_safe(run_.devices.sampler().safe());
  images_.finish(well, run_, external_, outputs_, runner_);
  external_.end_run();
}

}  // namespace hild::exec
