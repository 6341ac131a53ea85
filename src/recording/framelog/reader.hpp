// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads a frame log from front to back, whether it was closed, cut off or damaged.
#pragma once

#include <array>
#include <limits>

#include "hild/io/frame_record.hpp"
#include "recording/framelog/changes.hpp"
#include "recording/framelog/description.hpp"
#include "recording/framelog/gap.hpp"
#include "recording/framelog/keyframe.hpp"
#include "recording/framelog/rows.hpp"
#include "recording/mcap/scan.hpp"

namespace hild::framelog {

/// The head of a log: what is known before the first step.
struct LogHead {
  Description description;
  int format = 0;
  int semantics = 0;  ///< semantics version of the program that made it (format.hpp)
  /// The columns of a row of inputs, outputs, states, timing and counts.
  std::array<std::vector<SignalName>, part_count> columns;
  /// The signals of a frame, in its order.
  Signals frame_signals;
  io::FrameLayout frame_layout;
};

/// Receives what a log holds, in its order; views are valid until the call returns.
class LogVisitor {
 public:
  LogVisitor() = default;
  LogVisitor(const LogVisitor&) = delete;
  LogVisitor& operator=(const LogVisitor&) = delete;
  virtual ~LogVisitor() = default;

  /// Called once, before all others.
  virtual void begin(const LogHead& /*head*/) {}
  /// Asked once, after begin(). What is not wanted costs little.
  [[nodiscard]] virtual bool wants(LogPart /*part*/) const { return true; }
  /// A step that was recorded whole.
  virtual void frame(const io::FrameView& /*record*/) {}
  virtual void row(LogPart /*part*/, const Row& /*row*/) {}
  virtual void gap(const Gap& /*gap*/) {}
  /// A transaction that took effect. To keep it, move it.
  virtual void change(Effect& /*effect*/) {}
  /// A keyframe, before the step it belongs to. To keep it, move it.
  virtual void keyframe(exec::Keyframe& /*keyframe*/) {}
  /// How far the reading is, 0 ... 1; false ends it.
  virtual bool go_on(double /*part*/) { return true; }
};

struct ReadOptions {
  double from = -std::numeric_limits<double>::infinity();  ///< start, in seconds of simulated time
  double to = std::numeric_limits<double>::infinity();     ///< end, included
  bool verify = false;                                     ///< check every byte
  /// Only these chunks besides the head of the log, by rising offsets (log_index.hpp); null: all.
  const std::vector<std::uint64_t>* chunks = nullptr;
};

/// The result of a reading.
struct LogScan {
  mcap::Scan file;
  mcap::Map totals;  ///< as the recorder counted them; empty in a log that was cut off
  /// Messages that are intact, yet not what their stream should hold.
  std::uint64_t bad_messages = 0;
};

/// Reads a log. Error: it is not a log of hild, has another format, or cannot be read.
[[nodiscard]] Result<LogScan> read_log(mcap::ByteSource& source, LogVisitor& visitor,
                                       ReadOptions options = {});

}  // namespace hild::framelog
