// SPDX-License-Identifier: Apache-2.0
/// \file
/// The records of an MCAP file, major version 0 (mcap.dev/spec). All numbers are little-endian.
#pragma once

#include <libdeflate.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hild::mcap {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

enum class Opcode : std::uint8_t {
  header = 1,
  footer,
  schema,
  channel,
  message,
  chunk,
  message_index,
  chunk_index,
  attachment,
  attachment_index,
  statistics,
  metadata,
  metadata_index,
  summary_offset,
  data_end,
};
/// From this opcode on records belong to applications; readers skip them.
inline constexpr Opcode first_private_opcode{0x80};

inline constexpr std::string_view magic{"\x89MCAP0\r\n", 8};
inline constexpr std::size_t head_bytes = 9;  ///< of a record: opcode and length
inline constexpr std::size_t footer_bytes = head_bytes + 20;

using Bytes = std::span<const std::byte>;
/// Texts by name, in a fixed order.
using Map = std::vector<std::pair<std::string, std::string>>;

struct Header {
  std::string profile;
  std::string library;
};

struct Schema {
  std::uint16_t id = 0;  ///< from 1
  std::string name;
  std::string encoding;
  std::string data;
};

struct Channel {
  std::uint16_t id = 0;
  std::uint16_t schema = 0;
  std::string topic;
  std::string encoding;  ///< of the messages
  Map metadata;
};

/// Times are in nanoseconds.
struct Message {
  std::uint16_t channel = 0;
  std::uint32_t sequence = 0;
  std::uint64_t log_time = 0;
  std::uint64_t publish_time = 0;
  Bytes data{};
};

struct Attachment {
  std::uint64_t log_time = 0;
  std::uint64_t create_time = 0;
  std::string name;
  std::string media_type;
  std::string data;
};

struct Metadata {
  std::string name;
  Map values;
};

/// The fields before the records of a chunk.
struct ChunkHead {
  std::uint64_t start = 0;  ///< earliest log time of its messages
  std::uint64_t end = 0;    ///< latest
  std::uint64_t uncompressed_bytes = 0;
  std::uint32_t crc = 0;  ///< of the uncompressed records; 0: not known
  std::string compression;
  std::uint64_t bytes = 0;   ///< of the records as they are stored
  std::uint64_t offset = 0;  ///< of the chunk in the file
};

/// The CRC-32 of the format, that of zlib and Ethernet: of these bytes, or of earlier bytes
/// followed by these, where `before` is the CRC-32 of the earlier ones.
[[nodiscard]] inline std::uint32_t crc32(Bytes bytes, std::uint32_t before = 0) {
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

[[nodiscard]] inline Bytes bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace hild::mcap
