// SPDX-License-Identifier: Apache-2.0
/// Who may steer a run, what they are told of it, and what is told of its end.
#include <fmt/format.h>

#include <algorithm>

#include "cli/main/commands.hpp"
#include "cli/main/recording.hpp"
#include "cli/main/session.hpp"
#include "cli/report/outcome.hpp"
#include "cli/terminal/print.hpp"
#include "foreign/contain/process.hpp"

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
      .accepted =
          [this](const exec::Transaction& transaction, const exec::Reply& reply) {
            for (const auto& one : logs_.recorders) one->changed(transaction, reply);
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
  if (service_.reloads() && e.exit_code == 0) {
    e.words += " It begins again with its configuration read anew.";
  }
  return e;
}

}  // namespace hild::commands
