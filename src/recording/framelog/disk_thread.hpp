// SPDX-License-Identifier: Apache-2.0
/// \file
/// The threads that wait for the disk, so that no other has to. One writes blocks, another one
/// syncs: while a sync is stalled, the kernel's memory still takes what is written.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "hild/rt/atomic.hpp"
#include "hild/rt/thread.hpp"
#include "recording/framelog/block_queue.hpp"
#include "recording/framelog/disk_health.hpp"
#include "recording/mcap/writer.hpp"

namespace hild::framelog {

/// Whether blocks are compressed.
enum class Compression : std::uint8_t {
  never,
  as_there_is_time,  ///< the less the more of them wait
  always,            ///< alike: the file has the same bytes whatever the machine does meanwhile
};

class DiskThread {
 public:
  using Tell = DiskHealth::Tell;

  /// `writer` and `output` outlive it. `tell` is called on these threads when writing or syncing
  /// begins to fail, when both succeed again, and when another program moved or harmed the output:
  /// that is checked before each block, and every `look` where none comes.
  DiskThread(mcap::Writer& writer, mcap::Output& output, std::size_t blocks,
             Compression compression, Duration look, Tell tell);
  ~DiskThread();  ///< calls stop()
  DiskThread(const DiskThread&) = delete;
  DiskThread& operator=(const DiskThread&) = delete;

  [[nodiscard]] Result<void> start();
  [[nodiscard]] BlockQueue& queue() noexcept { return queue_; }
  [[nodiscard]] DiskHealth& health() noexcept { return health_; }
  /// Returns when all blocks are written, or lost. After that the caller may use the writer again.
  void stop();
  /// How many bytes the file has, the block that was written last included. From any thread.
  [[nodiscard]] std::uint64_t written() const noexcept {
    return static_cast<std::uint64_t>(written_.get());
  }
  /// How many blocks were written uncompressed, since too many waited. From any thread.
  [[nodiscard]] std::int64_t hurried() const noexcept { return hurried_.get(); }

 private:
  Result<void> begin(std::optional<rt::Thread>& thread, std::string_view name,
                     void (DiskThread::*work)());
  void write_all();
  void sync_all();
  void write(Block& block, std::size_t waiting);
  void look();

  mcap::Writer& writer_;
  mcap::Output& output_;
  Compression compression_;
  std::chrono::nanoseconds look_;
  BlockQueue queue_;
  DiskHealth health_;
  rt::Counter hurried_;
  rt::Counter written_;
  /// Where each written block ended, and its frames. Used by the writing thread only.
  struct Written {
    std::uint64_t end;
    std::int64_t frames;
  };
  std::deque<Written> ends_;

  /// The work of the syncing thread.
  struct Unsynced {
    std::mutex mutex;
    std::condition_variable changed;
    std::int64_t frames = 0;  ///< written since the last sync began
    bool any = false;
    bool last = false;  ///< nothing more will be written
  };
  Unsynced unsynced_;
  std::optional<rt::Thread> writing_;
  std::optional<rt::Thread> syncing_;
};

}  // namespace hild::framelog
