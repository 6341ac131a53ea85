// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/gap.hpp"

#include <algorithm>
#include <array>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

namespace hild::framelog {
namespace {

using protozero::pbf_wire_type;

constexpr std::array<std::string_view, 3> reasons{"ring", "disk", "trigger"};
constexpr std::uint32_t gap_first = 1;
constexpr std::uint32_t gap_last = 2;
constexpr std::uint32_t gap_reason = 3;

}  // namespace

std::string_view to_string(Gap::Reason reason) noexcept {
  return reasons[static_cast<std::size_t>(reason)];
}

proto::File gap_file() {
  return {"hild",
          {{"Gap",
            {{"first", gap_first, proto::Type::sfixed64},
             {"last", gap_last, proto::Type::sfixed64},
             {"reason", gap_reason, proto::Type::enumeration, "Reason"}}}},
          {{"Reason", proto::enumerators("reason", reasons)}}};
}

void write_gap(const Gap& gap, std::string& to) {
  to.clear();
  protozero::pbf_writer out(to);
  out.add_sfixed64(gap_first, gap.first);
  out.add_sfixed64(gap_last, gap.last);
  out.add_enum(gap_reason, static_cast<std::int32_t>(gap.reason));
}

std::optional<Gap> read_gap(std::span<const std::byte> message) {
  Gap gap;
  try {
    protozero::pbf_reader in(proto::view_of(message));
    while (in.next()) {
      switch (in.tag_and_type()) {
        case tag_and_type(gap_first, pbf_wire_type::fixed64):
          gap.first = in.get_sfixed64();
          break;
        case tag_and_type(gap_last, pbf_wire_type::fixed64):
          gap.last = in.get_sfixed64();
          break;
        case tag_and_type(gap_reason, pbf_wire_type::varint):
          gap.reason = static_cast<Gap::Reason>(std::min<std::uint64_t>(in.get_uint64(), 2));
          break;
        default:
          in.skip();
      }
    }
  } catch (const protozero::exception&) {
    return std::nullopt;
  }
  // Counts are from 0, and none is this large.
  constexpr std::int64_t most = 1'000'000'000'000;
  gap.first = std::clamp<std::int64_t>(gap.first, 0, most);
  gap.last = std::clamp<std::int64_t>(gap.last, -1, most);
  return gap;
}

}  // namespace hild::framelog
