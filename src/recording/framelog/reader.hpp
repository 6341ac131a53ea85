// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads a frame log from front to back; closed, cut off or damaged.
#pragma once

#include <array>
#include <limits>

#include "hild/io/frame_record.hpp"
#include "recording/framelog/changes.hpp"
#include "recording/framelog/description.hpp"
#include "recording/framelog/gap.hpp"
#include "recording/framelog/rows.hpp"
#include "recording/mcap/scan.hpp"

namespace hild::framelog {

/// What is known before the first step.
struct LogHead {
  Description description;
  int format = 0;
  int semantics = 0;  ///< what the same log meant to the program that made it (format.hpp)
  /// Of inputs, outputs, states, timing and counts what a row holds.
  std::array<std::vector<SignalName>, part_count> columns;
  /// What a frame holds, in its order.
  Signals frame_signals;
  io::FrameLayout frame_layout;
};

/// Gets what a log holds, in its order; views hold until the call returns.
class LogVisitor {
 public:
  LogVisitor() = default;
  LogVisitor(const LogVisitor&) = delete;
  LogVisitor& operator=(const LogVisitor&) = delete;
  virtual ~LogVisitor() = default;

  /// Once, before all others.
  virtual void begin(const LogHead& /*head*/) {}
  /// Asked once, after begin(). What need not be read costs little.
  [[nodiscard]] virtual bool wants(LogPart /*part*/) const { return true; }
  /// A step that was recorded whole.
  virtual void frame(const io::FrameView& /*record*/) {}
  virtual void row(LogPart /*part*/, const Row& /*row*/) {}
  virtual void gap(const Gap& /*gap*/) {}
  /// A transaction that took effect; to keep it, take it.
  virtual void change(Effect& /*effect*/) {}
  /// How far the reading is, 0 ... 1; false ends it.
  virtual bool go_on(double /*part*/) { return true; }
};

struct ReadOptions {
  double from = -std::numeric_limits<double>::infinity();  ///< of simulated time, in seconds
  double to = std::numeric_limits<double>::infinity();     ///< up to this, it included
  bool verify = false;                                     ///< check every byte
};

/// What became of a reading.
struct LogScan {
  mcap::Scan file;
  mcap::Map totals;  ///< as the recorder counted them; empty in a log that was cut off
  std::uint64_t bad_messages = 0;  ///< intact, yet not what their stream should hold
};

/// Error: no log of hild, one of another format, or one that cannot be read.
[[nodiscard]] Result<LogScan> read_log(mcap::ByteSource& source, LogVisitor& visitor,
                                       ReadOptions options = {});

}  // namespace hild::framelog
