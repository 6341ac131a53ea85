// SPDX-License-Identifier: Apache-2.0
/// \file
/// Records a run into an MCAP file (docs/framelog.md). Neither a slow disk nor a full one holds up
/// the run: what cannot be written is counted, reported and marked in the file.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "exec/transaction.hpp"
#include "hild/rt/atomic.hpp"
#include "recording/framelog/disk_thread.hpp"
#include "recording/framelog/selection.hpp"
#include "recording/framelog/step_gaps.hpp"
#include "recording/framelog/trigger.hpp"
#include "recording/record/sink.hpp"

namespace hild::framelog {

struct LogOptions {
  /// Wait for the disk instead of losing frames, or compressing less; for runs that are not in real
  /// time.
  bool wait = false;
  DiskThread::Tell tell = [](const std::string&) {};
  std::int64_t first_step = 0;            ///< the first step of the run, or of a branch
  MonoTime start{};                       ///< when that is due, where a keyframe comes before it
  std::size_t block_bytes = 512U << 10U;  ///< a block is handed over when it has so many bytes,
  Duration block_time = 250'000'000_ns;   ///< or is so old by the times of its frames
  std::size_t blocks = 128;               ///< blocks that may wait for the disk
  /// The longest time between two looks for harm that others did to the file.
  Duration look = 1'000'000'000_ns;
};

/// The state of a recording.
struct LogStatus {
  std::string file;          ///< by its present name
  std::int64_t files = 1;    ///< of which this one is the newest
  std::int64_t frames = 0;   ///< in the file
  std::int64_t dropped = 0;  ///< steps that did not come out of the ring
  std::int64_t lost = 0;     ///< frames the disk did not take
  std::uint64_t bytes = 0;
  std::size_t blocks = 0;  ///< blocks of memory: the most that were ever on their way to the disk,
  std::size_t blocks_max = 0;     ///< and the most that may be
  std::int64_t uncompressed = 0;  ///< blocks not compressed since too many waited
  std::string error;              ///< what went wrong and what it cost; empty when nothing did
};

/// A transaction that took effect, as it is written, with its number among all of the run, from 1.
struct NotedChange {
  std::int64_t number = 0;
  std::string text;
};

/// Changes that took effect and are not yet written. From any thread.
class UnwrittenChanges {
 public:
  void add(NotedChange change) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(change));
  }
  /// Calls write(change) for each, in order, if `ready()`, and else keeps them.
  template <class Ready, class Write>
  void take(Ready ready, Write write) {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty() || !ready()) return;
    for (const NotedChange& change : waiting_) write(change);
    waiting_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<NotedChange> waiting_;
};

class FrameLog final : public record::Sink {
 public:
  /// Begins the file. Error: it cannot be written, or the history of a trigger is too long.
  [[nodiscard]] static Result<std::unique_ptr<FrameLog>> create(
      std::unique_ptr<mcap::Output> output, const Description& description,
      const io::FrameLayout& layout, const config::Record& settings, LogOptions options = {});
  ~FrameLog() override;

  void frame(const io::FrameView& record) override;
  /// Written where every step is, so that it can be gone on from.
  void keyframe(const exec::KeyframeView& keyframe) override;
  /// Notes a transaction that took effect, which is written with the next frame. From any thread.
  void changed(NotedChange change) { changes_.add(std::move(change)); }
  /// The log begins in mid-run, with the step of this frame, which comes next. To be called before
  /// anything is written.
  void begins_with(const io::FrameHeader& h);
  /// Closes the file.
  void flush() override;

  /// The final state; valid after flush().
  [[nodiscard]] const LogStatus& status() const noexcept { return status_; }
  /// LogStatus::blocks so far. From any thread.
  [[nodiscard]] std::size_t blocks() { return disk_.queue().blocks(); }
  [[nodiscard]] std::size_t blocks_max() const noexcept { return options_.blocks; }
  /// Bytes in the file so far. From any thread.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return disk_.written(); }
  /// LogStatus::lost so far, and the first failure of the disk; empty: there was none. From any
  /// thread.
  [[nodiscard]] std::int64_t lost() { return unstored_frames_.get() + disk_.health().lost(); }
  [[nodiscard]] std::string error() { return disk_.health().error(); }
  /// The present LogStatus::file. From any thread.
  [[nodiscard]] std::string file();

 private:
  FrameLog(std::unique_ptr<mcap::Output> output, const Description& description,
           const io::FrameLayout& layout, const config::Record& settings, LogOptions options);
  Result<void> begin(const Description& description);
  void write(const io::FrameView& record, bool whole);
  bool take_block(const io::FrameHeader& h);
  void add_gap(const Gap& gap, const io::FrameHeader& h);
  void write_changes();
  void hand_over();
  Result<void> finish();

  config::Record settings_;
  LogOptions options_;
  std::unique_ptr<mcap::Output> output_;
  mcap::Writer writer_;
  Encoder encoder_;
  std::optional<Trigger> trigger_;
  Selection selection_;
  StepGaps gaps_;
  DiskThread disk_;
  Block* block_ = nullptr;
  rt::Counter unstored_frames_;  ///< all frames that there was no block for
  UnwrittenChanges changes_;
  io::FrameHeader newest_{};  ///< header of the newest frame
  bool flushed_ = false;
  LogStatus status_;
};

}  // namespace hild::framelog
