// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/keyframe.hpp"

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "core/archive_sections.hpp"
#include "hild/core/archive.hpp"

namespace hild::framelog {
namespace {

using protozero::pbf_wire_type;

constexpr std::uint32_t keyframe_frame = 1;
constexpr std::uint32_t keyframe_step = 2;
constexpr std::uint32_t keyframe_transactions = 3;
constexpr std::uint32_t keyframe_layout = 4;
constexpr std::uint32_t keyframe_sections = 5;
constexpr std::uint32_t section_name = 1;
constexpr std::uint32_t section_state = 2;

void read_section(protozero::data_view message, std::vector<std::byte>& state) {
  ArchiveSection section;
  for (protozero::pbf_reader in(message); in.next();) {
    if (in.tag_and_type() == tag_and_type(section_name, pbf_wire_type::length_delimited)) {
      const auto text = in.get_view();
      section.name = {text.data(), text.size()};
    } else if (in.tag_and_type() == tag_and_type(section_state, pbf_wire_type::length_delimited)) {
      const auto bytes = in.get_view();
      section.bytes = std::as_bytes(std::span(bytes.data(), bytes.size()));
    } else {
      in.skip();
    }
  }
  append(section, state);
}

}  // namespace

proto::File keyframe_file() {
  using proto::Type;
  return {"hild",
          {{"Keyframe",
            {{"frame", keyframe_frame, Type::sfixed64},
             {"step", keyframe_step, Type::sfixed64},
             {"transactions", keyframe_transactions, Type::sfixed64},
             {"layout", keyframe_layout, Type::uint32},
             {"sections", keyframe_sections, Type::message, "KeyframeSection", true}}},
           {"KeyframeSection",
            {{"name", section_name, Type::text}, {"state", section_state, Type::bytes}}}}};
}

void write_keyframe(const exec::KeyframeView& keyframe, std::string& to) {
  to.clear();
  protozero::pbf_writer out(to);
  out.add_sfixed64(keyframe_frame, keyframe.head.frame);
  out.add_sfixed64(keyframe_step, keyframe.head.step);
  out.add_sfixed64(keyframe_transactions, keyframe.head.transactions);
  out.add_uint32(keyframe_layout, exec::keyframe_layout);
  for (const ArchiveSection& section : sections_of(keyframe.state)) {
    protozero::pbf_writer one(out, keyframe_sections);
    one.add_string(section_name, section.name.data(), section.name.size());
    one.add_bytes(section_state, reinterpret_cast<const char*>(section.bytes.data()),
                  section.bytes.size());
  }
}

std::optional<exec::Keyframe> read_keyframe(std::span<const std::byte> message,
                                            std::uint64_t log_time, const ClockBase& clock) {
  exec::Keyframe keyframe;
  exec::KeyframeHead& head = keyframe.head;
  head.tick = clock.monotonic_of(log_time);
  try {
    for (protozero::pbf_reader in(proto::view_of(message)); in.next();) {
      switch (in.tag_and_type()) {
        case tag_and_type(keyframe_frame, pbf_wire_type::fixed64):
          head.frame = in.get_sfixed64();
          break;
        case tag_and_type(keyframe_step, pbf_wire_type::fixed64):
          head.step = in.get_sfixed64();
          break;
        case tag_and_type(keyframe_transactions, pbf_wire_type::fixed64):
          head.transactions = in.get_sfixed64();
          break;
        case tag_and_type(keyframe_sections, pbf_wire_type::length_delimited):
          read_section(in.get_view(), keyframe.state);
          break;
        default:
          in.skip();
      }
    }
  } catch (const protozero::exception&) {
    return std::nullopt;
  }
  // Its times must be ones that can be told.
  const auto fits = [](std::int64_t n, std::int64_t most) { return n >= 0 && n <= most; };
  const std::int64_t most = Archive::longest_ns / (clock.grid.period().ns + 1);
  const std::int64_t tick = head.tick.ns;
  if (!fits(head.frame, most) || !fits(head.step, most) ||
      !fits(head.transactions, Archive::longest_ns) || tick < -Archive::longest_ns ||
      tick > Archive::longest_ns) {
    return std::nullopt;
  }
  head.time = clock.t_of(head.frame);
  head.bytes = keyframe.state.size();
  return keyframe;
}

}  // namespace hild::framelog
