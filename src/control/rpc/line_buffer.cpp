// SPDX-License-Identifier: Apache-2.0
#include "control/rpc/line_buffer.hpp"

#include <utility>

namespace hild::rpc {

void LineBuffer::append(std::string_view bytes) {
  bytes_.erase(0, at_);
  looked_ -= at_;
  at_ = 0;
  bytes_ += bytes;
}

std::optional<LineBuffer::Line> LineBuffer::next() {
  while (true) {
    const std::size_t end = bytes_.find('\n', looked_);
    if (end == std::string::npos) break;
    std::string_view line(bytes_.data() + at_, end - at_);
    at_ = looked_ = end + 1;
    if (std::exchange(skipping_, false)) continue;
    if (line.size() > limit_) return Line{{}, true};
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return Line{line};
  }
  looked_ = bytes_.size();
  const bool too_long = bytes_.size() - at_ > limit_;
  if (!skipping_ && !too_long) return std::nullopt;
  at_ = bytes_.size();  // nothing of it is kept
  if (std::exchange(skipping_, true)) return std::nullopt;
  return Line{{}, true};
}

}  // namespace hild::rpc
