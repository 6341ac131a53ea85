// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an FMU says through its logger: copied into memory taken beforehand, and shown afterwards,
/// so that an FMU that logs in the loop costs no heap call and no system call.
#pragma once

#include <array>
#include <cstdarg>
#include <cstddef>
#include <string>

namespace hild::fmu {

class Messages {
 public:
  static constexpr std::size_t kept = 64;

  /// Cut at the length of a line; the first `kept` are kept, later ones counted.
  void add(int status, const char* message) noexcept;
  void add_formatted(int status, const char* format, std::va_list arguments) noexcept;

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// The last one; empty when there is none.
  [[nodiscard]] std::string last() const;
  /// All of them, one a line, each after `start`.
  [[nodiscard]] std::string text(const std::string& start) const;

 private:
  struct Line {
    int status;
    std::array<char, 248> text;
  };
  std::array<Line, kept> lines_{};
  std::size_t count_ = 0;
};

}  // namespace hild::fmu
