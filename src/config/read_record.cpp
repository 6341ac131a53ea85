// SPDX-License-Identifier: Apache-2.0
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

/// What a recorder asks for of keyframes.
struct KeyframesWanted {
  bool any = false;
  std::int64_t every = 0;  ///< frames from one to the next
};

/// A run can be gone on from a keyframe only where all steps are there.
KeyframesWanted read_keyframes(YamlOptions& section, const Record& record, const Grid& grid) {
  const bool whole = record.all_frames && !record.trigger;
  if (!section.has("keyframes")) {
    return whole ? KeyframesWanted{true, usual_keyframes} : KeyframesWanted{};
  }
  const std::string_view text = section.text("keyframes");
  if (text == "none") return {};
  if (!whole) {
    section.reject("keyframes",
                   fmt::format("found \"{}\" beside {}, which leaves steps out that a "
                               "replay from a keyframe needs; expected frames: all, "
                               "or \"none\"",
                               text, record.trigger ? "a trigger" : "frames: notable"));
  }
  return {true, read_frames(section, "keyframes", grid, 1,
                            "\"none\", frames or a time, such as \"5000 frames\" or \"10 s\", 1 "
                            "to 1e9 frames")};
}

/// The signals of a kind that a word of the list names: all of them, one by itself, those that a
/// pattern fits, or none.
template <class Signals>
bool select(std::string_view word, std::string_view kind, const Signals& signals,
            std::vector<bool>& selected) {
  if (word == kind) {
    selected.assign(signals.size(), true);
    return true;
  }
  const bool qualified =
      word.size() > kind.size() && word.starts_with(kind) && word[kind.size()] == '.';
  const std::string name(qualified ? word.substr(kind.size() + 1) : word);
  bool found = false;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    // The name itself first: it may have brackets.
    const std::string own(signals[i].name);
    if (own != name && ::fnmatch(name.c_str(), own.c_str(), FNM_NOESCAPE) != 0) continue;
    selected[i] = found = true;
  }
  return found;
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
    if (word.find_first_of("*?[") != std::string_view::npos) {
      section.reject("signals", fmt::format("found \"{}\", a pattern that fits no signal of {}; "
                                            "expected one such as \"outputs.*\" or \"*speed\"",
                                            word, model.name));
    }
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

/// A number of bytes, such as "100 MB".
std::uint64_t read_bytes(YamlOptions& section, std::string_view key) {
  constexpr std::string_view expected = "a size of 1 MB to 1 PB, such as \"100 MB\" or \"2 GiB\"";
  constexpr std::array<std::pair<std::string_view, double>, 8> units{{{"MB", 1e6},
                                                                      {"GB", 1e9},
                                                                      {"TB", 1e12},
                                                                      {"PB", 1e15},
                                                                      {"MiB", 0x1p20},
                                                                      {"GiB", 0x1p30},
                                                                      {"TiB", 0x1p40},
                                                                      {"B", 1}}};
  const auto parts = split_quantity(section.text(key));
  if (!parts) section.mismatch(key, expected);
  const auto* const unit =
      std::ranges::find(units, parts->unit, [](const auto& u) { return u.first; });
  if (unit == units.end()) section.mismatch(key, expected);
  const double bytes = parts->number * unit->second;
  if (!(bytes >= 1e6 && bytes <= 1e15)) section.mismatch(key, expected);
  return static_cast<std::uint64_t>(bytes);
}

Rotation read_rotation(YamlOptions& section) {
  Rotation rotation;
  if (section.has("size")) rotation.bytes = read_bytes(section, "size");
  if (section.has("time")) {
    rotation.time = section.duration("time");
    if (rotation.time < 1_s) section.mismatch("time", "a time of at least 1 s");
  }
  rotation.keep = static_cast<std::size_t>(section.integer("keep", 1, 1'000'000, 0));
  if (!section.has("size") && !section.has("time")) {
    section.reject_all("found neither \"size\" nor \"time\", expected one of them or both");
  }
  return rotation;
}

void refuse_replacing(YamlOptions& section, const Record& record) {
  if (!record.replace || (record.with_run && !record.rotation.any())) return;
  section.reject("replace",
                 fmt::format("found \"true\" beside {}: files that are numbered replace none; "
                             "expected \"rotate: {{keep: N}}\" to bound their number",
                             record.rotation.any() ? "rotate" : "begin: on-request"));
}

void add_recorder(YamlOptions& section, std::string name, Config& config) {
  Record record;
  record.name = std::move(name);
  record.file = section.path("file");
  record.replace = section.boolean("replace", false);
  record.compress = section.choice("compression", {"zstd", "none"}, 0) == 0;
  record.decimate = section.integer("decimate", 1, 1'000'000'000, 1);
  record.all_frames = section.choice("frames", {"all", "notable"}, 0) == 0;
  record.with_run = section.choice("begin", {"with-run", "on-request"}, 0) == 0;
  if (record.all_frames && record.decimate != 1) {
    section.reject("decimate", fmt::format("found \"{}\" beside frames: all, which records every "
                                           "step; expected frames: notable beside it",
                                           record.decimate));
  }
  read_signals(section, config.model.description, record);
  if (YamlOptions* trigger = section.child("trigger")) {
    record.trigger = read_trigger(*trigger, config.settings.grid);
  }
  if (YamlOptions* rotate = section.child("rotate")) record.rotation = read_rotation(*rotate);
  refuse_replacing(section, record);
  KeyframesWanted wanted = read_keyframes(section, record, config.settings.grid);
  if (record.rotation.time > Duration{}) {
    // Where a file is over a run has a keyframe, also one that nobody can ask in time.
    wanted.every =
        std::min(wanted.every,
                 std::max<std::int64_t>(config.settings.grid.frames_in(record.rotation.time), 1));
  }
  record.keyframes = wanted.any;
  // One state for all recorders: the shortest time of several is that of all.
  exec::KeyframeSettings& keyframes = config.settings.keyframes;
  if (wanted.any && (keyframes.every == 0 || wanted.every < keyframes.every)) {
    keyframes.every = wanted.every;
  }
  const auto same = std::ranges::find(config.recorders, record.file, &Record::file);
  if (same != config.recorders.end()) {
    section.reject("file", fmt::format("found \"{}\", which is that of recorder {} too, expected a "
                                       "file of its own",
                                       record.file, same->name));
  }
  config.recorders.push_back(std::move(record));
}

}  // namespace

void read_recorders(YamlOptions& root, Config& config) {
  exec::KeyframeSettings& keyframes = config.settings.keyframes;
  keyframes.guard = config.admission.guard;
  keyframes.max_deferrals = config.admission.max_deferrals;
  if (YamlOptions* section = root.child("record")) {
    root.attempt("record", [&] { add_recorder(*section, "record", config); });
  }
  if (YamlOptions* sections = root.child("recorders")) {
    root.attempt("recorders", [&] {
      if (sections->keys().empty()) sections->reject_all("found none, expected one at least");
      for (const std::string& name : sections->keys()) {
        if (name == "record") {
          sections->reject(name,
                           "that of the section `record` is called so; expected another name");
        }
        add_recorder(sections->section(name), name, config);
      }
    });
  }
  // One that is asked for comes within some milliseconds, and most frames do not look for it.
  constexpr Duration look = 20_ms;
  if (keyframes.every > 0) {
    keyframes.look = std::max<std::int64_t>(config.settings.grid.frames_in(look), 1);
  }
}

}  // namespace hild::config
