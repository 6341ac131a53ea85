// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the chunks of a file are, and which streams have messages in them: what a reader needs to
/// begin anywhere in it. From the summary at the end of the file; where there is none, or not a
/// whole one, from the heads of the chunks, one after the other.
#pragma once

#include <optional>
#include <vector>

#include "recording/mcap/scan.hpp"

namespace hild::mcap {

inline constexpr std::uint64_t largest_loaded = 1ULL << 30U;  ///< bytes of one record

struct ChunkPlace {
  std::uint64_t offset = 0;
  std::uint64_t start = 0;  ///< earliest log time of its messages
  std::uint64_t end = 0;    ///< latest
  /// Of which channels it has messages; none: that is not known.
  std::vector<std::uint16_t> channels;

  [[nodiscard]] bool may_have(std::uint16_t channel) const noexcept;
};

struct Index {
  std::vector<ChunkPlace> chunks{};  ///< in the order of the file
  bool closed = true;                ///< it has an end
  bool damaged = false;              ///< outside of its chunks, into which nobody has looked
};

/// Error: it is no MCAP file at all, or cannot be read.
[[nodiscard]] Result<Index> index_of(ByteSource& source);

/// The records of the summary; empty where there is none that is whole. `damage` says what is wrong
/// with it, where something is.
[[nodiscard]] Result<std::vector<std::byte>> load_summary(ByteSource& source,
                                                          std::optional<Damage>& damage);

}  // namespace hild::mcap
