// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/block_queue.hpp"

namespace hild::framelog {

Block* BlockQueue::take(bool wait) {
  std::unique_lock lock(mutex_);
  if (free_.empty() && blocks_.size() < most_) {
    return blocks_.emplace_back(std::make_unique<Block>()).get();
  }
  if (wait) changed_.wait(lock, [this] { return !free_.empty(); });
  if (free_.empty()) return nullptr;
  Block* const block = free_.back();
  free_.pop_back();
  return block;
}

void BlockQueue::submit(Block* block) {
  {
    const std::lock_guard lock(mutex_);
    full_.push_back(block);
  }
  changed_.notify_all();
}

void BlockQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

BlockQueue::Next BlockQueue::next(std::chrono::nanoseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [this] { return closed_ || !full_.empty(); });
  if (full_.empty()) return {nullptr, 0, closed_};
  Block* const block = full_.front();
  full_.pop_front();
  return {block, full_.size(), false};
}

void BlockQueue::give_back(Block* block) {
  block->clear();
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(block);
  }
  changed_.notify_all();
}

std::size_t BlockQueue::blocks() {
  const std::lock_guard lock(mutex_);
  return blocks_.size();
}

}  // namespace hild::framelog
