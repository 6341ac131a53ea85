// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/writer.hpp"

#include <algorithm>
#include <array>

#include "recording/mcap/crc32.hpp"
#include "recording/mcap/encoder.hpp"
#include "recording/mcap/records.hpp"

namespace hild::mcap {

Result<void> Writer::put(std::span<const std::string_view> parts) {
  if (auto added = output_.append(parts); !added) return added;
  for (const std::string_view part : parts) {
    crc_ = crc32(bytes_of(part), crc_);
    end_ += part.size();
  }
  return {};
}

Result<void> Writer::begin(const Header& header) {
  std::string text(magic);
  append(text, header);
  return put(std::array{std::string_view(text)});
}

void Writer::declare(const Schema& schema) {
  if (schemas_.try_emplace(schema.id, schema).second) append(pending_, schema);
}

void Writer::declare(const Channel& channel) {
  if (channels_.try_emplace(channel.id, channel).second) append(pending_, channel);
}

Writer::ChunkIndex Writer::frame(const Chunk& chunk, std::uint64_t at, std::string_view records,
                                 bool compressed, std::string& head, std::string& indexes) {
  Encoder to(head);
  const std::size_t record = to.begin_record(Opcode::chunk);
  to.number(chunk.start());
  to.number(chunk.end());
  to.number(std::uint64_t{chunk.bytes()});
  to.number(crc32(bytes_of(chunk.records())));
  to.text(compressed ? zstd_name : "");
  to.number(std::uint64_t{records.size()});
  to.end_record(record, records.size());

  ChunkIndex index{.start = chunk.start(),
                   .end = chunk.end(),
                   .offset = at,
                   .bytes = head.size() + records.size(),
                   .index_bytes = 0,
                   .stored = records.size(),
                   .records = chunk.bytes(),
                   .compressed = compressed,
                   .index_offsets = {}};
  Encoder tail(indexes);
  for (std::size_t id = 0; id < chunk.index().size(); ++id) {
    const auto& entries = chunk.index()[id];
    if (entries.empty()) continue;
    const auto channel = static_cast<std::uint16_t>(id);
    index.index_offsets.emplace_back(channel, at + index.bytes + indexes.size());
    const std::size_t begun = tail.begin_record(Opcode::message_index);
    tail.number(channel);
    const std::size_t sized = tail.begin_sized();
    for (const Chunk::Entry& entry : entries) {
      tail.number(entry.log_time);
      tail.number(entry.offset);
    }
    tail.end_sized(sized);
    tail.end_record(begun);
  }
  index.index_bytes = indexes.size();
  return index;
}

Result<void> Writer::write(std::span<const Chunk* const> chunks, std::optional<int> level) {
  std::vector<std::array<std::string, 3>> made(chunks.size());
  std::vector<std::string_view> parts{pending_};
  std::vector<ChunkIndex> indexes;
  std::uint64_t at = end_ + pending_.size();
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (chunks[i]->empty()) continue;
    auto& [head, packed, tail] = made[i];
    const bool compressed = level && compressor_.compress(chunks[i]->records(), *level, packed);
    const std::string_view records = compressed ? packed : chunks[i]->records();
    indexes.push_back(frame(*chunks[i], at, records, compressed, head, tail));
    parts.insert(parts.end(), {head, records, tail});
    at += indexes.back().bytes + indexes.back().index_bytes;
  }
  if (indexes.empty()) return {};
  if (auto added = put(parts); !added) return added;
  pending_.clear();

  for (const ChunkIndex& index : indexes) keep(index);
  for (const Chunk* chunk : chunks) {
    if (chunk->messages() == 0) continue;
    messages_ += chunk->messages();
    start_ = std::min(start_, chunk->start());
    latest_ = std::max(latest_, chunk->end());
    for (std::size_t id = 0; id < chunk->index().size(); ++id) {
      const std::size_t n = chunk->index()[id].size();
      if (n > 0) counts_[static_cast<std::uint16_t>(id)] += n;
    }
  }
  return {};
}

Result<void> Writer::write(const Attachment& attachment) {
  std::string text;
  append(text, attachment);
  const Place place{end_, text.size()};
  if (auto added = put(std::array{std::string_view(text)}); !added) return added;
  Encoder to(attachments_);
  const std::size_t at = to.begin_record(Opcode::attachment_index);
  to.number(place.offset);
  to.number(place.bytes);
  to.number(attachment.log_time);
  to.number(attachment.create_time);
  to.number(std::uint64_t{attachment.data.size()});
  to.text(attachment.name);
  to.text(attachment.media_type);
  to.end_record(at);
  ++attachment_count_;
  return {};
}

Result<void> Writer::write(const Metadata& metadata) {
  std::string text;
  append(text, metadata);
  const Place place{end_, text.size()};
  if (auto added = put(std::array{std::string_view(text)}); !added) return added;
  Encoder to(metadata_);
  const std::size_t at = to.begin_record(Opcode::metadata_index);
  to.number(place.offset);
  to.number(place.bytes);
  to.text(metadata.name);
  to.end_record(at);
  ++metadata_count_;
  return {};
}

}  // namespace hild::mcap
