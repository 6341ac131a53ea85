// SPDX-License-Identifier: Apache-2.0
/// \file
/// Splits a stream of bytes into lines, one JSON text each, in bounded memory: a line that is too
/// long is reported once and skipped up to its end.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hild::rpc {

class LineBuffer {
 public:
  /// `limit`: the most bytes of a line, its end not counted.
  explicit LineBuffer(std::size_t limit) : limit_(limit) {}

  struct Whole {
    std::string_view text;  ///< without its end; valid until the next append()
    bool too_long = false;  ///< then `text` is empty
  };

  void append(std::string_view bytes) {
    bytes_.erase(0, at_);
    looked_ -= at_;
    at_ = 0;
    bytes_ += bytes;
  }
  /// The next whole line that holds more than blanks; nothing when more bytes are needed.
  [[nodiscard]] std::optional<Whole> next() {
    while (true) {
      const std::size_t end = bytes_.find('\n', looked_);
      if (end == std::string::npos) break;
      std::string_view line(bytes_.data() + at_, end - at_);
      at_ = looked_ = end + 1;
      if (std::exchange(skipping_, false)) continue;
      if (line.size() > limit_) return Whole{{}, true};
      if (line.find_first_not_of(" \t\r") != std::string_view::npos) return Whole{line};
    }
    looked_ = bytes_.size();
    const bool too_long = bytes_.size() - at_ > limit_;
    if (!skipping_ && !too_long) return std::nullopt;
    at_ = bytes_.size();  // nothing of it is kept
    if (std::exchange(skipping_, true)) return std::nullopt;
    return Whole{{}, true};
  }

 private:
  std::size_t limit_;
  std::string bytes_;
  std::size_t at_ = 0;      // first byte not handed out
  std::size_t looked_ = 0;  // no line end before here
  bool skipping_ = false;   // the rest of a line that was too long
};

}  // namespace hild::rpc
