// SPDX-License-Identifier: Apache-2.0
/// \file
/// A text file that is written in large pieces; to a terminal at once.
#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <type_traits>

#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"

namespace hild {

class TextFile {
 public:
  /// Opens the file. An empty name is standard output.
  [[nodiscard]] static Result<TextFile> create(const std::string& file);

  void add(std::string_view text) {
    if (buffer_.size() + text.size() > block) flush();
    buffer_.append(text);
    if (at_once_) flush();
  }
  /// Adds a number, with the shortest digits that read back as the same number.
  template <class Number>
  requires(std::is_arithmetic_v<Number>) void add(Number number) {
    char digits[32];
    char* const end = fmt::format_to(digits, FMT_COMPILE("{}"), number);
    add(std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }

  /// Whether everything could be written so far.
  [[nodiscard]] bool good() const noexcept { return error_ == 0; }
  /// Whether the reader of a pipe has gone.
  [[nodiscard]] bool reader_left() const noexcept { return error_ == EPIPE; }
  /// Writes the rest. Error: why something could not be written.
  [[nodiscard]] Result<void> close();

 private:
  /// Without a file it is standard output.
  TextFile(Descriptor file, std::string name);
  static constexpr std::size_t block = 256U << 10U;
  [[nodiscard]] int place() const noexcept { return file_ ? file_.get() : STDOUT_FILENO; }
  void flush();

  Descriptor file_;
  bool at_once_;
  std::string name_;
  std::string buffer_;
  int error_ = 0;
};

}  // namespace hild
