// SPDX-License-Identifier: Apache-2.0
/// \file
/// A transaction is a handful of changes that take effect together, at the start of one step; a
/// reply tells which step that was, or why none of them did. Both are of fixed size, so that they
/// can travel through rings.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>

#include "exec/changes.hpp"

namespace hild::exec {

// ---- transactions ------------------------------------------------------------------------------

inline constexpr std::size_t max_changes = 16;

/// When a transaction takes effect: at the next step, or at the first one that starts at or after
/// a simulated frame, or time.
struct When {
  enum class Kind : std::uint8_t { at_once, frame, time } kind = Kind::at_once;
  std::int64_t frame = 0;
  SimTime time{};

  static constexpr When at_frame(std::int64_t n) noexcept { return {Kind::frame, n, {}}; }
  static constexpr When at_time(SimTime t) noexcept { return {Kind::time, 0, t}; }
};

struct Transaction {
  std::uint64_t id = 0;  ///< the poster's choice; 0: no replies are wanted
  When when{};
  /// Not 0: this transaction has no changes, but withdraws the waiting transaction of this id;
  /// where none waits any more, it does nothing.
  std::uint64_t withdraws = 0;
  std::uint32_t count = 0;
  std::array<Change, max_changes> change{};

  /// Adds a change. False, and nothing added, when the transaction is full.
  bool add(const Change& c) noexcept {
    if (count == max_changes) return false;
    change[count++] = c;
    return true;
  }
  [[nodiscard]] std::span<const Change> changes() const noexcept { return {change.data(), count}; }
};
static_assert(std::is_trivially_copyable_v<Transaction>);

// ---- replies -----------------------------------------------------------------------------------

struct Reply {
  enum class Kind : std::uint8_t {
    accepted,  ///< took effect, at `frame`
    refused,   ///< none of it took effect
    released,  ///< the tables of the transaction are not read any more
  };
  std::uint64_t id = 0;
  Kind kind = Kind::accepted;
  Refusal refusal = Refusal::none;
  /// Of a refusal the change at fault, of a release the one that held the table.
  std::uint32_t change = 0;
  std::int64_t frame = 0;  ///< the simulated frame of the step at whose start it took effect
  SimTime time{};          ///< and its time; of a refusal, those of the step to come
};

}  // namespace hild::exec
