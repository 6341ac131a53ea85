// SPDX-License-Identifier: Apache-2.0
#include "main/recording.hpp"

#include <fmt/format.h>

#include <chrono>

#include "report/advice_words.hpp"

namespace hild::commands {
namespace {

template <class Range>
std::vector<framelog::SignalName> names(const Range& signals) {
  std::vector<framelog::SignalName> all;
  for (const auto& s : signals) all.push_back({std::string(s.name), std::string(s.unit)});
  return all;
}

mcap::Map run_of(const config::Config& c, bool offline) {
  return {{"config", c.file},
          {"model", c.model.type},
          {"method", c.method},
          {"sampling", std::string(report::to_string(c.settings.sampling))},
          {"rate_hz", fmt::format("{}", c.settings.grid.rate_hz())},
          {"period_ns", fmt::format("{}", c.settings.grid.period().ns)},
          {"late_wake_ns", fmt::format("{}", c.settings.late_wake.ns)},
          {"offline", offline ? "true" : "false"},
          {"frames", c.record->all_frames ? "all" : "notable"},
          {"decimate", fmt::format("{}", c.record->decimate)}};
}

framelog::Description describe(const config::Config& c, rt::Clock& clock) {
  using std::chrono::nanoseconds;
  const model::Description& model = c.model.description;
  framelog::Description d;
  d.program = "hild " HILD_VERSION;
  d.run = run_of(c, clock.virtual_time());
  d.build = framelog::this_build(HILD_VERSION);
  d.machine = framelog::this_machine();
  d.clock.monotonic = clock.now();
  d.clock.realtime_ns = nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  d.signals = {names(model.inputs), names(model.outputs), names(model.states)};
  d.config = c.resolved;
  d.sources = c.sources;
  return d;
}

}  // namespace

Result<std::unique_ptr<framelog::FrameLog>> begin_recording(
    const plan::Assembly& assembly, const io::FrameLayout& layout, rt::Clock& clock,
    std::shared_ptr<spdlog::logger> logger) {
  const config::Config& c = assembly.config;
  if (!c.record) return nullptr;
  const auto existing =
      c.record->replace ? mcap::FileOutput::Existing::replace : mcap::FileOutput::Existing::refuse;
  auto file = mcap::FileOutput::create(c.record->file, existing);
  if (!file) {
    return fail("record.file: {}{}", file.error().message,
                c.record->replace ? "" : "; write another name, or `replace: true`");
  }
  framelog::LogOptions options;
  options.wait = clock.virtual_time();
  options.tell = [logger = std::move(logger)](const std::string& text) { logger->warn(text); };
  return framelog::FrameLog::create(std::make_unique<mcap::FileOutput>(std::move(*file)),
                                    describe(c, clock), layout, *c.record, std::move(options));
}

}  // namespace hild::commands
