// SPDX-License-Identifier: Apache-2.0
#include "framelog/disk_thread.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace hild::framelog {

namespace {

/// How much of the machine a block may take, of so many that may be on their way: less the more of
/// them wait, so that compressing is never why one is lost. None: it is written as it is.
std::optional<int> level_for(std::size_t waiting, std::size_t most) {
  if (waiting * 16 <= most) return 3;
  if (waiting * 8 <= most) return 1;
  if (waiting * 4 <= most) return -5;
  return std::nullopt;
}

}  // namespace

DiskThread::DiskThread(mcap::Writer& writer, mcap::Output& output, std::size_t blocks,
                       bool compress, Duration look, Tell tell)
    : writer_(writer),
      output_(output),
      most_blocks_(blocks),
      compress_(compress),
      look_(look.ns),
      tell_(std::move(tell)) {}

DiskThread::~DiskThread() { stop(); }

Result<void> DiskThread::start() {
  if (auto begun = begin(writing_, "hild-disk", &DiskThread::write_all); !begun) return begun;
  return begin(syncing_, "hild-sync", &DiskThread::sync_all);
}

Result<void> DiskThread::begin(std::optional<rt::Thread>& thread, std::string_view name,
                               void (DiskThread::*work)()) {
  rt::Warnings none;  // nothing is asked for that could be refused
  const rt::ThreadOptions ordinary{.priority = 0, .cpu = -1, .name = Name(name)};
  auto begun = rt::Thread::start(ordinary, none, [this, work] { (this->*work)(); });
  if (!begun) return tl::make_unexpected(begun.error());
  thread.emplace(std::move(*begun));
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
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  writing_.reset();  // joins
  {
    const std::lock_guard lock(mutex_);
    written_ = true;
  }
  changed_.notify_all();
  syncing_.reset();
}

void DiskThread::write_all() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait_for(lock, look_, [this] { return stop_ || !full_.empty(); });
    const bool last = stop_ && full_.empty();
    Block* block = nullptr;
    if (!full_.empty()) {
      block = full_.front();
      full_.pop_front();
    }
    const std::size_t waiting = full_.size();
    lock.unlock();
    look();
    if (last) return;
    if (block == nullptr) {
      lock.lock();
      continue;
    }
    write(*block, waiting);
    block->clear();
    lock.lock();
    free_.push_back(block);
    unsynced_ = true;
    changed_.notify_all();
  }
}

// How much is synced at once follows from how long the disk takes.
void DiskThread::sync_all() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return unsynced_ || written_; });
    if (!std::exchange(unsynced_, false)) return;
    const std::int64_t frames = std::exchange(unsynced_frames_, 0);
    lock.unlock();
    const auto done = output_.sync();
    lock.lock();
    if (!done) unsure_ += frames;
    lock.unlock();
    if (done) {
      succeeded(sync_fails_);
    } else {
      failed(sync_fails_, done.error());
    }
    lock.lock();
  }
}

// Others may rename, delete or cut a file that is being written: the kernel does not tell.
void DiskThread::look() {
  if (ruined()) return;
  const mcap::Whereabouts now = output_.whereabouts();
  if (!now.harm.empty()) return mourn(now);
  std::unique_lock lock(mutex_);
  if (now.moved_to == moved_to_) return;
  moved_to_ = now.moved_to;
  lock.unlock();
  tell_(now.moved_to.empty()
            ? "recording: its file has its name again"
            : fmt::format("recording: its file was renamed, and goes on as {}", now.moved_to));
}

// What is left stays as it is. Frames written beyond it are lost with those to come: a file that
// begins in the middle, or has a hole, is none that others can read.
void DiskThread::mourn(const mcap::Whereabouts& left) {
  std::int64_t lost = 0;
  for (auto w = ends_.rbegin(); w != ends_.rend() && w->end > left.left; ++w) lost += w->frames;
  {
    const std::lock_guard lock(mutex_);
    ruined_ = true;
    lost_ += lost;
    if (!error_.empty()) error_ += "; ";
    error_ += left.harm;
  }
  tell_(
      fmt::format("recording: {}: {} frames in it are lost, and nothing more is recorded; the "
                  "run goes on",
                  left.harm, lost));
}

void DiskThread::write(Block& block, std::size_t waiting) {
  const std::array<const mcap::Chunk*, 2> chunks{&block.steps, &block.events};
  if (ruined()) {
    const std::lock_guard lock(mutex_);
    lost_ += block.count;
    return;
  }
  const std::optional<int> level = compress_ ? level_for(waiting, most_blocks_) : std::nullopt;
  if (const Result<void> done = writer_.write(chunks, level); !done) {
    {
      const std::lock_guard lock(mutex_);
      losses_.push_back({block.first, block.last});
      lost_ += block.count;
    }
    return failed(write_fails_, done.error());
  }
  ends_.push_back({writer_.bytes(), block.count});
  {
    const std::lock_guard lock(mutex_);
    unsynced_frames_ += block.count;
    if (compress_ && !level) ++hurried_;
  }
  succeeded(write_fails_);
}

// A disk that takes what is written and loses it with every sync is failing all the while.
void DiskThread::succeeded(bool& state) {
  std::unique_lock lock(mutex_);
  const bool again = std::exchange(state, false) && !write_fails_ && !sync_fails_;
  lock.unlock();
  if (again) tell_("recording goes on");
}

void DiskThread::failed(bool& state, const Error& error) {
  std::unique_lock lock(mutex_);
  const bool already = write_fails_ || sync_fails_;
  state = true;
  if (error_.empty()) error_ = error.message;
  lock.unlock();
  if (!already) tell_(fmt::format("recording: {}; the run goes on", error.message));
}

std::vector<DiskThread::Loss> DiskThread::losses() {
  const std::lock_guard lock(mutex_);
  return std::exchange(losses_, {});
}

std::size_t DiskThread::blocks() {
  const std::lock_guard lock(mutex_);
  return blocks_.size();
}

std::int64_t DiskThread::lost() {
  const std::lock_guard lock(mutex_);
  return lost_;
}

std::int64_t DiskThread::hurried() {
  const std::lock_guard lock(mutex_);
  return hurried_;
}

std::int64_t DiskThread::unsure() {
  const std::lock_guard lock(mutex_);
  return unsure_;
}

std::string DiskThread::error() {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::string DiskThread::moved_to() {
  const std::lock_guard lock(mutex_);
  return moved_to_;
}

bool DiskThread::ruined() {
  const std::lock_guard lock(mutex_);
  return ruined_;
}

}  // namespace hild::framelog
