// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes an MCAP file: records are written as they come, and at the end the summary that readers
/// need to find them again. Until then the file is readable as far as it is written. A write that
/// failed leaves the writer as it was before, and the next one may succeed again.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "recording/mcap/chunk.hpp"
#include "recording/mcap/file.hpp"
#include "recording/mcap/zstd.hpp"

namespace hild::mcap {

/// A text that only grows, kept in pieces that are never moved. It takes the memory of its content
/// and of at most one piece more, where a string takes three times as much while it doubles; where
/// memory is locked, none of that would be given back.
class Pieces {
 public:
  static constexpr std::size_t piece = 64 * 1024;

  /// Appends a record. It lies in one piece, which is larger than `piece` where it has to be.
  void add(std::string_view record);
  [[nodiscard]] const std::vector<std::string>& all() const noexcept { return pieces_; }

 private:
  std::vector<std::string> pieces_;
};

class Writer {
 public:
  /// The output outlives the writer.
  explicit Writer(Output& output) : output_(output) {}

  /// Begins the file; to be called first, and once.
  [[nodiscard]] Result<void> begin(const Header& header);
  /// Writes chunks, each with its indexes: all of them or none. Empty ones are left out. With a
  /// `level` (as for Compressor) each chunk that becomes smaller by it is compressed.
  [[nodiscard]] Result<void> write(std::span<const Chunk* const> chunks,
                                   std::optional<int> level = {});
  [[nodiscard]] Result<void> write(const Attachment& attachment);
  [[nodiscard]] Result<void> write(const Metadata& metadata);
  /// Declares a schema or a channel, which is written before the chunks that come next, and in the
  /// summary. It must be declared before the first message of the channel, the schema before the
  /// channel; a second declaration is ignored.
  void declare(const Schema& schema);
  void declare(const Channel& channel);
  /// Writes summary and footer; to be called last.
  [[nodiscard]] Result<void> finish();

  [[nodiscard]] std::uint64_t bytes() const noexcept { return end_; }

 private:
  Result<void> put(std::span<const std::string_view> parts);

  Output& output_;
  Compressor compressor_;
  std::uint64_t end_ = 0;
  std::uint32_t crc_ = 0;  ///< of all that was written
  std::string pending_;    ///< declared, to be written with the next chunk
  std::map<std::uint16_t, Schema> schemas_;
  std::map<std::uint16_t, Channel> channels_;
  /// The index records of the chunks, until the end. They are kept as text, since many small blocks
  /// that live long between large ones that come and go would fragment the heap.
  Pieces chunk_indexes_;
  std::uint32_t chunk_count_ = 0;
  std::map<std::uint16_t, std::uint64_t> counts_;  ///< of messages, by channel
  std::uint64_t messages_ = 0;
  std::uint64_t start_ = UINT64_MAX;
  std::uint64_t latest_ = 0;
  std::string attachments_;  ///< their index records, and those of the metadata
  std::string metadata_;
  std::uint32_t attachment_count_ = 0;
  std::uint32_t metadata_count_ = 0;
};

}  // namespace hild::mcap
