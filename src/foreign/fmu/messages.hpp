// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an FMU says through its logger: copied into memory taken beforehand, and shown afterwards,
/// so that an FMU that logs in the loop costs no heap call and no system call. The memory may be
/// that of an exchange with another process, where what is said there is seen here. So may be what
/// was not said: of such memory nothing is believed but that it is there.
///
/// Any thread may add, and read: a line that is being written meanwhile may be half of another.
/// Control characters are not kept: what is said goes to terminals.
#pragma once

#include <array>
#include <cstdarg>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "hild/rt/atomic.hpp"
#include "hild/rt/shared_memory.hpp"
#include "hild/rt/shared_text.hpp"
#include "hild/rt/tally.hpp"

namespace hild::fmu {

class Messages {
 public:
  /// Of many, the first few, which often say what began it, and those after them in a ring.
  static constexpr std::size_t first = 8;
  static constexpr std::size_t newest = 56;
  static constexpr std::size_t longest = 248;  ///< of a line, with its end

  /// In memory of its own, which processes made by fork() share.
  Messages();
  /// In memory of somebody else's, of at least bytes(), zeroed or used by others in this way.
  explicit Messages(std::span<std::byte> place) noexcept;
  [[nodiscard]] static std::size_t bytes() noexcept { return sizeof(Kept); }

  /// Cut at the length of a line.
  void add(int status, const char* message) noexcept;
  void add_formatted(int status, const char* format, std::va_list arguments) noexcept;

  /// All that others have, as if they had been added here.
  void take_over(const Messages& others);

  /// All that were added, kept or not.
  [[nodiscard]] std::size_t count() const noexcept;
  /// The last one; empty when there is none.
  [[nodiscard]] std::string last() const;
  /// Those kept, one a line, each after `start`; and between them, how many are not.
  [[nodiscard]] std::string text(const std::string& start) const;

  /// How many this process has added, to all there are.
  [[nodiscard]] static long added_here() noexcept;

 private:
  struct Line {
    rt::Counter status;
    rt::SharedText<longest> text;
  };
  struct Kept {
    rt::Tally count;
    std::array<Line, first + newest> lines{};
  };
  [[nodiscard]] std::string line(std::size_t n) const;
  [[nodiscard]] std::string_view status(std::size_t n) const;
  rt::SharedMemory memory_;
  Kept* kept_ = nullptr;  // none: no memory
};

}  // namespace hild::fmu
