// SPDX-License-Identifier: Apache-2.0
/// \file
/// The summary of a file while it is written: what was declared, where chunks, attachments and
/// metadata are, and the statistics; readers need it to find them again.
#pragma once

#include <map>
#include <vector>

#include "recording/mcap/chunk.hpp"
#include "recording/mcap/counted_output.hpp"

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

class Summary {
 public:
  /// Notes what is declared; false where one of that id was before.
  bool declare(const Schema& schema) { return schemas_.try_emplace(schema.id, schema).second; }
  bool declare(const Channel& channel) { return channels_.try_emplace(channel.id, channel).second; }

  /// Notes a chunk that was written, whose index record is `index`.
  void add(const Chunk& chunk, std::string_view index);
  /// Notes what was written at `at`, in `length` bytes.
  void add(const Attachment& attachment, std::uint64_t at, std::uint64_t length);
  void add(const Metadata& metadata, std::uint64_t at, std::uint64_t length);

  /// Writes the end of a file: that of the data, this summary, the footer.
  [[nodiscard]] Result<void> write(CountedOutput& to) const;

 private:
  [[nodiscard]] std::string statistics() const;

  std::map<std::uint16_t, Schema> schemas_;
  std::map<std::uint16_t, Channel> channels_;
  /// The index records of the chunks. They are kept as text, since many small blocks that live long
  /// between large ones that come and go would fragment the heap.
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
