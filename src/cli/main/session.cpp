// SPDX-License-Identifier: Apache-2.0
#include "cli/main/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <future>

#include "cli/main/commands.hpp"
#include "cli/main/recording.hpp"
#include "cli/main/rehearse.hpp"
#include "cli/report/terminal.hpp"
#include "cli/terminal/print.hpp"
#include "config/plan/soundness.hpp"
#include "core/archive_problem.hpp"
#include "exec/may_arm.hpp"
#include "foreign/contain/process.hpp"
#include "io/guard/safe_ramp.hpp"
#include "offline/advise/soundness.hpp"
#include "recording/record/account.hpp"

namespace hild::commands {
namespace {

// Room for what a consumer may lag behind, at most 64 MiB unless 64 records are more.
std::size_t ring_slots(const io::FrameLayout& layout, double rate_hz) {
  const auto wanted = static_cast<std::size_t>(std::max(1024.0, 2 * rate_hz));
  const std::size_t room = std::bit_floor((64U << 20U) / layout.bytes() + 1);
  return std::clamp<std::size_t>(room, 64, std::bit_ceil(wanted));
}

/// The virtual clock of an offline run: time jumps from tick to tick as fast as the machine goes,
/// but never ahead of whoever takes the records, so that none is dropped.
class OfflineClock final : public rt::Clock {
 public:
  explicit OfflineClock(record::Handover& handover) : handover_(&handover) {}

  /// Where the records go, before the first sleep.
  void follow(const rt::SlotRing& records) noexcept { records_ = &records; }
  /// Who holds it, likewise.
  void keep_step(Lockstep& lockstep) noexcept { lockstep_ = &lockstep; }

  [[nodiscard]] bool virtual_time() const noexcept override { return true; }
  [[nodiscard]] MonoTime now() noexcept override { return now_; }
  void sleep_until(MonoTime due) noexcept override {
    const bool half = records_->full(records_->slots() / 2);
    if (half) let_be_taken();
    rung_ = half;
    if (lockstep_ != nullptr && !lockstep_->allows(due)) {
      handover_->records.ring();  // whoever lets it go on has seen them all
      lockstep_->stand(due);
    }
    if (due > now_) now_ = due;
  }

 private:
  /// Half of the places are taken: whoever takes the records works on them while the others fill.
  void let_be_taken() noexcept {
    if (!rung_) handover_->records.ring();
    while (true) {
      const auto before = handover_->places.rung();
      // The record of this step may have its place already; that of the next must find one.
      if (!records_->full(2)) return;
      Duration patience = 100_ms;
      (void)handover_->places.wait(before, patience);
    }
  }

  record::Handover* handover_;
  const rt::SlotRing* records_ = nullptr;
  Lockstep* lockstep_ = nullptr;
  MonoTime now_{};
  bool rung_ = false;  // since half of the places were taken
};

}  // namespace

Session::Session(plan::Assembly assembly, const Options& options)
    : assembly_(std::move(assembly)),
      options_(options),
      events_(assembly_.config.admission),
      records_{.layout = assembly_.layout(assembly_.bus->counts().size(),
                                          !options.offline && plan::shares_cpus(assembly_.config))},
      logs_(assembly_) {}

Session::~Session() {
  static_cast<void>(end());
  if (logs_.recorder) logs_.recorder->stop();  // before the server goes, which it feeds
}

void Session::make_and_judge_plan() {
  std::optional<plan::Measured> measured;
  if (!options_.offline) {
    rt::Warnings repeated;  // the frame thread will say the same
    measured = rehearse(assembly_, *clock_, assembly_.bus.get(), frames_.crew.get(), repeated);
    for (std::size_t c = 0; c < exec::event_classes; ++c) {
      events_.seed(static_cast<exec::EventClass>(c), measured->events[c]);
    }
    if (measured->schedule) {
      for (const plan::ModelSpan& span : measured->schedule->spans) {
        frames_.planned.push_back({span.model, span.worker, span.start, span.took});
      }
    }
    for (const plan::BackgroundPlan& one : measured->background) {
      frames_.in_background.push_back(
          {one.model, one.cpu, one.due(assembly_.config.settings.grid.period()), one.cost()});
    }
    if (measured->keyframe) assembly_.config.settings.keyframes.cost = measured->keyframe->time;
  }
  const plan::Plan plan = plan::make_plan(assembly_, measured, machine_for(assembly_.config.frame));
  if (plan.refusal) {
    throw Error{fmt::format("{}: {}", plan.config_file, plan.refusal->message), plan.refusal->code};
  }
  warn_of_unsound_step();
  if (options_.offline) return;
  for (const auto& w : plan.warnings) warnings_.tell(w);
}

// By the modes at the start, which cost a Jacobian; `hild check` looks further. A model that is not
// trusted is not asked: it may take its time to answer.
void Session::warn_of_unsound_step() {
  const config::Config& config = assembly_.config;
  if (plan::containment_of(config)) return;
  for (const plan::Soundness& s : advise::soundness_at_start(assembly_)) {
    for (const auto& w : plan::warnings_of(s, config.file)) warnings_.tell(w);
  }
}

void Session::prepare() {
  if (options_.offline) {
    clock_ = std::make_unique<OfflineClock>(records_.handover);
  } else {
    clock_ = make_clock(assembly_.config.frame);
  }
  // While there is one thread and no device: it may go wrong.
  if (!options_.offline) needed(plan::try_instances(assembly_.config));
  // Lines that others can see are those of one live run; offline runs are many side by side.
  if (options_.offline) assembly_.bus->detach();
  choose_grid();
  warn_of_tai();
  needed(assembly_.bus->open_guardable(*clock_));
  choose_patience();
  choose_arming();
  // Before there are other threads, and before anything else is open.
  start_guard();
  needed(assembly_.bus->open(*clock_));
  // What is large comes after it: the guard locks all it has into memory, in pages of its own.
  make_room_for_records();
  // Before the rehearsal, which must find idle CPUs as the run will find them.
  if (!options_.offline) latency_hold_ = rt::hold_cpu_latency(warnings_.rest());
  share_work();
  make_and_judge_plan();
  // Now, as until they are asked for something they look for it once a period.
  if (!options_.offline) {
    frames_.background = needed(plan::BackgroundCrew::start(assembly_.config, warnings_.rest()));
  }
  exec::Parts parts = assembly_.parts(clock(), *assembly_.bus, events_, *records_.ring);
  if (auto* guard = guard_keeper_.guard()) parts.heartbeat = &guard->heartbeat();
  if (frames_.crew) parts.workers = &frames_.crew->models();
  if (frames_.background) parts.background = frames_.background->threads();
  frames_.loop = std::make_unique<exec::FrameLoop>(assembly_.config.settings, std::move(parts));
  begin_logs();
  logs_.times.emplace(frames_.loop->times());
  std::vector<record::Sink*> sinks{&*logs_.times, &logs_.overruns, &logs_.trace};
  meet_nodes();
  serve(sinks);  // first: it might be another daemon's recording
  begin_sequence(sinks);
  begin_recording(std::move(sinks));
  if (!options_.offline) rt::lock_memory(warnings_.rest());
}

void Session::begin_recording(std::vector<record::Sink*> sinks) {
  logs_.recorders = begin_recorders(assembly_, records_.layout, *clock_, *frames_.loop,
                                    logs_.logger, options_.from.get());
  for (const auto& recorder : logs_.recorders) sinks.push_back(recorder.get());
  logs_.recorder = std::make_unique<record::Recorder>(*records_.ring, records_.layout,
                                                      std::move(sinks), &logs_.attribution);
  if (options_.offline) logs_.recorder->wait_by(records_.handover);
  take_keyframes();
  logs_.recorder->on_failure([this](const std::string& why) {
    logs_.logger->error("{}: what it recorded ends here; the run goes on", why);
    logs_.recording_broken.raise();
  });
  needed(logs_.recorder->start());
}

// Results are the same without them: on the virtual clock, which has no deadline, there are none.
void Session::share_work() {
  if (options_.offline) return;
  frames_.crew = start_workers(assembly_, *clock_, warnings_.rest());
  if (frames_.crew) frames_.crew->work_for(*assembly_.plant);
}

void Session::make_room_for_records() {
  records_.ring.emplace(records_.layout.bytes(),
                        ring_slots(records_.layout, assembly_.config.settings.grid.rate_hz()));
  if (options_.offline) static_cast<OfflineClock&>(*clock_).follow(*records_.ring);
}

void Session::begin_sequence(std::vector<record::Sink*>& sinks) {
  if (!options_.sequence) return;
  frames_.sequence = std::make_unique<OfflineSequence>(*options_.sequence, assembly_, served_run());
  static_cast<OfflineClock&>(*clock_).keep_step(frames_.sequence->lockstep());
  sinks.push_back(frames_.sequence.get());
}

void Session::take_keyframes() {
  logs_.recorder->take_keyframes(frames_.loop->keyframes());
  const std::string why = words_for(frames_.loop->why_no_keyframes());
  if (why.empty()) return;
  cli::tell("hild: no keyframes are recorded, so that a replay begins with the run: {}\n", why);
}

void Session::begin_logs() {
  std::vector<std::string> names;
  std::vector<std::string> units;
  for (const model::Output& output : assembly_.config.model.description.outputs) {
    names.emplace_back(output.name);
    units.emplace_back(output.unit);
  }
  logs_.clamps.emplace(
      logs_.logger, frames_.loop->statistics(), [this] { return assembly_.bus->cut_outputs(); },
      std::move(names), std::move(units));
  std::vector<std::string> states;
  for (const model::State& state : assembly_.config.model.description.states) {
    states.emplace_back(state.name);
  }
  logs_.accuracy.emplace(logs_.logger, frames_.loop->statistics(),
                         assembly_.config.settings.accuracy, std::move(states));
  logs_.losses.emplace(logs_.logger, losable_inputs(),
                       [this] { return frames_.loop->lost_inputs().at_present(); });
  logs_.standstills.emplace(logs_.logger, frames_.loop->statistics(),
                            assembly_.config.settings.overrun, contain::endings);
}

std::vector<record::LosableInput> Session::losable_inputs() const {
  const model::Description& model = assembly_.config.model.description;
  std::vector<record::LosableInput> all;
  for (const io::InputSignal& input : assembly_.bus->inputs()) {
    const bool wired = input.device >= 0;
    all.push_back(
        {std::string(input.name.view()),
         wired ? std::string(
                     assembly_.bus->members()[static_cast<std::size_t>(input.device)].name.view())
               : std::string(),
         all.size() < model.inputs.size() ? std::string(model.inputs[all.size()].unit)
                                          : std::string(),
         input.loss});
  }
  return all;
}

// Where frames are aligned the run begins with the others' next one.
MonoTime Session::first_tick(MonoTime earliest) {
  const exec::Settings& settings = assembly_.config.settings;
  if (!settings.align) return earliest;
  const exec::TaiGrid grid(*settings.align, settings.grid);
  return grid.first_tick(earliest, rt::kernel_tai().read().ahead);
}

void Session::meet_nodes() {
  if (options_.offline) return;
  nodes_keeper_.start(
      *assembly_.bus,
      {.self =
           [this] {
             const exec::Statistics& s = frames_.loop->statistics();
             return nodes::Self{assembly_.bus->armed(), may_arm(), s.frames.get(),
                                s.overruns.get()};
           },
       .arm = [this](bool armed) { arm(armed); },
       .tell = [this](const std::string& words) { logs_.logger->info(words); },
       .waits = [this](const std::string& whom) { anew_.service.tell_waiting(whom); }});
}

bool Session::may_arm() const { return !frames_.done.raised() && exec::may_arm(*frames_.loop); }

void Session::arm(bool armed) {
  if (!armed) return assembly_.bus->disarm();
  assembly_.bus->arm(assembly_.config.safety.ramp_in);
}

// At the tick that all members of a system have agreed on. One that finds them running, or comes
// too late, begins with its next.
MonoTime Session::begin_with_others(Duration ahead) {
  const std::optional<MonoTime> agreed = nodes_keeper_.await_beginning(frames_.stop);
  const MonoTime earliest = clock_->now() + ahead;
  if (!agreed) return first_tick(earliest);
  if (*agreed < earliest) {
    cli::tell("hild: other members have begun: begins with the next tick\n");
  }
  return first_tick(std::max(*agreed, earliest));
}

void Session::warn_of_tai() {
  if (!assembly_.config.settings.align) return;
  if (rt::utc_behind_tai() != 0) return;
  warnings_.tell(
      "nobody has told the kernel how far UTC is behind TAI: frames are in phase with those of "
      "machines of which the same is true; `hild doctor` tells how it is told");
}

void Session::run() {
  const Grid& grid = assembly_.config.settings.grid;
  const std::int64_t frames =
      options_.duration ? grid.frames_in(*options_.duration) : INT64_MAX / 4;
  auto options = thread_options(assembly_.config.frame);
  if (options_.offline) options.priority = 0;

  listen();
  guard_keeper_.watch();
  std::promise<pid_t> started;
  std::promise<MonoTime> begins;
  frames_.thread.emplace(
      needed(rt::Thread::start(options, warnings_.rest(), [this, frames, &started, &begins] {
        started.set_value(gettid());
        if (auto* guard = guard_keeper_.guard()) guard->hold();
        run_frames(begins.get_future().get(), frames);
        if (frames_.sequence) frames_.sequence->lockstep().end();
        make_outputs_safe();
        frames_.done.raise();
      })));
  gather_evidence(started.get_future().get());
  warnings_.tell_rest();
  // A little ahead, so that the first tick is met, and the images before it; and only now, as on a
  // busy machine what is done above takes longer than that.
  const Duration ahead = grid.period() * (2 + assembly_.config.settings.images_before);
  const Duration needed_ahead = std::max(Duration(10_ms), ahead);
  const MonoTime start = begin_with_others(needed_ahead);
  const SimTime first = options_.from ? options_.from->keyframe.head.time : SimTime{};
  assembly_.bus->start(start - (first - SimTime{}));
  begins.set_value(start);
  if (frames_.sequence) needed(frames_.sequence->start());
  watch();
  end_loop();
  if (frames_.sequence) frames_.sequence->join();
  logs_.recorder->stop();
  if (frames_.refused.empty()) return;
  throw Error{fmt::format("{}: the run cannot go on from it: {}", options_.from->branch.file,
                          frames_.refused),
              ExitCode::fault};
}

// On the frame thread.
void Session::run_frames(MonoTime start, std::int64_t frames) {
  if (!options_.from) {
    frames_.outcome = frames_.loop->run(start, frames, frames_.stop);
    return;
  }
  Archive::Problem problem;
  replay::TablesOf tables(options_.from->changes);
  frames_.outcome = frames_.loop->run_from(
      {.keyframe = options_.from->keyframe.view(), .tick = start, .tables = &tables, .held = true},
      frames, frames_.stop, problem);
  frames_.refused = words_for(problem);
}

// What the kernel does to the frame thread. Where it does not tell, causes are the loop's own.
void Session::gather_evidence(pid_t frame_thread) {
  if (options_.offline) return;
  // A kernel that keeps no account of threads is no reason to complain: nobody asked for it.
  auto accounts = record::accounts_of(frame_thread, record::worth_here());
  if (accounts) logs_.attribution.begin(std::move(*accounts));
  if (!assembly_.config.evidence) return;
  auto events = rt::watch_thread(frame_thread);
  if (!events) return warnings_.tell("overrun.evidence: " + events.error().message);
  logs_.attribution.begin(std::move(*events));
}

ExitCode Session::finish(const std::string& file) {
  report::Run run = reported();
  for (const auto& recorder : logs_.recorders) {
    if (auto total = recorder->total()) {
      run.recordings.push_back({recorder->name(), std::move(*total)});
    }
  }
  if (frames_.sequence) run.sequence = frames_.sequence->outcome();
  report::Report report = report::make_report(run);
  const auto signals = report::signals_of(logs_.trace, assembly_.config.model.description.outputs);
  report.signals = report::ranges_of(signals);

  const bool quiet = options_.sequence && options_.sequence->quiet;
  if (!quiet) {
    cli::print_text("\n" +
                    report::terminal_report(report, signals, report::style_for(STDOUT_FILENO)));
  }
  for (const auto& failure : logs_.recorder->failures()) cli::tell("hild: {}\n", failure);
  if (!file.empty()) needed(report::write_json(report, file));
  return report::exit_code(frames_.outcome);
}

// A converter that drives something is armed by a person; a simulated one needs nobody.
void Session::choose_arming() {
  io::Bus& bus = *assembly_.bus;
  const bool hardware = std::ranges::any_of(bus.outputs(), [&](const io::OutputSignal& o) {
    return o.device >= 0 && bus.members()[static_cast<std::size_t>(o.device)].device->hardware();
  });
  const bool disarms = std::ranges::any_of(
      bus.inputs(), [](const io::InputSignal& i) { return i.loss.then == io::OnLoss::disarm; });
  if (disarms && !assembly_.config.control) {
    warnings_.tell(
        "on_loss: disarm: once an input is lost nobody can arm outputs again; add a control: "
        "section and use `hildctl arm`");
  }
  if (!hardware && !options_.arm && !options_.from) return;
  bus.start_disarmed();
  if (options_.arm && options_.from) {
    warnings_.tell(
        "--arm: outputs of a run that goes on from a recorded step are armed by a person: "
        "`hildctl arm`");
  } else if (options_.arm) {
    bus.arm(assembly_.config.safety.ramp_in);
  } else {
    warnings_.tell(
        fmt::format("outputs are disarmed and take their safe actions: {}",
                    assembly_.config.control
                        ? "arm them with `hildctl arm`"
                        : "run with --arm, or add a control: section and use `hildctl arm`"));
  }
}

// What is on the virtual clock has no hardware whose ticks there were to follow, but a simulated
// one.
void Session::choose_grid() {
  auto& follow = assembly_.config.settings.follow;
  if (!options_.offline) return;
  // A reply to a sequence waits for no image: it reads the loop where that stands.
  if (options_.sequence) assembly_.config.settings.snapshot_every = 0;
  assembly_.config.settings.align.reset();
  if (!follow) return;
  const auto& input = assembly_.bus->inputs()[assembly_.config.frame.follows_input];
  const auto& device = assembly_.bus->members()[static_cast<std::size_t>(input.device)];
  if (!device.device->hardware()) return;
  follow.reset();
  warnings_.tell(fmt::format("offline frames do not follow device {}: they are {:.6g} us long",
                             device.name.view(), 1e6 / assembly_.config.settings.grid.rate_hz()));
}

// Under the ordinary scheduler a busy machine may leave frames out for seconds, and that is no
// hang.
void Session::choose_patience() {
  config::Config& config = assembly_.config;
  const int priority = config.frame.priority;
  if (options_.offline || (priority > 0 && rt::urgent_allowed(priority))) return;
  config.safety.within = config.safety.within_ordinary;
  config.settings.overrun.standstill = config.standstill_ordinary;
}

void Session::start_guard() {
  if (options_.offline || !assembly_.bus->drives()) return;
  if (!assembly_.config.safety.guard) {
    return warnings_.tell(
        "safety.guard is off: nobody makes the outputs safe if this process dies or hangs");
  }
  guard_keeper_.start(*assembly_.bus, assembly_.config, warnings_.rest());
}

// The loop ends with its safe actions begun; those that take time are brought to their end here,
// watched by the guard. On the frame thread: another may be waiting for somebody to read its words.
void Session::make_outputs_safe() {
  guard::Guard* const guard = guard_keeper_.guard();
  const bool settled = guard::ramp_to_safe(*assembly_.bus, *clock_, [this, guard] {
    if (guard != nullptr) guard->heartbeat().beat.set(clock_->now().ns);
  });
  frames_.outcome.safe = frames_.outcome.safe && settled;
  if (guard != nullptr) guard->release();
}

bool Session::end() {
  frames_.stop.raise();
  if (frames_.sequence) frames_.sequence->lockstep().leave();
  end_loop();
  return stuck();
}

// The run is over, and its outputs are safe: a step that is under way may take twice its time.
void Session::settle_background() {
  Duration longest = 1_s;
  for (const plan::BackgroundPlan& one : plan::background_steps(assembly_.config)) {
    longest = std::max(longest, one.due(assembly_.config.settings.grid.period()));
  }
  frames_.background->settle(longest * 2);
}

void Session::end_loop() {
  if (!frames_.thread) return;
  frames_.thread->join();
  frames_.thread.reset();
  if (frames_.background) settle_background();
  guard_keeper_.end();
  assembly_.bus->stop();
}

}  // namespace hild::commands
