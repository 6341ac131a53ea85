// SPDX-License-Identifier: Apache-2.0
#include "framelog/disk_thread.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace hild::framelog {

DiskThread::DiskThread(mcap::Writer& writer, mcap::Output& output, std::size_t blocks, Tell tell)
    : writer_(writer), output_(output), most_blocks_(blocks), tell_(std::move(tell)) {}

DiskThread::~DiskThread() { stop(); }

Result<void> DiskThread::start() {
  rt::Warnings none;  // nothing is asked for that could be refused
  const rt::ThreadOptions ordinary{.priority = 0, .cpu = -1, .name = Name("hild-disk")};
  auto thread = rt::Thread::start(ordinary, none, [this] { run(); });
  if (!thread) return tl::make_unexpected(thread.error());
  thread_.emplace(std::move(*thread));
  return {};
}

Block* DiskThread::take(bool wait) {
  std::unique_lock lock(mutex_);
  if (free_.empty() && blocks_.size() < most_blocks_) {
    return blocks_.emplace_back(std::make_unique<Block>()).get();
  }
  if (wait) changed_.wait(lock, [this] { return !free_.empty(); });
  if (free_.empty()) return nullptr;
  Block* const block = free_.back();
  free_.pop_back();
  return block;
}

void DiskThread::submit(Block* block) {
  {
    const std::lock_guard lock(mutex_);
    full_.push_back(block);
  }
  changed_.notify_all();
}

void DiskThread::stop() {
  if (!thread_) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.reset();  // joins
}

// Writes what there is, then syncs it: how much that is follows from how long the disk takes.
void DiskThread::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || !full_.empty(); });
    if (full_.empty()) return;
    while (!full_.empty()) {
      Block* const block = full_.front();
      full_.pop_front();
      lock.unlock();
      write(*block);
      lock.lock();
      block->clear();
      free_.push_back(block);
      changed_.notify_all();
    }
    lock.unlock();
    note(output_.sync());
    lock.lock();
  }
}

void DiskThread::write(Block& block) {
  const std::array<const mcap::Chunk*, 2> chunks{&block.frames, &block.signals};
  const Result<void> done = writer_.write(chunks);
  if (!done) {
    const std::lock_guard lock(mutex_);
    losses_.push_back({block.first, block.last});
    lost_ += block.count;
  }
  note(done);
  if (done && std::exchange(failing_, false)) tell_("recording goes on");
}

void DiskThread::note(const Result<void>& done) {
  if (done) return;
  if (!std::exchange(failing_, true)) {
    tell_(fmt::format("recording: {}; the run goes on", done.error().message));
  }
  const std::lock_guard lock(mutex_);
  if (error_.empty()) error_ = done.error().message;
}

std::vector<DiskThread::Loss> DiskThread::losses() {
  const std::lock_guard lock(mutex_);
  return std::exchange(losses_, {});
}

std::int64_t DiskThread::lost() {
  const std::lock_guard lock(mutex_);
  return lost_;
}

std::string DiskThread::error() {
  const std::lock_guard lock(mutex_);
  return error_;
}

}  // namespace hild::framelog
