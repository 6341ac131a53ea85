// SPDX-License-Identifier: Apache-2.0
#include "cli/main/recording.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <limits>

#include "cli/doctor/checks.hpp"
#include "cli/main/commands.hpp"
#include "config/plan/background.hpp"
#include "config/plan/placement.hpp"
#include "core/joined.hpp"
#include "core/json_parts.hpp"
#include "exec/pass_inputs.hpp"
#include "hild/rt/tai.hpp"
#include "recording/framelog/calibration.hpp"
#include "recording/framelog/links.hpp"
#include "recording/framelog/machine_info.hpp"

namespace hild::commands {
namespace {

template <class Range>
std::vector<framelog::SignalName> names(const Range& signals) {
  std::vector<framelog::SignalName> all;
  for (const auto& s : signals) all.push_back({std::string(s.name), std::string(s.unit)});
  return all;
}

// But for what differs from recorder to recorder.
mcap::Map run_of(const plan::Assembly& assembly, bool offline) {
  const config::Config& c = assembly.config;
  mcap::Map run{{"config", c.file},
                {"model", c.model.type},
                {"method", c.method},
                {"sampling", std::string(config::word_of(c.settings.sampling))},
                {"rate_hz", fmt::format("{}", c.settings.grid.rate_hz())},
                {"period_ns", fmt::format("{}", c.settings.grid.period().ns)},
                {"late_wake_ns", fmt::format("{}", c.settings.late_wake.ns)},
                {"devices", devices_of(assembly)},
                {"evidence", c.evidence ? "true" : "false"},
                {"offline", offline ? "true" : "false"}};
  if (const auto parts = c.model.description.parts; !parts.empty()) {
    run.emplace_back("models", fmt::format("{}", fmt::join(parts, ", ")));
    const std::vector<int> workers = offline ? std::vector<int>{} : plan::worker_cpus(c);
    if (!workers.empty()) run.emplace_back("workers", fmt::format("{}", fmt::join(workers, ", ")));
    std::vector<std::string_view> background;
    for (const plan::BackgroundPlan& one : plan::background_steps(c)) {
      background.push_back(parts[one.model]);
    }
    if (!background.empty() && !offline) {
      run.emplace_back("background", fmt::format("{}", fmt::join(background, ", ")));
    }
  }
  return run;
}

framelog::LinkName name_of(const io::Link& link) {
  return {link.domain, std::string(link.system), std::string(link.node), std::string(link.signal)};
}

framelog::Links links_of(const plan::Assembly& assembly) {
  const io::Bus& bus = *assembly.bus;
  const auto device = [&](int d) -> const io::Device& {
    return *bus.members()[static_cast<std::size_t>(d)].device;
  };
  framelog::Links links;
  for (const std::size_t i : bus.heard_outputs()) {
    const io::OutputSignal& s = bus.outputs()[i];
    const auto link = device(s.device).link(io::Direction::output, s.slot);
    links.node = link->here;
    links.sent.push_back(
        {name_of(*link), std::string(s.name.view()), std::string(s.channel.value_unit())});
  }
  const std::vector<io::SampledInput> sampled = bus.sampled_inputs();
  const auto& own = assembly.config.model.description.inputs;
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    const io::InputSignal& s = bus.inputs()[i];
    if (s.device < 0) continue;
    const auto link = device(s.device).link(io::Direction::input, s.slot);
    if (!link) continue;
    links.node = link->here;
    links.received.push_back({name_of(*link), std::string(s.name.view()),
                              std::string(s.channel.value_unit()),
                              i < own.size() ? std::string(own[i].unit) : std::string(), i,
                              sampled[i].group, s.scale, s.offset, s.loss.max_latency});
  }
  return links;
}

framelog::Description describe(const plan::Assembly& assembly, rt::Clock& clock) {
  const config::Config& c = assembly.config;
  using std::chrono::nanoseconds;
  const model::Description& model = c.model.description;
  framelog::Description d;
  d.program = "hild " HILD_VERSION;
  d.run = run_of(assembly, clock.virtual_time());
  d.build = framelog::this_build(HILD_VERSION);
  d.machine = framelog::this_machine();
  d.models = model_files(c);
  d.clock.monotonic = clock.now();
  d.clock.grid = c.settings.grid;
  d.clock.realtime_ns = nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  if (!clock.virtual_time()) d.clock.tai_ahead = rt::kernel_tai().read().ahead;
  d.signals = {names(model.inputs), names(model.outputs), names(model.states)};
  for (const std::size_t i : assembly.bus->counted()) {
    d.signals.counts.push_back({std::string(assembly.bus->inputs()[i].name.view()), ""});
  }
  d.images = {assembly.bus->sampled_inputs(), exec::image_rule(c.settings, assembly.method->order)};
  d.config = c.resolved;
  d.sources = c.sources;
  const std::uint64_t at = d.clock.log_time(d.clock.monotonic);
  // What can be told without measuring: a run must not begin late for it.
  const doctor::Machine machine = doctor::this_machine(c.frame.cpu, c.frame.priority);
  d.attachments.push_back({at, at, framelog::machine_info_attachment, "application/json",
                           framelog::machine_info(findings_json(doctor::examine(machine)))});
  if (const framelog::Links links = links_of(assembly); !links.node.empty()) {
    d.attachments.push_back({at, at, std::string(framelog::links_attachment), "application/json",
                             framelog::to_json(links)});
  }
  // Devices are open: by now they know what calibrates them.
  for (const io::Member& m : assembly.bus->members()) {
    const auto file = m.device->calibration();
    if (file.empty()) continue;
    d.attachments.push_back(needed(framelog::calibration_of(m.name.view(), file, at)));
  }
  return d;
}

/// The log of a recorder with this file. Of one that cannot be begun nothing is left.
Result<std::unique_ptr<framelog::FrameLog>> open_log(const config::Record& record,
                                                     const framelog::Description& about,
                                                     const io::FrameLayout& layout,
                                                     const std::string& file, bool mid_run,
                                                     framelog::LogOptions options) {
  const bool replace = record.replace && file == record.file;
  auto output = mcap::FileOutput::create(
      file, replace ? mcap::FileOutput::Existing::replace : mcap::FileOutput::Existing::refuse);
  if (!output) {
    return fail("{}.file: {}{}", record.name == "record" ? record.name : "recorders." + record.name,
                output.error().message,
                replace || mid_run ? "" : "; write another name, or `replace: true`");
  }
  framelog::Description description = about;
  description.run.emplace_back("recorder", record.name);
  description.run.emplace_back("frames", record.all_frames ? "all" : "notable");
  description.run.emplace_back("decimate", fmt::format("{}", record.decimate));
  if (mid_run) description.run.emplace_back(framelog::run_begins, framelog::begins_mid_run);
  config::Record settings = record;
  settings.file = file;
  auto log = framelog::FrameLog::create(std::make_unique<mcap::FileOutput>(std::move(*output)),
                                        description, layout, settings, std::move(options));
  // A device, /dev/full say, is not this run's to remove.
  std::error_code gone;
  if (!log && std::filesystem::is_regular_file(file, gone)) std::filesystem::remove(file, gone);
  return log;
}

}  // namespace

mcap::Map model_files(const config::Config& config) {
  mcap::Map files;
  const auto add = [&](const std::string& name, const std::string& file) {
    if (!file.empty()) files.emplace_back(name, framelog::file_fingerprint(file));
  };
  add(config.model.type, config.model.file);
  if (config.coupled) {
    for (const auto& part : config.coupled->parts) add(part->name, part->model.file);
  }
  return files;
}

boost::json::array findings_json(const std::vector<doctor::Finding>& findings) {
  return array_of(findings, [](const doctor::Finding& f) {
    return boost::json::object{{"check", f.check},
                               {"verdict", doctor::to_string(f.verdict)},
                               {"found", f.found},
                               {"why", f.why},
                               {"remedy", f.remedy}};
  });
}

std::string devices_of(const plan::Assembly& assembly) {
  return joined(assembly.bus->members(), ", ", [](const io::Member& m) { return m.name.view(); });
}

std::vector<std::unique_ptr<framelog::Roll>> begin_recorders(
    const plan::Assembly& assembly, const io::FrameLayout& layout, rt::Clock& clock,
    exec::FrameLoop& loop, std::shared_ptr<spdlog::logger> logger, const replay::StateAt* from) {
  std::vector<std::unique_ptr<framelog::Roll>> recorders;
  if (assembly.config.recorders.empty()) return recorders;
  // All files of a run are of one instant on both clocks, so that their times fit together.
  framelog::Description described = describe(assembly, clock);
  if (from != nullptr) described.branch = from->branch;
  const auto about = std::make_shared<const framelog::Description>(std::move(described));
  const auto tell = [logger = std::move(logger)](const std::string& text) { logger->warn(text); };
  for (const config::Record& record : assembly.config.recorders) {
    framelog::RollOptions options;
    options.wait = clock.virtual_time();
    // Its frames are past before anybody could wait for them.
    if (options.wait) options.patience = Duration{std::numeric_limits<std::int64_t>::max()};
    options.tell = tell;
    options.open = [=, &record, wait = options.wait](const std::string& file, bool mid_run) {
      return open_log(record, *about, layout, file, mid_run, {.wait = wait, .tell = tell});
    };
    if (loop.keyframes() != nullptr) options.ask_keyframe = [&loop] { loop.ask_keyframe(); };
    if (from != nullptr) {
      for (const framelog::Effect& effect : from->changes) {
        options.before.push_back(framelog::write_effect(effect));
      }
    }
    auto& made =
        *recorders.emplace_back(std::make_unique<framelog::Roll>(record, std::move(options)));
    if (record.with_run) needed(from == nullptr ? made.begin() : made.start());
  }
  return recorders;
}

}  // namespace hild::commands
