// SPDX-License-Identifier: Apache-2.0
/// \file
/// Histograms of times, made from the records of a run by whoever reads them: the loop itself
/// counts, and leaves this to a thread that has time. Of a record that was dropped nothing is in
/// them.
#pragma once

#include "exec/statistics.hpp"

namespace hild::exec {

class FrameTimes {
 public:
  /// `statistics` outlive it.
  explicit FrameTimes(Statistics& statistics) noexcept : statistics_(&statistics) {}

  /// Adds what the next record tells. One thread at a time; real-time safe.
  void add(const io::FrameView& record) noexcept;

 private:
  Statistics* statistics_;
  Duration work_{};    // of the newest frame, up to its record: what follows is in the next one
  bool open_ = false;  // there is one
};

}  // namespace hild::exec
