// SPDX-License-Identifier: Apache-2.0
/// \file
/// The threads that wait for the disk, so that nobody else has to. Blocks go round between the one
/// that writes and the one who fills them; there is a bounded number of them. Another one syncs:
/// while a disk stalls there, the kernel's memory still takes what is written.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "framelog/block.hpp"
#include "hild/rt/thread.hpp"
#include "mcap/writer.hpp"

namespace hild::framelog {

class DiskThread {
 public:
  using Tell = std::function<void(const std::string&)>;

  /// Writer and output outlive it. `tell` is called on these threads when writing or syncing
  /// begins to fail, when both succeed again, and when another program moved or harmed the output:
  /// that is looked for before each block, and every `look` where none comes.
  /// With `compress` blocks are compressed, the less the more of them wait.
  DiskThread(mcap::Writer& writer, mcap::Output& output, std::size_t blocks, bool compress,
             Duration look, Tell tell);
  ~DiskThread();  ///< stops
  DiskThread(const DiskThread&) = delete;
  DiskThread& operator=(const DiskThread&) = delete;

  [[nodiscard]] Result<void> start();
  /// An empty block; nullptr when all are on their way and `wait` is false.
  [[nodiscard]] Block* take(bool wait);
  /// Hands a block over to be written.
  void submit(Block* block);
  /// Returns when all is written, or lost. Then the writer is the caller's again.
  void stop();

  /// Steps of a block that could not be written.
  struct Loss {
    std::int64_t first, last;
  };
  /// Those since it was last asked.
  [[nodiscard]] std::vector<Loss> losses();
  /// How many blocks there are: as many as were ever on their way at once. From any thread.
  [[nodiscard]] std::size_t blocks();
  /// Blocks that were written as they are, since too many waited for all to be compressed.
  [[nodiscard]] std::int64_t hurried();
  /// Frames in blocks that could not be written.
  [[nodiscard]] std::int64_t lost();
  /// Frames that were written, but of which a sync that failed leaves open whether they are on the
  /// disk.
  [[nodiscard]] std::int64_t unsure();
  /// The first failure; empty while there was none.
  [[nodiscard]] std::string error();
  /// What the output is called by now, where another program renamed it; else empty.
  [[nodiscard]] std::string moved_to();
  /// Another program deleted the output, or cut it: nothing is written any more.
  [[nodiscard]] bool ruined();

 private:
  Result<void> begin(std::optional<rt::Thread>& thread, std::string_view name,
                     void (DiskThread::*work)());
  void write_all();
  void sync_all();
  void write(Block& block, std::size_t waiting);
  void look();
  void mourn(const mcap::Whereabouts& left);
  void failed(bool& state, const Error& error);
  void succeeded(bool& state);

  mcap::Writer& writer_;
  mcap::Output& output_;
  std::size_t most_blocks_;
  bool compress_;
  std::chrono::nanoseconds look_;
  Tell tell_;
  /// Where each block that was written ended, and its frames: the writing thread's alone.
  struct Written {
    std::uint64_t end;
    std::int64_t frames;
  };
  std::deque<Written> ends_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by the mutex.
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Block*> free_;
  std::deque<Block*> full_;
  std::vector<Loss> losses_;
  std::int64_t lost_ = 0;
  std::int64_t hurried_ = 0;
  std::int64_t unsynced_frames_ = 0;  // written since the last sync began
  std::int64_t unsure_ = 0;
  std::string error_;
  std::string moved_to_;
  bool ruined_ = false;
  bool write_fails_ = false;
  bool sync_fails_ = false;
  bool unsynced_ = false;
  bool stop_ = false;     // when the last block is written
  bool written_ = false;  // it is

  std::optional<rt::Thread> writing_;
  std::optional<rt::Thread> syncing_;
};

}  // namespace hild::framelog
