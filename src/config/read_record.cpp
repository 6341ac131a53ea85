// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "config/near_names.hpp"
#include "config/sections.hpp"
#include "hild/core/units.hpp"

namespace hild::config {
namespace {

/// "500", "500 frames", or a time such as "2 s".
std::int64_t read_frames(
    YamlOptions& section, std::string_view key, const Grid& grid, std::int64_t least = 0,
    std::string_view expected =
        "frames or a time, such as \"500 frames\" or \"2 s\", at most 1e9 frames") {
  constexpr std::int64_t most = 1'000'000'000;
  const std::string_view text = section.text(key);
  const auto parts = split_quantity(text);
  if (!parts) section.mismatch(key, expected);
  std::int64_t frames = -1;
  if (parts->unit.empty() || parts->unit == "frames" || parts->unit == "frame") {
    const bool whole =
        std::abs(parts->number) <= most && parts->number == std::floor(parts->number);
    if (whole) frames = static_cast<std::int64_t>(parts->number);
  } else {
    const auto time = exact_duration(text);
    if (!time) section.mismatch(key, expected, time.error().message);
    frames = grid.frames_in(*time);
  }
  if (frames < least || frames > most) section.mismatch(key, expected);
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
  if (section.has("before")) trigger.before = read_frames(section, "before", grid);
  if (section.has("after")) trigger.after = read_frames(section, "after", grid);
  return trigger;
}

// Five thousand frames are replayed at once, whatever the rate; and one keyframe among so many
// takes next to nothing of the disk.
constexpr std::int64_t usual_keyframes = 5'000;

/// Frames from one keyframe to the next; 0: there are none. A run can be gone on from one only
/// where all steps are there.
std::int64_t read_keyframes(YamlOptions& section, const Record& record, const Grid& grid) {
  const bool whole = record.all_frames && !record.trigger;
  if (!section.has("keyframes")) return whole ? usual_keyframes : 0;
  const std::string_view text = section.text("keyframes");
  if (text == "none") return 0;
  if (!whole) {
    section.reject("keyframes",
                   fmt::format("found \"{}\" beside {}, which leaves steps out that a "
                               "replay from a keyframe needs; expected frames: all, "
                               "or \"none\"",
                               text, record.trigger ? "a trigger" : "frames: notable"));
  }
  return read_frames(section, "keyframes", grid, 1,
                     "\"none\", frames or a time, such as \"5000 frames\" or \"10 s\", 1 to 1e9 "
                     "frames");
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
  exec::KeyframeSettings& keyframes = config.settings.keyframes;
  keyframes.every = read_keyframes(*section, record, config.settings.grid);
  keyframes.guard = config.admission.guard;
  keyframes.max_deferrals = config.admission.max_deferrals;
  config.record = std::move(record);
}

}  // namespace hild::config
