// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads a recorded run from a frame log. The transactions that took effect are read first; the
/// frames are then read by a thread of their own, a little ahead of their use.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "offline/replay/source.hpp"
#include "recording/framelog/reader.hpp"

namespace hild::replay {

class LogSource final : public StepSource {
 public:
  /// Opens a log. Error: it is not a log of hild, or has no whole frames.
  [[nodiscard]] static Result<std::unique_ptr<LogSource>> open(const std::string& file);
  ~LogSource() override;

  /// The head of the log, with the description of the run.
  [[nodiscard]] const framelog::LogHead& head() const noexcept { return head_; }
  /// How far the reading is, 0 ... 1.
  [[nodiscard]] double progress() const;
  /// What was damaged or unreadable in what was read; empty when all was well. Ends the reading.
  [[nodiscard]] std::string problem();

  [[nodiscard]] const io::FrameLayout& layout() const noexcept override {
    return head_.frame_layout;
  }
  const std::byte* next() noexcept override;
  const exec::Transaction* next_accepted() noexcept override;

 private:
  class Effects;
  class Frames;
  using Record = std::vector<std::uint64_t>;
  static constexpr std::size_t most_ahead = 1024;  ///< records

  explicit LogSource(mcap::FileSource file) : file_(std::move(file)) {}
  void read_frames();
  void give_up();
  bool put(const io::FrameView& record, double progress);

  mcap::FileSource file_;
  framelog::LogHead head_;
  std::vector<framelog::Effect> effects_;
  std::size_t next_effect_ = 0;
  Record taken_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable moved_;
  std::deque<Record> records_;  // read, not yet taken
  double progress_ = 0;
  std::string problem_;
  bool all_read_ = false;
  bool given_up_ = false;
  std::thread reader_;
};

}  // namespace hild::replay
