// SPDX-License-Identifier: Apache-2.0
/// The end of a file: what its writer knows of all that came before.
#include <array>

#include "recording/mcap/crc32.hpp"
#include "recording/mcap/encoder.hpp"
#include "recording/mcap/records.hpp"
#include "recording/mcap/writer.hpp"

namespace hild::mcap {

void Writer::keep(const ChunkIndex& chunk) {
  std::string text;
  Encoder to(text);
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
  to.text(chunk.compressed ? zstd_name : "");
  to.number(chunk.stored);
  to.number(chunk.records);
  to.end_record(at);
  chunk_indexes_.add(text);
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

// The end of the data, the groups by opcode, where each of them is, the footer.
Result<void> Writer::finish() {
  std::string data_end;
  Encoder ends(data_end);
  const std::size_t ended = ends.begin_record(Opcode::data_end);
  ends.number(crc_);
  ends.end_record(ended);

  std::string schemas;
  for (const auto& [id, schema] : schemas_) append(schemas, schema);
  std::string channels;
  for (const auto& [id, channel] : channels_) append(channels, channel);
  const std::string counted = statistics();
  using Group = std::vector<std::string_view>;
  const std::array<std::pair<Opcode, Group>, 6> groups{{
      {Opcode::schema, {schemas}},
      {Opcode::channel, {channels}},
      {Opcode::statistics, {counted}},
      {Opcode::chunk_index, {chunk_indexes_.all().begin(), chunk_indexes_.all().end()}},
      {Opcode::attachment_index, {attachments_}},
      {Opcode::metadata_index, {metadata_}},
  }};
  const std::uint64_t start = end_ + data_end.size();
  std::uint64_t end = start;
  std::uint32_t crc = 0;
  std::vector<std::string_view> parts{data_end};
  std::string offsets;
  Encoder to(offsets);
  for (const auto& [opcode, group] : groups) {
    const std::uint64_t begin = end;
    for (const std::string_view part : group) {
      parts.push_back(part);
      end += part.size();
      crc = crc32(bytes_of(part), crc);
    }
    if (end == begin) continue;
    const std::size_t at = to.begin_record(Opcode::summary_offset);
    to.number(static_cast<std::uint8_t>(opcode));
    to.number(begin);
    to.number(end - begin);
    to.end_record(at);
  }
  const std::size_t at = to.begin_record(Opcode::footer);
  to.number(start);
  to.number(end);
  to.end_record(at, 4);
  to.number(crc32(bytes_of(offsets), crc));
  offsets += magic;
  parts.push_back(offsets);
  return put(parts);
}

}  // namespace hild::mcap
