// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes rows of numbers as text, on a thread of its own while the next ones are read: finding the
/// shortest digits of a number costs more than everything else in an export.
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
  /// From here until finish() nobody else may use `out`. A row has a time and `columns` more
  /// numbers.
  RowWriter(TextFile& out, std::size_t columns);
  ~RowWriter();  ///< calls finish()
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

  /// The place for the next row: its time, then its columns. A value that is empty() is left empty
  /// in the text.
  [[nodiscard]] std::span<double> next();
  [[nodiscard]] static double empty() noexcept;
  /// Whether everything could be written so far.
  [[nodiscard]] bool good() const;
  /// Returns when all rows are written to `out`.
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
