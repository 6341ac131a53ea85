// SPDX-License-Identifier: Apache-2.0
/// \file
/// The transactions that took effect in a recorded run, in their order, read when they are asked
/// for: those from any one on, and the tables that earlier ones brought.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "recording/framelog/log_index.hpp"

namespace hild::replay {

/// The table that this change of this transaction brought, if it is the one that started then; else
/// null.
[[nodiscard]] const exec::PlaybackTable* table_in(const framelog::Effect& effect, std::uint64_t id,
                                                  std::uint32_t change, SimTime start) noexcept;

class Effects {
 public:
  /// `source` and `index` outlive it.
  Effects(mcap::ByteSource& source, const framelog::LogIndex& index);

  /// Begins after so many of the run, of which the last took effect before `tick`. Error: the log
  /// cannot be read.
  [[nodiscard]] Result<void> begin_after(std::int64_t count, MonoTime tick);
  /// The next one; null at the end. It lives as long as this.
  [[nodiscard]] const exec::Transaction* next() noexcept;
  /// The table of a playback that took effect before begin_after(); null: it is not in the log.
  [[nodiscard]] const exec::PlaybackTable* find(std::uint64_t id, std::uint32_t change,
                                                SimTime start) noexcept;
  /// What was damaged or unreadable; empty when nothing was.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  using Read = std::vector<std::unique_ptr<framelog::Effect>>;
  [[nodiscard]] Read read(std::size_t chunk);

  mcap::ByteSource& source_;
  const framelog::LogIndex& index_;
  std::vector<std::uint64_t> chunks_;
  std::size_t next_chunk_ = 0;  // not yet read
  std::int64_t before_ = 0;     // so many of the run took effect before those wanted
  std::deque<std::unique_ptr<framelog::Effect>> ahead_;
  Read kept_;
  std::string problem_;
};

}  // namespace hild::replay
