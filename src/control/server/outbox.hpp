// SPDX-License-Identifier: Apache-2.0
/// \file
/// The texts a client has yet to read. Answers are never dropped; instead a client that lags is
/// asked no more, and one that lags too far is closed.
#pragma once

#include <algorithm>
#include <deque>
#include <iterator>
#include <string>
#include <vector>

namespace hild::server {

class Outbox {
 public:
  /// Bytes waiting, beyond which samples are dropped.
  static constexpr std::size_t room_for_samples = 64 << 10;
  /// Bytes waiting, beyond which no more requests are taken.
  static constexpr std::size_t slow = 256 << 10;
  /// Bytes waiting, beyond which the connection is closed.
  static constexpr std::size_t most = 8 << 20;

  void push(std::string text) {
    bytes_ += text.size();
    waiting_.push_back(std::move(text));
  }
  /// Takes the oldest waiting texts, to be sent; they count until sent().
  [[nodiscard]] std::vector<std::string> take(std::size_t at_most) {
    const auto n = static_cast<std::ptrdiff_t>(std::min(at_most, waiting_.size()));
    std::vector<std::string> texts(std::make_move_iterator(waiting_.begin()),
                                   std::make_move_iterator(waiting_.begin() + n));
    waiting_.erase(waiting_.begin(), waiting_.begin() + n);
    return texts;
  }
  void sent(std::size_t bytes) noexcept { bytes_ -= bytes; }

  [[nodiscard]] bool waiting() const noexcept { return !waiting_.empty(); }
  /// Bytes not yet sent, including those on their way.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::deque<std::string> waiting_;
  std::size_t bytes_ = 0;
};

}  // namespace hild::server
