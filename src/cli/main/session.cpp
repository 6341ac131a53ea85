// SPDX-License-Identifier: Apache-2.0
#include "cli/main/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <future>

#include "cli/main/commands.hpp"
#include "cli/main/offline_clock.hpp"
#include "cli/main/recording.hpp"
#include "cli/main/rehearse.hpp"
#include "cli/main/served_run.hpp"
#include "cli/main/terminal_sink.hpp"
#include "cli/report/json.hpp"
#include "cli/report/terminal.hpp"
#include "cli/terminal/print.hpp"
#include "config/plan/soundness_words.hpp"
#include "core/archive_problem.hpp"
#include "foreign/contain/process.hpp"
#include "offline/advise/soundness.hpp"
#include "recording/record/journal.hpp"
#include "recording/record/kernel_accounts.hpp"
#include "recording/record/kernel_evidence.hpp"

namespace hild::commands {
namespace {

// Room for what a consumer may lag behind, at most 64 MiB.
std::size_t ring_slots(const io::FrameLayout& layout, double rate_hz) {
  const auto wanted = static_cast<std::size_t>(std::max(1024.0, 2 * rate_hz));
  return std::clamp<std::size_t>((64U << 20U) / layout.bytes(), 64, wanted);
}

// Of the run and of its recording; the journal's fields tell whose words they are.
std::shared_ptr<spdlog::logger> make_logger(const config::Config& config) {
  if (record::goes_to_journal(STDERR_FILENO)) {
    return std::make_shared<spdlog::logger>(
        "hild", std::make_shared<record::JournalSink>(std::vector<record::LogField>{
                    {"HILD_CONFIG", config.file}, {"HILD_MODEL", config.model.type}}));
  }
  auto logger = std::make_shared<spdlog::logger>("hild", std::make_shared<TerminalSink>());
  logger->set_pattern("%H:%M:%S.%e %^%l%$ %v");
  return logger;
}

// Signals the user is likely to look at: the first output wired to a device, else the first.
std::vector<std::size_t> plotted(const plan::Assembly& a) {
  const auto& outputs = a.bus->outputs();
  const auto wired = std::ranges::find_if(outputs, [](const auto& o) { return o.device >= 0; });
  if (outputs.empty()) return {};
  return {wired == outputs.end() ? 0 : static_cast<std::size_t>(wired - outputs.begin())};
}

}  // namespace

Session::Session(plan::Assembly assembly, const Options& options)
    : assembly_(std::move(assembly)),
      options_(options),
      events_(assembly_.config.admission),
      layout_(assembly_.layout(assembly_.bus->counts().size())),
      records_(layout_.bytes(), ring_slots(layout_, assembly_.config.settings.grid.rate_hz())),
      logs_(make_logger(assembly_.config),
            {.late_wake = assembly_.config.settings.late_wake,
             .devices = devices_of(assembly_),
             .evidence = assembly_.config.evidence,
             .models = {assembly_.config.model.description.parts.begin(),
                        assembly_.config.model.description.parts.end()}},
            plotted(assembly_)) {}

Session::~Session() {
  frames_.stop.raise();
  end_loop();
  if (logs_.recorder) logs_.recorder->stop();  // before the server goes, which it feeds
}

Result<void> Session::choose_clock() {
  if (options_.offline) {
    clock_ = std::make_unique<OfflineClock>(records_);
    return {};
  }
  auto clock = make_clock(assembly_.config.frame);
  if (!clock) return tl::make_unexpected(clock.error());
  clock_ = std::move(*clock);
  return {};
}

Result<void> Session::make_and_judge_plan() {
  std::optional<plan::Measured> measured;
  if (!options_.offline) {
    rt::Warnings repeated;  // the frame thread will say the same
    auto rehearsed = rehearse(assembly_, *clock_, true, repeated);
    if (!rehearsed) return tl::make_unexpected(rehearsed.error());
    measured = *rehearsed;
    for (std::size_t c = 0; c < exec::event_classes; ++c) {
      events_.seed(static_cast<exec::EventClass>(c), measured->events[c]);
    }
    if (measured->keyframe) assembly_.config.settings.keyframes.cost = measured->keyframe->time;
  }
  const plan::Plan plan = plan::make_plan(assembly_, measured, plan::this_machine());
  if (plan.refusal)
    return fail(plan.refusal->code, "{}: {}", plan.config_file, plan.refusal->message);
  warn_of_unsound_step();
  if (options_.offline) return {};
  for (const auto& w : plan.warnings) warn(w);
  return {};
}

// By the modes at the start, which cost a Jacobian; `hild check` looks further. A model that is not
// trusted is not asked: it may take its time to answer.
void Session::warn_of_unsound_step() {
  const config::Config& config = assembly_.config;
  if (config.model.contained) return;
  if (config.coupled && std::ranges::any_of(config.coupled->parts, [](const auto& part) {
        return part->model.contained.has_value();
      })) {
    return;
  }
  for (const plan::Soundness& s : advise::soundness_at_start(assembly_)) {
    for (const auto& w : plan::warnings_of(s, config.file)) warn(w);
  }
}

Result<void> Session::prepare() {
  if (auto chosen = choose_clock(); !chosen) return chosen;
  // Lines that others can see are those of one live run; offline runs are many side by side.
  if (options_.offline) assembly_.bus->detach();
  if (auto opened = assembly_.bus->open(*clock_); !opened) return opened;
  choose_patience();
  choose_arming();
  // Before there are other threads, and before anything else is open.
  if (auto guarded = start_guard(); !guarded) return guarded;
  // Before the rehearsal, which must find idle CPUs as the run will find them.
  if (!options_.offline) latency_hold_.emplace(warnings_);
  if (auto judged = make_and_judge_plan(); !judged) return judged;
  exec::Parts parts = assembly_.parts(*clock_, *assembly_.bus, events_, records_);
  if (auto* guard = guard_keeper_.guard()) parts.heartbeat = &guard->heartbeat();
  frames_.loop = std::make_unique<exec::FrameLoop>(assembly_.config.settings, std::move(parts));
  tell_clamping();
  tell_losses();
  logs_.standstills.emplace(logs_.logger, frames_.loop->statistics(),
                            assembly_.config.settings.overrun, contain::endings);
  std::vector<record::Sink*> sinks{&logs_.overruns, &logs_.trace};
  if (auto served = serve(sinks); !served) return served;  // or it is another daemon's recording
  auto frame_log = begin_recording(assembly_, layout_, *clock_, logs_.logger);
  if (!frame_log) return tl::make_unexpected(frame_log.error());
  logs_.frames = std::move(*frame_log);
  if (logs_.frames) sinks.push_back(logs_.frames.get());
  logs_.recorder =
      std::make_unique<record::Recorder>(records_, layout_, std::move(sinks), &logs_.attribution);
  take_keyframes();
  logs_.recorder->on_failure([this](const std::string& why) {
    logs_.logger->error("{}: what it recorded ends here; the run goes on", why);
    logs_.recording_broken.raise();
  });
  if (auto started = logs_.recorder->start(); !started) return started;
  if (!options_.offline) rt::lock_memory(warnings_);
  return {};
}

void Session::take_keyframes() {
  logs_.recorder->take_keyframes(frames_.loop->keyframes());
  const std::string why = words_for(frames_.loop->why_no_keyframes());
  if (why.empty()) return;
  cli::tell("hild: no keyframes are recorded, so that a replay begins with the run: {}\n", why);
}

void Session::tell_clamping() {
  std::vector<std::string> names;
  std::vector<std::string> units;
  for (const model::Output& output : assembly_.config.model.description.outputs) {
    names.emplace_back(output.name);
    units.emplace_back(output.unit);
  }
  logs_.clamps.emplace(
      logs_.logger, frames_.loop->statistics(), [this] { return assembly_.bus->cut_outputs(); },
      std::move(names), std::move(units));
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

void Session::tell_losses() {
  logs_.losses.emplace(logs_.logger, losable_inputs(),
                       [this] { return frames_.loop->lost_inputs().at_present(); });
}

// Who may steer the run; it listens before anything is driven.
Result<void> Session::serve(std::vector<record::Sink*>& sinks) {
  if (!assembly_.config.control) return {};
  if (options_.offline) {
    warn("control: is left out of an offline run, which is over sooner than anybody could ask");
    return {};
  }
  server::Run run =
      served_run(assembly_, layout_, *frames_.loop, events_, frames_.stop, frames_.done);
  run.devices = devices_of(assembly_);
  run.corrections = &logs_.attribution.corrections();
  run.evidence = assembly_.config.evidence;
  run.arm = [this](bool armed) {
    if (!armed) return assembly_.bus->disarm();
    assembly_.bus->arm(assembly_.config.safety.ramp_in);
  };
  tell_state_to(run);
  run.accepted = [this](const exec::Transaction& transaction, const exec::Reply& reply) {
    if (logs_.frames) logs_.frames->changed(transaction, reply);
  };
  server_ = std::make_unique<server::Server>(io_, *assembly_.config.control, std::move(run));
  if (auto listening = server_->open(); !listening) return listening;
  for (record::Sink* sink : server_->sinks()) sinks.push_back(sink);
  cli::tell("hild: control: {}\n", server_->where());
  return {};
}

Result<void> Session::run() {
  const Grid& grid = assembly_.config.settings.grid;
  const std::int64_t frames =
      options_.duration ? grid.frames_in(*options_.duration) : INT64_MAX / 4;
  auto options = thread_options(assembly_.config.frame);
  if (options_.offline) options.priority = 0;

  listen();
  guard_keeper_.watch();
  // A little ahead, so that the first tick is met, and the images before it.
  const Duration ahead = grid.period() * (2 + assembly_.config.settings.images_before);
  const MonoTime start = clock_->now() + std::max(Duration(10_ms), ahead);
  assembly_.bus->start(start);
  std::promise<pid_t> started;
  auto thread = rt::Thread::start(options, warnings_, [this, start, frames, &started] {
    started.set_value(gettid());
    if (auto* guard = guard_keeper_.guard()) guard->hold();
    frames_.outcome = frames_.loop->run(start, frames, frames_.stop);
    make_outputs_safe();
    frames_.done.raise();
  });
  if (!thread) return tl::make_unexpected(thread.error());
  frames_.thread.emplace(std::move(*thread));
  gather_evidence(started.get_future().get());
  for (; warned_ < warnings_.size(); ++warned_) {
    cli::tell("hild: warning: {}\n", warnings_[warned_].message);
  }
  watch();
  end_loop();
  logs_.recorder->stop();
  return {};
}

// What the kernel does to the frame thread. Where it does not tell, causes are the loop's own.
void Session::gather_evidence(pid_t frame_thread) {
  if (options_.offline) return;
  // A kernel that keeps no account of threads is no reason to complain: nobody asked for it.
  auto accounts = record::KernelAccounts::watch(frame_thread, record::worth_here());
  if (accounts) logs_.attribution.begin(std::move(*accounts));
  if (!assembly_.config.evidence) return;
  auto events = rt::ThreadEvents::watch(frame_thread);
  if (!events) return warn("overrun.evidence: " + events.error().message);
  logs_.attribution.begin(std::make_unique<record::KernelEvidence>(std::move(*events)));
}

ExitCode Session::finish(const std::string& file) {
  report::Run run = reported();
  if (logs_.frames) run.recording = logs_.frames->status();
  const report::Report report = report::make_report(run);

  const auto signals = report::signals_of(logs_.trace, assembly_.config.model.description.outputs);
  cli::print_text("\n" +
                  report::terminal_report(report, signals, report::style_for(STDOUT_FILENO)));
  for (const auto& failure : logs_.recorder->failures()) cli::tell("hild: {}\n", failure);
  if (!file.empty()) {
    if (auto written = report::write_json(report, file); !written) return complain(written.error());
  }
  return report::exit_code(frames_.outcome);
}

void Session::warn(const std::string& text) {
  cli::tell("hild: warning: {}\n", text);
  // Kept for the report; said already.
  warnings_.insert(warnings_.begin() + static_cast<std::ptrdiff_t>(warned_), Error{text});
  ++warned_;
}

}  // namespace hild::commands
