// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/disk_thread.hpp"

#include <array>
#include <utility>

namespace hild::framelog {

namespace {

/// How much of the machine a block may take, of so many that may be on their way: less the more of
/// them wait, so that compressing is never why one is lost. None: it is written as it is.
std::optional<int> level_for(Compression compression, std::size_t waiting, std::size_t most) {
  if (compression == Compression::never) return std::nullopt;
  // Of what steps have in them 5 makes hardly less than 3, and 6 takes as long as 7.
  if (compression == Compression::always || waiting * 32 <= most) return 7;
  if (waiting * 16 <= most) return 3;
  if (waiting * 8 <= most) return 1;
  if (waiting * 4 <= most) return -5;
  return std::nullopt;
}

}  // namespace

DiskThread::DiskThread(mcap::Writer& writer, mcap::Output& output, std::size_t blocks,
                       Compression compression, Duration look, Tell tell)
    : writer_(writer),
      output_(output),
      compression_(compression),
      look_(look.ns),
      queue_(blocks),
      health_(std::move(tell)) {}

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

void DiskThread::stop() {
  queue_.close();
  writing_.reset();  // joins
  {
    const std::lock_guard lock(unsynced_.mutex);
    unsynced_.last = true;
  }
  unsynced_.changed.notify_all();
  syncing_.reset();
}

void DiskThread::write_all() {
  while (true) {
    const BlockQueue::Next next = queue_.next(look_);
    look();
    if (next.last) return;
    if (next.block == nullptr) continue;
    write(*next.block, next.waiting);
    queue_.give_back(next.block);
    {
      const std::lock_guard lock(unsynced_.mutex);
      unsynced_.any = true;
    }
    unsynced_.changed.notify_all();
  }
}

// How much is synced at once follows from how long the disk takes.
void DiskThread::sync_all() {
  while (true) {
    std::unique_lock lock(unsynced_.mutex);
    unsynced_.changed.wait(lock, [this] { return unsynced_.any || unsynced_.last; });
    if (!std::exchange(unsynced_.any, false)) return;
    const std::int64_t frames = std::exchange(unsynced_.frames, 0);
    lock.unlock();
    const Result<void> synced = output_.sync();
    if (!synced) health_.doubt(frames);
    health_.done(DiskHealth::Work::syncing, synced);
  }
}

// Others may rename, delete or cut a file that is being written: the kernel does not tell. What is
// left of one that was harmed stays as it is, and frames written beyond it are lost with those to
// come: a file that begins in the middle, or has a hole, is none that others can read.
void DiskThread::look() {
  if (health_.is_ruined()) return;
  const mcap::Whereabouts now = output_.whereabouts();
  if (now.harm.empty()) return health_.moved(now.moved_to);
  std::int64_t lost = 0;
  for (auto w = ends_.rbegin(); w != ends_.rend() && w->end > now.left; ++w) lost += w->frames;
  health_.ruined(now.harm, lost);
}

void DiskThread::write(Block& block, std::size_t waiting) {
  // Who reads up to an instant stops at the first step beyond it: what happened before is there.
  const std::array<const mcap::Chunk*, 3> chunks{&block.events, &block.keyframes, &block.steps};
  if (health_.is_ruined()) return health_.lose(block.count);
  const std::optional<int> level = level_for(compression_, waiting, queue_.most());
  const Result<void> written = writer_.write(chunks, level);
  if (!written) {
    health_.lose(block.count, {block.first, block.last});
  } else {
    ends_.push_back({writer_.bytes(), block.count});
    written_.set(static_cast<std::int64_t>(writer_.bytes()));
    if (compression_ != Compression::never && !level) hurried_.add();
    const std::lock_guard lock(unsynced_.mutex);
    unsynced_.frames += block.count;
  }
  health_.done(DiskHealth::Work::writing, written);
}

}  // namespace hild::framelog
