// SPDX-License-Identifier: Apache-2.0
/// \file
/// Splits a stream of bytes into lines, one JSON text each, in bounded memory: a line that is too
/// long is reported once and skipped up to its end.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hild::rpc {

class LineBuffer {
 public:
  /// `limit`: the most bytes of a line, its end not counted.
  explicit LineBuffer(std::size_t limit) : limit_(limit) {}

  struct Line {
    std::string_view text;  ///< without its end; valid until the next append()
    bool too_long = false;  ///< then `text` is empty
  };

  void append(std::string_view bytes);
  /// The next whole line that holds more than blanks; nothing when more bytes are needed.
  [[nodiscard]] std::optional<Line> next();

 private:
  std::size_t limit_;
  std::string bytes_;
  std::size_t at_ = 0;      // first byte not handed out
  std::size_t looked_ = 0;  // no line end before here
  bool skipping_ = false;   // the rest of a line that was too long
};

}  // namespace hild::rpc
