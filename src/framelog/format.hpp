// SPDX-License-Identifier: Apache-2.0
/// \file
/// The names of what is in a frame log (docs/framelog.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hild::framelog {

/// Of the meaning of a log; a reader refuses a newer one. Fields may be added to frames and
/// messages without a new version: both describe themselves. 2: images hold raw counts, causes may
/// come from evidence of the kernel. 3: chunks may be compressed.
inline constexpr int format_version = 3;

/// The streams of a log. Their channels and schemas have the number + 1.
enum class Topic : std::uint8_t { frame, inputs, outputs, states, timing, gap, change, counts };
inline constexpr std::size_t topic_count = 8;
inline constexpr std::array<std::string_view, topic_count> topic_names{
    "/frame", "/inputs", "/outputs", "/states", "/timing", "/gap", "/change", "/counts"};

[[nodiscard]] constexpr std::uint16_t channel_of(Topic topic) noexcept {
  return static_cast<std::uint16_t>(static_cast<unsigned>(topic) + 1);
}
[[nodiscard]] constexpr std::string_view to_string(Topic topic) noexcept {
  return topic_names[static_cast<std::size_t>(topic)];
}

/// The schema of whole frames (frame_table.hpp).
inline constexpr std::string_view frame_schema = "hild.Frame";
inline constexpr std::string_view frame_schema_encoding = "hild.table";
inline constexpr std::string_view frame_encoding = "hild.frame";
inline constexpr std::string_view protobuf = "protobuf";
/// Of changes (changes.hpp).
inline constexpr std::string_view change_schema = "hild.Change";
inline constexpr std::string_view change_schema_encoding = "jsonschema";
inline constexpr std::string_view change_encoding = "json";

/// Metadata records, and the attachment that holds the configuration as it was resolved.
inline constexpr std::string_view meta_format = "hild";
inline constexpr std::string_view meta_run = "run";
inline constexpr std::string_view meta_build = "build";
inline constexpr std::string_view meta_machine = "machine";
inline constexpr std::string_view meta_models = "models";
inline constexpr std::string_view meta_clock = "clock";
inline constexpr std::string_view meta_totals = "totals";
inline constexpr std::string_view config_attachment = "config.yaml";
inline constexpr std::string_view source_prefix = "config/";

struct SignalName {
  std::string name;
  std::string unit;
  bool operator==(const SignalName&) const = default;
};

/// In the order of the record.
struct Signals {
  std::vector<SignalName> inputs;
  std::vector<SignalName> outputs;
  std::vector<SignalName> states;
  std::vector<SignalName> counts{};  ///< raw ones of converters, each named as its input
};

}  // namespace hild::framelog
