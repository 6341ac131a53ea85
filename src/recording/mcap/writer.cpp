// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/writer.hpp"

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

Result<void> Writer::begin(const Header& header) {
  std::string text(magic);
  append(text, header);
  return output_.append(text);
}

void Writer::declare(const Schema& schema) {
  if (summary_.declare(schema)) append(pending_, schema);
}

void Writer::declare(const Channel& channel) {
  if (summary_.declare(channel)) append(pending_, channel);
}

Result<void> Writer::write(std::span<const Chunk* const> chunks, std::optional<int> level) {
  std::vector<FramedChunk> made(chunks.size());
  std::vector<std::string_view> parts{pending_};
  std::uint64_t at = output_.end() + pending_.size();
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
  if (auto added = output_.append(parts); !added) return added;
  pending_.clear();
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (!chunks[i]->empty()) summary_.add(*chunks[i], made[i].summary);
  }
  return {};
}

template <class Record>
Result<void> Writer::write_noted(const Record& record) {
  std::string text;
  append(text, record);
  const std::uint64_t at = output_.end();
  if (auto added = output_.append(text); !added) return added;
  summary_.add(record, at, text.size());
  return {};
}

Result<void> Writer::write(const Attachment& attachment) { return write_noted(attachment); }
Result<void> Writer::write(const Metadata& metadata) { return write_noted(metadata); }

Result<void> Writer::finish() { return summary_.write(output_); }

}  // namespace hild::mcap
