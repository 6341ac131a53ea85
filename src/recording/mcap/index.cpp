// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/index.hpp"

#include <algorithm>

#include "recording/mcap/fields.hpp"

namespace hild::mcap {
namespace {

std::optional<ChunkPlace> read_chunk_index(std::span<const std::byte> content) {
  Decoder from(content);
  ChunkPlace place;
  std::uint64_t length = 0;
  from.take(place.start, place.end, place.offset, length);
  Decoder indexes(from.bytes(from.number<std::uint32_t>()));
  while (indexes.good() && indexes.left() > 0) {
    place.channels.push_back(indexes.number<std::uint16_t>());
    (void)indexes.number<std::uint64_t>();
  }
  if (!from.good() || !indexes.good()) return std::nullopt;
  return place;
}

/// Wants no chunk, and notes where they all are.
class Walker final : public Visitor {
 public:
  bool wants(const ChunkHead& head, std::span<const std::uint16_t> channels) override {
    places.push_back({head.offset, head.start, head.end, {channels.begin(), channels.end()}});
    return false;
  }
  std::vector<ChunkPlace> places;
};

}  // namespace

bool ChunkPlace::may_have(std::uint16_t channel) const noexcept {
  return channels.empty() || std::ranges::find(channels, channel) != channels.end();
}

Result<std::vector<std::byte>> load_summary(ByteSource& source, std::optional<Damage>& damage) {
  constexpr std::uint64_t tail = footer_bytes + magic.size();
  std::vector<std::byte> summary;
  if (source.size() < 2 * magic.size() + tail) return summary;
  const std::uint64_t footer = source.size() - tail;
  std::array<std::byte, footer_bytes> end{};
  if (auto read = source.read(footer, end); !read) return tl::make_unexpected(read.error());
  Opcode opcode{};
  std::uint64_t length = 0;
  std::uint64_t start = 0;
  std::uint64_t offsets = 0;
  std::uint32_t crc = 0;
  Decoder(end).take(opcode, length, start, offsets, crc);
  if (opcode != Opcode::footer || length != footer_bytes - head_bytes) return summary;
  if (start == 0 && crc == 0) return summary;
  if (start == 0 || start > footer || footer - start > largest_loaded) {
    damage = Damage{footer, footer_bytes, "a footer that points outside of the file"};
    return summary;
  }
  summary.resize(source.size() - magic.size() - start);
  if (auto read = source.read(start, summary); !read) return tl::make_unexpected(read.error());
  if (crc != 0 && crc32(std::span(summary).first(summary.size() - 4)) != crc) {
    damage = Damage{start, footer - start, "a summary whose checksum is wrong"};
    summary.clear();
    return summary;
  }
  summary.resize(footer - start);
  return summary;
}

Result<Index> index_of(ByteSource& source) {
  std::optional<Damage> damage;
  const auto summary = load_summary(source, damage);
  if (!summary) return tl::make_unexpected(summary.error());
  std::vector<ChunkPlace> places;
  bool whole = !summary->empty();
  Decoder records(*summary);
  while (whole && records.left() > 0) {
    const auto opcode = records.number<Opcode>();
    const auto content = records.bytes(records.number<std::uint64_t>());
    if (records.good() && opcode != Opcode::chunk_index) continue;
    auto place = read_chunk_index(content);
    whole = records.good() && place && place->offset < source.size();
    if (whole) places.push_back(std::move(*place));
  }
  if (whole) {
    std::ranges::sort(places, {}, &ChunkPlace::offset);
    return Index{std::move(places)};
  }
  Walker walker;
  const auto scanned = scan(source, walker);
  if (!scanned) return tl::make_unexpected(scanned.error());
  const bool damaged = !summary->empty() || scanned->damage_count > 0;
  return Index{std::move(walker.places), scanned->complete, damaged};
}

}  // namespace hild::mcap
