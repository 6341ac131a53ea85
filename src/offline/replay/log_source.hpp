// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads a recorded run from a frame log, from its start or from a keyframe on. The frames are read
/// by a thread of their own, a little ahead of their use.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "offline/replay/counted_source.hpp"
#include "offline/replay/effects.hpp"
#include "offline/replay/source.hpp"
#include "recording/framelog/log_index.hpp"

namespace hild::replay {

/// What of a log is to be played, in simulated time.
struct LogRange {
  /// It begins at the last keyframe of this time or before, where there is one; none: with the run,
  /// and a branch that is cut off it with its first keyframe.
  std::optional<SimTime> from{};
  /// Frames that start later are not read; none: all are.
  std::optional<SimTime> to{};
};

class LogSource final : public StepSource {
 public:
  /// Opens a log. Error: it is not a log of hild, or has no whole frames.
  [[nodiscard]] static Result<std::unique_ptr<LogSource>> open(const std::string& file,
                                                               const LogRange& range = {});
  ~LogSource() override;

  /// The head of the log, with the description of the run.
  [[nodiscard]] const framelog::LogHead& head() const noexcept { return index_.head(); }
  /// Whether the log begins in mid-run, so that a replay begins with a keyframe.
  [[nodiscard]] bool mid_run() const {
    return framelog::value_of(head().description.run, framelog::run_begins) ==
           framelog::begins_mid_run;
  }
  /// Whether the log was closed: else its run was cut off, or still goes on.
  [[nodiscard]] bool closed() const noexcept { return index_.closed(); }
  /// Whether it begins earlier than asked for, since a later keyframe is damaged.
  [[nodiscard]] bool passed_over() const noexcept { return passed_over_; }
  /// How far the reading is, 0 ... 1.
  [[nodiscard]] double progress() const;
  /// Bytes that were read of the file so far.
  [[nodiscard]] std::uint64_t bytes_read() const { return file_->bytes(); }
  /// When the step starts that next() gave last.
  [[nodiscard]] SimTime last_time() const noexcept { return last_time_; }
  /// What was damaged or unreadable in what was read; empty when all was well. Ends the reading.
  [[nodiscard]] std::string problem();

  [[nodiscard]] const io::FrameLayout& layout() const noexcept override {
    return head().frame_layout;
  }
  const std::byte* next() noexcept override;
  const exec::Transaction* next_accepted() noexcept override { return effects_.next(); }
  [[nodiscard]] const exec::Keyframe* begins_at() const noexcept override {
    return first_ ? &*first_ : nullptr;
  }
  [[nodiscard]] const exec::Keyframe* keyframe_before(MonoTime due) noexcept override;
  [[nodiscard]] const exec::PlaybackTable* find(std::uint64_t id, std::uint32_t change,
                                                SimTime start) noexcept override {
    return effects_.find(id, change, start);
  }

 private:
  class Frames;
  using Record = std::vector<std::uint64_t>;
  static constexpr std::size_t most_ahead = 1024;  ///< records
  /// What was read and not yet taken: written by the reader, taken by the loop.
  struct Ahead {
    std::mutex mutex;  // guards what follows
    std::condition_variable moved;
    std::deque<Record> records;
    std::deque<exec::Keyframe> keyframes;
    double progress = 0;
    std::string problem;
    bool all_read = false;
    bool given_up = false;
  };

  LogSource(std::unique_ptr<CountedSource> file, framelog::LogIndex index)
      : file_(std::move(file)), index_(std::move(index)), effects_(*file_, index_) {}
  Result<void> begin(const LogRange& range);
  void read_frames();
  void give_up();
  bool put(const io::FrameView& record, double progress);
  void put(exec::Keyframe& keyframe);

  std::unique_ptr<CountedSource> file_;
  framelog::LogIndex index_;
  Effects effects_;
  std::optional<exec::Keyframe> first_;  // where it begins
  bool passed_over_ = false;
  std::optional<SimTime> to_;
  std::vector<std::uint64_t> chunks_;  // of the frames to be read
  Record taken_;
  SimTime last_time_{};  // of it
  exec::Keyframe asked_for_;

  mutable Ahead ahead_;
  std::thread reader_;
};

}  // namespace hild::replay
