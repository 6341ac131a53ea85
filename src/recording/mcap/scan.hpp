// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads an MCAP file from front to back. The bytes may be anything: what is damaged is named and
/// passed over, what is intact is handed on, also of a file that ends in the middle.
#pragma once

#include <string>
#include <vector>

#include "recording/mcap/file.hpp"
#include "recording/mcap/format.hpp"

namespace hild::mcap {

/// Receives what is found, in the order of the file; views are valid until the call returns.
class Visitor {
 public:
  virtual ~Visitor() = default;

  virtual void header(const Header& /*header*/) {}
  /// Schemas and channels may come more than once, the first time from the end of the file.
  virtual void schema(const Schema& /*schema*/) {}
  virtual void channel(const Channel& /*channel*/) {}
  virtual void message(const Message& /*message*/) {}
  virtual void attachment(const Attachment& /*attachment*/) {}
  virtual void metadata(const Metadata& /*metadata*/) {}
  /// Whether to read a chunk with messages of these channels (empty: not known which).
  virtual bool wants(const ChunkHead& /*head*/, std::span<const std::uint16_t> /*channels*/) {
    return true;
  }
  /// Called after the last record of an intact chunk.
  virtual void chunk_end() {}
  /// Called before each record; false ends the scan.
  virtual bool go_on(std::uint64_t /*offset*/) { return true; }
};

struct Damage {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  ///< passed over
  std::string what;
};

struct ScanOptions {
  /// Also checks what lies outside of chunks, against the checksum at the end: reads every byte.
  bool verify = false;
  /// Only these chunks, by rising offsets, besides what stands before the first chunk of the file;
  /// null: all.
  const std::vector<std::uint64_t>* only = nullptr;
  /// Looks at the summary first, for help over damage.
  bool summary = true;
};

/// The result of a scan.
struct Scan {
  std::uint64_t bytes = 0;      ///< of the file
  std::uint64_t chunks = 0;     ///< intact ones, read or not wanted
  std::uint64_t end_whole = 0;  ///< where the last intact record before the summary ends
  bool complete = false;        ///< a footer at the end: the file was closed
  bool stopped = false;         ///< by the visitor
  std::vector<Damage> damages;  ///< the first of them
  std::uint64_t damage_count = 0;
};
inline constexpr std::size_t most_damages = 1000;

/// Scans a file. Error: it is no MCAP file at all, or cannot be read.
[[nodiscard]] Result<Scan> scan(ByteSource& source, Visitor& visitor, ScanOptions options = {});

}  // namespace hild::mcap
