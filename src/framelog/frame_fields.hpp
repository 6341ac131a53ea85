// SPDX-License-Identifier: Apache-2.0
/// \file
/// The fields of io::FrameHeader by name, place and type; used by frame_table.cpp and its reader.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "hild/io/frame_record.hpp"

namespace hild::framelog {

enum class Scalar : std::uint8_t { int64, int32, uint32, uint8, float64 };
inline constexpr std::array<std::string_view, 5> scalar_names{"int64", "int32", "uint32", "uint8",
                                                              "float64"};
inline constexpr std::array<std::size_t, 5> scalar_bytes{8, 4, 4, 1, 8};

struct HeaderField {
  std::string_view name;
  Scalar type;
  std::size_t offset;
  std::string_view unit{};
  std::size_t count = 1;
};

static_assert(std::is_standard_layout_v<io::FrameHeader>);
static_assert(sizeof(io::FrameHeader) == 184, "a field was added: it belongs into this table too");

#define HILD_FIELD(name, type, ...) \
  HeaderField { #name, Scalar::type, offsetof(io::FrameHeader, name), __VA_ARGS__ }
inline constexpr std::array header_fields{
    HILD_FIELD(step, int64),
    HILD_FIELD(frame, int64),
    HILD_FIELD(t, int64, "ns"),
    HILD_FIELD(due, int64, "ns"),
    HILD_FIELD(start, int64, "ns"),
    HILD_FIELD(end, int64, "ns"),
    HILD_FIELD(deadline, int64, "ns"),
    HILD_FIELD(lateness, int64, "ns"),
    HILD_FIELD(span, int32),
    HILD_FIELD(slipped, int32),
    HILD_FIELD(passes, int32),
    HILD_FIELD(state_events, int32),
    HILD_FIELD(external_events, int32),
    HILD_FIELD(cause, uint8),
    HILD_FIELD(late_wake, uint8),
    HILD_FIELD(starter, uint8),
    HILD_FIELD(frozen, uint8),
    HILD_FIELD(limited, uint8),
    HILD_FIELD(early, uint8),
    HILD_FIELD(slept, uint8),
    HILD_FIELD(capped, uint8),
    HILD_FIELD(images, int32),
    HILD_FIELD(mark, uint32),
    HILD_FIELD(capped_by, uint32),
    HILD_FIELD(phases, int64, "ns", io::phase_count),
};
#undef HILD_FIELD

/// Whether it is a bool in memory, where only 0 and 1 may be.
[[nodiscard]] constexpr bool is_bool(const HeaderField& field) {
  return field.type == Scalar::uint8 && field.name != "cause" && field.name != "capped";
}

/// What the numbers of `cause` and the places of `phases` stand for.
[[nodiscard]] inline std::vector<std::string_view> labels_of(std::string_view field) {
  std::vector<std::string_view> labels;
  if (field == "cause") {
    for (std::size_t i = 0; i < io::cause_count; ++i) {
      labels.push_back(io::to_string(static_cast<io::Cause>(i)));
    }
  } else if (field == "capped") {  // of bit 0, 1 ...
    for (std::size_t i = 0; i < io::cap_count; ++i) {
      labels.push_back(io::to_string(static_cast<io::Cap>(i)));
    }
  } else if (field == "phases") {
    for (std::size_t i = 0; i < io::phase_count; ++i) {
      labels.push_back(io::to_string(static_cast<io::Phase>(i)));
    }
  }
  return labels;
}

/// Where the arrays of a record are.
struct ArrayPlaces {
  std::size_t passes;  ///< of the first pass: sampled, cost, inputs
  std::size_t pass_stride;
  std::size_t outputs;
  std::size_t states;
  std::size_t images;  ///< of the first image: sampled, waited, values
  std::size_t image_stride;
};
[[nodiscard]] inline ArrayPlaces places_of(const io::FrameLayout& layout) {
  // A record nobody fills, with room for one pass more than there are.
  const std::vector<std::uint64_t> record(layout.bytes() / 8 + layout.inputs() + layout.sampled() +
                                          layout.counted() + 8);
  const auto* const start = reinterpret_cast<const std::byte*>(record.data());
  const io::FrameView view(layout, start);
  const auto at = [start](std::span<const double> values) {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(values.data()) - start);
  };
  const std::size_t first = at(view.inputs(0)) - 16;
  const std::size_t image = at(view.image(0)) - 16;
  return {first, at(view.inputs(1)) - 16 - first, at(view.outputs()), at(view.states()),
          image, at(view.image(1)) - 16 - image};
}

}  // namespace hild::framelog
