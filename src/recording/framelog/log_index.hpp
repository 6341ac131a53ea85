// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds its way in a log: the chunks of each of its streams, and the keyframe to begin at to reach
/// a frame. Of a log that was closed it reads the end; else it looks at every chunk once.
#pragma once

#include <optional>
#include <vector>

#include "recording/framelog/reader.hpp"
#include "recording/mcap/index.hpp"

namespace hild::framelog {

class LogIndex {
 public:
  /// Error: it is not a log of hild, has another format, or cannot be read.
  [[nodiscard]] static Result<LogIndex> of(mcap::ByteSource& source);

  [[nodiscard]] const LogHead& head() const noexcept { return head_; }
  /// The chunks with messages of any of these streams, of this log time or later, in the order of
  /// the file; for ReadOptions::chunks.
  [[nodiscard]] std::vector<std::uint64_t> chunks(std::initializer_list<Topic> topics,
                                                  std::uint64_t from = 0) const;
  /// The last keyframe of this simulated time or before; nothing where there is none. Reads some of
  /// them, by halves.
  [[nodiscard]] Result<std::optional<exec::Keyframe>> keyframe_before(mcap::ByteSource& source,
                                                                      SimTime time) const;

 private:
  LogHead head_;
  std::vector<mcap::ChunkPlace> places_;
};

}  // namespace hild::framelog
