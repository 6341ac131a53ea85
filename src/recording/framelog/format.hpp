// SPDX-License-Identifier: Apache-2.0
/// \file
/// The names used in a frame log (docs/framelog.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hild::framelog {

/// The version of the format: a reader reads no other. Fields may be added to messages without a
/// new version, since messages describe themselves.
inline constexpr int format_version = 5;
/// The version of what a run computes from its inputs: it is increased by every change by which a
/// replay gives other bits.
inline constexpr int semantics_version = 9;

/// The streams of a log. Their channels and schemas have this number + 1.
enum class Topic : std::uint8_t { step, gap, change, keyframe };
inline constexpr std::size_t topic_count = 4;
inline constexpr std::array<std::string_view, topic_count> topic_names{"/step", "/gap", "/change",
                                                                       "/keyframe"};

[[nodiscard]] constexpr std::uint16_t channel_of(Topic topic) noexcept {
  return static_cast<std::uint16_t>(static_cast<unsigned>(topic) + 1);
}
[[nodiscard]] constexpr std::string_view to_string(Topic topic) noexcept {
  return topic_names[static_cast<std::size_t>(topic)];
}

/// The parts of a log that a reader can ask for: whole frames, the signals and the timing of steps,
/// and what happened between them.
enum class LogPart : std::uint8_t {
  frame,
  inputs,
  outputs,
  states,
  timing,
  counts,
  gap,
  change,
  keyframe
};
inline constexpr std::size_t part_count = 9;
inline constexpr std::array<std::string_view, part_count> part_names{
    "frame", "inputs", "outputs", "states", "timing", "counts", "gap", "change", "keyframe"};

[[nodiscard]] constexpr std::string_view to_string(LogPart part) noexcept {
  return part_names[static_cast<std::size_t>(part)];
}
[[nodiscard]] constexpr Topic topic_of(LogPart part) noexcept {
  switch (part) {
    case LogPart::gap:
      return Topic::gap;
    case LogPart::change:
      return Topic::change;
    case LogPart::keyframe:
      return Topic::keyframe;
    default:
      return Topic::step;
  }
}

inline constexpr std::string_view protobuf = "protobuf";
/// Key of the metadata of the channel of steps that names its fields, as JSON (step_shape.hpp).
inline constexpr std::string_view step_signals = "signals";
/// Schema and encoding of changes (changes.hpp).
inline constexpr std::string_view change_schema = "hild.Change";
inline constexpr std::string_view change_schema_encoding = "jsonschema";
inline constexpr std::string_view change_encoding = "json";

/// Names of metadata records, and of the attachments with the resolved configuration and with its
/// sources.
inline constexpr std::string_view meta_format = "hild";
inline constexpr std::string_view meta_run = "run";
inline constexpr std::string_view meta_build = "build";
inline constexpr std::string_view meta_machine = "machine";
inline constexpr std::string_view meta_models = "models";
inline constexpr std::string_view meta_clock = "clock";
inline constexpr std::string_view meta_totals = "totals";
inline constexpr std::string_view meta_branch = "branch";
inline constexpr std::string_view config_attachment = "config.yaml";
inline constexpr std::string_view source_prefix = "config/";

struct SignalName {
  std::string name;
  std::string unit;
  bool operator==(const SignalName&) const = default;
};

/// The signals of a run, in the order of its records.
struct Signals {
  std::vector<SignalName> inputs;
  std::vector<SignalName> outputs;
  std::vector<SignalName> states;
  std::vector<SignalName> counts{};  ///< raw counts of converters, each named as its input
};

}  // namespace hild::framelog
