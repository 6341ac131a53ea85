// SPDX-License-Identifier: Apache-2.0
/// \file
/// The blocks that go round between the one who fills them and the one who writes them. There is a
/// bounded number of them. Any thread.
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
  /// Hands a block over to be written.
  void submit(Block* block);
  /// Nothing more will be handed over.
  void close();

  /// What is to be done next.
  struct Next {
    Block* block;         ///< nullptr: none came
    std::size_t waiting;  ///< behind it
    bool last;            ///< it is the end: none will come
  };
  /// The oldest block, or none where none comes in time.
  [[nodiscard]] Next next(std::chrono::nanoseconds patience);
  /// A block was written, or lost: it is empty again.
  void give_back(Block* block);

  [[nodiscard]] std::size_t most() const noexcept { return most_; }
  /// How many there are: as many as were ever on their way at once.
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
