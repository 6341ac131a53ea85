// SPDX-License-Identifier: Apache-2.0
/// Alarms: alarms: {hot: {watch: temperature, above: 360 K, hysteresis: 5 K, after: 200 ms}}.
#include <algorithm>

#include "config/sections.hpp"

namespace hild::config {
namespace {

struct WatchedSignal {
  exec::Interlock::Of of;
  std::uint32_t index;
  std::string_view kind;
  std::string_view name;
  std::string_view unit;
};

// A signal by its name, with its kind before it where several have the same: "output:speed".
WatchedSignal read_watch(YamlOptions& entry, const model::Description& model) {
  const std::string_view text = entry.text("watch");
  const std::size_t colon = text.find(':');
  const std::string_view kind = colon < text.size() ? text.substr(0, colon) : "";
  const std::string_view bare = colon < text.size() ? text.substr(colon + 1) : text;
  std::vector<WatchedSignal> found;
  std::vector<std::string_view> known;
  const auto look = [&](std::string_view its_kind, exec::Interlock::Of of, const auto& signals) {
    for (std::uint32_t i = 0; i < signals.size(); ++i) {
      known.push_back(signals[i].name);
      if (signals[i].name != bare || (!kind.empty() && kind != its_kind)) continue;
      found.push_back({of, i, its_kind, signals[i].name, signals[i].unit});
    }
  };
  look("input", exec::Interlock::Of::input, model.inputs);
  look("output", exec::Interlock::Of::output, model.outputs);
  look("state", exec::Interlock::Of::state, model.states);
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    entry.mismatch("watch", fmt::format("{0}:{2} or {1}:{2}", found[0].kind, found[1].kind, bare),
                   "the name of several signals");
  }
  entry.no_such("watch", "an input, an output, a state or a calculated channel", known);
}

// At least one limit, and room between them where the alarm is not outside any more.
void read_alarm_limits(YamlOptions& entry, std::string_view unit, exec::Alarm& alarm) {
  if (!entry.has("below") && !entry.has("above")) {
    entry.refuse_unknown();
    entry.reject_all("found no limit, expected below, above or both");
  }
  alarm.low = entry.number("below", unit, -model::unlimited);
  alarm.high = entry.number("above", unit, model::unlimited);
  alarm.hysteresis = entry.number("hysteresis", unit, 0.0);
  if (!(alarm.low < alarm.high)) entry.mismatch("above", "more than below");
  if (alarm.hysteresis < 0) entry.mismatch("hysteresis", "0 or more");
  if (!(alarm.low + alarm.hysteresis < alarm.high - alarm.hysteresis)) {
    entry.mismatch("hysteresis", "less than half of what lies between below and above",
                   "nothing would be within the limits again");
  }
}

Alarm read_alarm(YamlOptions& entry, std::string_view name, const Config& config) {
  if (name.size() > Name::capacity) {
    entry.reject_all(fmt::format("expected a name of at most {} bytes", Name::capacity));
  }
  const WatchedSignal watched = read_watch(entry, config.model.description);
  Alarm alarm{.name = std::string(name),
              .signal = fmt::format("{} {}", watched.kind, watched.name),
              .unit = std::string(watched.unit),
              .text = std::string(entry.text("text", "")),
              .alarm = {.of = watched.of, .index = watched.index}};
  read_alarm_limits(entry, watched.unit, alarm.alarm);
  alarm.alarm.after = config.settings.grid.frames_in(entry.duration("after", Duration{}));
  alarm.alarm.latch = entry.boolean("latch", false);
  alarm.alarm.then = entry.choice("then", {"note", "disarm", "stop"}, exec::Alarm::Then::note);
  return alarm;
}

}  // namespace

void read_alarms(YamlOptions& root, Config& config) {
  YamlOptions& section = root.map("alarms");
  if (section.keys().size() > exec::most_alarms) {
    section.reject_all(fmt::format("found {} alarms, expected at most {}", section.keys().size(),
                                   exec::most_alarms));
  }
  for (const std::string& name : section.keys()) {
    section.attempt(
        name, [&] { config.alarms.push_back(read_alarm(section.section(name), name, config)); });
  }
}

}  // namespace hild::config
