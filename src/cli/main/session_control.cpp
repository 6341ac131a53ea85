// SPDX-License-Identifier: Apache-2.0
/// Who may steer a run, what they are told of it, and what is told of its end.
#include <fmt/format.h>

#include <algorithm>

#include "cli/main/commands.hpp"
#include "cli/main/recording.hpp"
#include "cli/main/sequences.hpp"
#include "cli/main/session.hpp"
#include "cli/report/outcome.hpp"
#include "cli/terminal/print.hpp"
#include "core/archive_problem.hpp"
#include "foreign/contain/process.hpp"
#include "hild/io/repeatable.hpp"

namespace hild::commands {
namespace {

template <class Signal>
std::string where(const io::Bus& bus, const Signal& s) {
  if (s.device < 0) return {};
  const auto& device = bus.members()[static_cast<std::size_t>(s.device)];
  return fmt::format("{} {}", device.name.view(), s.channel.where.view());
}

// Whose outputs nobody takes to safety if this process dies, and why.
std::vector<std::string> unguarded_by(const io::Bus& bus) {
  std::vector<std::string> all;
  for (Error& one : bus.unguardable()) all.push_back(std::move(one.message));
  return all;
}

std::vector<std::string> without_guard(const io::Bus& bus) {
  std::vector<std::string> all;
  for (std::size_t d = 0; d < bus.members().size(); ++d) {
    const bool drives = std::ranges::any_of(
        bus.outputs(), [&](const io::OutputSignal& o) { return o.device == static_cast<int>(d); });
    if (!drives) continue;
    all.push_back(fmt::format("device {}: safety.guard is off", bus.members()[d].name.view()));
  }
  return all;
}

// Lines of interlocks follow the inputs of the model.
std::vector<server::Wire> inputs_of(const io::Bus& bus, std::size_t count) {
  std::vector<server::Wire> wires;
  for (std::size_t i = 0; i < count; ++i) wires.push_back({where(bus, bus.inputs()[i])});
  return wires;
}

std::vector<server::Wire> outputs_of(const io::Bus& bus) {
  std::vector<server::Wire> wires;
  for (const io::OutputSignal& s : bus.outputs()) {
    server::Wire wire{where(bus, s)};
    if (s.device >= 0 && !s.action.hold) wire.safe = s.scale * s.safe + s.offset;
    if (s.device >= 0) {
      const auto [low, high] =
          std::minmax({s.scale * s.limits.low + s.offset, s.scale * s.limits.high + s.offset});
      wire.limits = {low, high};
    }
    wires.push_back(std::move(wire));
  }
  return wires;
}

std::vector<server::Run::DeviceCounters> counters_of(const io::Bus& bus) {
  std::vector<server::Run::DeviceCounters> all;
  for (const io::Member& member : bus.members()) {
    const auto counters = member.device->counters();
    if (!counters.empty()) all.push_back({std::string(member.name.view()), counters});
  }
  return all;
}

// Devices begin anew: what was wrong with them is not.
std::vector<server::Run::Earlier> earlier_changes(const replay::StateAt* from) {
  std::vector<server::Run::Earlier> all;
  if (from == nullptr) return all;
  for (const framelog::Effect& e : from->changes) {
    for (const exec::Change& change : e.transaction.changes()) {
      const bool of_device = std::holds_alternative<exec::InjectFault>(change) ||
                             std::holds_alternative<exec::ClearFault>(change);
      if (!of_device) all.push_back({change, e.frame, e.time, e.transaction.id});
    }
  }
  return all;
}

}  // namespace

// Who may steer the run; it listens before anything is driven.
void Session::serve(std::vector<record::Sink*>& sinks) {
  if (!assembly_.config.control) return;
  if (options_.sequence) return;
  if (options_.offline) {
    return warnings_.tell(
        "control: is left out of an offline run, which is over sooner than anybody could ask");
  }
  server_ = std::make_unique<server::Server>(io_, *assembly_.config.control, served_run());
  needed(server_->open());
  for (record::Sink* sink : server_->sinks()) sinks.push_back(sink);
  cli::tell("hild: control: {}\n", server_->where());
}

server::Run Session::served_run() {
  const config::Config& config = assembly_.config;
  const model::Description& description = assembly_.plant->description();
  return {
      .model = config.model.type,
      .method = config.method,
      .version = HILD_VERSION,
      .settings = config.settings,
      .layout = records_.layout,
      .description = description,
      .start_parameters = config.model.parameters,
      .inputs = inputs_of(*assembly_.bus, description.inputs.size()),
      .outputs = outputs_of(*assembly_.bus),
      .devices = devices_of(assembly_),
      .device_counters = counters_of(*assembly_.bus),
      .device_faults = assembly_.bus->device_faults(),
      .alarms = assembly_.config.alarms,
      .models = {config.frame.cpu,
                 frames_.crew ? frames_.crew->placement().cpus : std::vector<int>{},
                 frames_.planned, frames_.in_background},
      .corrections = &logs_.attribution.corrections(),
      .evidence = config.evidence,
      .loop = *frames_.loop,
      .events = events_,
      .stop = frames_.stop,
      .ended = frames_.done,
      .arm = [this](bool armed) { arm(armed); },
      .armed = [this] { return assembly_.bus->armed(); },
      .unguardable =
          config.safety.guard ? unguarded_by(*assembly_.bus) : without_guard(*assembly_.bus),
      .nodes = nodes_keeper_.agreement(),
      .recorders = [this] { return recorders_state(); },
      .record = [this](std::size_t recorder, bool on) { return record(recorder, on); },
      .rewind = [this](SimTime to) { return rewind(to); },
      .rewinding = [this] { return anew_.rewinder.state(); },
      .launch = launch_sequence,
      .earlier = earlier_changes(options_.from.get()),
      .accepted =
          [this](const exec::Transaction& transaction, const exec::Reply& reply,
                 server::Run::Texts texts) {
            for (const auto& one : logs_.recorders) one->changed(transaction, reply, texts);
          },
      .model_ending = contain::endings,
      .guard =
          [this] {
            if (guard_keeper_.lost()) return server::Guarding::lost;
            if (!assembly_.bus->drives()) return server::Guarding::none;
            return assembly_.config.safety.guard ? server::Guarding::watching
                                                 : server::Guarding::off;
          },
      .ending = [this] { return ending(); },
      .tell =
          [logger = logs_.logger](const std::string& words, bool bad) {
            logger->log(bad ? spdlog::level::err : spdlog::level::info, "{}", words);
          },
  };
}

std::vector<server::Run::Recorder> Session::recorders_state() const {
  std::vector<server::Run::Recorder> all;
  for (const auto& one : logs_.recorders) {
    framelog::Roll::Status s = one->status();
    all.push_back({one->name(), framelog::to_string(s.state), std::move(s.file), s.files, s.bytes,
                   s.closing, s.blocks, s.blocks_max, s.lost, std::move(s.error)});
    if (all.back().error.empty() && logs_.recording_broken.raised()) {
      all.back().error = "a part of what records was given up, the log says why";
    }
  }
  return all;
}

std::string Session::record(std::size_t recorder, bool on) {
  const auto done = on ? logs_.recorders[recorder]->start() : logs_.recorders[recorder]->stop();
  return done ? std::string() : done.error().message;
}

// What makes its time go on whatever the run does; empty: nothing.
std::string Session::why_no_rewind() const {
  const config::Config& config = assembly_.config;
  const io::Bus& bus = *assembly_.bus;
  if (nodes_keeper_.connects()) return "it has nodes, which go on";
  if (config.settings.follow) {
    return fmt::format("its frames follow device {}, whose ticks go on", config.frame.follows);
  }
  if (config.settings.align) return "its frames are in phase with those of others";
  if (const std::string why = words_for(frames_.loop->why_no_keyframes()); !why.empty()) {
    return "its state cannot be saved: " + why;
  }
  for (const io::InputSignal& input : bus.inputs()) {
    if (input.device < 0) continue;
    const io::Member& member = bus.members()[static_cast<std::size_t>(input.device)];
    const auto* const one = dynamic_cast<const io::Repeatable*>(member.device.get());
    const std::string_view why =
        one == nullptr ? "it goes on whatever the run does" : one->why_not_repeatable();
    if (why.empty()) continue;
    return fmt::format("input {} comes from device {}: {}", input.name.view(), member.name.view(),
                       why);
  }
  return {};
}

// Into the past of the recording that goes on.
std::string Session::rewind(SimTime to) {
  std::string file;
  for (std::size_t i = 0; i < logs_.recorders.size() && file.empty(); ++i) {
    const config::Record& settings = assembly_.config.recorders[i];
    const framelog::Roll::Status status = logs_.recorders[i]->status();
    const bool whole = settings.all_frames && !settings.trigger && settings.keyframes;
    if (whole && status.state == framelog::Roll::State::recording) file = status.file;
  }
  if (file.empty()) {
    return "nothing is recorded to go back into: expected a recorder of all frames, with "
           "keyframes, that records (record: in the configuration, `hildctl record start`)";
  }
  if (const std::string why = why_no_rewind(); !why.empty()) {
    return fmt::format(
        "the run cannot go back: {}; `hild replay {} --at {:g}` goes on from there "
        "without it",
        why, file, seconds(to));
  }
  return anew_.rewinder.begin(file, to,
                              {.again = options_.again, .found = [this](const RecordedStep& step) {
                                 return go_back(step);
                               }});
}

// The state is there; what comes now is an ordinary end.
std::string Session::go_back(const RecordedStep& to) {
  if (frames_.done.raised()) return "the run has ended";
  if (!frames_.loop->snapshot().mode().frozen) {
    return "the plant was let go on meanwhile: `freeze` it, and try again";
  }
  assembly_.bus->disarm();
  logs_.logger->info("goes back to {} of {}: ends, and begins there anew, held and disarmed", to.at,
                     to.file);
  anew_.service.begin_rewind();
  frames_.stop.raise();
  return {};
}

// But for what is recorded, which may still be on its way to the disk.
report::Run Session::reported() {
  report::Run run{.config = assembly_.config,
                  .statistics = frames_.loop->statistics(),
                  .outcome = frames_.outcome,
                  .clamped_outputs = assembly_.bus->clamped(),
                  .cut_outputs = assembly_.bus->cut_outputs(),
                  .devices = report::counted_by(assembly_.bus->members()),
                  .model_ending = contain::endings(),
                  .corrections = &logs_.attribution.corrections(),
                  .warnings = warnings_.all()};
  if (assembly_.bus->failed() >= 0) run.device_failure = assembly_.bus->failure().message;
  if (run.outcome.end == exec::End::input_lost) {
    run.device_failure = record::why_lost(losable_inputs()[run.outcome.index], run.outcome.age);
  }
  if (run.outcome.end == exec::End::tick_lost) {
    run.device_failure = fmt::format("device {}, whose images the frames follow, has no new one",
                                     assembly_.config.frame.follows);
  }
  return run;
}

// The same as the report and the exit code will say.
server::Ending Session::ending() {
  const report::Report report = report::make_report(reported());
  server::Ending e{.outcome = std::string(report::to_string(report.outcome.end)),
                   .words = report.verdict.what,
                   .next = report.verdict.next,
                   .exit_code = static_cast<int>(report::exit_code(report.outcome)),
                   .safe = report.outcome.safe};
  if (anew_.service.reloads() && e.exit_code == 0) {
    e.words += anew_.rewinder.step()
                   ? fmt::format(" It begins again at {} of {}.", anew_.rewinder.step()->at,
                                 anew_.rewinder.step()->file)
                   : " It begins again with its configuration read anew.";
  }
  return e;
}

}  // namespace hild::commands
