// SPDX-License-Identifier: Apache-2.0
/// The end of a file: what its writer knows of all that came before.
#include <array>

#include "mcap/crc32.hpp"
#include "mcap/encoder.hpp"
#include "mcap/records.hpp"
#include "mcap/writer.hpp"

namespace hild::mcap {

void Writer::keep(const ChunkIndex& chunk) {
  Encoder to(chunk_indexes_);
  const std::size_t at = to.begin_record(Opcode::chunk_index);
  to.number(chunk.start);
  to.number(chunk.end);
  to.number(chunk.offset);
  to.number(chunk.bytes);
  const std::size_t sized = to.begin_sized();
  for (const auto& [channel, offset] : chunk.index_offsets) {
    to.number(channel);
    to.number(offset);
  }
  to.end_sized(sized);
  to.number(chunk.index_bytes);
  to.text("");
  to.number(chunk.records);
  to.number(chunk.records);
  to.end_record(at);
  ++chunk_count_;
}

std::string Writer::statistics() const {
  std::string out;
  Encoder to(out);
  const std::size_t at = to.begin_record(Opcode::statistics);
  to.number(messages_);
  to.number(static_cast<std::uint16_t>(schemas_.size()));
  to.number(static_cast<std::uint32_t>(channels_.size()));
  to.number(attachment_count_);
  to.number(metadata_count_);
  to.number(chunk_count_);
  to.number(messages_ > 0 ? start_ : 0);
  to.number(latest_);
  const std::size_t sized = to.begin_sized();
  for (const auto& [channel, count] : counts_) {
    to.number(channel);
    to.number(count);
  }
  to.end_sized(sized);
  to.end_record(at);
  return out;
}

// The groups by opcode, then where each of them is, then the footer.
std::string Writer::summary() const {
  std::string schemas;
  for (const auto& [id, schema] : schemas_) append(schemas, schema);
  std::string channels;
  for (const auto& [id, channel] : channels_) append(channels, channel);
  const std::array<std::pair<Opcode, std::string>, 6> groups{{
      {Opcode::schema, schemas},
      {Opcode::channel, channels},
      {Opcode::statistics, statistics()},
      {Opcode::chunk_index, chunk_indexes_},
      {Opcode::attachment_index, attachments_},
      {Opcode::metadata_index, metadata_},
  }};
  std::string out;
  std::string offsets;
  Encoder places(offsets);
  constexpr std::uint64_t data_end = head_bytes + 4;
  const std::uint64_t start = end_ + data_end;
  for (const auto& [opcode, group] : groups) {
    if (group.empty()) continue;
    const std::size_t at = places.begin_record(Opcode::summary_offset);
    places.number(static_cast<std::uint8_t>(opcode));
    places.number(start + out.size());
    places.number(std::uint64_t{group.size()});
    places.end_record(at);
    out += group;
  }
  const std::uint64_t offsets_start = start + out.size();
  out += offsets;
  Encoder to(out);
  const std::size_t at = to.begin_record(Opcode::footer);
  to.number(start);
  to.number(offsets_start);
  to.end_record(at, 4);
  to.number(crc32(bytes_of(out)));
  return out;
}

Result<void> Writer::finish() {
  std::string text;
  Encoder to(text);
  const std::size_t at = to.begin_record(Opcode::data_end);
  to.number(crc_);
  to.end_record(at);
  text += summary();
  text += magic;
  return put(std::array{std::string_view(text)});
}

}  // namespace hild::mcap
