// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "config/sections.hpp"

namespace hild::config {
namespace {

using Of = exec::Interlock::Of;

template <class Signals>
std::uint32_t index_of(YamlOptions& entry, std::string_view key, std::string_view what,
                       const Signals& signals) {
  const auto names = names_of(signals);
  const auto found = std::ranges::find(names, entry.text(key));
  if (found == names.end()) entry.no_such(key, what, names);
  return static_cast<std::uint32_t>(found - names.begin());
}

// What is watched of an input is its sample.
void refuse_connected(YamlOptions& entry, const Config& config, std::size_t input) {
  if (!config.coupled) return;
  for (const auto& c : config.coupled->composition->connections()) {
    if (c.to != input) continue;
    entry.mismatch("input", fmt::format("`output: {}`, which it is connected to",
                                        config.model.description.outputs[c.from].name));
  }
}

// What is watched, of which one key tells; returns its unit.
std::string_view read_watched(YamlOptions& entry, Config& config, Interlock& interlock) {
  constexpr std::array<std::string_view, 4> kinds{"input", "output", "state", "device"};
  entry.one_of({kinds.begin(), kinds.end()});
  if (std::ranges::count_if(kinds, [&](auto kind) { return entry.has(kind); }) != 1) {
    entry.reject_all("expected one of input, output, state and device, to tell what is watched");
  }
  const model::Description& model = config.model.description;
  exec::Interlock& at = interlock.limits;
  const auto watch = [&](Of of, std::string_view key, std::string_view what, const auto& signals) {
    at.of = of;
    at.index = index_of(entry, key, what, signals);
    return signals[at.index].unit;
  };
  if (entry.has("output")) {
    return watch(Of::output, "output", "an output of the model", model.outputs);
  }
  if (entry.has("state")) return watch(Of::state, "state", "a state of the model", model.states);
  if (entry.has("input")) {
    const auto unit = watch(Of::input, "input", "an input of the model", model.inputs);
    refuse_connected(entry, config, at.index);
    return unit;
  }
  at.of = Of::input;
  at.index = static_cast<std::uint32_t>(model.inputs.size() + config.lines.size());
  std::vector<io::InputSignal> before = config.inputs;
  before.insert(before.end(), config.lines.begin(), config.lines.end());
  io::InputSignal line;
  line.name = std::string_view(interlock.name);
  read_line(entry, config, before, line);
  config.lines.push_back(line);
  return config.lines.back().channel.value_unit();
}

std::string in_words(const Interlock& interlock, YamlOptions& entry) {
  for (const std::string_view kind : {"input", "output", "state"}) {
    if (entry.has(kind)) return fmt::format("{} {}", kind, entry.text(kind));
  }
  return fmt::format("line {}", interlock.name);
}

Interlock read_interlock(YamlOptions& entry, std::string_view name, Config& config) {
  if (name.size() > Name::capacity) {
    entry.reject_all(fmt::format("expected a name of at most {} bytes", Name::capacity));
  }
  Interlock interlock{.name = std::string(name), .signal = {}, .limits = {}};
  const std::string_view unit = read_watched(entry, config, interlock);
  interlock.signal = in_words(interlock, entry);
  if (!entry.has("min") && !entry.has("max")) {
    entry.refuse_unknown();
    entry.reject_all("found no limit, expected min, max or both");
  }
  interlock.limits.low = entry.number("min", unit, -model::unlimited);
  interlock.limits.high = entry.number("max", unit, model::unlimited);
  if (interlock.limits.low > interlock.limits.high) entry.mismatch("max", "no less than min");
  return interlock;
}

}  // namespace

void read_interlocks(YamlOptions& root, Config& config) {
  YamlOptions& section = root.map("interlocks");
  for (const std::string& name : section.keys()) {
    section.attempt(name, [&] {
      config.interlocks.push_back(read_interlock(section.section(name), name, config));
    });
  }
}

}  // namespace hild::config
