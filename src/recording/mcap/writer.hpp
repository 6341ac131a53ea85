// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes an MCAP file: records are written as they come, and at the end the summary that readers
/// need to find them again. Until then the file is readable as far as it is written. A write that
/// failed leaves the writer as it was before, and the next one may succeed again.
#pragma once

#include <optional>

#include "recording/mcap/summary.hpp"
#include "recording/mcap/zstd.hpp"

namespace hild::mcap {

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

  [[nodiscard]] std::uint64_t bytes() const noexcept { return output_.end(); }

 private:
  /// Writes a record, and notes for the summary where.
  template <class Record>
  [[nodiscard]] Result<void> write_noted(const Record& record);

  CountedOutput output_;
  Compressor compressor_;
  std::string pending_;  ///< declared, to be written with the next chunk
  Summary summary_;
};

}  // namespace hild::mcap
