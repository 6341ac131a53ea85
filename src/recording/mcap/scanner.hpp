// SPDX-License-Identifier: Apache-2.0
/// \file
/// The state of a scan; used by scan.cpp and its neighbours only.
#pragma once

#include <optional>

#include "recording/mcap/scan.hpp"

namespace hild::mcap {

inline constexpr std::uint64_t largest_loaded = 1ULL << 30U;  ///< bytes of one record
/// The most bytes that the records of a compressed chunk may be, so that a small file cannot ask
/// for more.
inline constexpr std::uint64_t largest_expanded = 1ULL << 28U;

/// Ends a scan; scan() turns it into its error.
struct Unreadable {
  Error error;
};

class Scanner {
 public:
  Scanner(ByteSource& source, Visitor& visitor, ScanOptions options)
      : source_(source), visitor_(visitor), options_(options) {
    scan_.bytes = source.size();
  }
  Result<Scan> run();

 private:
  struct Record {
    std::uint64_t offset = 0;
    std::uint8_t opcode = 0;
    std::uint64_t bytes = 0;  ///< of the content
    [[nodiscard]] std::uint64_t content() const { return offset + head_bytes; }
    [[nodiscard]] std::uint64_t end() const { return content() + bytes; }
  };
  using Bytes = std::span<const std::byte>;

  // scan.cpp
  void check_magic();
  std::optional<Record> next();
  /// Takes a record; false where its lengths cannot be right.
  bool take(const Record& record);
  /// Goes on to the next chunk that was asked for, where this record is none of them.
  bool passes_over(const Record& record);
  void take_content(const Record& record, Bytes content);
  bool take_chunk(const Record& record);
  std::optional<Bytes> records_of(const ChunkHead& head, std::uint64_t offset);
  std::optional<std::uint64_t> chunk_within(const Record& record);
  void take_records(const Record& chunk, const ChunkHead& head, Bytes records);
  bool take_inner(std::uint8_t opcode, Bytes content, const ChunkHead& head);
  void take_data_end(const Record& record, Bytes content);
  void take_footer(const Record& record);
  std::vector<std::uint16_t> channels_after(std::uint64_t offset);
  // resync.cpp
  void preload_summary();
  bool resync();
  bool whole_chunk_at(std::uint64_t offset);
  // All of the bytes at `offset`, into a buffer that the next call overwrites.
  Bytes load(std::uint64_t offset, std::uint64_t bytes);
  void damage(std::uint64_t offset, std::uint64_t bytes, std::string what);
  void checksum_until(std::uint64_t end);

  ByteSource& source_;
  Visitor& visitor_;
  ScanOptions options_;
  Scan scan_;
  std::uint64_t at_ = 0;
  std::uint64_t suspect_from_ = 0;  ///< the lengths from here on have not been confirmed
  std::uint64_t summed_ = 0;        ///< bytes in crc_
  std::uint32_t crc_ = 0;
  std::vector<std::uint64_t> chunks_;  ///< offsets, by the summary; the next one is the last
  std::uint64_t searched_ = 0;         ///< bytes read in search of chunks
  bool ended_ = false;                 ///< the data section has ended
  bool finished_ = false;              ///< nothing more to read
  std::vector<std::byte> buffer_;
  std::vector<std::byte> chunk_;
  std::vector<std::byte> expanded_;
};

}  // namespace hild::mcap
