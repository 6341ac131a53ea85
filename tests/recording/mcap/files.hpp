// SPDX-License-Identifier: Apache-2.0
/// \file
/// MCAP files in memory, a visitor that remembers, and a walk over records that shares no code with
/// the reader.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "recording/mcap/file.hpp"
#include "recording/mcap/scan.hpp"
#include "recording/mcap/writer.hpp"
#include "support/memory_source.hpp"

namespace hild::mcap {

/// A disk that is full after so many bytes.
class MemoryOutput final : public Output {
 public:
  explicit MemoryOutput(std::size_t of_room = SIZE_MAX) : room(of_room) {}
  Result<void> append(std::span<const std::string_view> parts) override {
    std::size_t added = 0;
    for (const auto part : parts) added += part.size();
    if (bytes.size() + added > room) return fail("no room");
    for (const auto part : parts) bytes += part;
    return {};
  }
  Result<void> sync() override { return {}; }

  std::string bytes;
  std::size_t room;
};

inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Got {
  std::uint16_t channel;
  std::uint64_t time;
  std::string data;
  bool operator==(const Got&) const = default;
};

class Memory final : public Visitor {
 public:
  void header(const Header& h) override { headers.push_back(h); }
  void schema(const Schema& s) override { schemas.push_back(s); }
  void channel(const Channel& c) override { channels.push_back(c); }
  void message(const Message& m) override {
    messages.push_back({m.channel, m.log_time, text_of(m.data)});
  }
  void attachment(const Attachment& a) override { attachments.push_back(a); }
  void metadata(const Metadata& m) override { metadatas.push_back(m); }
  void chunk_end() override { ++chunks; }
  /// No file of these tests has so many records: a scan that does not get on fails.
  bool go_on(std::uint64_t offset) override {
    if (++asked_ < 10'000) return true;
    ADD_FAILURE() << "still at " << offset;
    return false;
  }

  std::vector<Header> headers;
  std::vector<Schema> schemas;
  std::vector<Channel> channels;
  std::vector<Got> messages;
  std::vector<Attachment> attachments;
  std::vector<Metadata> metadatas;
  int chunks = 0;

 private:
  int asked_ = 0;
};

/// A record at the top of a file.
struct Raw {
  std::size_t offset;
  unsigned opcode;
  std::size_t end;
};
inline std::vector<Raw> walk(const std::string& file) {
  std::vector<Raw> records;
  for (std::size_t at = 8; at + 9 <= file.size() - 8;) {
    std::uint64_t length = 0;
    std::memcpy(&length, file.data() + at + 1, 8);
    records.push_back({at, static_cast<unsigned char>(file[at]), at + 9 + length});
    at = records.back().end;
  }
  return records;
}

inline constexpr int chunks_of_small = 3;
inline constexpr int messages_of_chunk = 4;
inline std::string data_of(int chunk, int message) {
  return "data " + std::to_string(chunk) + "." + std::to_string(message);
}

/// Two channels, three chunks of four messages, an attachment and metadata before them. Fails as
/// its output does, and goes on. Compressed where a level is given.
inline int write_small(Output& output, std::optional<int> level = {}) {
  int failed = 0;
  const auto tell = [&](const Result<void>& done) { failed += done ? 0 : 1; };
  Writer writer(output);
  tell(writer.begin({"", "test"}));
  tell(writer.write(Metadata{"about", {{"one", "1"}, {"two", ""}}}));
  tell(writer.write(Attachment{5, 6, "a.txt", "text/plain", "attached"}));
  const Schema schema{1, "S", "jsonschema", "{}"};
  const Channel first{1, 1, "/first", "json", {{"unit", "V"}}};
  const Channel second{7, 0, "/second", "json", {}};
  Chunk chunk;
  writer.declare(schema);
  writer.declare(first);
  writer.declare(second);
  for (int c = 0; c < chunks_of_small; ++c) {
    for (int m = 0; m < messages_of_chunk; ++m) {
      const std::string data = data_of(c, m);
      const auto channel = static_cast<std::uint16_t>(m % 2 == 0 ? 1 : 7);
      const auto time = static_cast<std::uint64_t>(1000 * c + m);
      std::memcpy(chunk.add(channel, 0, time, data.size()), data.data(), data.size());
    }
    const Chunk* const chunks[] = {&chunk};
    tell(writer.write(chunks, level));
    chunk.clear();
  }
  tell(writer.finish());
  return failed;
}

inline std::string small_file(std::optional<int> level = {}) {
  MemoryOutput output;
  write_small(output, level);
  return output.bytes;
}

inline Result<Scan> scan(const std::string& file, Visitor& visitor, ScanOptions options = {}) {
  MemorySource source(file);
  return mcap::scan(source, visitor, options);
}

}  // namespace hild::mcap
