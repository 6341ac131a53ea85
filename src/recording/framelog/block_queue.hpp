// SPDX-License-Identifier: Apache-2.0
/// \file
/// The blocks that circulate between the thread that fills them and the thread that writes them.
/// Their number is bounded. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "recording/framelog/block.hpp"

namespace hild::framelog {

class BlockQueue {
 public:
  explicit BlockQueue(std::size_t most) : most_(most) {}

  /// An empty block; nullptr when all are on their way and `wait` is false.
  [[nodiscard]] Block* take(bool wait);
  /// Hands over a block to be written.
  void submit(Block* block);
  /// Nothing more will be handed over.
  void close();

  /// What the writing thread is to do next.
  struct Next {
    Block* block;         ///< nullptr: none came
    std::size_t waiting;  ///< blocks waiting behind it
    bool last;            ///< the end was reached: no more blocks will come
  };
  /// Waits for the oldest block; none where none comes within `patience`.
  [[nodiscard]] Next next(std::chrono::nanoseconds patience);
  /// Returns a block that was written, or lost: it is empty again.
  void give_back(Block* block);

  [[nodiscard]] std::size_t most() const noexcept { return most_; }
  /// How many blocks there are: the most that were ever on their way at once.
  [[nodiscard]] std::size_t blocks();

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Block*> free_;
  std::deque<Block*> full_;
  bool closed_ = false;
};

}  // namespace hild::framelog
