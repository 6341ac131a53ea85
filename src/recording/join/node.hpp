// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a recording tells of a node: all that it has sent, and all that it has received, each with
/// its instant on TAI, which all nodes have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recording/framelog/links.hpp"
#include "recording/framelog/summary.hpp"

namespace hild::join {

/// An instant, in nanoseconds of TAI.
struct TaiTime {
  std::int64_t ns = 0;
  auto operator<=>(const TaiTime&) const = default;
};
[[nodiscard]] constexpr Duration operator-(TaiTime a, TaiTime b) noexcept { return {a.ns - b.ns}; }
[[nodiscard]] constexpr TaiTime operator+(TaiTime a, Duration d) noexcept { return {a.ns + d.ns}; }

/// All that a node sends was written at an instant.
struct Write {
  TaiTime at;
  std::int64_t frame = 0;
};

/// An image was read: the node looked at what had come.
struct Look {
  TaiTime at;
  std::int64_t frame = 0;
  double t = 0;      ///< simulated time of the frame, in seconds
  bool tick = true;  ///< at the tick, else within the step
};

/// A part of a run that its recording does not hold.
struct Missing {
  TaiTime from, to;
};

/// A node, by its recording.
struct NodeRecord {
  std::string file;
  std::string name;       ///< what the node is to others
  framelog::Links links;  ///< what it exchanges
  Duration frame{};       ///< of the node
  Duration tai_ahead{};   ///< of its clock
  TaiTime first, last;    ///< its first tick, and when its last step ended
  std::vector<Missing> missing;
  std::vector<Write> writes;    ///< by rising instants
  std::vector<double> written;  ///< of each write a value for each signal that is sent
  std::vector<Look> looks;      ///< by rising instants
  std::vector<TaiTime> made;  ///< of each look, for each signal that is received: when it was sent
  std::vector<double> received;    ///< likewise its value, in the unit of the input
  std::vector<std::string> notes;  ///< what is wrong with the recording, though it can be used

  [[nodiscard]] MonoTime on_its_clock(TaiTime t) const noexcept { return {t.ns - tai_ahead.ns}; }
  /// When a frame was, or the first one behind it that is known; its last instant: none is.
  [[nodiscard]] TaiTime instant_of(std::int64_t of_frame) const noexcept;
  /// Whether the recording holds what was at an instant.
  [[nodiscard]] bool covers(TaiTime t) const noexcept;
};

/// Reads it; `file` is what the recording is called. Error: it is no recording, or none that can be
/// joined with others.
[[nodiscard]] Result<NodeRecord> read_node(mcap::ByteSource& source, const std::string& file,
                                           const framelog::Progress& progress = {});

}  // namespace hild::join
