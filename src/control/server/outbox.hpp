// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a client has yet to read. What it asked for is never dropped, but it is asked no more while
/// it lags, and given up when it lags too far.
#pragma once

#include <algorithm>
#include <deque>
#include <iterator>
#include <string>
#include <vector>

namespace hild::server {

class Outbox {
 public:
  static constexpr std::size_t room_for_samples = 64 << 10;  ///< bytes, beyond which they are lost
  static constexpr std::size_t slow = 256 << 10;             ///< nothing more is taken from it
  static constexpr std::size_t most = 8 << 20;               ///< it is closed

  void push(std::string text) {
    bytes_ += text.size();
    waiting_.push_back(std::move(text));
  }
  /// The oldest that wait, to be sent; they count until sent().
  [[nodiscard]] std::vector<std::string> take(std::size_t at_most) {
    const auto n = static_cast<std::ptrdiff_t>(std::min(at_most, waiting_.size()));
    std::vector<std::string> texts(std::make_move_iterator(waiting_.begin()),
                                   std::make_move_iterator(waiting_.begin() + n));
    waiting_.erase(waiting_.begin(), waiting_.begin() + n);
    return texts;
  }
  void sent(std::size_t bytes) noexcept { bytes_ -= bytes; }

  [[nodiscard]] bool waiting() const noexcept { return !waiting_.empty(); }
  /// Not yet sent, those on their way included.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::deque<std::string> waiting_;
  std::size_t bytes_ = 0;
};

}  // namespace hild::server
