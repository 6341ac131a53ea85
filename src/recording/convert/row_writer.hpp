// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rows of numbers as text, made and written by a thread of its own while the next ones are read:
/// the shortest digits of a number cost more than all else of an export.
#pragma once

#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "core/text_file.hpp"

namespace hild::convert {

class RowWriter {
 public:
  /// `out` is the writer's from here until finish(). A row has a time and so many columns.
  RowWriter(TextFile& out, std::size_t columns);
  ~RowWriter();  ///< finishes
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

  /// Where the next row is to be put: its time, then its columns. One that is empty() is left
  /// empty in the text.
  [[nodiscard]] std::span<double> next();
  [[nodiscard]] static double empty() noexcept;
  /// Whether all could be written so far.
  [[nodiscard]] bool good() const;
  /// Returns when all is with `out`.
  void finish();

 private:
  using Rows = std::vector<double>;
  static constexpr std::size_t most_waiting = 4;

  void write();
  void write(const Rows& rows);
  void hand_over();

  TextFile& out_;
  std::size_t width_;
  Rows filling_;
  std::size_t used_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable moved_;
  std::vector<Rows> waiting_;  // the oldest first
  std::vector<Rows> spare_;
  bool good_ = true;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace hild::convert
