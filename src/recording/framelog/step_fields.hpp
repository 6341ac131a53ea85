// SPDX-License-Identifier: Apache-2.0
/// \file
/// The fields of the message of a step, each described once: writing, reading and declaring them
/// follow from that. Field numbers are permanent: one that is no longer used is not given to
/// another field.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "hild/io/frame_record.hpp"
#include "recording/framelog/proto.hpp"

namespace hild::framelog {

/// A field that is a number of the header of a record.
struct HeaderField {
  std::uint32_t number;
  std::string_view name;
  proto::Type type;  ///< sfixed64 is always present; others are 0 where they are absent
  std::int64_t (*get)(const io::FrameHeader&);
  void (*set)(io::FrameHeader&, std::int64_t);
  /// The field is needed to identify the step; the other fields tell how the step went.
  bool identity = false;
};

namespace step_field {

template <auto Member>
constexpr HeaderField plain(std::uint32_t number, std::string_view name, proto::Type type,
                            bool identity = false) {
  return {number,
          name,
          type,
          [](const io::FrameHeader& h) { return static_cast<std::int64_t>(h.*Member); },
          [](io::FrameHeader& h, std::int64_t n) {
            using Value = std::remove_cvref_t<decltype(h.*Member)>;
            h.*Member = static_cast<Value>(n);
          },
          identity};
}

/// A field for a time of the run's clock, stored relative to the tick the step was due at: `due` is
/// a field of the message itself.
template <auto Member>
constexpr HeaderField after_due(std::uint32_t number, std::string_view name,
                                bool identity = false) {
  return {number,
          name,
          proto::Type::sfixed64,
          [](const io::FrameHeader& h) { return (h.*Member - h.due).ns; },
          [](io::FrameHeader& h, std::int64_t ns) { h.*Member = h.due + Duration{ns}; },
          identity};
}

// Numbers of the fields that are not numbers of the header. Those up to 15 take a byte less.
inline constexpr std::uint32_t states = 6, outputs = 7, inputs = 8, images = 9, passes = 10,
                               phases = 11, brief = 14, t = 32, end = 33, passes_run = 34,
                               images_read = 35, images_begin = 36, other_outputs = 41,
                               other_states = 42, runs = 43, writes = 44;

/// The field number of the i-th signal of a message, and back. The numbers from 19000 to 19999 are
/// reserved by Protocol Buffers.
constexpr std::uint32_t number_of(std::size_t i) noexcept {
  return static_cast<std::uint32_t>(i < 18'999 ? i + 1 : i + 1001);
}
constexpr std::size_t index_of(std::uint32_t number) noexcept {
  return number < 19'000 ? number - 1U : number - 1001U;
}

// Numbers of the fields of an image, and of a pass.
namespace image {
inline constexpr std::uint32_t sampled = 1, waited = 2, inputs = 3, other_inputs = 4, more = 5,
                               counts = 6, other_counts = 7, groups = 8;
}
// And of the run of a model.
namespace run {
inline constexpr std::uint32_t start = 1, took = 2, model = 3, place = 4;
}

// And of a write that other nodes hear of.
namespace write {
inline constexpr std::uint32_t at = 1, values = 2;
}

/// The number of a phase's field: those that came later have the next ones.
constexpr std::uint32_t number_of(io::Phase phase) noexcept {
  if (phase == io::Phase::workers) return 11;
  const auto place = static_cast<std::uint32_t>(phase);
  return phase < io::Phase::workers ? place + 1 : place;
}
/// And back; a number that none has: phase_count.
inline constexpr auto phases_by_number = [] {
  std::array<std::size_t, io::phase_count + 1> all{};
  all.fill(io::phase_count);
  for (std::size_t p = 0; p < io::phase_count; ++p) all[number_of(static_cast<io::Phase>(p))] = p;
  return all;
}();
constexpr std::size_t phase_of(std::uint32_t number) noexcept {
  return number < phases_by_number.size() ? phases_by_number[number] : io::phase_count;
}

namespace pass {  // 2 and 3 were of format 4
inline constexpr std::uint32_t cost = 1, inputs = 4, other_inputs = 5, nominal = 6, images = 7;
}

}  // namespace step_field

/// An estimate: its first four binary digits, so that it takes no room for what it does not tell.
constexpr std::uint32_t in_few_bits(std::uint32_t n) noexcept {
  const int beyond = std::max(0, static_cast<int>(std::bit_width(n)) - 4);
  return n >> beyond << beyond;
}

inline constexpr std::array header_fields{
    step_field::plain<&io::FrameHeader::frame>(1, "frame", proto::Type::sfixed64, true),
    HeaderField{2, "extra_frames", proto::Type::sfixed64,
                [](const io::FrameHeader& h) { return h.frame - h.step; },
                [](io::FrameHeader& h, std::int64_t n) { h.step = n; }, true},
    step_field::plain<&io::FrameHeader::span>(3, "span", proto::Type::uint32, true),
    step_field::after_due<&io::FrameHeader::deadline>(4, "deadline_ns", true),
    step_field::plain<&io::FrameHeader::frozen>(5, "frozen", proto::Type::boolean, true),
    step_field::after_due<&io::FrameHeader::start>(12, "start_ns"),
    HeaderField{13, "lateness_ns", proto::Type::sfixed64,
                [](const io::FrameHeader& h) { return h.lateness.ns; },
                [](io::FrameHeader& h, std::int64_t n) { h.lateness.ns = n; }},
    step_field::plain<&io::FrameHeader::slept>(15, "slept", proto::Type::boolean),
    step_field::plain<&io::FrameHeader::cause>(16, "cause", proto::Type::enumeration),
    step_field::plain<&io::FrameHeader::late_wake>(17, "late_wake", proto::Type::boolean),
    step_field::plain<&io::FrameHeader::slipped>(18, "slipped", proto::Type::uint32),
    step_field::plain<&io::FrameHeader::state_events>(19, "state_events", proto::Type::uint32),
    step_field::plain<&io::FrameHeader::external_events>(20, "external_events",
                                                         proto::Type::uint32),
    step_field::plain<&io::FrameHeader::mark>(21, "mark", proto::Type::uint32),
    step_field::plain<&io::FrameHeader::starter>(22, "starter", proto::Type::boolean),
    step_field::plain<&io::FrameHeader::limited>(23, "limited", proto::Type::boolean),
    step_field::plain<&io::FrameHeader::early>(24, "early", proto::Type::boolean),
    step_field::plain<&io::FrameHeader::capped>(25, "capped", proto::Type::uint32),
    step_field::plain<&io::FrameHeader::capped_by>(26, "capped_by", proto::Type::uint32),
    HeaderField{27, "error_ppb", proto::Type::uint32,
                [](const io::FrameHeader& h) -> std::int64_t { return in_few_bits(h.error_ppb); },
                [](io::FrameHeader& h, std::int64_t n) {
                  h.error_ppb =
                      static_cast<std::uint32_t>(std::clamp<std::int64_t>(n, 0, UINT32_MAX));
                }},
    step_field::plain<&io::FrameHeader::waited_for>(28, "waited_for", proto::Type::uint32),
    step_field::plain<&io::FrameHeader::late_models>(29, "late_models", proto::Type::uint32),
    step_field::plain<&io::FrameHeader::alarms>(30, "alarms", proto::Type::uint32),
    step_field::plain<&io::FrameHeader::alarms_open>(31, "alarms_open", proto::Type::uint32),
};
static_assert(sizeof(io::FrameHeader) == 216, "a field was added: it belongs into this table too");

}  // namespace hild::framelog
