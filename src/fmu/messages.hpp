// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an FMU says through its logger: copied into memory taken beforehand, and shown afterwards,
/// so that an FMU that logs in the loop costs no heap call and no system call. The memory is shared
/// with processes made by fork(): what is said there is seen here.
///
/// Any thread may add; read once those that do are done, or a line may be half of another.
#pragma once

#include <array>
#include <cstdarg>
#include <cstddef>
#include <string>

#include "hild/rt/tally.hpp"

namespace hild::fmu {

class Messages {
 public:
  /// Of many, the first few, which often say what began it, and those after them in a ring.
  static constexpr std::size_t first = 8;
  static constexpr std::size_t newest = 56;

  Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  ~Messages();

  /// Cut at the length of a line.
  void add(int status, const char* message) noexcept;
  void add_formatted(int status, const char* format, std::va_list arguments) noexcept;

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
    int status;
    std::array<char, 248> text;
  };
  struct Kept {
    rt::Tally count;
    std::array<Line, first + newest> lines{};
  };
  [[nodiscard]] const Line& line(std::size_t n) const noexcept;
  Kept* kept_ = nullptr;  // none: no memory
};

}  // namespace hild::fmu
