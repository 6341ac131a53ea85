// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "config/near_names.hpp"
#include "config/sections.hpp"
#include "hild/core/units.hpp"

namespace hild::config {
namespace {

/// "500", "500 frames", or a time such as "2 s".
std::int64_t read_frames(YamlOptions& trigger, std::string_view key, const Grid& grid) {
  constexpr std::int64_t most = 1'000'000'000;
  constexpr std::string_view expected =
      "frames or a time, such as \"500 frames\" or \"2 s\", at most 1e9 frames";
  if (!trigger.has(key)) return 0;
  const std::string_view text = trigger.text(key);
  const auto parts = split_quantity(text);
  if (!parts) trigger.mismatch(key, expected);
  std::int64_t frames = -1;
  if (parts->unit.empty() || parts->unit == "frames" || parts->unit == "frame") {
    const bool whole =
        std::abs(parts->number) <= most && parts->number == std::floor(parts->number);
    if (whole) frames = static_cast<std::int64_t>(parts->number);
  } else {
    const auto time = exact_duration(text);
    if (!time) trigger.mismatch(key, expected, time.error().message);
    frames = grid.frames_in(*time);
  }
  if (frames < 0 || frames > most) trigger.mismatch(key, expected);
  return frames;
}

Trigger read_trigger(YamlOptions& section, const Grid& grid) {
  constexpr std::string_view expected = "expected \"overrun\", \"state-event\" or \"command\"";
  Trigger trigger;
  for (const std::string_view word : section.words("on")) {
    bool* const meant = word == "overrun"       ? &trigger.overrun
                        : word == "state-event" ? &trigger.state_event
                        : word == "command"     ? &trigger.command
                                                : nullptr;
    if (meant == nullptr) section.reject("on", fmt::format("found \"{}\", {}", word, expected));
    *meant = true;
  }
  if (!trigger.overrun && !trigger.state_event && !trigger.command) {
    section.reject("on", fmt::format("found an empty list, {}", expected));
  }
  trigger.before = read_frames(section, "before", grid);
  trigger.after = read_frames(section, "after", grid);
  return trigger;
}

/// The signals of a kind that a word of the list names: all of them, one by itself, or none.
template <class Signals>
bool select(std::string_view word, std::string_view kind, const Signals& signals,
            std::vector<bool>& selected) {
  if (word == kind) {
    selected.assign(signals.size(), true);
    return true;
  }
  const bool qualified =
      word.size() > kind.size() && word.starts_with(kind) && word[kind.size()] == '.';
  const std::string_view name = qualified ? word.substr(kind.size() + 1) : word;
  const auto found = std::ranges::find(signals, name, [](const auto& s) { return s.name; });
  if (found == signals.end()) return false;
  selected[static_cast<std::size_t>(found - signals.begin())] = true;
  return true;
}

void read_signals(YamlOptions& section, const model::Description& model, Record& record) {
  const bool all = !section.has("signals");
  record.inputs.assign(model.inputs.size(), all);
  record.outputs.assign(model.outputs.size(), all);
  record.states.assign(model.states.size(), all);
  if (all) return;
  for (const std::string_view word : section.words("signals")) {
    // A name that several kinds have stands for all of them.
    bool found = select(word, "inputs", model.inputs, record.inputs);
    found |= select(word, "outputs", model.outputs, record.outputs);
    found |= select(word, "states", model.states, record.states);
    if (found) continue;
    std::vector<std::string_view> known{"inputs", "outputs", "states"};
    for (const auto& names :
         {names_of(model.inputs), names_of(model.outputs), names_of(model.states)}) {
      for (const auto name : names) {
        if (std::ranges::find(known, name) == known.end()) known.push_back(name);
      }
    }
    section.reject("signals", fmt::format("found \"{}\", expected \"inputs\", \"outputs\", "
                                          "\"states\" or a signal of {} ({})",
                                          word, model.name, suggest(word, known)));
  }
}

}  // namespace

void read_record(YamlOptions& root, Config& config) {
  YamlOptions* section = root.child("record");
  if (section == nullptr) return;
  Record record;
  record.file = section->path("file");
  record.replace = section->boolean("replace", false);
  record.compress = section->choice("compression", {"zstd", "none"}, 0) == 0;
  record.decimate = section->integer("decimate", 1, 1'000'000'000, 1);
  record.all_frames = section->choice("frames", {"all", "notable"}, 0) == 0;
  if (record.all_frames && record.decimate != 1) {
    section->reject("decimate", fmt::format("found \"{}\" beside frames: all, which records every "
                                            "step; expected frames: notable beside it",
                                            record.decimate));
  }
  read_signals(*section, config.model.description, record);
  if (YamlOptions* trigger = section->child("trigger")) {
    record.trigger = read_trigger(*trigger, config.settings.grid);
  }
  config.record = std::move(record);
}

}  // namespace hild::config
