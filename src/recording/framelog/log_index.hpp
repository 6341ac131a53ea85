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

/// A keyframe that was looked for.
struct FoundKeyframe {
  std::optional<exec::Keyframe> last;  ///< nothing: there is none
  bool passed_over = false;            ///< a later one, or more, that is damaged
};

class LogIndex {
 public:
  /// Error: it is not a log of hild, has another format, or cannot be read.
  [[nodiscard]] static Result<LogIndex> of(mcap::ByteSource& source);

  [[nodiscard]] const LogHead& head() const noexcept { return head_; }
  /// Whether the log was closed: else its run was cut off, or still goes on.
  [[nodiscard]] bool closed() const noexcept { return index_.closed; }
  /// Whether it is damaged outside of its chunks, as where it was cut.
  [[nodiscard]] bool damaged() const noexcept { return index_.damaged; }
  /// The chunks with messages of any of these streams, of this log time or later, in the order of
  /// the file; for ReadOptions::chunks.
  [[nodiscard]] std::vector<std::uint64_t> chunks(std::initializer_list<Topic> topics,
                                                  std::uint64_t from = 0) const;
  /// The first keyframe; nothing: there is none, or it is damaged.
  [[nodiscard]] Result<std::optional<exec::Keyframe>> first_keyframe(
      mcap::ByteSource& source) const;
  /// The last whole keyframe of this simulated time or before. Reads some of them, by halves.
  [[nodiscard]] Result<FoundKeyframe> keyframe_before(mcap::ByteSource& source, SimTime time) const;

 private:
  LogHead head_;
  mcap::Index index_;
};

}  // namespace hild::framelog
