// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/writer.hpp"

#include <algorithm>
#include <array>

#include "recording/mcap/fields.hpp"
#include "recording/mcap/records.hpp"

namespace hild::mcap {
namespace {

/// What a chunk becomes: the parts of it beside its records, those compressed where they are, and
/// what the summary tells of it.
struct FramedChunk {
  std::string head, packed, indexes;
  std::string summary;
};

// Of a chunk that begins at `at`, whose records are stored as `records`.
void frame(const Chunk& chunk, std::uint64_t at, std::string_view records, bool compressed,
           FramedChunk& to) {
  const std::string_view compression = compressed ? zstd_name : "";
  const std::uint64_t stored = records.size();
  const std::uint64_t uncompressed = chunk.bytes();
  Encoder(to.head).begin_record(Opcode::chunk, stored, chunk.start(), chunk.end(), uncompressed,
                                crc32(bytes_of(chunk.records())), compression, stored);
  const std::uint64_t bytes = to.head.size() + stored;
  std::vector<std::pair<std::uint16_t, std::uint64_t>> index_offsets;
  for (std::size_t id = 0; id < chunk.index().size(); ++id) {
    const auto& entries = chunk.index()[id];
    if (entries.empty()) continue;
    const auto channel = static_cast<std::uint16_t>(id);
    index_offsets.emplace_back(channel, at + bytes + to.indexes.size());
    Encoder(to.indexes).record(Opcode::message_index, channel, entries);
  }
  Encoder(to.summary)
      .record(Opcode::chunk_index, chunk.start(), chunk.end(), at, bytes, index_offsets,
              std::uint64_t{to.indexes.size()}, compression, stored, uncompressed);
}

}  // namespace

void Pieces::add(std::string_view record) {
  if (pieces_.empty() || pieces_.back().size() + record.size() > pieces_.back().capacity()) {
    pieces_.emplace_back().reserve(std::max(piece, record.size()));
  }
  pieces_.back() += record;
}

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

Result<void> Writer::write(std::span<const Chunk* const> chunks, std::optional<int> level) {
  std::vector<FramedChunk> made(chunks.size());
  std::vector<std::string_view> parts{pending_};
  std::uint64_t at = end_ + pending_.size();
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (chunks[i]->empty()) continue;
    auto& [head, packed, indexes, summary] = made[i];
    const bool compressed = level && compressor_.compress(chunks[i]->records(), *level, packed);
    const std::string_view records = compressed ? packed : chunks[i]->records();
    frame(*chunks[i], at, records, compressed, made[i]);
    parts.insert(parts.end(), {head, records, indexes});
    at += head.size() + records.size() + indexes.size();
  }
  if (parts.size() == 1) return {};
  if (auto added = put(parts); !added) return added;
  pending_.clear();

  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const Chunk& chunk = *chunks[i];
    if (chunk.empty()) continue;
    chunk_indexes_.add(made[i].summary);
    ++chunk_count_;
    messages_ += chunk.messages();
    start_ = std::min(start_, chunk.start());
    latest_ = std::max(latest_, chunk.end());
    for (std::size_t id = 0; id < chunk.index().size(); ++id) {
      const std::size_t n = chunk.index()[id].size();
      if (n > 0) counts_[static_cast<std::uint16_t>(id)] += n;
    }
  }
  return {};
}

Result<void> Writer::write(const Attachment& a) {
  std::string text;
  append(text, a);
  const std::uint64_t at = end_;
  if (auto added = put(std::array{std::string_view(text)}); !added) return added;
  Encoder(attachments_)
      .record(Opcode::attachment_index, at, std::uint64_t{text.size()}, a.log_time, a.create_time,
              std::uint64_t{a.data.size()}, a.name, a.media_type);
  ++attachment_count_;
  return {};
}

Result<void> Writer::write(const Metadata& metadata) {
  std::string text;
  append(text, metadata);
  const std::uint64_t at = end_;
  if (auto added = put(std::array{std::string_view(text)}); !added) return added;
  Encoder(metadata_).record(Opcode::metadata_index, at, std::uint64_t{text.size()}, metadata.name);
  ++metadata_count_;
  return {};
}

// The end of the data, the groups by opcode, where each of them is, the footer.
Result<void> Writer::finish() {
  std::string data_end;
  Encoder(data_end).record(Opcode::data_end, crc_);
  std::string schemas;
  for (const auto& [id, schema] : schemas_) append(schemas, schema);
  std::string channels;
  for (const auto& [id, channel] : channels_) append(channels, channel);
  std::string counted;
  Encoder(counted).record(
      Opcode::statistics, messages_, static_cast<std::uint16_t>(schemas_.size()),
      static_cast<std::uint32_t>(channels_.size()), attachment_count_, metadata_count_,
      chunk_count_, messages_ > 0 ? start_ : 0, latest_, counts_);
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
    if (end > begin) to.record(Opcode::summary_offset, opcode, begin, end - begin);
  }
  to.begin_record(Opcode::footer, sizeof crc, start, end);
  to.add(crc32(bytes_of(offsets), crc));
  offsets += magic;
  parts.push_back(offsets);
  return put(parts);
}

}  // namespace hild::mcap
