// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps what an FMU says through its logger: copied into memory allocated beforehand, and shown
/// afterwards, so that an FMU that logs in the loop costs no heap call and no system call. The
/// memory may be that of an exchange with another process, so that what is said there is seen here.
/// As that process may write anything into it, nothing in it is relied on.
///
/// Any thread may add, and read: a line read while it is being written may be half of another one.
/// Control characters are not kept, as the text goes to terminals.
#pragma once

#include <array>
#include <cstdarg>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "hild/rt/atomic.hpp"
#include "hild/rt/shared_memory.hpp"

namespace hild::fmu {

class Messages {
 public:
  /// Of many messages the first few are kept, which often say what began it, and the newest, in a
  /// ring.
  static constexpr std::size_t first = 8;
  static constexpr std::size_t newest = 56;
  static constexpr std::size_t longest = 248;  ///< length of a line, with its end

  /// Uses memory of its own, which processes made by fork() share.
  Messages();
  /// Uses the memory given, of at least bytes(), zeroed or in use by others in this way.
  explicit Messages(std::span<std::byte> place) noexcept;
  [[nodiscard]] static std::size_t bytes() noexcept { return sizeof(Kept); }

  /// Adds a message, cut at the length of a line.
  void add(int status, const char* message) noexcept;
  void add_formatted(int status, const char* format, std::va_list arguments) noexcept;

  /// Adds all messages of `others`.
  void take_over(const Messages& others);

  /// How many were added, kept or not.
  [[nodiscard]] std::size_t count() const noexcept;
  /// The last message; empty when there is none.
  [[nodiscard]] std::string last() const;
  /// The messages kept, one a line, each after `start`; and between them how many are not kept.
  [[nodiscard]] std::string text(const std::string& start) const;

  /// How many this process has added, to all objects together.
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
