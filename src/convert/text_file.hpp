// SPDX-License-Identifier: Apache-2.0
/// \file
/// Text that is written in large pieces.
#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "hild/core/result.hpp"

namespace hild::convert {

class TextFile {
 public:
  /// An empty name is standard output.
  [[nodiscard]] static Result<TextFile> create(const std::string& file);
  TextFile(TextFile&& other) noexcept;
  TextFile& operator=(TextFile&&) = delete;
  ~TextFile();

  void add(std::string_view text) { make_room(text.size()).append(text); }
  /// The shortest digits that read back as the same number.
  void add(double number) {
    char digits[32];
    char* const end = fmt::format_to(digits, FMT_COMPILE("{}"), number);
    add(std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }
  void add(std::int64_t number) {
    char digits[24];
    char* const end = fmt::format_to(digits, FMT_COMPILE("{}"), number);
    add(std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }

  /// Whether all could be written so far.
  [[nodiscard]] bool good() const noexcept { return error_ == 0; }
  /// Writes the rest. Error: why something could not be written.
  [[nodiscard]] Result<void> close();

 private:
  explicit TextFile(int fd, std::string name) : fd_(fd), name_(std::move(name)) {
    buffer_.reserve(block);
  }
  static constexpr std::size_t block = 256U << 10U;
  std::string& make_room(std::size_t bytes) {
    if (buffer_.size() + bytes > block) flush();
    return buffer_;
  }
  void flush();

  int fd_;
  std::string name_;
  std::string buffer_;
  int error_ = 0;
};

}  // namespace hild::convert
